/* Take shares of a capture, and put them together. */
#include "parser/shares.h"
#include "parser/base/abi.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"
#include "parser/eventname.h"
#include "parser/file/source.h"
#include "parser/session/inside.h"
#include "parser/stacks/chainmove.h"
#include "parser/unwind/unwinding.h"

#include <stdlib.h>
#include <string.h>

#define SHARED_WANTS                                                            \
	(PDT_WANT_STACKS | PDT_WANT_COMMS | PDT_WANT_LINES | PDT_WANT_INLINES | \
	 PDT_WANT_UNWOUND_INLINES | PDT_WANT_PROGRAM | PDT_WANT_UNSAMPLED)

#define STACK_BYTES_AS_ONE 1024

/* Is what becomes of its samples decided by each of them alone? The architecture that they are
 * unwound by may be that of the first one's files, and what is missing for that may be fetched by
 * one thread only. */
static bool event_fits(const struct session *s, const struct pdt_desc *d)
{
	uint64_t type = d->attr.sample_type;

	if (type & SAMPLE_READ)
		return false;
	return !(type & SAMPLE_REGS_USER) ||
	       (s->readers.capture.meta.arch && !s->options.symbols.debuginfod);
}

bool shares_fit(const struct session *s)
{
	const struct readers *r = &s->readers;
	const struct capture *c = &r->capture;
	uint64_t size = source_size(c->source);

	if (r->count != 1 || c->header.pipe || size == UINT64_MAX || !source_reopens(c->source))
		return false;
	if (s->options.needs & ~(unsigned)SHARED_WANTS || !(s->options.needs & PDT_WANT_STACKS) ||
	    s->options.no_stacks)
		return false;
	if (c->meta.has_compression || source_compression(c->source) || source_pack(c->source) >= 0)
		return false;
	for (size_t i = 0; i < c->events.count; i++) {
		if (!event_fits(s, c->events.descs[i]))
			return false;
	}
	return true;
}

/* Of a copy of a stack little is looked at. */
uint64_t shares_bytes(const struct session *s)
{
	const struct capture *c = &s->readers.capture;
	uint64_t most = 0;

	for (size_t i = 0; i < c->events.count; i++) {
		const struct event_attr *a = &c->events.descs[i]->attr;

		if (a->sample_type & SAMPLE_STACK_USER && a->stack_user > most)
			most = a->stack_user;
	}
	return c->header.data.size / (1 + most / STACK_BYTES_AS_ONE);
}

void shares_take(struct session *s, unsigned i, unsigned n, unsigned all)
{
	s->readers.in.share = i;
	s->readers.in.shares = n;
	s->readers.list[0].order.shared = true;
	s->readers.ahead = UNWINDING_AHEAD_ALONE;
	s->stacks.in_part = true;
	s->options.max_memory /= all;
}

/* Each counts what is wrong with the tables it reads, and gives up such as it has no room for. */
static bool tables_are_odd(const struct session *s)
{
	struct unwind_stats u = session_unwind_stats(s);

	return u.evicted || u.bad_entries || u.over_entries;
}

/* Which event comes first may then differ. */
static bool dummy_has_samples(const struct session *s)
{
	const struct event_list *l = &s->readers.capture.events;

	for (size_t i = 0; i < l->count; i++) {
		const struct pdt_desc *d = l->descs[i];

		if (event_is_dummy(d) && readers_event_stats(&s->readers, d->index)->samples)
			return true;
	}
	return false;
}

bool shares_spoilt(const struct session *s)
{
	const struct machine *m = &s->machine;

	return dummy_has_samples(s) || tables_are_odd(s) || s->alone || m->tasks_refused ||
	       m->modules.refused || s->stacks.made_room;
}

/* Has A seen the old program of an exec when B had seen the new one? */
static bool saw_old_later(const struct stacks *a, const struct stacks *b)
{
	for (size_t i = 0; i < a->exec_count && i < b->exec_count; i++) {
		if (a->execs[i].old_ns > b->execs[i].new_ns)
			return true;
	}
	return false;
}

bool shares_agree(const struct session *a, const struct session *b)
{
	const struct readers *x = &a->readers, *y = &b->readers;

	return source_is(x->capture.source, y->capture.source) &&
	       stream_position(x->list[0].stream) == stream_position(y->list[0].stream) &&
	       !memcmp(x->counts, y->counts, RECORD_USER_MAX * sizeof(*x->counts)) &&
	       !saw_old_later(&a->stacks, &b->stacks) && !saw_old_later(&b->stacks, &a->stacks);
}

/* ---- counts ---- */

static void add_stats(struct session_stats *to, const struct session_stats *from)
{
	to->samples += from->samples;
	to->used += from->used;
	to->filtered.event += from->filtered.event;
	to->filtered.pid += from->filtered.pid;
	to->filtered.tid += from->filtered.tid;
	to->filtered.cpu += from->filtered.cpu;
	to->filtered.time += from->filtered.time;
	to->filtered.comm += from->filtered.comm;
	to->filtered.fields += from->filtered.fields;
	for (size_t i = 0; i < PDT_MODES; i++)
		to->modes[i] += from->modes[i];
	if (from->first_ns && (from->first_ns < to->first_ns || !to->first_ns))
		to->first_ns = from->first_ns;
	if (from->last_ns > to->last_ns)
		to->last_ns = from->last_ns;
	to->chains_recorded += from->chains_recorded;
	to->chains_empty += from->chains_empty;
	to->user_stacks += from->user_stacks;
	to->lbr += from->lbr;
}

static void add_event_stats(struct ingest *to, const struct ingest *from)
{
	for (size_t i = 0; i < from->event_stats_cap; i++) {
		const struct event_stats *e = &from->event_stats[i];
		struct event_stats *sum;

		if (i >= to->event_stats_cap)
			ingest_grow(to, i + 1);
		sum = &to->event_stats[i];
		sum->samples += e->samples;
		(void)add_held(&sum->weight, e->weight);
		sum->outside_samples += e->outside_samples;
		(void)add_held(&sum->outside_weight, e->outside_weight);
	}
}

/* ---- stacks ---- */

static uint32_t *map_modules(struct modules *to, const struct modules *from)
{
	uint32_t *now = xmalloc((from->count + 1) * sizeof(*now));

	for (size_t i = 0; i < from->count; i++)
		now[i] = modules_take(to, from, (uint32_t)i);
	return now;
}

static uint32_t *map_locs(struct session *to, const struct session *from)
{
	uint32_t *modules = map_modules(&to->machine.modules, &from->machine.modules);
	uint32_t *now = xmalloc((from->stacks.loc_count + 1) * sizeof(*now));

	for (size_t i = 0; i < from->stacks.loc_count; i++) {
		struct loc l = from->stacks.locs[i];

		l.module = l.module == PDT_NONE ? PDT_NONE : modules[l.module];
		now[i] = stacks_location(&to->stacks, l);
	}
	free(modules);
	return now;
}

static uint32_t *map_comms(struct intern *to, const struct intern *from)
{
	uint32_t *now = xmalloc((from->count + 1) * sizeof(*now));

	for (size_t i = 0; i < from->count; i++)
		now[i] = intern_add(to, from->list[i].s, from->list[i].len);
	return now;
}

static void take_late(struct idmap *to, const struct idmap *from)
{
	for (size_t i = 0; i < from->slots; i++) {
		if (from->table[i].value != IDMAP_NONE)
			*idmap_put(to, idmap_key(&from->table[i])) = 1;
	}
}

void shares_absorb(struct session *to, struct session *from, struct share_ids *out)
{
	uint32_t *locs;

	chains_release(&from->readers.in.chains);
	chains_init(&from->readers.in.chains);
	chains_release(&to->readers.in.chains);
	chains_init(&to->readers.in.chains);
	locs = map_locs(to, from);
	out->first_stack = (uint32_t)to->stacks.count;
	out->comms = map_comms(&to->machine.comms, &from->machine.comms);
	out->comm_count = from->machine.comms.count;
	stacks_take(&to->stacks, &from->stacks, locs);
	free(locs);
	add_stats(&to->readers.in.stats, &from->readers.in.stats);
	add_event_stats(&to->readers.in, &from->readers.in);
	take_late(&to->machine.late, &from->machine.late);
	unwind_stats_add(&to->unwound, session_unwind_stats(from));
	seen_take(&to->passing.seen, &from->passing.seen, out->comms);
}

void share_ids_release(struct share_ids *ids)
{
	free(ids->comms);
	*ids = (struct share_ids){ 0 };
}

void shares_warn_in(struct session *s, struct warnings *w)
{
	warnings_add(w, s->warnings);
	s->warnings = s->readers.capture.warnings = w;
}
