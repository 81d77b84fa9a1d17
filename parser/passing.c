/* The filters that need no names, applied to each event, and counts of what each took out. */
#include "parser/passing.h"
#include "parser/fieldfilter.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"
#include "parser/feed/ingest.h"
#include "parser/feed/passed.h"
#include "parser/state/machine.h"

#include <stdlib.h>
#include <string.h>

int passing_begin(struct passing *p, bool all)
{
	const struct filter *f = p->filter;
	struct buf why = { 0 };
	int rc = f->fields ? field_filter_new(&p->fields, f->fields, &why) : 0;

	p->all = all;
	p->counts =
		f->comms.count || f->pids.count || f->tids.count || f->cpus.count || f->times.count;
	p->filters = f->events.count || f->cpus.count || f->times.count ||
		     (!all && (f->pids.count || f->tids.count));
	buf_release(&why);
	return rc;
}

void passing_release(struct passing *p)
{
	event_choice_release(&p->events);
	field_filter_free(p->fields);
	seen_release(&p->seen);
	passed_free(p->passed);
	free(p->by_comm);
	memset(p, 0, sizeof(*p));
}

void passing_seen(struct passing *p, const struct pdt_event *e)
{
	uint32_t comm = PDT_NONE;

	if (p->filter->comms.count)
		comm = machine_task(p->machine, e->pid, e->tid).comm;
	seen_sample(&p->seen, p->filter, e, comm);
}

static bool wants_event(struct passing *p, const struct pdt_desc *d)
{
	return event_chosen(&p->events, p->in->events, &p->filter->events, d);
}

/* Which count of E's is taken out by its event, CPU or time; NULL: it is of what is looked at. */
static uint64_t *out_of_scope(struct passing *p, const struct pdt_event *e)
{
	const struct filter *f = p->filter;
	struct filter_counts *c = &p->in->stats.filtered;

	if (f->events.count && e->desc && !wants_event(p, e->desc))
		return &c->event;
	if (f->cpus.count && !(e->has_cpu && num_list_has(&f->cpus, e->cpu)))
		return &c->cpu;
	if (f->times.count && !(e->has_time && num_list_has(&f->times, e->time_ns)))
		return &c->time;
	return NULL;
}

/* What is out of it is told apart also where it is handed out all the same. */
static bool in_scope(struct passing *p, const struct pdt_event *e)
{
	uint64_t *out = out_of_scope(p, e);
	struct event_stats *st = out && e->desc ? ingest_stats(p->in, e->desc) : NULL;

	if (st) {
		st->outside_samples++;
		(void)add_held(&st->outside_weight, e->weight);
	}
	if (!out || (p->all && out != &p->in->stats.filtered.event))
		return true;
	++*out;
	return false;
}

bool passing_event(struct passing *p, const struct pdt_event *e)
{
	const struct filter *f = p->filter;
	struct filter_counts *c = &p->in->stats.filtered;

	if (!in_scope(p, e))
		return false;
	if (p->all)
		return true;
	if (f->pids.count && !num_list_has(&f->pids, e->pid))
		c->pid++;
	else if (f->tids.count && !num_list_has(&f->tids, e->tid))
		c->tid++;
	else
		return true;
	return false;
}

enum verdict { VERDICT_NONE, VERDICT_PASSES, VERDICT_OUT };

static bool comm_is_wanted(struct passing *p, uint32_t comm)
{
	size_t old = p->comm_cap;
	uint8_t *verdict;

	if (comm == PDT_NONE)
		return false;
	p->by_comm = xgrow(p->by_comm, &p->comm_cap, (size_t)comm + 1, 1);
	memset(p->by_comm + old, VERDICT_NONE, p->comm_cap - old);
	verdict = &p->by_comm[comm];
	if (*verdict == VERDICT_NONE)
		*verdict =
			name_list_matches(&p->filter->comms, intern_str(&p->machine->comms, comm))
				? VERDICT_PASSES
				: VERDICT_OUT;
	return *verdict == VERDICT_PASSES;
}

bool passing_comm(struct passing *p, uint32_t comm)
{
	bool passes = comm_is_wanted(p, comm);

	p->in->stats.filtered.comm += !passes;
	return passes;
}

bool passing_fields(struct passing *p, const struct pdt_event *e)
{
	const char *comm = e->comm == PDT_NONE ? NULL : intern_str(&p->machine->comms, e->comm);
	bool passes = field_filter_holds(p->fields, field_filter_ask(p->fields, e, comm));

	p->in->stats.filtered.fields += !passes;
	return passes;
}
