/* A drawing of lanes over time: a still picture in which every pixel shows shares of what it stands
 * for, and all spans as compact text, from which the script draws any part of the time. */
#ifndef PDTOOL_TIMELINE_H
#define PDTOOL_TIMELINE_H

#include "formats/flame/flame_files.h"
#include "formats/svg/svg_frame.h"

/* What spans are, which decides how a pixel with several of them looks: as in timeline_model.js. */
enum timeline_mode { TIMELINE_FRAMES, TIMELINE_TASKS, TIMELINE_STATES };

struct timeline {
	struct svg_frame frame;
	const struct drawing *drawing;
	const struct timeline_part *part;
	const struct timeline_reduced *reduced; /* has the part */
	enum timeline_mode mode;
	rgb *colors;		  /* by name, of those that occur */
	uint8_t *ranks;		  /* by name: the order of shares in a pixel, from the bottom */
	double frame_px;	  /* height of a row, as far as there is room */
	bool upwards;		  /* deeper frames stand higher */
	double top_px;		  /* of the first lane */
	double left_px, inner_px; /* where time begins, and all of it */
	double row_px;		  /* height of a row, with the line below it */
	double head_px;		  /* above the rows of a lane: its name and its ticks; 0: none */
	size_t still_lanes;	  /* so many have room in the still picture */
	double bottom_px;	  /* of the last of them */
	double *lane_px;	  /* where each lane begins */
};

#define TIMELINE_GROUPS 8 /* that have colours of their own */

/* Of one group of names, for the legend. */
struct timeline_group {
	const char *name; /* "": the rest */
	rgb color;
	double ns;
	size_t names; /* of the rest: so many are one */
};

/* Colours and ranks by what names belong to. Returns how many entries TO has: the last one may be
 * the rest, which has one colour for all. */
size_t timeline_groups(struct timeline *t, struct timeline_group to[TIMELINE_GROUPS + 1]);
/* The names that occur, those first that were the innermost ones longest; the caller's. */
uint32_t *timeline_order(const struct timeline_part *p, size_t *count);
/* By name: for how many ns it was the innermost one, -INFINITY: it does not occur; the caller's. */
double *timeline_own(const struct timeline_part *p);
/* Colours by hue, so that the first of ORDER can be told apart; of states, their own. */
void timeline_hues(struct timeline *t, const uint32_t *order, size_t n);
/* The same on every host. */
uint32_t timeline_hash(const char *name);
const char *timeline_legend(enum span_kind kind);
rgb timeline_color(enum span_kind kind);
/* One more than the greatest name that a span has. */
size_t timeline_names(const struct timeline_part *p);
unsigned timeline_kind(const struct timeline_part *p, uint32_t name);
/* The top of a row of depth DEPTH. */
double timeline_row_px(const struct timeline *t, size_t lane, unsigned depth);
/* The still picture of all spans. */
void timeline_still(const struct timeline *t);
/* The argument of the script's function. */
void timeline_data(const struct timeline *t);

/* A part with no more lanes and frames than a browser wants to read. */
struct timeline_reduced {
	struct timeline_part part;
	size_t left_lanes;	/* those with the least time are left out, */
	double left_ns, all_ns; /* which is so much of so much */
	const char **names;
	uint8_t *kinds;
	struct lane *lanes;
	struct span *spans;
	struct arrow *arrows;
};

/* P, which must last as long as R. FRAMES: nobody has added up its spans. */
void timeline_reduce(struct timeline_reduced *r, const struct timeline_part *p, bool frames);
void timeline_reduced_release(struct timeline_reduced *r);

#endif
