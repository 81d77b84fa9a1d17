/* Read records, apply state in time order, hand out samples. */
#include "parser/session.h"
#include "parser/base/mem.h"
#include "parser/base/abi.h"
#include "parser/file/order.h"
#include "parser/reader.h"
#include "parser/record/record.h"
#include "parser/symbols/resolve.h"

#include <stdlib.h>
#include <string.h>

struct session {
	struct session_options options;
	struct warnings *warnings;
	struct readers readers;
	struct machine machine;
	struct stacks stacks;
	struct names names;
	bool resolved;
	bool filtering; /* there are filters that passes() looks at */
	struct session_stats stats;
};

static void resolve_time_filter(struct session *s, int *rc)
{
	const struct capture_meta *m = &s->readers.capture.meta;
	struct filter *f = &s->options.filter;
	struct time_base base = { m->first_sample_ns, m->last_sample_ns, m->has_clock_data,
				  m->wall_ns, m->clock_ns };

	if (!f->time)
		return;
	memset(&f->times, 0, sizeof(f->times));
	*rc = time_parse(&f->times, f->time, &base);
	if (*rc == ERR_ABSENT)
		warn_add(s->warnings, SEV_FATAL, "time-filter",
			 "--time %s: the capture does not tell %s", f->time,
			 time_needs_span(f->time)
				 ? "the times of its first and last sample"
				 : "the wall clock (recorded with perf record -k)");
	else if (*rc < 0)
		warn_add(s->warnings, SEV_FATAL, "time-filter",
			 "--time %s: expected A,B in seconds, N%%/K or A%%-B%%", f->time);
}

struct session *session_open(const char *path, const struct session_options *o, struct warnings *w)
{
	struct session *s = xcalloc(1, sizeof(*s));
	int rc;

	s->options = *o;
	s->warnings = w;
	machine_init(&s->machine);
	s->machine.keep_maps_on_exec = o->keep_maps_on_exec;
	stacks_init(&s->stacks);
	arena_init(&s->names.arena);
	rc = readers_open(&s->readers, path, o->needs & NEED_STACKS, w);
	if (rc == 0)
		resolve_time_filter(s, &rc);
	s->filtering = s->options.filter.events.count || s->options.filter.pids.count ||
		       s->options.filter.tids.count || s->options.filter.cpus.count ||
		       s->options.filter.times.count;
	if (rc == 0)
		return s;
	session_close(s);
	return NULL;
}

void session_close(struct session *s)
{
	if (!s)
		return;
	if (s->options.filter.time)
		free(s->options.filter.times.list);
	names_release(&s->names);
	stacks_release(&s->stacks);
	machine_release(&s->machine);
	readers_close(&s->readers);
	free(s);
}

static bool passes(struct session *s, const struct pending *p, const struct event_desc *d)
{
	const struct filter *f = &s->options.filter;
	struct filter_counts *c = &s->stats.filtered;

	if (f->events.count && !name_list_has(&f->events, d->name) &&
	    !(d->alias && name_list_has(&f->events, d->alias)))
		c->event++;
	else if (f->pids.count && !num_list_has(&f->pids, p->pid))
		c->pid++;
	else if (f->tids.count && !num_list_has(&f->tids, p->tid))
		c->tid++;
	else if (f->cpus.count && !num_list_has(&f->cpus, p->cpu))
		c->cpu++;
	else if (f->times.count && !num_list_has(&f->times, p->time_ns))
		c->time++;
	else
		return true;
	return false;
}

/* Fill OUT from a waiting sample. False when a filter takes it out. */
static bool make_event(struct session *s, const struct pending *p, struct event *out)
{
	const struct event_desc *d = s->readers.capture.events.descs[p->desc];
	const struct filter *f = &s->options.filter;
	struct thread *t;
	const char *comm;

	if (s->filtering && !passes(s, p, d))
		return false;
	*out = (struct event){
		.time_ns = p->time_ns,
		.weight = p->weight,
		.desc = d,
		.pid = p->pid,
		.tid = p->tid,
		.cpu = p->cpu,
		.mode = p->mode,
		.has_cpu = p->flags & PENDING_HAS_CPU,
		.has_time = p->flags & PENDING_HAS_TIME,
		.comm = COMM_NONE,
	};
	if (!(s->options.needs & (NEED_COMMS | NEED_STACKS)))
		return true;
	t = machine_thread(&s->machine, p->pid, p->tid);
	out->comm = t->comm;
	if (f->comms.count) {
		comm = machine_comm(&s->machine, t);
		if (!comm || !name_list_has(&f->comms, comm)) {
			s->stats.filtered.comm++;
			return false;
		}
	}
	if (s->options.needs & NEED_STACKS)
		out->stack = stacks_get(&s->stacks, &s->machine, &s->machine.processes[t->process],
					&s->readers.chains, p->chain);
	return true;
}

int session_next(struct session *s, struct event *out)
{
	const struct pending *p;
	int rc;

	while ((rc = readers_next(&s->readers, &p, &s->stats)) == 1) {
		if (p->record) {
			struct record r;
			struct raw raw = held_record_raw(p->record);

			if (record_decode(&r, &raw, &s->readers.capture.events) == 0)
				machine_apply(&s->machine, &r);
			free(p->record);
			continue;
		}
		if (!make_event(s, p, out))
			continue;
		s->stats.used++;
		return 1;
	}
	return rc;
}

void session_resolve(struct session *s)
{
	const struct capture_meta *m = &s->readers.capture.meta;
	struct resolve_options o = { &s->options.symbols, m->build_ids, m->build_id_count,
				     s->options.jobs, s->warnings };

	chains_release(&s->readers.chains); /* the stacks hold what is needed */
	chains_init(&s->readers.chains);
	s->resolved = true;
	names_resolve(&s->names, s->stacks.locs, s->stacks.loc_count, &s->machine, &o);
}

const struct names *session_names(const struct session *s)
{
	return s->resolved ? &s->names : NULL;
}

const struct stacks *session_stacks(const struct session *s)
{
	return &s->stacks;
}

const char *session_comm(const struct session *s, uint32_t comm)
{
	return comm == COMM_NONE ? NULL : intern_str(&s->machine.comms, comm);
}

const struct capture *session_capture(const struct session *s)
{
	return &s->readers.capture;
}

const struct machine *session_machine(const struct session *s)
{
	return &s->machine;
}

const struct session_stats *session_stats(const struct session *s)
{
	return &s->stats;
}

const struct event_stats *session_event_stats(const struct session *s, const struct event_desc *d)
{
	return readers_event_stats(&s->readers, d->index);
}

bool session_record_count(const struct session *s, size_t i, uint32_t *type, uint64_t *count)
{
	return readers_record_count(&s->readers, i, type, count);
}

void session_progress(const struct session *s, uint64_t *done, uint64_t *total)
{
	readers_progress(&s->readers, done, total);
}
