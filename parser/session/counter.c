/* Counters of perf stat record as events. */
#include "parser/session/inside.h"
#include "parser/base/abi.h"

bool session_counter(struct session *s, const struct raw *raw, struct pdt_event *out)
{
	const struct name_list *comms = &s->options.filter.comms;
	const struct counters *c = &s->readers.in.counters;
	const struct counted_thread *t = NULL;

	*out = (struct pdt_event){ .pid = UINT32_MAX,
				   .tid = UINT32_MAX,
				   .cpu = UINT32_MAX,
				   .other_pid = UINT32_MAX,
				   .other_tid = UINT32_MAX,
				   .comm = PDT_NONE,
				   .stack = PDT_NONE,
				   .chain = PDT_NONE,
				   .place = PDT_NONE };
	if (raw->type == RECORD_STAT_ROUND) {
		out->kind = PDT_ROUND;
		return record_round_decode(&s->round, raw) == 0;
	}
	out->kind = PDT_COUNTER;
	out->desc = readers_stat(&s->readers, raw, &s->counter);
	if (!out->desc)
		return false;
	out->cpu = s->counter.cpu;
	out->has_cpu = out->cpu != UINT32_MAX;
	if (s->counter.thread < c->thread_count)
		t = &c->threads[s->counter.thread];
	out->tid = t ? t->tid : UINT32_MAX; /* that of all threads is -1 */
	out->pid = out->tid;
	if (comms->count && !(t && name_list_matches(comms, t->comm)))
		return false;
	return !s->passing.filters || passing_event(&s->passing, out);
}
