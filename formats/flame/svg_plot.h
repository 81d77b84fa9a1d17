/* Frames with their places: drawn one by one as a still picture, and handed to the script as exact
 * numbers. Used by flame graphs and flame charts. */
#ifndef PDTOOL_SVG_PLOT_H
#define PDTOOL_SVG_PLOT_H

#include <stddef.h>
#include <stdint.h>

#include "formats/flame/flame_colors.h"
#include "formats/flame/flame_files.h"
#include "formats/flame/svg_page.h"

struct plot_frame {
	uint64_t start, weight; /* on the axis */
	uint32_t name;		/* index; PLOT_ROOT for the frame that stands for all */
	uint32_t depth;
	rgb color;
};

#define PLOT_ROOT UINT32_MAX

/* Of a frame in a drawing of two sides: both in full, and what ends in the frame itself. */
struct plot_change {
	uint64_t after, before, after_self, before_self;
};

/* A base line with frames above or below it. */
struct plot_lane {
	const char *label;
	double y_px;	     /* top of the frames of depth 0 */
	size_t first, count; /* its frames, each after the one it stands on */
};

enum axis_kind { AXIS_COUNT, AXIS_AFTER, AXIS_BEFORE, AXIS_TIME };

/* What shares one horizontal axis, and is zoomed together. */
struct plot_axis {
	enum axis_kind kind;
	double span; /* weight of the whole width */
	struct plot_lane *lanes;
	size_t lane_count, lane_cap;
	struct plot_frame *frames;
	size_t frame_count, frame_cap;
	struct plot_change *changes; /* by frame; NULL unless there are two sides */
	size_t change_cap;
};

struct plot {
	const struct svg_page *page;
	const char *const *names;
	const char *countname;
	const struct name_attributes *attributes;
	struct plot_axis axes[2];
	size_t axis_count;
	bool upwards;			      /* deeper frames stand higher */
	unsigned decimals;		      /* weights count 10^-decimals */
	double scale;			      /* of the side before */
	double bottom_px;		      /* where the last lane ends */
	const struct timeline_part *timeline; /* its arrows go to the script; NULL: none */
};

void plot_add(struct plot_axis *a, const struct plot_frame *f, const struct plot_change *c);
void plot_add_lane(struct plot_axis *a, const struct plot_lane *lane);
/* The still picture. */
void plot_draw(const struct plot *p);
/* The argument of the script's function. */
void plot_data(const struct plot *p);
void plot_release(struct plot *p);

#endif
