/* What reads the steps of a file and of ClickHouse. */
#ifndef PDTOOL_STORE_STEPS_STEPS_H
#define PDTOOL_STORE_STEPS_STEPS_H

#include "parser/base/cursor.h"
#include "parser/store/rows.h"
#include "parser/store_steps.h"

/* What the text of a thread begins with, before its command. */
struct steps_ids {
	uint32_t pid, tid;
};

/* The number of a thread whose command is these LEN bytes. */
uint32_t steps_thread(struct store_steps *s, uint32_t pid, uint32_t tid, const struct cursor *comm);
/* One more; it begins at any time of its step. */
CHECKED int steps_add(struct store_steps *s, const struct store_step *row, struct warnings *w);
/* All of one step, CPU, thread and stack become one; where there are still too many, steps become
 * longer. */
CHECKED int steps_make_room(struct store_steps *s, struct warnings *w);
CHECKED int steps_lengthen(struct store_steps *s, struct warnings *w);

CHECKED int steps_read_file(struct store_steps *out, struct store_rows *r, struct warnings *w);
CHECKED int steps_read_remote(struct store_steps *out, struct store_rows *r, struct warnings *w);

#endif
