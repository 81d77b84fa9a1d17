/* Results: a few shapes, no perf vocabulary. Analyzers fill them, formats draw them. */
#ifndef PDTOOL_MODEL_RESULT_H
#define PDTOOL_MODEL_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/arena.h"

/* Folded stacks: sorted bytewise by their text, each once, root first. */
struct stack_row {
	uint64_t weight;
	uint64_t first;	 /* index of its first frame in frames[] */
	uint32_t count;	 /* frames */
	uint32_t shared; /* leading frames that equal the row before */
};

struct stacks_part {
	const char *const *names; /* by frame id; no ';', no control bytes */
	const uint32_t *frames;
	const struct stack_row *rows;
	size_t count;
};

/* A table: text or unsigned numbers. */
struct column {
	const char *name; /* unit last: "time_ns" */
	bool number;
};

struct cell {
	const char *text; /* NULL in a number column with no value: empty */
	uint64_t number;
	bool empty;
};

struct table_part {
	const struct column *columns;
	size_t column_count;
	const struct cell *cells; /* rows * column_count */
	size_t row_count;
};

/* What the result is made of: shown where the format has a place for it. */
struct fact {
	const char *name, *value;
};

struct result {
	const struct stacks_part *stacks; /* NULL: no such part */
	const struct table_part *table;
	const struct fact *facts;
	size_t fact_count;
};

#endif
