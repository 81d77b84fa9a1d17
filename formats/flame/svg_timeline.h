/* The flame chart and the timelines of the scheduler: a lane of spans for each thread or CPU, over
 * time. Gaps are gaps. */
#ifndef PDTOOL_SVG_TIMELINE_H
#define PDTOOL_SVG_TIMELINE_H

#include "formats/flame/flame_style.h"
#include "formats/out.h"
#include "formats/model/result.h"

void svg_timeline_draw(const struct result *r, const struct drawing *d, struct out *out);

#endif
