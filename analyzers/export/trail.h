/* Samples by series, in the order in which they came, in a temporary file: memory follows the
 * series, not the samples. A series is read as often as it is wanted. */
#ifndef PDTOOL_TRAIL_H
#define PDTOOL_TRAIL_H

#include "parser/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trail_row {
	uint64_t time_ns, weight;
	uint32_t stack;
};

#define TRAIL_ROWS 32

struct trail_block {
	uint64_t next; /* of the series; 0: it is the last one */
	struct trail_row rows[TRAIL_ROWS];
};

/* A series: where its first block lies, and the one that is being filled. */
struct trail_series {
	struct trail_row *rows;
	uint64_t first, block, samples;
	uint32_t used, room;
};

/* All zero is empty. */
struct trail {
	struct trail_series *list;
	size_t count, cap;
	uint64_t blocks; /* that were begun */
	uint64_t samples;
	int fd; /* valid with opened */
	bool opened;
	int error; /* errno of the first failure */
	/* of the series that is being read: rows that were not handed out, and where in the block
	 * the next one is */
	struct trail_block block;
	uint64_t left;
	size_t at;
};

void trail_release(struct trail *t);
/* The number of a new series. */
uint32_t trail_new(struct trail *t);
void trail_add(struct trail *t, uint32_t series, const struct trail_row *row);
/* No more come. */
void trail_end(struct trail *t);
/* Begin to read SERIES. */
void trail_begin(struct trail *t, uint32_t series);
/* False: there are no more, or error says why they cannot be read. */
bool trail_next(struct trail *t, struct trail_row *row);

#endif
