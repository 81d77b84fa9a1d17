#include "analyzers/count/tally.h"
#include "analyzers/count/leaf.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* What a sample is counted under; what nobody asked for is 0. Compared as bytes: no padding. */
struct tuple {
	uint64_t comm; /* id, or the tid with COMM_BY_TID */
	uint64_t time_ns;
	uint32_t desc, pid, tid, cpu;
	uint32_t pid0; /* the idle filter looks at the leaf of pid 0 */
	uint32_t nothing;
};

#define COMM_BY_TID (1ull << 32)
#define CPU_NONE    UINT32_MAX

struct tally_count {
	uint32_t tuple, stack;
	uint64_t weight, samples;
};

/* The keys of a row that come from the sample, and from the location. */
struct base {
	uint64_t key[TALLY_DSO];
	uint64_t subtotal;
};

struct frame {
	uint64_t key[TALLY_KEYS - TALLY_DSO];
};

/* The two kinds of rows. */
struct level {
	unsigned keys;
	bool subtotal;
};

/* Levels are 0 and 1, the subtotals; returns how many there are. */
static unsigned make_levels(const struct tally *t, struct level level[2])
{
	level[0] = (struct level){ t->key_bits, false };
	level[1] = (struct level){ t->o.grouped ? TALLY_BIT(t->o.keys[0]) : 0, true };
	return t->o.grouped ? 2 : 1;
}

void tally_begin(struct tally *t)
{
	intern_init(&t->texts);
	intern_init(&t->bases);
	intern_init(&t->frames);
	intern_init(&t->tuples);
	for (size_t i = 0; i < t->o.key_count; i++)
		t->key_bits |= TALLY_BIT(t->o.keys[i]);
}

void tally_only(struct tally *t, enum tally_key key)
{
	t->o.keys[0] = key;
	t->o.key_count = 1;
	t->key_bits = TALLY_BIT(key);
}

static void add(struct tally *t, uint64_t *sum, uint64_t n)
{
	if (!__builtin_add_overflow(*sum, n, sum))
		return;
	*sum = UINT64_MAX;
	t->overflow = true;
}

/* ---- counting ---- */

static uint32_t tuple_of(struct tally *t, const struct event *e, const struct session *s)
{
	unsigned keys = t->key_bits;
	struct tuple k = { .desc = e->desc->index, .pid0 = !e->pid };

	if (keys & TALLY_BIT(TALLY_COMM))
		k.comm = session_comm(s, e->comm) ? e->comm : COMM_BY_TID | e->tid;
	if (keys & TALLY_BIT(TALLY_PID))
		k.pid = e->pid;
	if (keys & TALLY_BIT(TALLY_TID))
		k.tid = e->tid;
	if (keys & TALLY_BIT(TALLY_CPU))
		k.cpu = e->has_cpu ? e->cpu : CPU_NONE;
	if (keys & TALLY_BIT(TALLY_TIME))
		k.time_ns =
			e->has_time ? e->time_ns / t->o.quantum_ns * t->o.quantum_ns : TALLY_NONE;
	return intern_add(&t->tuples, (const char *)&k, sizeof(k));
}

void tally_event(struct tally *t, const struct event *e, const struct session *s)
{
	uint32_t tuple = tuple_of(t, e, s);
	uint32_t *slot = idmap_put(&t->pairs, (uint64_t)tuple << 32 | e->stack);

	if (*slot == IDMAP_NONE) {
		t->counts = xgrow(t->counts, &t->count_cap, t->count + 1, sizeof(*t->counts));
		t->counts[t->count] = (struct tally_count){ tuple, e->stack, 0, 0 };
		*slot = (uint32_t)t->count++;
	}
	add(t, &t->counts[*slot].weight, t->o.by_samples ? 1 : e->weight);
	t->counts[*slot].samples++;
}

/* ---- rows ---- */

static uint64_t text_id(struct tally *t, const char *text)
{
	return intern_add(&t->texts, text, strlen(text));
}

/* KEY: of the location, those that the level does not ask for are not looked at. */
static uint32_t frame_id(struct tally *t, const struct level *l, const struct frame *key)
{
	struct frame f;
	uint32_t id;

	for (unsigned k = TALLY_DSO; k < TALLY_KEYS; k++)
		f.key[k - TALLY_DSO] =
			l->keys & TALLY_BIT(k) ? key->key[k - TALLY_DSO] : TALLY_NONE;
	id = intern_add(&t->frames, (const char *)&f, sizeof(f));

	t->seen = xgrow(t->seen, &t->seen_cap, t->frames.count, sizeof(*t->seen));
	if (id + 1 == t->frames.count)
		t->seen[id] = 0;
	return id;
}

/* A frame of which only the symbol is known. */
static uint32_t symbol_frame(struct tally *t, const struct level *l, uint64_t sym)
{
	struct frame f = { { TALLY_NONE, sym, TALLY_NONE, TALLY_NONE } };

	return frame_id(t, l, &f);
}

static uint32_t base_id(struct tally *t, const struct level *l, const uint64_t *key)
{
	struct base b = { .subtotal = l->subtotal };

	for (unsigned k = 0; k < TALLY_DSO; k++)
		b.key[k] = k == TALLY_EVENT || l->keys & TALLY_BIT(k) ? key[k] : TALLY_NONE;
	return intern_add(&t->bases, (const char *)&b, sizeof(b));
}

static struct tally_row *row_of(struct tally *t, uint32_t base, uint32_t frame)
{
	uint32_t *slot = idmap_put(&t->by_pair, (uint64_t)base << 32 | frame);
	struct tally_row *r;
	struct base b;

	if (*slot != IDMAP_NONE)
		return &t->rows[*slot];
	t->rows = xgrow(t->rows, &t->row_cap, t->row_count + 1, sizeof(*t->rows));
	r = &t->rows[t->row_count];
	memcpy(&b, intern_str(&t->bases, base), sizeof(b));
	*r = (struct tally_row){ .subtotal = b.subtotal };
	memcpy(r->key, b.key, sizeof(b.key));
	memcpy(r->key + TALLY_DSO, intern_str(&t->frames, frame), sizeof(struct frame));
	*slot = (uint32_t)t->row_count++;
	return r;
}

/* One stack of one level, with its weight: frames from the leaf to the root, at least one. */
struct weighed {
	const struct level *level;
	uint32_t base;
	const uint32_t *frames;
	const bool *is_symbol; /* by frame: is it the symbol asked for? */
	size_t count;
	uint64_t weight, samples;
};

/* However often a stack holds a frame, its weight counts once. */
static void add_flat(struct tally *t, const struct weighed *w)
{
	t->stack_number++;
	for (size_t i = 0; i < w->count; i++) {
		struct tally_row *r;

		if (t->seen[w->frames[i]] == t->stack_number)
			continue;
		t->seen[w->frames[i]] = t->stack_number;
		r = row_of(t, w->base, w->frames[i]);
		add(t, &r->children, w->weight);
		if (i)
			continue;
		add(t, &r->self, w->weight);
		add(t, &r->samples, w->samples);
	}
}

/* The frame beside the symbol: what called its outermost occurrence, or what its innermost called.
 * So a stack counts once however the symbol recurses, and the symbol is not its own neighbour.
 * False: the stack does not hold it. */
static bool neighbour(struct tally *t, const struct weighed *w, uint32_t *frame)
{
	bool callers = t->o.view == TALLY_CALLERS;
	size_t n = 0;

	while (n < w->count && !w->is_symbol[callers ? w->count - 1 - n : n])
		n++;
	if (n == w->count)
		return false;
	if (n)
		*frame = w->frames[callers ? w->count - n : n - 1];
	else
		*frame = symbol_frame(t, w->level, text_id(t, callers ? "[root]" : "[self]"));
	return true;
}

static void add_weighed(struct tally *t, const struct weighed *w, struct tally_event *e)
{
	struct tally_row *r;
	uint32_t frame;

	if (t->o.view == TALLY_FLAT) {
		add_flat(t, w);
		return;
	}
	if (!neighbour(t, w, &frame))
		return;
	t->found = true;
	r = row_of(t, w->base, frame);
	add(t, &r->children, w->weight);
	add(t, &r->self, w->weight);
	add(t, &r->samples, w->samples);
	if (!w->level->subtotal)
		add(t, &e->symbol, w->weight);
}

/* ---- captures ---- */

/* A capture while its counts become rows. */
struct naming {
	const struct session *session;
	const struct filter *filter;
	uint32_t *events; /* by description */
	struct level level;
	uint32_t *frames; /* by location, of the level */
	bool *is_symbol;
	uint32_t unknown; /* the frame of a stack that has none */
	/* of the stack at hand */
	uint32_t *stack;
	bool *stack_is;
	size_t stack_cap, is_cap;
};

static uint32_t event_id(struct tally *t, const char *name)
{
	uint32_t text = (uint32_t)text_id(t, name);
	uint32_t *slot = idmap_put(&t->event_by_name, text);

	if (*slot != IDMAP_NONE)
		return *slot;
	t->events = xgrow(t->events, &t->event_cap, t->event_count + 1, sizeof(*t->events));
	t->events[t->event_count] = (struct tally_event){ .name = text };
	return *slot = (uint32_t)t->event_count++;
}

/* Every event that has samples gets its place, in the order of the capture. */
static void name_events(struct tally *t, struct naming *n)
{
	const struct event_list *events = &session_capture(n->session)->events;

	n->events = xcalloc(events->count + 1, sizeof(*n->events));
	for (size_t i = 0; i < events->count; i++) {
		const struct event_stats *st = session_event_stats(n->session, events->descs[i]);
		struct tally_event *e;
		uint64_t samples = st->samples - st->outside_samples;

		if (!samples)
			continue;
		n->events[i] = event_id(t, events->descs[i]->name);
		e = &t->events[n->events[i]];
		e->in_ns = event_counts_ns(events->descs[i]);
		add(t, &e->all_samples, samples);
		add(t, &e->all_weight, t->o.by_samples ? samples : st->weight - st->outside_weight);
	}
}

static uint64_t dso_id(struct tally *t, const struct loc *l, const struct loc_name *n)
{
	struct buf b = { 0 };
	uint64_t id;

	if (n->module)
		return text_id(t, base_name(n->module));
	buf_printf(&b, "[%s]", place_of(l, n));
	id = text_id(t, b.data);
	buf_release(&b);
	return id;
}

static uint64_t sym_id(struct tally *t, const struct loc *l, const struct loc_name *n)
{
	struct buf b = { 0 };
	uint64_t id;

	if (n->name)
		return text_id(t, n->name);
	buf_printf(&b, "[%s]", place_of(l, n));
	id = text_id(t, b.data);
	buf_release(&b);
	return id;
}

/* Where the address is in the source: where the innermost inlined function was, if there is one. */
static void source_ids(struct tally *t, const struct loc_name *n, struct frame *f)
{
	const char *file = n->inline_count ? n->inlines[0].file : n->file;
	uint32_t line = n->inline_count ? n->inlines[0].line : n->line;
	struct buf b = { 0 };

	buf_printf(&b, "%s:%u", file ? base_name(file) : "??", file ? line : 0);
	f->key[TALLY_SRCLINE - TALLY_DSO] = text_id(t, b.data);
	f->key[TALLY_SRCFILE - TALLY_DSO] = text_id(t, file ? base_name(file) : "??");
	buf_release(&b);
}

static bool is_asked(const struct tally *t, const char *shown, const char *linked)
{
	return t->o.symbol &&
	       (!strcmp(shown, t->o.symbol) || (linked && !strcmp(linked, t->o.symbol)));
}

static void name_locs(struct tally *t, struct naming *n)
{
	const struct stacks *st = session_stacks(n->session);
	const struct names *names = session_names(n->session);
	uint64_t text = text_id(t, "[unknown]"), line = text_id(t, "??:0");
	const struct frame unknown = { { text, text, text_id(t, "??"), line } };

	n->unknown = frame_id(t, &n->level, &unknown);
	n->frames = xrealloc(n->frames, (st->loc_count + 1) * sizeof(*n->frames));
	n->is_symbol = xrealloc(n->is_symbol, (st->loc_count + 1) * sizeof(*n->is_symbol));
	for (size_t i = 0; i < st->loc_count; i++) {
		const struct loc_name *name = &names->locs[i];
		uint64_t sym = sym_id(t, &st->locs[i], name);
		struct frame f = { { dso_id(t, &st->locs[i], name), sym } };

		if (n->level.keys & (TALLY_BIT(TALLY_SRCFILE) | TALLY_BIT(TALLY_SRCLINE)))
			source_ids(t, name, &f);
		n->frames[i] = frame_id(t, &n->level, &f);
		n->is_symbol[i] = is_asked(t, intern_str(&t->texts, (uint32_t)sym), name->symbol);
	}
}

static uint64_t comm_id(struct tally *t, const struct naming *n, uint64_t comm)
{
	struct buf b = { 0 };
	uint64_t id;

	if (!(comm & COMM_BY_TID))
		return text_id(t, session_comm(n->session, (uint32_t)comm));
	buf_printf(&b, ":%d", (int)(uint32_t)comm);
	id = text_id(t, b.data);
	buf_release(&b);
	return id;
}

static uint32_t tuple_base(struct tally *t, const struct naming *n, const struct tuple *k)
{
	uint64_t key[TALLY_DSO] = {
		[TALLY_EVENT] = n->events[k->desc],
		[TALLY_PID] = k->pid,
		[TALLY_TID] = k->tid,
		[TALLY_CPU] = k->cpu == CPU_NONE ? TALLY_NONE : k->cpu,
		[TALLY_TIME] = k->time_ns,
	};

	if (n->level.keys & TALLY_BIT(TALLY_COMM))
		key[TALLY_COMM] = comm_id(t, n, k->comm);
	return base_id(t, &n->level, key);
}

static void add_count(struct tally *t, struct naming *n, const struct tally_count *c)
{
	const struct stack *stack = &session_stacks(n->session)->list[c->stack];
	const uint32_t *locs = stack_locs(session_stacks(n->session), stack);
	const struct loc_name *leaf = leaf_of(n->session, c->stack);
	size_t count = stack->count ? stack->count : 1;
	struct tally_event *e;
	struct tuple k;

	memcpy(&k, intern_str(&t->tuples, c->tuple), sizeof(k));
	if (!leaf_passes(leaf, n->filter, k.pid0))
		return;
	e = &t->events[n->events[k.desc]];
	if (!n->level.subtotal) {
		add(t, &e->weight, c->weight);
		add(t, &e->samples, c->samples);
		add(t, &e->unnamed, leaf && leaf->name ? 0 : c->weight);
	}
	n->stack = xgrow(n->stack, &n->stack_cap, count, sizeof(*n->stack));
	n->stack_is = xgrow(n->stack_is, &n->is_cap, count, sizeof(*n->stack_is));
	n->stack[0] = n->unknown;
	n->stack_is[0] = false;
	for (size_t i = 0; i < stack->count; i++) {
		n->stack[i] = n->frames[locs[i]];
		n->stack_is[i] = n->is_symbol[locs[i]];
	}
	add_weighed(t,
		    &(struct weighed){ &n->level, tuple_base(t, n, &k), n->stack, n->stack_is,
				       count, c->weight, c->samples },
		    e);
}

/* Ids of stacks and comms are one capture's own. */
static void forget_counts(struct tally *t)
{
	intern_release(&t->tuples);
	intern_init(&t->tuples);
	idmap_release(&t->pairs);
	t->count = 0;
}

void tally_finish(struct tally *t, const struct session *s, const struct filter *f)
{
	struct naming n = { .session = s, .filter = f };
	struct level level[2];
	unsigned levels = make_levels(t, level);

	t->has_chains |= session_stats(s)->chains_recorded > 0;
	name_events(t, &n);
	for (unsigned i = 0; i < levels; i++) {
		n.level = level[i];
		name_locs(t, &n);
		for (size_t c = 0; c < t->count; c++)
			add_count(t, &n, &t->counts[c]);
	}
	forget_counts(t);
	free(n.events);
	free(n.frames);
	free(n.is_symbol);
	free(n.stack);
	free(n.stack_is);
}

/* ---- folded stacks ---- */

struct folded_naming {
	const struct stacks_part *part;
	struct level level;
	uint32_t event;
	size_t name_count, deepest;
	uint32_t *frames; /* by name, of the level; the last is for stacks without any */
	bool *is_symbol;
	/* of the stack at hand */
	uint32_t *stack;
	bool *stack_is;
};

static void add_folded(struct tally *t, const struct folded_naming *n, const struct stack_row *row)
{
	const uint32_t none = (uint32_t)n->name_count;
	const uint32_t *names = row->count ? n->part->frames + row->first : &none;
	const char *root = row->count ? n->part->names[*names] : "[unknown]";
	uint64_t key[TALLY_DSO] = { [TALLY_EVENT] = n->event, [TALLY_COMM] = text_id(t, root) };
	struct tally_event *e = &t->events[n->event];
	size_t count = row->count ? row->count : 1;

	if (!n->level.subtotal) {
		add(t, &e->weight, row->weight);
		add(t, &e->all_weight, row->weight);
	}
	for (size_t i = 0; i < count; i++) {
		n->stack[i] = n->frames[names[count - 1 - i]];
		n->stack_is[i] = n->is_symbol[names[count - 1 - i]];
	}
	add_weighed(t,
		    &(struct weighed){ &n->level, base_id(t, &n->level, key), n->stack, n->stack_is,
				       count, row->weight, 0 },
		    e);
}

static void folded_measure(struct folded_naming *n)
{
	n->deepest = 1;
	for (size_t i = 0; i < n->part->count; i++) {
		const struct stack_row *r = &n->part->rows[i];

		n->deepest = r->count > n->deepest ? r->count : n->deepest;
		for (uint32_t k = 0; k < r->count; k++) {
			uint32_t name = n->part->frames[r->first + k];

			n->name_count = name >= n->name_count ? name + 1 : n->name_count;
		}
	}
}

void tally_stacks(struct tally *t, const struct stacks_part *p)
{
	struct folded_naming n = { .part = p, .event = event_id(t, "") };
	struct level level[2];
	unsigned levels = make_levels(t, level);

	folded_measure(&n);
	n.frames = xmalloc((n.name_count + 1) * sizeof(*n.frames));
	n.is_symbol = xmalloc((n.name_count + 1) * sizeof(*n.is_symbol));
	n.stack = xmalloc(n.deepest * sizeof(*n.stack));
	n.stack_is = xmalloc(n.deepest * sizeof(*n.stack_is));
	t->has_chains = true;
	t->decimals = p->decimals;
	for (unsigned l = 0; l < levels; l++) {
		n.level = level[l];
		for (size_t i = 0; i <= n.name_count; i++) {
			const char *name = i < n.name_count ? p->names[i] : "[unknown]";

			n.frames[i] = symbol_frame(t, &n.level, text_id(t, name));
			n.is_symbol[i] = is_asked(t, name, NULL);
		}
		for (size_t i = 0; i < p->count; i++)
			add_folded(t, &n, &p->rows[i]);
	}
	free(n.frames);
	free(n.is_symbol);
	free(n.stack);
	free(n.stack_is);
}

/* ---- the end ---- */

uint64_t tally_weight(const struct tally *t, const struct tally_row *r)
{
	return t->o.by_children ? r->children : r->self;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_key(const struct tally *t, enum tally_key k, uint64_t a, uint64_t b)
{
	if (a == b)
		return 0;
	if (k != TALLY_COMM && k < TALLY_DSO)
		return compare_numbers(a, b);
	if (a == TALLY_NONE || b == TALLY_NONE)
		return a == TALLY_NONE ? -1 : 1;
	return strcmp(intern_str(&t->texts, (uint32_t)a), intern_str(&t->texts, (uint32_t)b));
}

static int compare_weights(const struct tally *t, const struct tally_row *a,
			   const struct tally_row *b)
{
	return compare_numbers(tally_weight(t, b), tally_weight(t, a));
}

static int compare_rows(const void *left, const void *right, void *tally)
{
	const struct tally *t = tally;
	const struct tally_row *a = &t->rows[*(const uint32_t *)left];
	const struct tally_row *b = &t->rows[*(const uint32_t *)right];
	int rc = compare_numbers(a->key[TALLY_EVENT], b->key[TALLY_EVENT]);

	if (!rc && t->o.grouped && a->group != b->group)
		rc = compare_weights(t, &t->rows[a->group], &t->rows[b->group]);
	if (!rc && t->o.grouped)
		rc = compare_key(t, t->o.keys[0], a->key[t->o.keys[0]], b->key[t->o.keys[0]]);
	if (!rc)
		rc = b->subtotal - a->subtotal;
	if (!rc)
		rc = compare_weights(t, a, b);
	for (size_t i = 0; !rc && i < t->o.key_count; i++)
		rc = compare_key(t, t->o.keys[i], a->key[t->o.keys[i]], b->key[t->o.keys[i]]);
	return rc;
}

/* The subtotal that row I belongs to: there is one for each. */
static uint32_t group_of(struct tally *t, size_t i)
{
	const uint64_t *key = t->rows[i].key;
	struct level level[2];
	struct frame own;
	uint32_t base, frame;

	if (make_levels(t, level) == 1)
		return (uint32_t)i;
	base = base_id(t, &level[1], key);
	memcpy(own.key, key + TALLY_DSO, sizeof(own.key));
	frame = frame_id(t, &level[1], &own);
	return idmap_get(&t->by_pair, (uint64_t)base << 32 | frame);
}

uint32_t *tally_sorted(struct tally *t)
{
	uint32_t *order = xmalloc((t->row_count + 1) * sizeof(*order));

	for (size_t i = 0; i < t->row_count; i++) {
		t->rows[i].group = group_of(t, i);
		order[i] = (uint32_t)i;
	}
	qsort_r(order, t->row_count, sizeof(*order), compare_rows, t);
	return order;
}

void tally_release(struct tally *t)
{
	intern_release(&t->texts);
	intern_release(&t->bases);
	intern_release(&t->frames);
	intern_release(&t->tuples);
	idmap_release(&t->event_by_name);
	idmap_release(&t->by_pair);
	idmap_release(&t->pairs);
	free(t->counts);
	free(t->events);
	free(t->rows);
	free(t->seen);
}
