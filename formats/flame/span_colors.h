/* Colours of spans that are no functions: tasks by their name, states each its own. */
#ifndef PDTOOL_SPAN_COLORS_H
#define PDTOOL_SPAN_COLORS_H

#include "formats/flame/flame_colors.h"

/* KIND: enum span_kind, not SPAN_FRAME. */
rgb span_color(unsigned kind, const char *name);
/* What KIND is called in a legend; NULL: it needs no entry. */
const char *span_legend(unsigned kind);

#endif
