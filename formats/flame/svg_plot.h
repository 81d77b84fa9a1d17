/* What flame graphs draw: frames with their places, drawn one by one as a still
 * picture and handed to the script as exact numbers, and the page around them. */
#ifndef PDTOOL_SVG_PLOT_H
#define PDTOOL_SVG_PLOT_H

#include <stddef.h>
#include <stdint.h>

#include "formats/flame/flame_files.h"
#include "formats/flame/flame_tree.h"
#include "formats/number.h"
#include "formats/svg/svg_frame.h"

#define PAGE_SIDE_PX SVG_SIDE_PX

struct plot_frame {
	uint64_t start, weight; /* on the axis */
	uint32_t name;		/* index; PLOT_ROOT for the frame that stands for all */
	uint32_t depth;
	rgb color;
	const struct flame_node *node; /* where there are two sides: has both in full */
	enum frame_kind kind;
};

#define PLOT_ROOT UINT32_MAX

/* A base line with frames above or below it. */
struct plot_lane {
	const char *label;
	double y_px;	     /* top of the frames of depth 0 */
	size_t first, count; /* its frames, each after the one it stands on */
};

enum axis_kind { AXIS_COUNT, AXIS_AFTER, AXIS_BEFORE };

/* What shares one horizontal axis, and is zoomed together. */
struct plot_axis {
	enum axis_kind kind;
	double span; /* weight of the whole width */
	struct plot_lane *lanes;
	size_t lane_count, lane_cap;
	struct plot_frame *frames;
	size_t frame_count, frame_cap;
};

struct plot {
	struct svg_frame frame;
	const struct drawing *drawing;
	struct flame_files files;
	uint32_t colors_drawn; /* of --random */
	const char *const *names;
	const char *countname, *nametype;
	struct plot_axis axes[2];
	size_t axis_count;
	bool upwards;	   /* deeper frames stand higher */
	unsigned decimals; /* weights count 10^-decimals */
	double scale;	   /* of the side before */
	double change_max; /* of one frame; 0: there is one side */
	double top_px;	   /* above the first lane */
	double bottom_px;  /* where the last lane ends */
	struct buf css;	   /* what the options say of colours */
	struct buf note;   /* for the footer: what was left out */
};

/* A picture of R, with the files that D names; false: OUT knows why not. Release P in any case. */
bool plot_init(struct plot *p, const struct result *r, const struct drawing *d, struct out *out);
/* With all keys of the legend in P's frame: the lanes begin below the head. */
void plot_head(struct plot *p);
void plot_release(struct plot *p);
/* The smallest frame worth drawing on an axis of SPAN. */
double plot_least(const struct plot *p, double span);
/* The colour of a frame called NAME, by the palette that the user chose; see flame_color(). */
rgb plot_color(struct plot *p, const char *name, bool waker);
rgb plot_painted(struct plot *p, const struct painted *frame);
void plot_add(struct plot_axis *a, const struct plot_frame *f);
void plot_add_lane(struct plot_axis *a, const struct plot_lane *lane);
/* For the note: COUNT of WHAT, frames or spans, were left out, PERCENT of OF. */
void plot_note_left_out(struct plot *p, size_t count, const char *what, double percent,
			const char *of);

/* All before the drawing, which ends BELOW pixels behind the last lane. */
void plot_begin(struct plot *p, double below);
/* The still picture. */
void plot_draw(const struct plot *p);
/* The tooltip, as flamegraph.pl words it: "name (1,234 samples, 5.67%)". */
void plot_title(const struct plot *p, const struct plot_axis *a, size_t frame, struct buf *out);
/* A weight, or a change of one, as it is shown: times --factor; */
double plot_shown(const struct plot *p, double weight);
/* in whole units. */
const char *plot_amount(const struct plot *p, double weight, char text[NUMBER_TEXT]);
/* "all" for the root. */
const char *plot_full_name(const struct plot *p, const struct plot_frame *f);
/* The same without _[k], _[w], _[i], _[j] at the end. */
void plot_name(const struct plot *p, const struct plot_frame *f, struct buf *out);
/* The argument of the script's function. */
void plot_data(const struct plot *p);
/* After the drawing: the script with its data. */
void plot_end(struct plot *p);
/* A picture that says only TEXT. */
void plot_message(const struct result *r, const struct drawing *d, struct out *out,
		  const char *text);

#endif
