/* Lanes of spans as lines of blocks. */
#ifndef PDTOOL_TEXT_TIMELINE_H
#define PDTOOL_TEXT_TIMELINE_H

#include "formats/format.h"

/* R's timeline: how much of each column of time every lane was busy, and its share of the whole. On
 * a terminal the busiest lanes, in their order. */
void text_timeline(const struct result *r, const struct style *style, struct out *out);

#endif
