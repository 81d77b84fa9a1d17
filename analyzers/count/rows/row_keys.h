/* What rows are told apart by: the keys of the sample, which are a base, and those of the location;
 * and the levels of subtotals. Of the rows of a table; whoever else wants a key asks row_key(). */
#ifndef PDTOOL_ROW_KEYS_H
#define PDTOOL_ROW_KEYS_H

#include "analyzers/count/rows/rows.h"

/* What a row has of the sample begins so; then come its keys below KEY_DSO, of those that its level
 * has. */
struct row_base {
	uint32_t more; /* in mores; UINT32_MAX: none */
	uint32_t level;
};

/* Of the location. */
struct row_place {
	uint64_t key[ROW_KEYS - KEY_DSO];
};

/* The kinds of rows: those below subtotals have all keys. */
struct row_level {
	uint64_t keys;
	unsigned number; /* of subtotals above */
	bool subtotal;
};

/* How many subtotals are above a row that is none. */
unsigned row_levels(const struct rows *t);
/* The I-th level, the outermost first. */
struct row_level row_level(const struct rows *t, unsigned i);

/* The last row is found from now on. */
void row_enter(struct rows *t);

uint64_t row_text_id(struct rows *t, const char *text);
/* The id of KEY in frames: keys that L does not have are not looked at. */
uint32_t row_frame_id(struct rows *t, const struct row_level *l, const struct row_place *key);
/* That of a frame of which only the symbol is known. */
uint32_t row_symbol_frame(struct rows *t, const struct row_level *l, uint64_t sym);

/* The id of MORE, MORE_KEYS keys. */
uint32_t row_more_id(struct rows *t, const uint64_t *more);
/* The id of the keys KEY, by enum row_key, and of those that MORE is, or KEY_NONE, as far as L has
 * them. */
uint32_t row_base_id(struct rows *t, const struct row_level *l, const uint64_t *key, uint64_t more);
/* What R has of those: the id, or KEY_NONE. */
uint64_t row_more(const struct rows *t, const struct row *r);

#endif
