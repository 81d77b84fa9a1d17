/* What rows are counted under takes no more than it may. */
#include "analyzers/count/rows/rows.h"

#include <string.h>

/* Keys of those that made room are let go, unless rows have them already. */
static void relabel(void *rows, struct who *list, size_t count)
{
	struct rows *t = rows;
	struct intern old = t->mores;
	uint64_t none[MORE_KEYS];

	if (!old.count)
		return;
	memset(none, 0xff, sizeof(none)); /* KEY_NONE */
	if (!t->row_count)
		t->mores = (struct intern){ 0 };
	for (size_t i = 0; i < count; i++)
		list[i].label = intern_add(
			&t->mores, list[i].others ? (const char *)none : old.list[list[i].label].s,
			sizeof(none));
	if (!t->row_count)
		intern_release(&old);
}

void rows_bound(struct rows *t, size_t max_memory)
{
	t->samples.max_bytes = max_memory;
	t->samples.relabel = relabel;
	t->samples.relabel_ctx = t;
}
