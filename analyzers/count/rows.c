/* From samples under ids to rows under keys: each pair of a capture becomes keys of its thread and
 * frames of its stack, once, at the end. */
#include "analyzers/count/rows.h"
#include "analyzers/count/namer.h"
#include "parser/base/compare.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define CPU_NONE   UINT32_MAX
#define STEP_NONE  UINT64_MAX
#define ROW_SYMBOL (1u << 31) /* in a frame's id: it is the symbol asked for */

/* The keys of a row that come from the sample, and from the location. */
struct base {
	uint64_t key[KEY_DSO];
	uint64_t subtotal;
};

struct frame {
	uint64_t key[ROW_KEYS - KEY_DSO];
};

/* The two kinds of rows. */
struct level {
	unsigned keys;
	bool subtotal;
};

/* Levels are 0 and 1, the subtotals; returns how many there are. */
static unsigned make_levels(const struct rows *t, struct level level[2])
{
	level[0] = (struct level){ t->key_bits, false };
	level[1] = (struct level){ t->o.grouped ? KEY_BIT(t->o.keys[0]) : 0, true };
	return t->o.grouped ? 2 : 1;
}

void rows_begin(struct rows *t)
{
	t->samples.wants = WANT_NUMBERS;
	for (size_t i = 0; i < t->o.key_count; i++)
		t->key_bits |= KEY_BIT(t->o.keys[i]);
}

void rows_only(struct rows *t, enum row_key key)
{
	t->o.keys[0] = key;
	t->o.key_count = 1;
	t->key_bits = KEY_BIT(key);
}

static void add(struct rows *t, uint64_t *sum, uint64_t n)
{
	t->overflow |= add_held(sum, n);
}

/* ---- counting ---- */

void rows_sample(struct rows *t, const struct pdt_event *e, const struct pdt_session *s)
{
	unsigned keys = t->key_bits;
	struct who who = { .desc = pdt_desc_index(e->desc), .idle = !e->pid };

	if (keys & KEY_BIT(KEY_PID))
		who.pid = e->pid;
	if (keys & KEY_BIT(KEY_TID))
		who.tid = e->tid;
	if (keys & KEY_BIT(KEY_COMM))
		who_comm(&who, e, s);
	if (keys & KEY_BIT(KEY_CPU))
		who.cpu = e->has_cpu ? e->cpu : CPU_NONE;
	if (keys & KEY_BIT(KEY_TIME))
		who.step = e->has_time ? e->time_ns / t->o.quantum_ns : STEP_NONE;
	samples_add(&t->samples, samples_id(&t->samples, &who), e->stack,
		    t->o.by_samples ? 1 : e->weight);
}

/* ---- rows ---- */

static uint64_t text_id(struct rows *t, const char *text)
{
	return intern_add(&t->texts, text, strlen(text));
}

/* KEY: of the location, those that the level does not ask for are not looked at. */
static uint32_t frame_id(struct rows *t, const struct level *l, const struct frame *key)
{
	struct frame f;
	uint32_t id;

	for (unsigned k = KEY_DSO; k < ROW_KEYS; k++)
		f.key[k - KEY_DSO] = l->keys & KEY_BIT(k) ? key->key[k - KEY_DSO] : KEY_NONE;
	id = intern_add(&t->frames, (const char *)&f, sizeof(f));

	t->seen = xgrow(t->seen, &t->seen_cap, t->frames.count, sizeof(*t->seen));
	if (id + 1 == t->frames.count)
		t->seen[id] = 0;
	return id;
}

/* A frame of which only the symbol is known. */
static uint32_t symbol_frame(struct rows *t, const struct level *l, uint64_t sym)
{
	struct frame f = { { KEY_NONE, sym, KEY_NONE, KEY_NONE } };

	return frame_id(t, l, &f);
}

static uint32_t base_id(struct rows *t, const struct level *l, const uint64_t *key)
{
	struct base b = { .subtotal = l->subtotal };

	for (unsigned k = 0; k < KEY_DSO; k++)
		b.key[k] = k == KEY_EVENT || l->keys & KEY_BIT(k) ? key[k] : KEY_NONE;
	return intern_add(&t->bases, (const char *)&b, sizeof(b));
}

static struct row *row_of(struct rows *t, uint32_t base, uint32_t frame)
{
	uint32_t *slot = idmap_put(&t->by_pair, (uint64_t)base << 32 | frame);
	struct row *r;
	struct base b;

	if (*slot != IDMAP_NONE)
		return &t->rows[*slot];
	t->rows = xgrow(t->rows, &t->row_cap, t->row_count + 1, sizeof(*t->rows));
	r = &t->rows[t->row_count];
	memcpy(&b, intern_str(&t->bases, base), sizeof(b));
	*r = (struct row){ .subtotal = b.subtotal };
	memcpy(r->key, b.key, sizeof(b.key));
	memcpy(r->key + KEY_DSO, intern_str(&t->frames, frame), sizeof(struct frame));
	*slot = (uint32_t)t->row_count++;
	return r;
}

/* One stack of one level, with its weight: frames from the leaf to the root, at least one. */
struct weighed {
	const struct level *level;
	uint32_t base;
	const uint32_t *frames; /* with ROW_SYMBOL */
	size_t count;
	uint64_t weight, samples;
};

/* However often a stack holds a frame, its weight counts once. */
static void add_flat(struct rows *t, const struct weighed *w)
{
	t->stack_number++;
	for (size_t i = 0; i < w->count; i++) {
		uint32_t frame = w->frames[i] & ~ROW_SYMBOL;
		struct row *r;

		if (t->seen[frame] == t->stack_number)
			continue;
		t->seen[frame] = t->stack_number;
		r = row_of(t, w->base, frame);
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
static bool neighbour(struct rows *t, const struct weighed *w, uint32_t *frame)
{
	bool callers = t->o.view == VIEW_CALLERS;
	size_t n = 0;

	while (n < w->count && !(w->frames[callers ? w->count - 1 - n : n] & ROW_SYMBOL))
		n++;
	if (n == w->count)
		return false;
	if (n)
		*frame = w->frames[callers ? w->count - n : n - 1] & ~ROW_SYMBOL;
	else
		*frame = symbol_frame(t, w->level, text_id(t, callers ? "[root]" : "[self]"));
	return true;
}

static void add_weighed(struct rows *t, const struct weighed *w, struct row_event *e)
{
	struct row *r;
	uint32_t frame;

	if (t->o.view == VIEW_FLAT) {
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
	struct rows *rows;
	const struct pdt_session *session;
	const struct filter *filter;
	uint32_t *events; /* by description */
	struct level level;
	struct frames frames;	/* of the level */
	struct frame_list list; /* of the stack at hand */
	uint32_t unknown;	/* the frame of a stack that has none */
	bool placed;		/* keys say where samples were; else all frames are one */
};

static uint32_t event_id(struct rows *t, const char *name)
{
	uint32_t text = (uint32_t)text_id(t, name);
	uint32_t *slot = idmap_put(&t->event_by_name, text);

	if (*slot != IDMAP_NONE)
		return *slot;
	t->events = xgrow(t->events, &t->event_cap, t->event_count + 1, sizeof(*t->events));
	t->events[t->event_count] = (struct row_event){ .name = text };
	return *slot = (uint32_t)t->event_count++;
}

/* Every event that has samples gets its place, in the order of the capture. */
static void name_events(struct rows *t, struct naming *n)
{
	const struct pdt_session *s = n->session;
	const struct pdt_desc *d;

	n->events = xcalloc(pdt_desc_count(s) + 1, sizeof(*n->events));
	for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++) {
		uint64_t samples = pdt_desc_number(s, d, PDT_DESC_SCOPE_SAMPLES);
		struct row_event *e;

		if (!samples)
			continue;
		n->events[i] = event_id(t, pdt_desc_name(d));
		e = &t->events[n->events[i]];
		e->in_ns = pdt_desc_in_ns(d);
		add(t, &e->all_samples, samples);
		add(t, &e->all_weight,
		    t->o.by_samples ? samples : pdt_desc_number(s, d, PDT_DESC_SCOPE_WEIGHT));
	}
}

static uint64_t buf_id(struct rows *t, struct buf *b)
{
	uint64_t id = intern_add(&t->texts, b->len ? b->data : "", b->len);

	b->len = 0;
	return id;
}

static uint64_t dso_id(struct rows *t, struct place p, struct buf *b)
{
	const char *module = pdt_location_module(p.session, p.loc);

	if (module)
		buf_str(b, base_name(module));
	else
		place_text(p, b);
	return buf_id(t, b);
}

/* Where the function was in the source. */
static void source_ids(struct rows *t, const struct pdt_function *f, struct frame *out,
		       struct buf *b)
{
	const char *file = f->file ? base_name(f->file) : "??";

	buf_printf(b, "%s:%u", file, f->file ? f->line : 0);
	out->key[KEY_SRCLINE - KEY_DSO] = buf_id(t, b);
	out->key[KEY_SRCFILE - KEY_DSO] = text_id(t, file);
}

/* Is one of these what the symbol asked for is called? */
static bool is_asked(const struct rows *t, const char *shown, const char *name, const char *linked)
{
	const char *asked = t->o.symbol;

	return asked && (!strcmp(shown, asked) || (name && !strcmp(name, asked)) ||
			 (linked && !strcmp(linked, asked)));
}

static void name_loc(void *ctx, struct frames *frames, struct place p)
{
	struct naming *n = ctx;
	struct rows *t = n->rows;
	struct buf b = { 0 };
	uint64_t dso = n->level.keys & KEY_BIT(KEY_DSO) ? dso_id(t, p, &b) : KEY_NONE;

	for (size_t i = 0, count = pdt_function_count(p.session, p.loc); i < count; i++) {
		struct pdt_function f = pdt_function_at(p.session, p.loc, i);
		struct frame key = { { dso } };
		bool asked;

		function_text(&t->o.names, &f, p, &b);
		asked = is_asked(t, b.data, f.name,
				 f.inlined ? NULL : pdt_location_symbol(p.session, p.loc));
		key.key[KEY_SYM - KEY_DSO] = buf_id(t, &b);
		if (n->level.keys & (KEY_BIT(KEY_SRCFILE) | KEY_BIT(KEY_SRCLINE)))
			source_ids(t, &f, &key, &b);
		frames_push(frames, frame_id(t, &n->level, &key) | (asked ? ROW_SYMBOL : 0));
	}
	buf_release(&b);
}

static void name_level(struct rows *t, struct naming *n)
{
	uint64_t text = text_id(t, "[unknown]"), line = text_id(t, "??:0");
	const struct frame unknown = { { text, text, text_id(t, "??"), line } };

	n->unknown = frame_id(t, &n->level, &unknown);
	n->placed = t->o.view != VIEW_FLAT || n->level.keys >> KEY_DSO;
	if (n->placed)
		frames_name(&n->frames, n->session, name_loc, n);
}

static uint32_t who_base(struct rows *t, const struct naming *n, const struct who *who)
{
	uint64_t key[KEY_DSO] = {
		[KEY_EVENT] = n->events[who->desc],
		[KEY_PID] = who->pid,
		[KEY_TID] = who->tid,
		[KEY_CPU] = who->cpu == CPU_NONE ? KEY_NONE : who->cpu,
		[KEY_TIME] = who->step == STEP_NONE ? KEY_NONE : who->step * t->o.quantum_ns,
	};
	struct buf b = { 0 };

	if (n->level.keys & KEY_BIT(KEY_COMM)) {
		comm_text(pdt_comm(n->session, who->comm), who->tid, &b);
		key[KEY_COMM] = buf_id(t, &b);
		buf_release(&b);
	}
	return base_id(t, &n->level, key);
}

static void add_pair(struct rows *t, struct naming *n, struct who who, const struct sample_sum *c)
{
	struct place where = where_of(n->session, c->stack);
	struct row_event *e = &t->events[n->events[who.desc]];

	if (!where_passes(where, n->filter, who.idle))
		return;
	n->list.count = 0;
	if (n->placed)
		frame_list_fill(&n->list, &n->frames, n->session, c->stack);
	else
		n->list.apart = where.loc != PDT_NONE && !pdt_stack_at(n->session, c->stack).depth;
	if (!n->list.count)
		frame_list_push(&n->list, n->unknown);
	if (!n->level.subtotal) {
		add(t, &e->weight, c->weight);
		add(t, &e->samples, c->samples);
		add(t, &e->unnamed, pdt_location_name(n->session, where.loc) ? 0 : c->weight);
		add(t, &e->apart, n->list.apart ? c->weight : 0);
	}
	add_weighed(t,
		    &(struct weighed){ &n->level, who_base(t, n, &who), n->list.ids, n->list.count,
				       c->weight, c->samples },
		    e);
}

void rows_take(struct rows *t, const struct samples *from, const struct pdt_session *s)
{
	struct naming n = { .rows = t, .session = s, .filter = filter_of(s) };
	struct level level[2];
	unsigned levels = make_levels(t, level);
	struct sample_sum sum;

	t->has_chains |= pdt_number(s, PDT_CHAINS) > 0;
	t->overflow |= from->overflow;
	name_events(t, &n);
	for (unsigned i = 0; i < levels; i++) {
		n.level = level[i];
		name_level(t, &n);
		for (size_t at = 0; samples_next(from, &at, &sum);)
			add_pair(t, &n, samples_who(from, sum.who), &sum);
	}
	free(n.events);
	frames_release(&n.frames);
	frame_list_release(&n.list);
}

void rows_finish(struct rows *t, const struct pdt_session *s)
{
	rows_take(t, &t->samples, s);
	samples_forget(&t->samples);
}

/* ---- folded stacks ---- */

/* Folded text while its stacks become rows. */
struct folded_naming {
	const struct stacks_part *part;
	struct level level;
	uint32_t event;
	uint32_t *frames; /* by name, of the level; the last is for stacks without any */
	size_t name_count;
	struct frame_list list; /* of the stack at hand */
};

static void add_folded(struct rows *t, struct folded_naming *n, const struct stack_row *row)
{
	const uint32_t none = (uint32_t)n->name_count;
	const uint32_t *names = row->count ? n->part->frames + row->first : &none;
	const char *root = row->count ? n->part->names[*names] : "[unknown]";
	uint64_t key[KEY_DSO] = { [KEY_EVENT] = n->event, [KEY_COMM] = text_id(t, root) };
	struct row_event *e = &t->events[n->event];

	if (!n->level.subtotal) {
		add(t, &e->weight, row->weight);
		add(t, &e->all_weight, row->weight);
	}
	n->list.count = 0;
	for (size_t i = row->count ? row->count : 1; i--;)
		frame_list_push(&n->list, n->frames[names[i]]);
	add_weighed(t,
		    &(struct weighed){ &n->level, base_id(t, &n->level, key), n->list.ids,
				       n->list.count, row->weight, 0 },
		    e);
}

void rows_stacks(struct rows *t, const struct stacks_part *p, size_t name_count)
{
	struct folded_naming n = { .part = p, .event = event_id(t, ""), .name_count = name_count };
	struct level level[2];
	unsigned levels = make_levels(t, level);

	n.frames = xmalloc((name_count + 1) * sizeof(*n.frames));
	t->has_chains = true;
	t->decimals = p->decimals;
	for (unsigned l = 0; l < levels; l++) {
		n.level = level[l];
		for (size_t i = 0; i <= name_count; i++) {
			const char *name = i < name_count ? p->names[i] : "[unknown]";

			n.frames[i] = symbol_frame(t, &n.level, text_id(t, name)) |
				      (is_asked(t, name, NULL, NULL) ? ROW_SYMBOL : 0);
		}
		for (size_t i = 0; i < p->count; i++)
			add_folded(t, &n, &p->rows[i]);
	}
	free(n.frames);
	frame_list_release(&n.list);
}

/* ---- the end ---- */

uint64_t row_weight(const struct rows *t, const struct row *r)
{
	return t->o.by_children ? r->children : r->self;
}

static int compare_key(const struct rows *t, enum row_key k, uint64_t a, uint64_t b)
{
	if (a == b)
		return 0;
	if (k != KEY_COMM && k < KEY_DSO)
		return compare_u64(a, b);
	if (a == KEY_NONE || b == KEY_NONE)
		return a == KEY_NONE ? -1 : 1;
	return strcmp(intern_str(&t->texts, (uint32_t)a), intern_str(&t->texts, (uint32_t)b));
}

static int compare_weights(const struct rows *t, const struct row *a, const struct row *b)
{
	return compare_u64(row_weight(t, b), row_weight(t, a));
}

static int compare_rows(const void *left, const void *right, void *rows)
{
	const struct rows *t = rows;
	const struct row *a = &t->rows[*(const uint32_t *)left];
	const struct row *b = &t->rows[*(const uint32_t *)right];
	int rc = compare_u64(a->key[KEY_EVENT], b->key[KEY_EVENT]);

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
static uint32_t group_of(struct rows *t, size_t i)
{
	const uint64_t *key = t->rows[i].key;
	struct level level[2];
	struct frame own;
	uint32_t base, frame;

	if (make_levels(t, level) == 1)
		return (uint32_t)i;
	base = base_id(t, &level[1], key);
	memcpy(own.key, key + KEY_DSO, sizeof(own.key));
	frame = frame_id(t, &level[1], &own);
	return idmap_get(&t->by_pair, (uint64_t)base << 32 | frame);
}

uint32_t *rows_sorted(struct rows *t)
{
	uint32_t *order = xmalloc((t->row_count + 1) * sizeof(*order));

	for (size_t i = 0; i < t->row_count; i++) {
		t->rows[i].group = group_of(t, i);
		order[i] = (uint32_t)i;
	}
	qsort_r(order, t->row_count, sizeof(*order), compare_rows, t);
	return order;
}

void rows_release(struct rows *t)
{
	intern_release(&t->texts);
	intern_release(&t->bases);
	intern_release(&t->frames);
	samples_release(&t->samples);
	idmap_release(&t->event_by_name);
	idmap_release(&t->by_pair);
	free(t->events);
	free(t->rows);
	free(t->seen);
}
