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

/* The times of the first and the last sample, by reading the capture once more. */
static int scan_span(const char *path, struct time_base *base)
{
	struct session_stats stats = { 0 };
	struct warnings ignored = { 0 };
	const struct pending *p;
	struct readers r;
	int rc = readers_open(&r, path, NULL, false, &ignored);

	while (rc >= 0 && (rc = readers_next(&r, &p, &stats)) == 1)
		free(p->record);
	readers_close(&r);
	warnings_release(&ignored);
	base->first_ns = stats.first_ns;
	base->last_ns = stats.last_ns;
	return rc;
}

static int resolve_time_filter(struct session *s, const char *path)
{
	const struct capture_meta *m = &s->readers.capture.meta;
	struct filter *f = &s->options.filter;
	struct time_base base = { m->first_sample_ns, m->last_sample_ns, m->has_clock_data,
				  m->wall_ns, m->clock_ns };
	int rc = 0;

	if (!f->time)
		return 0;
	if (time_needs_span(f->time) && !base.last_ns && source_mtime(s->readers.capture.source) &&
	    strcmp(path, "-"))
		rc = scan_span(path, &base);
	memset(&f->times, 0, sizeof(f->times));
	if (rc == 0)
		rc = time_parse(&f->times, f->time, &base);
	if (rc == ERR_ABSENT)
		warn_add(s->warnings, SEV_FATAL, "time-filter",
			 "--time %s: the capture does not tell %s", f->time,
			 time_needs_span(f->time)
				 ? "the times of its first and last sample"
				 : "the wall clock (recorded with perf record -k)");
	else if (rc < 0)
		warn_add(s->warnings, SEV_FATAL, "time-filter",
			 "--time %s: expected A,B in seconds, N%%/K or A%%-B%%", f->time);
	return rc;
}

int session_open(struct session **out, const char *path, const struct session_options *o,
		 struct warnings *w)
{
	struct session *s = xcalloc(1, sizeof(*s));
	int rc;

	s->options = *o;
	s->warnings = w;
	machine_init(&s->machine);
	s->machine.keep_maps_on_exec = o->keep_maps_on_exec;
	stacks_init(&s->stacks);
	arena_init(&s->names.arena);
	rc = readers_open(&s->readers, path, o->source, o->needs & NEED_STACKS, w);
	if (rc == 0)
		rc = resolve_time_filter(s, path);
	s->filtering = s->options.filter.events.count || s->options.filter.pids.count ||
		       s->options.filter.tids.count || s->options.filter.cpus.count ||
		       s->options.filter.times.count;
	*out = rc == 0 ? s : NULL;
	if (rc < 0)
		session_close(s);
	return rc;
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

static bool wants_event(const struct filter *f, const struct event_desc *d)
{
	for (size_t i = 0; i < f->events.count; i++) {
		if (event_desc_is(d, f->events.list[i]))
			return true;
	}
	return false;
}

static bool passes(struct session *s, const struct pending *p, const struct event_desc *d)
{
	const struct filter *f = &s->options.filter;
	struct filter_counts *c = &s->stats.filtered;

	if (f->events.count && !wants_event(f, d))
		c->event++;
	else if (f->pids.count && !num_list_has(&f->pids, p->pid))
		c->pid++;
	else if (f->tids.count && !num_list_has(&f->tids, p->tid))
		c->tid++;
	else if (f->cpus.count && !(p->flags & PENDING_HAS_CPU && num_list_has(&f->cpus, p->cpu)))
		c->cpu++;
	else if (f->times.count &&
		 !(p->flags & PENDING_HAS_TIME && num_list_has(&f->times, p->time_ns)))
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
