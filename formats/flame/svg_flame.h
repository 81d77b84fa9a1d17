/* The flame graph of folded stacks, laid out as flamegraph.pl does it. Of stacks with two sides it
 * draws two: widths by the side after, and below by the side before, so that what vanished shows.
 */
#ifndef PDTOOL_SVG_FLAME_H
#define PDTOOL_SVG_FLAME_H

#include "formats/flame/flame_style.h"
#include "formats/out.h"
#include "formats/model/result.h"

void svg_flame_draw(const struct result *r, const struct drawing *d, struct out *out);

#endif
