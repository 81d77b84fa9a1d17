/* What functions are, in colours: the same ones, and the same legend, in a flame graph and in a
 * flame chart. */
#ifndef PDTOOL_FLAME_KINDS_H
#define PDTOOL_FLAME_KINDS_H

#include "formats/flame/flame_colors.h"
#include "formats/svg/svg_frame.h"

/* How much of all is the own weight of functions of a kind. */
struct flame_kinds {
	double sums[FRAME_KINDS], total;
	unsigned there;	  /* bits: kinds that occur */
	const char *what; /* that weight: "weight" */
	/* the legend's */
	char texts[FRAME_KINDS][32], titles[FRAME_KINDS][80];
};

/* A function of KIND occurs, with so much of its own. */
void flame_kinds_add(struct flame_kinds *k, enum frame_kind kind, double own);
/* The legend, if colours tell kinds apart and there are several. K must last as long as F. */
void flame_kinds_legend(struct flame_kinds *k, const struct drawing *d, struct svg_frame *f);

#endif
