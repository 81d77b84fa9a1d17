/* Stacks as a table: the heaviest first. */
#ifndef PDTOOL_TEXT_STACKS_H
#define PDTOOL_TEXT_STACKS_H

#include "formats/model/result.h"

#define STACK_COLUMNS 4

struct stack_table {
	struct table_part part;
	struct column columns[STACK_COLUMNS];
	struct cells cells;
};

/* Of R's stacks. The first NAMED rows have their frames; NAMED 0: all have. */
void stack_table_init(struct stack_table *t, const struct result *r, size_t named);
void stack_table_release(struct stack_table *t);

#endif
