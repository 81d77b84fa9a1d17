/* One lane a thread, by process and thread. */
#include "analyzers/lanes/tracks.h"
#include "analyzers/count/answer.h"
#include "parser/base/buf.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <stdlib.h>

uint32_t tracks_put(struct tracks *t, uint32_t pid, uint32_t tid, uint32_t comm)
{
	uint32_t *id = idmap_put(&t->index, (uint64_t)pid << 32 | tid);

	if (*id == IDMAP_NONE) {
		*id = (uint32_t)t->count;
		t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
		t->list[t->count++] = (struct track){ .pid = pid, .tid = tid };
	}
	t->list[*id].comm = comm;
	return *id;
}

size_t track_add(struct track *t, struct span s)
{
	t->spans = xgrow(t->spans, &t->cap, t->count + 1, sizeof(*t->spans));
	t->spans[t->count] = s;
	return t->count++;
}

static char *name_of(const struct track *t, const struct pdt_session *s)
{
	const char *comm = pdt_comm(s, t->comm);
	struct buf b = { 0 };
	struct answer safe = { 0 };
	char *name;

	buf_printf(&b, "%s %s%u",
		   comm	    ? comm
		   : t->pid ? "thread"
			    : "idle",
		   t->pid ? "" : "cpu ", t->pid ? t->pid : t->tid);
	if (t->pid && t->tid != t->pid)
		buf_printf(&b, "/%u", t->tid);
	name = xstrdup(answer_string(&safe, b.data));
	answer_release(&safe);
	buf_release(&b);
	return name;
}

void tracks_name(struct tracks *t, const struct pdt_session *s)
{
	for (size_t i = 0; i < t->count; i++)
		t->list[i].name = name_of(&t->list[i], s);
}

static int by_id(const void *a, const void *b)
{
	const struct track *x = a, *y = b;

	return compare_u64(x->pid, y->pid) ?: compare_u64(x->tid, y->tid);
}

void tracks_result(struct tracks *t, const struct timeline_part *like, struct result *out)
{
	struct timeline_part *p = &t->part;

	*p = *like;
	p->start_ns = UINT64_MAX;
	p->unit = "ns";
	if (t->count)
		qsort(t->list, t->count, sizeof(*t->list), by_id);
	t->lanes = xcalloc(t->count + 1, sizeof(*t->lanes));
	for (size_t i = 0; i < t->count; i++) {
		const struct track *k = &t->list[i];

		if (!k->count)
			continue;
		t->lanes[p->lane_count++] =
			(struct lane){ k->name, k->spans, k->count, k->depth, k->pid };
		if (k->spans[0].start_ns < p->start_ns)
			p->start_ns = k->spans[0].start_ns;
		p->end_ns = k->last_ns > p->end_ns ? k->last_ns : p->end_ns;
	}
	if (!p->lane_count)
		p->start_ns = 0;
	p->lanes = t->lanes;
	out->timeline = p;
	out->title = "Flame Chart";
}

void tracks_release(struct tracks *t)
{
	for (size_t i = 0; i < t->count; i++) {
		free(t->list[i].name);
		free(t->list[i].spans);
	}
	idmap_release(&t->index);
	free(t->list);
	free(t->lanes);
}
