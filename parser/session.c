/* Read records, apply state in time order, hand out samples. */
#include "parser/session.h"
#include "parser/session/inside.h"
#include "parser/session/expect.h"
#include "parser/session/traced.h"
#include "parser/passing.h"
#include "parser/pdtool_record.h"
#include "parser/recordevent.h"
#include "parser/stacks/addresses.h"
#include "parser/stacks/rare.h"
#include "parser/file/recorded.h"
#include "parser/file/source.h"
#include "parser/base/mem.h"
#include "parser/base/abi.h"
#include "parser/names/disasm/capstone.h"
#include "parser/names/disasm/single.h"
#include "parser/names/dwarf/srctext.h"
#include "parser/names/hostclock.h"
#include "parser/names/access.h"
#include "parser/names/jit/jit.h"
#include "parser/feed/extras.h"
#include "parser/feed/order.h"
#include "parser/feed/reader.h"
#include "parser/record/record.h"
#include "parser/state/spaces.h"
#include "parser/names/jit/jitmaps.h"
#include "parser/names/kernel/procmodules.h"
#include "parser/names/resolve.h"
#include "parser/names/sources/archive.h"
#include "parser/names/sources/sources.h"
#include "parser/unwind/arch.h"
#include "parser/unwind/unwinding.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

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
		rc = readers_span(path, &base.first_ns, &base.last_ns);
	memset(&f->times, 0, sizeof(f->times));
	if (rc == 0)
		rc = time_parse(&f->times, f->time, &base);
	if (rc == ERR_ABSENT)
		warn_add(s->warnings, SEV_FATAL, "time-filter",
			 "--time %s: the capture does not state %s", f->time,
			 time_needs_span(f->time)
				 ? "the times of its first and last sample"
				 : "the wall clock (perf record -k CLOCK_MONOTONIC)");
	else if (rc < 0)
		warn_add(
			s->warnings, SEV_FATAL, "time-filter",
			"--time %s: expected A,B in seconds, +A,+B from the first sample, N%%/K or "
			"A%%-B%%",
			f->time);
	return rc;
}

static void tell_clock(void *ctx, struct capture_clock *out)
{
	const struct session *s = ctx;
	const struct capture *f = &s->readers.capture;
	const struct capture_meta *m = &f->meta;
	const struct event_attr *attr = f->events.count ? &f->events.descs[0]->attr : NULL;

	*out = (struct capture_clock){
		.hostname = m->hostname,
		.osrelease = m->osrelease,
		.first_ns = m->first_sample_ns ?: s->readers.in.stats.first_ns,
		.last_ns = m->last_sample_ns ?: s->readers.in.stats.last_ns,
		.has_wall = m->has_clock_data,
		.clock_ns = m->clock_ns,
		.wall_ns = m->wall_ns,
		/* a pipe brings what is recorded now, or else nothing fits */
		.mtime = source_mtime(f->source) ?: time(NULL),
		.has_clockid = attr && attr->flags & ATTR_USE_CLOCKID,
		.clockid = attr ? attr->clockid : 0
	};
}

/* The readers: chains have become many. */
static void make_room(void *ctx)
{
	struct session *s = ctx;
	struct rare r = { .chains = &s->readers.in.chains,
			  .stacks = &s->stacks,
			  .max_bytes = s->options.max_memory,
			  .renumbers = s->options.renumbered != NULL,
			  .keeps = s->options.needs & PDT_WANT_ADDRESSES };

	if (s->readers.in.shares) {
		s->alone |= rare_is_full(&r);
		return;
	}
	if (s->stacks.brief) {
		readers_unsettle(&s->readers);
		if (rare_drop(&r)) {
			readers_renumber(&s->readers, &r.old);
			rare_done(&r);
		}
		return;
	}
	if (!rare_look(&r))
		return;
	readers_renumber(&s->readers, &r.old);
	for (size_t i = 0; s->batch && i < s->batch->columns.count; i++) {
		if (s->batch->stack[i] != PDT_NONE)
			s->batch->stack[i] = r.now[s->batch->stack[i]];
	}
	if (r.renumbers)
		s->options.renumbered(s->options.renumbered_ctx, r.now, r.count);
	rare_done(&r);
}

void session_load_libraries(bool packed, bool code, bool traces)
{
	if (packed)
		archive_library();
	if (code)
		capstone_library_load();
	traced_library(traces);
}

/* In a pipe they come before the first event, too. What cannot be read is said in the warnings. */
static inline void read_formats(struct session *s)
{
	const struct capture_meta *m = &s->readers.capture.meta;

	if (s->formats_read || !(s->options.needs & PDT_WANT_FIELDS) || !m->tracing_data)
		return;
	s->formats_read = true;
	(void)!trace_formats_read(&s->formats, m->tracing_data, m->tracing_size, s->warnings);
}

int session_open(struct session **out, const char *path, const struct session_options *o,
		 struct warnings *w)
{
	struct session *s = xcalloc(1, sizeof(*s));
	int rc;

	s->options = *o;
	if (o->filter.comms.count && !(o->needs & PDT_WANT_ALL))
		s->options.needs |= PDT_WANT_COMMS;
	s->warnings = w;
	s->passing.filter = &s->options.filter;
	s->passing.in = &s->readers.in;
	s->passing.machine = &s->machine;
	machine_init(&s->machine);
	s->options.symbols.quirks = s->machine.quirks = o->quirks;
	s->options.symbols.lines = o->needs & PDT_WANT_LINES;
	s->options.symbols.inlines = o->needs & PDT_WANT_INLINES;
	s->options.symbols.unsampled = o->needs & PDT_WANT_UNSAMPLED;
	stacks_init(&s->stacks);
	s->stacks.brief = o->no_stacks;
	s->next_code_ns = UINT64_MAX;
	if (o->needs & PDT_WANT_BRANCHES)
		s->branches = xmalloc(BRANCHES_MAX * sizeof(*s->branches));
	if (o->needs & PDT_WANT_ADDRESSES)
		s->addresses = xmalloc((UINT16_MAX + 1) * sizeof(*s->addresses));
	if (o->symbols.guest_modules)
		procmodules_load(&s->machine, o->symbols.guest_modules, w);
	access_begin(&s->options.symbols, &s->machine, tell_clock, s);
	s->jit = jit_new(&s->readers.capture, &s->options.symbols, &s->machine);
	arena_init(&s->names.arena);
	trace_formats_init(&s->formats);
	rc = traced_open(s, path);
	s->readers.in.places = o->places;
	s->readers.crowded = make_room;
	s->readers.crowded_ctx = s;
	if (o->max_memory)
		s->readers.in.chains.look_at = 0;
	s->readers.ahead = o->jobs > 1 ? UNWINDING_AHEAD_MAX : UNWINDING_AHEAD_ALONE;
	if (rc == 0 && source_pack(s->readers.capture.source) >= 0)
		s->options.symbols.sources = s->packed =
			sources_pack(o->symbols.sources, source_path(s->readers.capture.source),
				     source_pack(s->readers.capture.source));
	if (rc == 0)
		rc = resolve_time_filter(s, path);
	if (rc == 0)
		rc = jitmap_options_check(&o->symbols, w);
	if (rc == 0)
		rc = arch_check(o->symbols.arch, w);
	if (rc == 0)
		rc = passing_begin(&s->passing, o->needs & PDT_WANT_ALL);
	if (rc == 0)
		read_formats(s);
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
	unwinding_free(s->unwinding);
	single_free(s->single);
	srctext_free(s->sources);
	traced_free(s);
	names_release(&s->names);
	sources_free(s->packed);
	stacks_release(&s->stacks);
	gaps_release(&s->gaps);
	machine_release(&s->machine);
	jit_free(s->jit);
	access_end(&s->options.symbols, s->warnings);
	readers_close(&s->readers);
	trace_formats_release(&s->formats);
	passing_release(&s->passing);
	free(s->by_desc);
	free(s->batch);
	free(s->addresses);
	free(s->branches);
	free(s->record);
	free(s);
}

static struct unwinding *unwinding(struct session *s)
{
	if (!s->unwinding)
		s->unwinding = unwinding_new(&(struct unwinding_options){
			&s->readers.capture, &s->machine, &s->options.symbols,
			s->readers.in.shares ? 1 : s->options.jobs, jit_dump, s->jit });
	return s->unwinding;
}

/* noinline, as others below: most samples need none of it, nor of the registers that it takes. */
static __attribute__((noinline)) void ask_skip(struct session *s)
{
	if (unwinding_skips(&s->readers.capture)) {
		s->stacks.skip = unwinding_skip;
		s->stacks.skip_ctx = unwinding(s);
	}
	s->asked_skip = true;
}

/* The chain of P, which has a user stack. */
static __attribute__((noinline)) uint32_t unwound_chain(struct session *s, const struct pending *p,
							struct process *process)
{
	const struct chains *c = &s->readers.in.chains;

	if (c->bytes >= c->look_at)
		make_room(s);
	if (chains_get(c, p->chain)->kind & CHAIN_RARE)
		return p->chain;
	if (!s->readers.capture.meta.arch)
		unwinding_find_arch(unwinding(s), process);
	/* one that a filter will take out need not be unwound */
	if (!s->passing.filters && !s->options.filter.comms.count && !s->passing.fields)
		unwinding_ahead(unwinding(s), p, readers_coming(&s->readers, p));
	return unwinding_chain(unwinding(s), process, &s->readers.in.chains, p);
}

static void find_stack(struct session *s, const struct pending *p, struct process *process,
		       struct pdt_event *out)
{
	struct chains *c = &s->readers.in.chains;
	uint32_t chain = p->flags & PENDING_USER ? unwound_chain(s, p, process) : p->chain;
	const struct chain *seen;

	if (!s->asked_skip)
		ask_skip(s);
	seen = chains_get(c, chain);
	s->stacks.now_ns = p->time_ns;
	out->stack = stacks_get(&s->stacks, &s->machine, process, c, chain);
	out->apart = seen->kind & CHAIN_APART;
	out->chain = s->options.needs & PDT_WANT_ADDRESSES ? chain : PDT_NONE;
	out->ip = p->flags & PENDING_IP ? chain_ip(seen) : 0;
}

/* Without its stack. */
static inline void find_ip(struct session *s, const struct pending *p, struct pdt_event *out)
{
	if (s->options.needs & PDT_WANT_IP && p->flags & PENDING_IP)
		out->ip = chain_ip(chains_get(&s->readers.in.chains, p->chain));
}

static const struct pdt_format *format_of(struct session *s, uint32_t desc)
{
	const struct event_list *l = &s->readers.capture.events;

	if (desc < s->by_desc_count)
		return s->by_desc[desc];
	read_formats(s);
	if (!s->formats_read)
		return NULL;
	s->by_desc = xgrow(s->by_desc, &s->by_desc_cap, l->count, sizeof(*s->by_desc));
	for (; s->by_desc_count < l->count; s->by_desc_count++)
		s->by_desc[s->by_desc_count] = session_format(s, l->descs[s->by_desc_count]);
	return s->by_desc[desc];
}

/* The bytes of its payload stay until the next event. */
static void take_payload(struct session *s, const struct pending *p, struct pdt_event *e)
{
	e->raw = p->payload;
	e->raw_size = p->payload_size;
	e->format = format_of(s, p->desc);
}

static void take_details(struct session *s, const struct pending *p, struct pdt_event *e)
{
	struct sample_details d = pending_details(p);
	struct pdt_values *v = &s->values;

	*v = d.values;
	s->extras = d.extras_bytes ? pending_piece(p) : NULL;
	e->cgroup = v->cgroup;
	/* var1_dw, as perf's key has it */
	e->sample_weight =
		e->desc->attr.sample_type & SAMPLE_WEIGHT_STRUCT ? (uint32_t)v->weight : v->weight;
	e->values = v;
}

/* Fill OUT from a waiting sample. False when a filter takes it out. */
static bool make_event(struct session *s, const struct pending *p, struct pdt_event *out)
{
	const struct filter *f = &s->options.filter;
	struct task task;

	/* every member is named: else all of it would be cleared first */
	*out = (struct pdt_event){
		.time_ns = p->time_ns,
		.weight = pending_weight(p),
		.ip = 0,
		.desc = s->readers.capture.events.descs[p->desc],
		.raw = NULL,
		.format = NULL,
		.raw_size = 0,
		.pid = p->pid,
		.tid = p->tid,
		.cpu = p->cpu,
		.comm = PDT_NONE,
		.stack = PDT_NONE,
		.other_pid = 0,
		.other_tid = 0,
		.kind = PDT_SAMPLE,
		.mode = p->mode,
		.has_cpu = p->flags & PENDING_HAS_CPU,
		.has_time = p->flags & PENDING_HAS_TIME,
		.preempted = false,
		.exec = false,
		.exact = p->flags & PENDING_EXACT,
		.apart = false,
		.cgroup = 0,
		.sample_weight = 0,
		.program_bits = 0,
		.values = no_values(s->options.needs),
		.chain = PDT_NONE,
		.place = PDT_NONE,
		.flow = 0,
	};
	if (p->flags & PENDING_DETAILS)
		take_details(s, p, out);
	if (s->passing.counts)
		passing_seen(&s->passing, out);
	if (s->passing.filters && !passing_event(&s->passing, out))
		return false;
	if (p->flags & PENDING_PAYLOAD)
		take_payload(s, p, out);
	if (!(s->options.needs & (PDT_WANT_COMMS | PDT_WANT_STACKS | PDT_WANT_PROGRAM))) {
		find_ip(s, p, out);
		return true;
	}
	task = machine_task(&s->machine, p->pid, p->tid);
	if (task.process == OTHERS)
		out->pid = out->tid = UINT32_MAX;
	out->comm = task.comm;
	out->program_bits = s->machine.processes[task.process].bits;
	if (f->comms.count && !s->passing.all && !passing_comm(&s->passing, task.comm))
		return false;
	if (s->passing.fields && !s->passing.all && !passing_fields(&s->passing, out))
		return false;
	if (p->alone)
		session_place(s, p, &s->machine.processes[task.process], out);
	else if (s->options.needs & PDT_WANT_STACKS)
		find_stack(s, p, &s->machine.processes[task.process], out);
	else
		find_ip(s, p, out);
	return true;
}

static void note_gap(struct session *s, const struct record *r)
{
	const struct record_id *id = &r->sample_id;

	if (r->type == RECORD_THROTTLE)
		gaps_throttle(&s->gaps, r->throttle.stream_id, r->throttle.time_ns);
	else if (r->type == RECORD_UNTHROTTLE)
		gaps_unthrottle(&s->gaps, r->throttle.stream_id, r->throttle.time_ns);
	else if (r->type == RECORD_LOST && id->has_time)
		gaps_lost(&s->gaps, id->has_cpu ? id->cpu : 0, id->time_ns);
}

/* The user part of stacks that were handed out before. */
static void join_deferred(struct session *s, const struct record *r)
{
	const struct record_id *id = &r->sample_id;
	struct thread *t;

	if (!id->has_tid)
		return;
	t = machine_thread(&s->machine, id->pid, id->tid);
	stacks_join(&s->stacks, &s->machine, &s->machine.processes[t->process], r->deferred.cookie,
		    r->deferred.values);
}

/* Apply a record that is no sample. True when it is an event, too, and passes the filters. */
static __attribute__((noinline)) bool take_record(struct session *s, const struct held_record *h,
						  struct pdt_event *out)
{
	struct raw raw = held_record_raw(h);
	struct record r;

	if (h->type >= RECORD_KERNEL_MAX)
		return session_counter(s, &raw, out);
	int rc = record_decode(&r, &raw, &s->readers.capture.events);
	bool other = s->options.needs & PDT_WANT_RECORDS;
	uint32_t comm = PDT_NONE;

	if (rc < 0 && !(rc == ERR_ABSENT && other))
		return false;
	/* the records that simpleperf makes itself have whatever was in its memory there
	 * (Mmap2Record::Mmap2Record() in its record.cpp) */
	if (r.type == RECORD_MMAP2 && s->readers.capture.meta.simpleperf)
		r.mmap.ids.file = (struct file_id){ 0 };
	if (s->options.needs & PDT_WANT_GAPS)
		note_gap(s, &r);
	if (r.type == RECORD_CALLCHAIN_DEFERRED) {
		s->alone |= s->readers.in.shares;
		join_deferred(s, &r);
	}
	if (r.type == RECORD_EXIT && other) /* its thread may be forgotten then */
		comm = machine_thread(&s->machine, r.task.pid, r.task.tid)->comm;
	traced_record(s, &r);
	machine_apply(&s->machine, &r);
	arch_find(&s->readers.capture, s->options.symbols.arch);
	if (r.type == RECORD_MMAP || r.type == RECORD_MMAP2)
		s->next_code_ns = jit_mapped(s->jit, &r);
	s->alone |= s->readers.in.shares && s->next_code_ns != UINT64_MAX;
	if (rc < 0)
		record_id_decode(&r.sample_id, &raw, &s->readers.capture.events);
	if (rc < 0 || !record_event(out, &r, &s->machine, s->options.needs)) {
		if (!other)
			return false;
		record_whole(out, &r, &s->machine, h);
		out->comm = r.type == RECORD_EXIT ? comm : out->comm;
		out->desc = event_of_record(&s->readers.capture.events, &raw);
	}
	read_formats(s);
	return !s->passing.filters || passing_event(&s->passing, out);
}

/* Give back the payload of the last event. */
static inline void drop_payload(struct session *s)
{
	if (s->held)
		chunks_give(&s->readers.in.payloads, s->held);
	s->held = NULL;
}

/* Give back the payloads of the last columns. */
static void drop_payloads(struct session *s)
{
	struct batch *b = s->batch;

	while (b->held_count)
		chunks_give(&s->readers.in.payloads, b->held[--b->held_count]);
}

int session_next(struct session *s, struct pdt_event *out)
{
	const struct pending *p;
	bool mine;
	int rc = 0;

	drop_payload(s);
	if (s->record) /* the library's free() looks for its owner, also of nothing */
		free(s->record);
	s->record = NULL;
	s->extras = NULL;
	while (!s->alone &&
	       (rc = s->traced ? traced_pending(s, &p, out) : readers_next(&s->readers, &p)) > 0) {
		if (rc == TRACED_EVENT)
			return 1;
		if (s->options.needs & PDT_WANT_STACKS && !s->expected--)
			session_expect(s, p);
		if (p->time_ns >= s->next_code_ns)
			s->next_code_ns = jit_run(s->jit, p->time_ns);
		if (p->flags & PENDING_RECORD) {
			struct held_record *h = p->record;

			mine = take_record(s, h, out);
			if (mine && out->kind == PDT_RECORD)
				s->record = h;
			else
				free(h);
			if (mine)
				return 1;
			continue;
		}
		if (s->options.needs & PDT_WANT_GAPS && p->flags & PENDING_HAS_TIME)
			gaps_saw(&s->gaps, p->cpu, p->time_ns);
		if (p->flags & PENDING_PIECE)
			s->held = pending_piece(p);
		if (make_event(s, p, out)) {
			session_used(s, p);
			return 1;
		}
		drop_payload(s);
	}
	if (s->alone)
		return ERR_ALONE;
	if (rc == 0) {
		gaps_end(&s->gaps, s->readers.in.stats.last_ns);
		s->stacks.refused = s->readers.in.chains.refused;
	}
	return rc;
}

int session_columns(struct session *s, const struct pdt_columns **out)
{
	struct batch *b = s->batch ? s->batch : (s->batch = batch_new());
	struct pdt_event e;

	drop_payload(s);
	drop_payloads(s);
	b->columns.count = 0;
	while (b->rc == 1 && b->columns.count < COLUMNS_MAX && (b->rc = session_next(s, &e)) == 1) {
		batch_add(b, &e);
		if (s->held)
			b->held[b->held_count++] = s->held;
		s->held = NULL;
	}
	*out = &b->columns;
	return b->columns.count ? 1 : b->rc;
}

static void read_recorded(void *capture, const struct recorded_sink *sink, struct warnings *w)
{
	recorded_read(capture, sink, w);
}

/* What is asked for of each location is known now. NULL: neither lines nor inlined functions. */
static bool *after_calls(struct session *s)
{
	struct symbol_options *o = &s->options.symbols;

	o->inlines |= s->options.needs & PDT_WANT_UNWOUND_INLINES && session_unwind_stats(s).stacks;
	return (o->lines || o->inlines) && !o->quirks.lines_behind_calls
		       ? stacks_returns(&s->stacks, s->options.jobs)
		       : NULL;
}

void session_resolve(struct session *s)
{
	const struct capture_meta *m = &s->readers.capture.meta;
	const struct symbol_options *symbols = &s->options.symbols;
	bool *after_call = after_calls(s);
	struct resolve_options o = { .symbols = symbols,
				     .build_ids = m->build_ids,
				     .build_id_count = m->build_id_count,
				     .build_id_paths = &m->build_id_paths,
				     .jobs = s->options.jobs,
				     .after_call = after_call,
				     .jit_dump = jit_dump,
				     .jit = s->jit,
				     .read_recorded =
					     m->symbol_section_count ? read_recorded : NULL,
				     .recorded = &s->readers.capture,
				     .capture_path = session_path(s),
				     .warnings = s->warnings };

	s->stacks.refused = s->readers.in.chains.refused;
	if (!(s->options.needs & PDT_WANT_ADDRESSES)) {
		chains_release(&s->readers.in.chains); /* the stacks hold what is needed */
		chains_init(&s->readers.in.chains);
	}
	s->resolved = true;
	names_resolve(&s->names, s->stacks.locs, s->stacks.loc_count, &s->machine, &o);
	if (s->stacks.rare)
		names_call(&s->names, stack_ip(&s->stacks, &s->stacks.list[s->stacks.rare - 1]),
			   RARE_NAME);
	sources_report(s->packed, s->warnings);
	access_report(&s->options.symbols, s->warnings);
	free(after_call);
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
	return comm == PDT_NONE ? NULL : intern_str(&s->machine.comms, comm);
}

const struct symbol_options *session_symbols(const struct session *s)
{
	return &s->options.symbols;
}

unsigned session_jobs(const struct session *s)
{
	return s->options.jobs;
}

const struct filter *session_filter(const struct session *s)
{
	return &s->options.filter;
}

struct field_filter *session_fields(const struct session *s)
{
	return s->passing.fields;
}

const char *session_path(const struct session *s)
{
	return source_path(s->readers.capture.source);
}

const char *session_compression(const struct session *s)
{
	return source_compression(s->readers.capture.source);
}

int64_t session_mtime(const struct session *s)
{
	return source_mtime(s->readers.capture.source);
}

const struct capture *session_capture(const struct session *s)
{
	return &s->readers.capture;
}

const struct module *session_module(const struct session *s, uint32_t id)
{
	return s->machine.modules.list[id];
}

const struct module *session_kernel(const struct session *s)
{
	return s->machine.kernel;
}

const char *session_left_out(const struct session *s, size_t i, uint64_t *count)
{
	const struct {
		uint64_t count;
		const char *what;
	} kinds[] = {
		{ s->gaps.left_out, "gaps in time, past 100000" },
		{ s->gaps.unknown, "throttled events, past 4096 at a time" },
		{ s->gaps.unplaced, "beginnings of losses, on CPUs past 65536" },
		{ s->readers.in.counters.left_out, "values of more counters, past 1048576" },
		{ session_unwind_stats(s).over_entries,
		  "entries of unwind tables, past 2097152 of one module" },
		{ names_left_out(&s->names, NAMES_LONG),
		  "readable names, past 65536 bytes, or 16384 of a mangled one" },
		{ names_left_out(&s->names, NAMES_INLINED),
		  "inlined functions, past 256 of one address" },
		{ names_left_out(&s->names, NAMES_DEEP),
		  "ends of units of debug information, past 4096 levels" },
	};
	size_t machine = 0;

	while (machine_left_out(&s->machine, machine, count))
		machine++;
	if (i < machine)
		return machine_left_out(&s->machine, i, count);
	*count = i - machine < ARRAY_SIZE(kinds) ? kinds[i - machine].count : 0;
	return i - machine < ARRAY_SIZE(kinds) ? kinds[i - machine].what : NULL;
}

static const struct maps *maps_of(const struct session *s, uint32_t pid)
{
	uint32_t i = machine_pid(&s->machine, pid);

	return i == TASKIDS_NONE ? NULL : s->machine.processes[i].maps;
}

const uint64_t *session_addresses(const struct session *s, uint32_t chain, uint32_t stack)
{
	const struct chains *c = &s->readers.in.chains;

	if (!s->addresses || !chain || chain / CHAIN_CHUNK_UNITS >= c->chunk_count)
		return NULL;
	stack_addresses(&s->stacks, &s->stacks.list[stack], c, chain, s->addresses);
	return s->addresses;
}

const char *session_cgroup(const struct session *s, uint64_t cgroup)
{
	uint32_t name = idmap_get(&s->readers.cgroups, cgroup);

	return name == IDMAP_NONE ? NULL : intern_str(&s->readers.cgroup_names, name);
}

bool session_namespace(const struct session *s, uint32_t tid, unsigned kind, uint64_t id[2])
{
	struct space_id found;
	bool is = spaces_find(s->machine.spaces, tid, kind, &found);

	id[0] = is ? found.device : 0;
	id[1] = is ? found.inode : 0;
	return is;
}

uint32_t session_map_count(const struct session *s, uint32_t pid)
{
	const struct maps *maps = maps_of(s, pid);

	return maps ? maps_count(maps) : 0;
}

uint32_t session_mapped_code(const struct session *s, uint32_t pid, uint32_t i)
{
	const struct maps *maps = maps_of(s, pid);
	const struct map *map = maps && i < maps_count(maps) ? maps_at(maps, i) : NULL;

	return map && map->exec ? map->module : PDT_NONE;
}

struct unwind_stats session_unwind_stats(const struct session *s)
{
	struct unwind_stats sum = unwinding_stats(s->unwinding);

	unwind_stats_add(&sum, s->unwound);
	return sum;
}

const struct seen *session_seen(const struct session *s)
{
	return &s->passing.seen;
}

const struct session_stats *session_stats(const struct session *s)
{
	return &s->readers.in.stats;
}

const struct pdt_format *session_format(const struct session *s, const struct pdt_desc *d)
{
	if (d->attr.type != EVENT_TYPE_TRACEPOINT)
		return NULL;
	return trace_format_by_id(&s->formats, d->attr.config);
}

const struct event_stats *session_event_stats(const struct session *s, const struct pdt_desc *d)
{
	return readers_event_stats(&s->readers, d->index);
}

const struct gaps *session_gaps(const struct session *s)
{
	return &s->gaps;
}

bool session_record_count(const struct session *s, size_t i, uint32_t *type, uint64_t *count)
{
	return readers_record_count(&s->readers, i, type, count);
}

void session_progress(const struct session *s, uint64_t *done, uint64_t *total)
{
	readers_progress(&s->readers, done, total);
}

bool session_is_traced(const struct session *s)
{
	return s->traced;
}
