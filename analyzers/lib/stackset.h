/* Stacks of named frames with weights, from one capture or several: collected, then sorted and
 * merged. */
#ifndef PDTOOL_STACKSET_H
#define PDTOOL_STACKSET_H

#include "formats/model/result.h"
#include "parser/base/intern.h"

struct stackset {
	struct intern names;
	uint32_t *frames; /* of all rows, root first */
	size_t frame_count, frame_cap;
	struct stack_row *rows;
	size_t row_count, row_cap;
	uint32_t *table; /* of rows, by their frames: index + 1; 0 is free */
	size_t slots;
	struct stacks_part part; /* valid after stackset_finish() */
	const char **name_list;
};

void stackset_init(struct stackset *s);
void stackset_release(struct stackset *s);
/* The id of a frame called NAME; what would break the folded form or a terminal is written as \xNN,
 * and
 * ';' as ':'. */
uint32_t stackset_frame(struct stackset *s, const char *name, size_t len);
/* Begin a row, push its frames root first, end it: the weights of equal rows add up. */
void stackset_begin(struct stackset *s);
static inline void stackset_push(struct stackset *s, uint32_t frame);
void stackset_end(struct stackset *s, uint64_t weight);
/* Sort rows bytewise by their text; fills PART. */
void stackset_finish(struct stackset *s);

/* Room for the frames of one row; the pushes that follow do not check. */
void stackset_reserve(struct stackset *s, size_t frames);

static inline void stackset_push(struct stackset *s, uint32_t frame)
{
	s->frames[s->frame_count++] = frame;
}

#endif
