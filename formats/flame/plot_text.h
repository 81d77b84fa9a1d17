/* What a frame is called, and what it says of itself: the tooltip. */
#ifndef PDTOOL_PLOT_TEXT_H
#define PDTOOL_PLOT_TEXT_H

#include "formats/flame/svg_plot.h"

/* As flamegraph.pl words it: "name (1,234 samples, 5.67%)". */
void plot_title(const struct plot *p, const struct plot_axis *a, size_t frame, struct buf *out);
/* "all" for the root. */
const char *plot_full_name(const struct plot *p, const struct plot_frame *f);
/* The same without _[k], _[w], _[i], _[j] at the end. */
void plot_name(const struct plot *p, const struct plot_frame *f, struct buf *out);

#endif
