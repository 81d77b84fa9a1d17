/* What a store's histograms tell together: how many, how long in all, percentiles. */
#ifndef PDTOOL_STORE_ROOM_LENGTHS_H
#define PDTOOL_STORE_ROOM_LENGTHS_H

#include "analyzers/count/answer.h"
#include "analyzers/store/buckets.h"
#include "parser/base/intern.h"

enum lengths_of { LENGTHS_WAITS, LENGTHS_OFFCPU, LENGTHS_IO };

struct lengths_row {
	uint32_t of; /* of names */
	uint8_t kind;
	uint64_t count, sum_ns, max_ns;
};

/* All zero is empty. */
struct lengths {
	enum lengths_of what;
	struct intern names;
	struct lengths_row *rows;
	struct idmap row_at; /* by name and kind */
	size_t row_count, row_cap;
	struct buckets buckets; /* of rows */
	size_t captures, without;
};

extern const struct column lengths_columns[], lengths_io_columns[];

/* The names of the kinds of WHAT, *COUNT of them. */
const char *const *lengths_kinds(enum lengths_of what, size_t *count);
/* Add those of F, a store. Negative, with a message in W. */
CHECKED int lengths_read(struct lengths *l, struct folded *f, struct warnings *w);
/* The cells, and facts. ERR_ABSENT, with a line in W: no capture has any. */
CHECKED int lengths_answer(struct lengths *l, struct answer *a, struct warnings *w);
void lengths_release(struct lengths *l);

#endif
