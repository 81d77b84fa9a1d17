/* The drawings: each is one complete SVG document. */
#ifndef PDTOOL_SVG_DRAW_H
#define PDTOOL_SVG_DRAW_H

#include "formats/flame/flame_style.h"
#include "formats/format.h"

/* The flame graph of folded stacks, laid out as flamegraph.pl does it. Of stacks with two sides it
 * draws two: widths by the side after, and below by the side before, so that what vanished shows.
 */
void svg_flame_draw(const struct result *r, const struct drawing *d, struct out *out);
/* The flame chart and the timelines of the scheduler: a lane of spans for each thread or CPU, over
 * time. Gaps are gaps. */
void svg_timeline_draw(const struct result *r, const struct drawing *d, struct out *out);
/* In these two D may be NULL.
 * A grid as a heat map: rows are ranges of values or have labels; where those add up, a stacked
 * area stands above it on the same axis. Lanes stand in place of it, where there are some, on one
 * axis and one scale of colours. */
void svg_grid_draw(const struct result *r, const struct drawing *d, struct out *out);
/* Lines over time, a panel for each scale. */
void svg_panels_draw(const struct result *r, const struct drawing *d, struct out *out);
/* A table as bars: the text of a row at the left, its bar, its number at the right. */
void svg_bars_draw(const struct result *r, const struct drawing *d, struct out *out);

#endif
