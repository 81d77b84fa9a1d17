/* What functions are on the stacks that become rows: steps, made once for each location. */
#ifndef PDTOOL_ROW_STEPS_H
#define PDTOOL_ROW_STEPS_H

#include "analyzers/count/rows/row_keys.h"

/* Of a step. */
enum step_flag {
	STEP_ASKED = 1,	 /* it is the symbol that callers or callees are asked of */
	STEP_NAMED = 2,	 /* its function has a name */
	STEP_PARENT = 4, /* --parent means it */
	STEP_IGNORE = 8, /* so does --ignore-callees */
};

/* Frames of all locations of S, as ids of steps of level L. */
void row_steps(struct rows *t, const struct row_level *l, const struct pdt_session *s,
	       struct frames *out);
/* The step of a stack that has none. */
uint32_t row_unknown_step(struct rows *t, const struct row_level *l);
/* The step of a frame NAME of folded text. */
uint32_t row_text_step(struct rows *t, const struct row_level *l, const char *name);

#endif
