/* Colours of frames: flamegraph.pl's palettes, by name and so the same on every run. */
#ifndef PDTOOL_FLAME_COLORS_H
#define PDTOOL_FLAME_COLORS_H

#include <stdint.h>

#include "formats/flame/flame_style.h"

/* 0xrrggbb */
typedef uint32_t rgb;

#define RGB_NONE UINT32_MAX

#define RGB_SEPARATOR 0xa0a0a0 /* of the frame "--" */
#define RGB_DASH      0xc8c8c8 /* of the frame "-" */
#define RGB_SAME      0xe4e4e8 /* no change: seen on white and on black */
#define RGB_HIGHLIGHT 0xe600e6 /* as what a search found */
#define RGB_NOISE     0xb4b4b4 /* a change below the noise */

/* What the colour of a frame depends on. */
struct painted {
	const char *name;
	bool waker; /* it is above the frame "--" of a chain graph */
	enum frame_kind kind;
};

/* The kind of a frame of which only the NAME is known, by its mark: _[k], _[j], _[i]. */
enum frame_kind flame_kind(const char *name);
/* DRAWN: where the sequence of --random stands; begins with 0. */
rgb flame_color(const struct drawing *d, const struct painted *p, uint32_t *drawn);
/* One that stands for all of KIND, for a legend. */
rgb flame_color_of_kind(const struct drawing *d, enum frame_kind kind);
/* The colour of text on COLOR, black or white: WCAG 2.1 asks for a contrast of 4.5, which one of
 * the two always has. */
rgb flame_color_ink(rgb color);
/* A change of CHANGE where the greatest is MOST: red more, blue less, light grey none. */
rgb flame_color_change(double change, double most, bool negate);

#endif
