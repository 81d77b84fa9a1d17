/* Samples as points of a heat map: pairs of two events, or a number of each event. A sample has its
 * stack, so that the filters by its function hold, once names are there. */
#include "analyzers/count/missing.h"
#include "analyzers/count/namer.h"
#include "analyzers/heat/pairs.h"
#include "analyzers/heat/single.h"
#include "analyzers/heat/source.h"

#include <inttypes.h>
#include <string.h>

/* Of both sources; each uses one of the two. */
struct sampled {
	struct heat_map *to;
	struct pairs pairs;
	struct single single;
	struct picked part; /* of one event: the field that makes lanes */
	uint64_t used, filtered;
};

/* A point to be, and who or what it is shown with. */
struct made {
	const struct pdt_event *e;
	uint64_t value, span_ns;
	uint32_t pid, tid, comm;
	struct field_answer fields; /* for the filter by them */
	enum interrupt interrupt;   /* then it is not the doing of that thread */
	const char *part;	    /* NULL: not told */
};

static bool asks_for_pairs(const struct heat_ask *a)
{
	return a->events[1] != NULL;
}

/* Do the filters let it pass? The source sees all events. */
static bool passes(const struct made *m, const struct pdt_session *s)
{
	const struct filter *f = filter_of(s);

	return filter_thread(f, m->pid, m->tid, f->comms.count ? pdt_comm(s, m->comm) : NULL) &&
	       (!f->cpus.count || (m->e->has_cpu && num_list_has(&f->cpus, m->e->cpu))) &&
	       num_list_passes(&f->times, m->e->time_ns) && filter_holds(s, m->fields);
}

/* The field that makes lanes, or NULL. What I/Os have by these names, other events have as fields.
 */
static const char *lane_field(const struct heat_ask *a)
{
	bool field = a->by == HEAT_BY_FIELD || a->by == HEAT_BY_DEVICE || a->by == HEAT_BY_OP;

	return field ? a->by_field : NULL;
}

static uint32_t lane_of(struct heat_map *to, const struct made *m, const char *comm)
{
	struct buf b = { 0 };
	uint32_t lane;

	if (!lane_field(&to->ask))
		return heat_lane_by(&to->heat, to->ask.by, comm, m->e->has_cpu ? &m->e->cpu : NULL);
	buf_printf(&b, "%s %s", to->ask.by_field, m->part ?: "unknown");
	lane = heat_lane(&to->heat, b.data);
	buf_release(&b);
	return lane;
}

static inline void add_sample(struct heat_map *to, const struct pdt_session *s,
			      const struct made *m)
{
	bool by_lane = to->ask.by > HEAT_NO_LANES;
	struct heat_more *more;
	const char *comm = interrupt_name(m->interrupt) ?: pdt_comm(s, m->comm) ?: "";

	if (!heat_add(&to->heat, m->e->time_ns, m->value))
		return;
	if (by_lane || m->span_ns || m->e->stack != PDT_NONE) {
		more = heat_more(&to->heat);
		more->span_ns = m->span_ns;
		more->stack = m->e->stack;
		more->idle_task = !m->e->pid;
		more->lane = by_lane ? (uint16_t)lane_of(to, m, comm) : 0;
	}
	if (longest_wants(&to->longest, m->value))
		longest_add(&to->longest, &to->heat, m->interrupt ? 0 : m->tid, comm, strlen(comm));
}

/* ---- the end ---- */

static int no_events(const struct pdt_session *s, const char *missing, const char *patterns,
		     struct warnings *w)
{
	struct buf command = { 0 };

	buf_printf(&command, "perf record -a -c1 %s -o /dev/shm/t.data -- sleep 10", patterns);
	(void)missing_events(s, missing, command.data, w);
	buf_release(&command);
	return ERR_USAGE;
}

static int check_fields(const struct picked *p, const struct pdt_session *s, struct warnings *w)
{
	if (!p->lacking)
		return 0;
	warn_add(w, SEV_FATAL, "no-field", "%s: %s", pdt_text(s, PDT_PATH), p->lacking);
	return ERR_USAGE;
}

/* The filters by the leaf, where stacks were asked for. */
static void filter_leaves(struct sampled *d, const struct pdt_session *s)
{
	const struct filter *f = filter_of(s);
	struct heat *h = &d->to->heat;
	size_t kept = 0;

	if (!f->no_idle && !f->dsos.count && !f->symbols.count)
		return;
	d->to->partial = true;
	for (size_t i = 0; i < h->count; i++) {
		struct heat_more more = heat_more_at(h, i);

		if (!stack_passes(s, more.stack, f, more.idle_task))
			continue;
		h->points[kept] = h->points[i];
		if (kept < h->more_count)
			h->more[kept] = more;
		kept++;
	}
	d->filtered += h->count - kept;
	h->count = kept;
	h->more_count = kept < h->more_count ? kept : h->more_count;
}

/* ---- two events ---- */

static int pairs_begin(void *state, struct heat_map *to, const void *options, struct warnings *w)
{
	struct sampled *d = state;

	d->to = to;
	pairs_init(&d->pairs);
	d->pairs.oldest_first = to->ask.pairing == PAIR_OLDEST;
	if (!asks_for_pairs(&to->ask))
		return 0;
	pairs_pick(&d->pairs, to->ask.events, to->ask.key, lane_field(&to->ask));
	if (!to->ask.value.text)
		return 0;
	warn_add(w, SEV_FATAL, "option", "--value %s: expected one event, not two",
		 to->ask.value.text);
	return ERR_USAGE;
}

static bool pairs_means(const void *state, const struct pdt_session *s)
{
	const struct sampled *d = state;

	return asks_for_pairs(&d->to->ask);
}

static void pair_event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct sampled *d = state;
	struct pairs *p = &d->pairs;
	struct pair_begin begin;
	struct made m;

	if (e->kind == PDT_LOST)
		pairs_lost(p, e->time_ns);
	if (e->kind != PDT_SAMPLE || !pairs_event(p, e, s, &begin))
		return;
	m = (struct made){ .e = e,
			   .value = e->time_ns - begin.time_ns,
			   .span_ns = e->time_ns - begin.time_ns,
			   .pid = begin.pid,
			   .tid = begin.tid,
			   .comm = begin.comm,
			   .fields = field_answer_join(begin.fields, filter_ask(s, e)),
			   .interrupt = begin.interrupt };
	if (begin.part != INTERN_NONE)
		m.part = intern_str(&p->parts, begin.part);
	if (passes(&m, s))
		add_sample(d->to, s, &m);
	else
		d->filtered++;
}

static int pairs_check(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct pairs *p = &((struct sampled *)state)->pairs;
	const char *missing = !picked_any(p->begin.pattern, s) ? p->begin.pattern
			      : !picked_any(p->end.pattern, s) ? p->end.pattern
							       : NULL;
	struct buf patterns = { 0 };

	if (missing) {
		buf_printf(&patterns, "-e '%s' -e '%s'", p->begin.pattern, p->end.pattern);
		(void)no_events(s, missing, patterns.data, w);
		buf_release(&patterns);
		return ERR_ABSENT;
	}
	if (check_one_event(s, "events", p->begin.pattern, w) < 0 ||
	    check_one_event(s, "events", p->end.pattern, w) < 0)
		return ERR_USAGE;
	pairs_end(p);
	if (p->parted && !p->part[0].found && !p->part[1].found)
		return check_fields(p->part[0].lacking ? &p->part[0] : &p->part[1], s, w);
	return check_fields(p->begin.lacking ? &p->begin : &p->end, s, w);
}

static void pairs_describe(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct sampled *d = state;
	const struct pairs *p = &d->pairs;
	struct buf b = { 0 };

	filter_leaves(d, s);
	d->to->theme = (struct heat_theme){
		.title = "Latency", .y_name = "latency", .y_type = COLUMN_NS, .spans = true
	};
	answer_fact(&d->to->answer, "events used",
		    "%" PRIu64 " begins, %" PRIu64 " ends: %" PRIu64 " pairs, %" PRIu64
		    " of them filtered out",
		    p->begins, p->ends, p->matched, d->filtered);
	if (p->restarts)
		answer_fact(&d->to->answer, "restarted",
			    "%s of the system calls ended to be entered anew after a signal "
			    "(ERESTARTSYS): each entry counts",
			    COUNT_TEXT(p->restarts));
	answer_list(&b, p->unended, "begins without an end");
	answer_list(&b, p->restarted, "begins whose thread began again");
	answer_list(&b, p->stray_ends, "ends without a begin");
	answer_list(&b, p->other_call, "ends of another system call than was begun");
	if (p->across)
		buf_printf(&b, "%s%s pairs with lost records in between, of up to %s",
			   b.len ? ", " : "", COUNT_TEXT(p->across), NS_TEXT(p->across_ns));
	answer_list(&b, p->keyless, "without a key");
	answer_list(&b, p->nested, "ends that could be another's");
	answer_unmatched(&d->to->answer, &b, w);
	buf_release(&b);
}

static void pairs_free(void *state)
{
	pairs_release(&((struct sampled *)state)->pairs);
}

const struct heat_source heat_pairs = {
	.state_size = sizeof(struct sampled),
	.begin = pairs_begin,
	.means = pairs_means,
	.event = pair_event,
	.end = pairs_check,
	.describe = pairs_describe,
	.release = pairs_free,
};

/* ---- one event ---- */

static int one_begin(void *state, struct heat_map *to, const void *options, struct warnings *w)
{
	struct sampled *d = state;
	const struct heat_ask *a = &to->ask;
	static const struct heat_ask nothing;

	d->to = to;
	if (asks_for_pairs(a)) /* then this has no part */
		a = &nothing;
	if (lane_field(a))
		picked_field(&d->part, a->by_field);
	return single_begin(&d->single, a->events[0], &a->value, &a->key[0], w);
}

static unsigned one_wants(const void *state)
{
	return ((const struct sampled *)state)->single.value == VALUE_SYMBOL ? PDT_WANT_STACKS : 0;
}

static bool one_means(const void *state, const struct pdt_session *s)
{
	return true;
}

static void one_event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct sampled *d = state;
	const struct picked_binding *b, *part;
	struct made m = { .e = e, .pid = e->pid, .tid = e->tid, .comm = e->comm };
	struct buf text = { 0 };

	if (e->kind != PDT_SAMPLE)
		return;
	d->single.picked.of = s;
	b = picked_bind(&d->single.picked, e);
	if (!b)
		return;
	d->used++;
	m.fields = filter_ask(s, e);
	if (!passes(&m, s)) {
		d->filtered++;
		return;
	}
	if (!single_value(&d->single, b, e, &m.value))
		return;
	m.interrupt = interrupt_of_event(e, b->flags);
	part = d->part.name_count ? picked_bind(&d->part, e) : NULL;
	if (part && picked_text(&part->fields[0], e, s, &text))
		m.part = text.data;
	add_sample(d->to, s, &m);
	buf_release(&text);
}

static int one_end(void *state, const struct pdt_session *s, struct warnings *w)
{
	const struct picked *p = &((struct sampled *)state)->single.picked;
	struct buf pattern = { 0 };
	const struct picked *part = &((const struct sampled *)state)->part;
	int rc = check_fields(p->lacking || part->found ? p : part, s, w);

	if (rc < 0 || !p->pattern)
		return rc;
	if (picked_any(p->pattern, s))
		return check_one_event(s, "events", p->pattern, w);
	buf_printf(&pattern, "-e '%s'", p->pattern);
	(void)no_events(s, p->pattern, pattern.data, w);
	buf_release(&pattern);
	return ERR_ABSENT;
}

/* What the picture is, by the value that was asked for. */
static const struct heat_theme themes[] = {
	[VALUE_FIELD] = { .title = "Values", .y_type = COLUMN_COUNT, .y_is_label = true },
	[VALUE_PERIOD] = { .title = "Values", .y_name = "period", .y_type = COLUMN_COUNT },
	[VALUE_DELTA] = { .title = "Values",
			  .y_name = "delta",
			  .y_type = COLUMN_NS,
			  .from_zero = true },
	[VALUE_SUBSECOND] = { .title = "Activity within seconds",
			      .y_name = "subsecond",
			      .y_type = COLUMN_NS,
			      .seconds = true,
			      .no_amounts = true },
	[VALUE_SYMBOL] = { .title = "Functions over time",
			   .y_name = "symbol",
			   .y_type = COLUMN_TEXT,
			   .no_amounts = true },
};

static void one_describe(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct sampled *d = state;
	struct single *n = &d->single;
	struct heat_map *to = d->to;
	struct buf b = { 0 };

	filter_leaves(d, s);
	to->theme = themes[n->value];
	if (n->value == VALUE_FIELD)
		to->theme.y_name = to->ask.value.text;
	if (n->value == VALUE_SYMBOL)
		to->theme.labels = single_labels(n, &to->heat, to->frame.rows, s);
	answer_fact(&to->answer, "events used", "%s, %s of them filtered out", COUNT_TEXT(d->used),
		    COUNT_TEXT(d->filtered));
	answer_list(&b, n->unreadable, "without the field");
	answer_list(&b, n->negative, "below 0");
	answer_list(&b, n->left_out, "of more keys than 4,194,304");
	if (n->value == VALUE_DELTA)
		answer_list(&b, n->last_count, "with nothing before them");
	answer_unmatched(&d->to->answer, &b, w);
	buf_release(&b);
}

static void one_release(void *state)
{
	single_release(&((struct sampled *)state)->single);
	picked_release(&((struct sampled *)state)->part);
}

const struct heat_source heat_single = {
	.state_size = sizeof(struct sampled),
	.begin = one_begin,
	.wants = one_wants,
	.means = one_means,
	.event = one_event,
	.end = one_end,
	.describe = one_describe,
	.release = one_release,
};
