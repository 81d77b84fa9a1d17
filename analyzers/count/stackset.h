/* Stacks of named frames with weights, from one capture or several: collected, then sorted and
 * merged. */
#ifndef PDTOOL_STACKSET_H
#define PDTOOL_STACKSET_H

#include "formats/model/result.h"
#include "parser/base/intern.h"
#include "parser/base/slots.h"
#include "parser/folded.h"

/* What is pushed: a frame's id, and above it what its function is, an enum frame_kind. */
#define STACKSET_KIND_SHIFT 28
#define STACKSET_ID	    ((1u << STACKSET_KIND_SHIFT) - 1)

struct stackset {
	struct intern names;
	uint32_t *frames; /* of all rows, root first */
	size_t frame_count, frame_cap;
	uint8_t *kinds; /* of the same; NULL: of none it is known */
	size_t kind_cap;
	struct stack_row *rows;
	size_t row_count, row_cap;
	struct slots places;	 /* of rows, by their frames: of all when one is looked up */
	size_t ascending;	 /* rows that came as lines of text, each behind those before it */
	struct stacks_part part; /* valid after stackset_finish() */
	const char **name_list;
	unsigned decimals; /* weights count 10^-decimals */
	/* With several sides: amounts[index * sides + side], and until the end row.weight is the
	 * index; afterwards the index is the row. */
	unsigned sides;
	uint64_t *amounts;
	size_t amount_cap;
	uint64_t *before;
	size_t made_room; /* rows that count as others: stackset_make_room() */
	size_t next;	  /* the row behind the one that was there last: mostly the next one */
	struct last_line *last; /* NULL: none */
	unsigned jobs;		/* threads that may sort; 0: one */
	bool by_line;		/* sort rows as lines with a weight behind: flamegraph.pl's order */
	bool overflow;		/* a sum is held; after stackset_finish() also that of all rows */
};

void stackset_release(struct stackset *s);
/* The id of a frame called NAME; what would break the folded form or a terminal is written as \xNN,
 * and
 * ';' as ':'. */
uint32_t stackset_frame(struct stackset *s, const char *name, size_t len);
/* Begin a row, push its frames root first, end it: the weights of equal rows add up. */
void stackset_begin(struct stackset *s);
static inline void stackset_push(struct stackset *s, uint32_t frame);
void stackset_end(struct stackset *s, uint64_t weight);
/* Keep N weights (2 or more) for each row; before the first row. */
void stackset_sides(struct stackset *s, unsigned n);
/* The same for a set with sides: WEIGHT goes to one of them. */
void stackset_end_side(struct stackset *s, unsigned side, uint64_t weight);
/* The same for a line of text, which may have decimals and two columns. */
void stackset_end_text(struct stackset *s, const struct folded_line *line);
/* Push the frames of TEXT, a stack of folded text. Empty ones at its end are dropped, as Perl's
 * split() does in the tools that wrote the form. */
void stackset_push_text(struct stackset *s, const char *text, size_t len);
/* Add the rows of FROM (no sides, not finished) as one side of TO; a frame's id in TO is
 * IDS[its id in FROM]; NULL: the same. */
void stackset_add_set(struct stackset *to, unsigned side, const struct stackset *from,
		      const uint32_t *ids);
/* The same with all of FROM, whose ids are those of TO; FROM is released. */
void stackset_take(struct stackset *to, struct stackset *from);
/* The same, in a set without sides, of what has names of its own. */
void stackset_append(struct stackset *to, struct stackset *from);
/* The weight of all rows of a set without sides, in whole units. */
double stackset_sum(const struct stackset *s);
/* What weights are divided by to count whole units. */
double stackset_one(const struct stackset *s);
/* In the row that was begun, a function that calls itself directly becomes one frame. */
void stackset_collapse_recursion(struct stackset *s);
/* Turn round the row that was begun. */
void stackset_reverse(struct stackset *s);
/* What S and what is made of it may take, by a rough estimate. */
size_t stackset_bytes(const struct stackset *s);
/* Keep the heaviest rows, of equal ones the first, so that S takes no more than BYTES; all others
 * become one, "[others]". Ids of frames are others then. No row is begun. */
void stackset_make_room(struct stackset *s, size_t bytes);
/* Sort rows bytewise by their text; fills PART. With two sides they are before and after. */
void stackset_finish(struct stackset *s);

/* Room for the frames of one row; the pushes that follow do not check. */
void stackset_reserve(struct stackset *s, size_t frames);

static inline void stackset_push(struct stackset *s, uint32_t frame)
{
	s->frames[s->frame_count++] = frame;
}

/* The frame pushed last into the row that was begun; UINT32_MAX when there is none. */
static inline uint32_t stackset_last(const struct stackset *s)
{
	return s->frame_count > s->rows[s->row_count].first ? s->frames[s->frame_count - 1]
							    : UINT32_MAX;
}

#endif
