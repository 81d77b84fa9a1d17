/* Rows are sorted and made one whenever there is no more room; steps become longer where that is
 * not enough. So memory has a bound, and what comes out does not depend on the order of what came.
 */
#include "parser/base/buf.h"
#include "parser/base/compare.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"
#include "parser/store/steps/steps.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_NS (100000ull * 1000000000) /* a day and more */

static int compare_rows(const void *a, const void *b)
{
	const struct store_step *x = a, *y = b;

	return compare_u64(x->begin_ns, y->begin_ns) ?: compare_u64(x->cpu, y->cpu)
		       ?: compare_u64(x->thread, y->thread) ?: compare_u64(x->stack, y->stack);
}

static void unite(struct store_steps *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->count; i++)
		s->list[i].begin_ns -= s->list[i].begin_ns % s->step_ns;
	if (s->count)
		qsort(s->list, s->count, sizeof(*s->list), compare_rows);
	for (size_t i = 0; i < s->count; i++) {
		const struct store_step *row = &s->list[i];

		if (!kept || compare_rows(&s->list[kept - 1], row) != 0) {
			s->list[kept++] = *row;
			continue;
		}
		(void)add_held(&s->list[kept - 1].weight, row->weight);
		(void)add_held(&s->list[kept - 1].samples, row->samples);
	}
	s->count = kept;
}

int steps_lengthen(struct store_steps *s, struct warnings *w)
{
	if (s->step_ns <= LONGEST_NS) {
		s->step_ns *= 10;
		return 0;
	}
	warn_add(w, SEV_FATAL, "store",
		 "more than %zu different stacks of threads and CPUs, whatever their time: choose"
		 " less of the store (or see --max-memory)",
		 s->most);
	return ERR_LIMIT;
}

int steps_make_room(struct store_steps *s, struct warnings *w)
{
	int rc = 0;

	unite(s);
	while (rc == 0 && s->count > s->most) {
		rc = steps_lengthen(s, w);
		unite(s);
	}
	return rc;
}

int steps_add(struct store_steps *s, const struct store_step *row, struct warnings *w)
{
	int rc = s->count >= 2 * s->most ? steps_make_room(s, w) : 0;

	s->list = xgrow(s->list, &s->cap, s->count + 1, sizeof(*s->list));
	s->list[s->count++] = *row;
	return rc;
}

/* ---- threads ---- */

uint32_t steps_thread(struct store_steps *s, uint32_t pid, uint32_t tid, const struct cursor *comm)
{
	const struct steps_ids ids = { pid, tid };
	char *text = store_text_of((const char *)comm->pos, cursor_left(comm));
	struct buf key = { 0 };
	uint32_t number;

	buf_add(&key, &ids, sizeof(ids));
	buf_str(&key, text);
	number = intern_add(&s->texts, key.data, key.len);
	free(text);
	buf_release(&key);
	return number;
}
