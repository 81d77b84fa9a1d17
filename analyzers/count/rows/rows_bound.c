/* What rows are counted under takes no more than it may, and is given back. */
#include "analyzers/count/rows/row_keys.h"

#include <stdlib.h>
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

void rows_release(struct rows *t)
{
	intern_release(&t->texts);
	intern_release(&t->bases);
	intern_release(&t->frames);
	intern_release(&t->mores);
	intern_release(&t->step_ids);
	samples_release(&t->samples);
	idmap_release(&t->event_by_name);
	free(t->pairs);
	free(t->events);
	free(t->rows);
	free(t->modes);
	free(t->steps);
	kept_release(&t->kept);
	free(t->seen);
}
