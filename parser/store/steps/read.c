/* From the engine that has them; then threads get numbers that do not depend on it. */
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/store/steps/steps.h"

#include <stdlib.h>
#include <string.h>

/* ---- threads ---- */

struct numbered {
	struct store_thread of;
	uint32_t number;
};

static int compare_threads(const void *a, const void *b)
{
	const struct store_thread *x = &((const struct numbered *)a)->of;
	const struct store_thread *y = &((const struct numbered *)b)->of;

	return strcmp(x->comm, y->comm) ?: compare_u64(x->pid, y->pid)
		       ?: compare_u64(x->tid, y->tid);
}

/* They came in any order, and some for nothing. */
static void order_threads(struct store_steps *s)
{
	struct numbered *list = xcalloc(s->texts.count + 1, sizeof(*list));
	uint32_t *now = xcalloc(s->texts.count + 1, sizeof(*now));
	size_t count = 0;

	for (size_t i = 0; i < s->count; i++)
		now[s->list[i].thread] = 1;
	for (uint32_t i = 0; i < s->texts.count; i++) {
		const char *key = intern_str(&s->texts, i);
		struct steps_ids ids;

		if (!now[i])
			continue;
		memcpy(&ids, key, sizeof(ids));
		list[count++] = (struct numbered){ { key + sizeof(ids), ids.pid, ids.tid }, i };
	}
	if (count)
		qsort(list, count, sizeof(*list), compare_threads);
	s->threads = xcalloc(count + 1, sizeof(*s->threads));
	s->thread_count = count;
	for (uint32_t i = 0; i < count; i++) {
		s->threads[i] = list[i].of;
		now[list[i].number] = i;
	}
	for (size_t i = 0; i < s->count; i++)
		s->list[i].thread = now[s->list[i].thread];
	free(list);
	free(now);
}

/* ---- all of it ---- */

int store_steps_read(struct store_steps *out, struct store_rows *r, size_t most, struct warnings *w)
{
	const struct picks *picks = rows_picks(r);
	int rc;

	*out = (struct store_steps){ .step_ns = 1, .most = most };
	intern_init(&out->texts);
	for (size_t i = 0; i < picks->count; i++) {
		if (picks->list[i].step_ns > (int64_t)out->step_ns)
			out->step_ns = (uint64_t)picks->list[i].step_ns;
	}
	rc = rows_click(r) ? steps_read_remote(out, r, w) : steps_read_file(out, r, w);
	if (rc == 0)
		order_threads(out);
	return rc ?: steps_make_room(out, w);
}

void store_steps_release(struct store_steps *s)
{
	free(s->list);
	free(s->threads);
	intern_release(&s->texts);
}
