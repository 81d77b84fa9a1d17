/* From samples under ids to rows under keys: each pair of a capture becomes keys of its thread and
 * frames of its stack, once, at the end. */
#include "analyzers/count/rows/row_steps.h"
#include "analyzers/count/namer.h"
#include "parser/base/compare.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/base/pool.h"

#include <stdlib.h>
#include <string.h>

#define CPU_NONE  UINT32_MAX
#define STEP_NONE UINT64_MAX
#define BASE_NONE UINT32_MAX
#define PART_MIN  4096 /* pairs: fewer are counted before a thread has begun */

/* The keys that say where a sample was. */
#define PLACE_KEYS (KEY_BIT(ROW_KEYS) - KEY_BIT(KEY_DSO))

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
	t->o.hierarchy = false;
}

void rows_part(struct rows *part, const struct rows *t)
{
	part->o = t->o;
	part->key_bits = t->key_bits;
	part->samples.wants = t->samples.wants;
	part->samples.max_bytes = t->samples.max_bytes;
}

static void add(struct rows *t, uint64_t *sum, uint64_t n)
{
	t->overflow |= add_held(sum, n);
}

/* ---- counting ---- */

void rows_sample(struct rows *t, const struct pdt_event *e, const struct pdt_session *s,
		 const uint64_t *more)
{
	uint64_t keys = t->key_bits;
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
	if (more)
		who.label = row_more_id(t, more);
	samples_later(&t->samples, samples_id(&t->samples, &who), e->stack,
		    t->o.by_samples ? 1 : e->weight);
}

/* ---- rows ---- */

static struct row *row_of(struct rows *t, uint32_t base, uint32_t frame)
{
	uint32_t known = row_find(t, base, frame);
	struct row *r;
	struct row_base b;

	if (known != ROW_NONE)
		return &t->rows[known];
	t->rows = xgrow(t->rows, &t->row_cap, t->row_count + 1, sizeof(*t->rows));
	if (t->o.by_mode)
		t->modes = xgrow_to(t->modes, &t->mode_count, &t->mode_cap, t->row_count,
				    sizeof(*t->modes));
	r = &t->rows[t->row_count];
	memcpy(&b, intern_str(&t->bases, base), sizeof(b));
	*r = (struct row){ .base = base,
			   .frame = frame,
			   .level = (uint16_t)b.level,
			   .subtotal = b.level < row_levels(t) };
	t->row_count++;
	row_enter(t);
	return r;
}

/* One stack of one level, with its weight: steps from the leaf to the root, at least one. */
struct weighed {
	const struct row_level *level;
	uint32_t base;
	const uint32_t *steps;
	size_t count;
	uint64_t weight, samples;
	enum row_mode mode;
};

static uint64_t *mode_of_row(struct rows *t, const struct row *r, enum row_mode mode)
{
	return &t->modes[r - t->rows][mode];
}

/* However often a stack holds a frame, its weight counts once. */
static void add_flat(struct rows *t, const struct weighed *w)
{
	t->stack_number++;
	for (size_t i = 0; i < w->count; i++) {
		uint32_t frame = t->steps[w->steps[i]].frame;
		struct row *r;

		if (t->seen[frame] == t->stack_number)
			continue;
		t->seen[frame] = t->stack_number;
		r = row_of(t, w->base, frame);
		add(t, &r->children, w->weight);
		if (i)
			continue;
		add(t, &r->self, w->weight);
		if (t->o.by_mode)
			add(t, mode_of_row(t, r, w->mode), w->weight);
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

	while (n < w->count &&
	       !(t->steps[w->steps[callers ? w->count - 1 - n : n]].flags & STEP_ASKED))
		n++;
	if (n == w->count)
		return false;
	if (n)
		*frame = t->steps[w->steps[callers ? w->count - n : n - 1]].frame;
	else
		*frame = row_symbol_frame(t, w->level,
					  row_text_id(t, callers ? "[root]" : "[self]"));
	return true;
}

static void add_weighed(struct rows *t, const struct weighed *w, struct row_event *e)
{
	struct row *r;
	uint32_t frame;

	if (t->o.view == VIEW_FLAT) {
		add_flat(t, w);
		if (t->o.chain.keep && !w->level->subtotal)
			kept_add(&t->kept,
				 &(struct kept_stack){ 0, w->base, (uint32_t)w->count, w->weight,
						       w->samples },
				 w->steps);
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
	const struct samples *from;
	const struct filter *filter;
	uint32_t *events; /* by description */
	struct row_level level;
	struct frames frames;	/* of the level */
	struct frame_list list; /* of the stack at hand */
	struct where_marks marks;
	uint32_t *bases;  /* by who: its base of the level, without a parent; BASE_NONE: not yet */
	uint32_t unknown; /* the step of a stack that has none */
	bool placed;	  /* it matters where samples were; else all steps are one */
};

static uint32_t event_id(struct rows *t, const char *name)
{
	uint32_t text = (uint32_t)row_text_id(t, name);
	uint32_t *slot = idmap_put(&t->event_by_name, text);

	if (*slot != IDMAP_NONE)
		return *slot;
	t->events = xgrow(t->events, &t->event_cap, t->event_count + 1, sizeof(*t->events));
	t->events[t->event_count] = (struct row_event){ .name = text };
	return *slot = (uint32_t)t->event_count++;
}

size_t rows_event(const struct rows *t, const char *name)
{
	uint32_t text = intern_find(&t->texts, name, strlen(name));
	uint32_t id = text == INTERN_NONE ? IDMAP_NONE : idmap_get(&t->event_by_name, text);

	return id == IDMAP_NONE ? t->event_count : id;
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
		e->in_ns = pdt_desc_in_ns(d) && !t->o.own_weight;
		if (t->o.own_totals)
			continue;
		add(t, &e->all_samples, samples);
		add(t, &e->all_weight,
		    t->o.by_samples ? samples : pdt_desc_number(s, d, PDT_DESC_SCOPE_WEIGHT));
	}
}

/* Do options ask for more of a stack than its keys do? */
static bool looks_at_chains(const struct rows *t)
{
	const struct chain_options *o = &t->o.chain;

	return o->keep || o->ignore || o->parent || o->hide_unresolved;
}

static void name_level(struct rows *t, struct naming *n)
{
	n->unknown = row_unknown_step(t, &n->level);
	n->placed = t->o.view != VIEW_FLAT || n->level.keys & PLACE_KEYS || looks_at_chains(t);
	if (n->placed)
		row_steps(t, &n->level, n->session, &n->frames);
}

/* PARENT: KEY_PARENT. */
static uint32_t make_base(struct rows *t, const struct naming *n, const struct who *who,
			  uint64_t parent)
{
	uint64_t key[KEY_DSO] = {
		[KEY_EVENT] = n->events[who->desc],
		[KEY_PID] = who->others ? KEY_NONE : who->pid,
		[KEY_TID] = who->others ? KEY_NONE : who->tid,
		[KEY_CPU] = who->others || who->cpu == CPU_NONE ? KEY_NONE : who->cpu,
		[KEY_TIME] = who->others || who->step == STEP_NONE ? KEY_NONE
								   : who->step * t->o.quantum_ns,
		[KEY_PARENT] = parent,
	};
	struct buf b = { 0 };

	if (n->level.keys & KEY_BIT(KEY_COMM)) {
		comm_text(who->others ? "[others]" : pdt_comm(n->session, who->comm), who->tid, &b);
		key[KEY_COMM] = row_text_id(t, b.data);
		buf_release(&b);
	}
	return row_base_id(t, &n->level, key, who->label);
}

/* The base of WHO, whose id is ID. */
static uint32_t who_base(struct rows *t, struct naming *n, const struct who *who, uint32_t id,
			 uint64_t parent)
{
	if (parent != KEY_NONE)
		return make_base(t, n, who, parent);
	if (n->bases[id] == BASE_NONE)
		n->bases[id] = make_base(t, n, who, parent);
	return n->bases[id];
}

/* Of the steps of a stack, those that are looked at. */
struct steps {
	const uint32_t *list;
	size_t count;
	uint64_t parent; /* KEY_PARENT */
};

/* What functions of --ignore-callees called is let go, up to the outermost of them. */
static void ignore_callees(const struct rows *t, struct steps *s)
{
	size_t i = s->count;

	while (i && !(t->steps[s->list[i - 1]].flags & STEP_IGNORE))
		i--;
	if (i) {
		s->list += i - 1;
		s->count -= i - 1;
	}
}

/* Let go frames without a name. */
static void hide_unresolved(const struct rows *t, struct frame_list *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->count; i++) {
		if (t->steps[l->ids[i]].flags & STEP_NAMED)
			l->ids[kept++] = l->ids[i];
	}
	l->count = kept;
}

/* The function of --parent that comes first in the order of the chain. */
static uint64_t parent_of(struct rows *t, const struct steps *s)
{
	for (size_t i = 0; i < s->count; i++) {
		size_t at = t->o.chain.callers_first ? s->count - 1 - i : i;
		const struct step *step = &t->steps[s->list[at]];

		if (step->flags & STEP_PARENT)
			return step->symbol;
	}
	return KEY_NONE;
}

/* The steps of stack L. False: it does not count. */
static bool choose_steps(struct rows *t, struct frame_list *l, struct steps *out)
{
	const struct chain_options *o = &t->o.chain;

	if (o->hide_unresolved) {
		if (!(t->steps[l->ids[0]].flags & STEP_NAMED))
			return false;
		hide_unresolved(t, l);
	}
	*out = (struct steps){ l->ids, l->count, KEY_NONE };
	if (o->ignore)
		ignore_callees(t, out);
	if (!o->parent)
		return true;
	out->parent = parent_of(t, out);
	if (out->parent == KEY_NONE && o->only_parent)
		return false;
	if (out->parent == KEY_NONE)
		out->parent = row_text_id(t, "[other]");
	return true;
}

/* MARK: where the sample was. */
static enum row_mode mode_of(unsigned mark)
{
	static const uint8_t modes[PDT_MODES] = { [PDT_KERNEL] = ROW_SYS,
						  [PDT_GUEST_USER] = ROW_GUEST_USER,
						  [PDT_GUEST_KERNEL] = ROW_GUEST_SYS };

	return modes[mark & ~WHERE_NAMED];
}

/* As perf has it, what is hidden as unresolved is not there at all. */
static void hide_sum(struct row_event *e, const struct sample_sum *c)
{
	e->all_weight -= c->weight < e->all_weight ? c->weight : e->all_weight;
	e->all_samples -= c->samples < e->all_samples ? c->samples : e->all_samples;
}

static void add_pair(struct rows *t, struct naming *n, struct who who, const struct sample_sum *c)
{
	struct place where = where_of(n->session, c->stack);
	struct row_event *e = &t->events[n->events[who.desc]];
	unsigned mark = where_mark(&n->marks, where.loc);
	struct steps steps;

	if (t->o.own_totals && !n->level.subtotal) {
		add(t, &e->all_weight, c->weight);
		add(t, &e->all_samples, c->samples);
	}
	if (!where_passes(where, n->filter, who.idle))
		return;
	n->list.count = 0;
	if (n->placed)
		frame_list_fill(&n->list, &n->frames, n->session, c->stack);
	else
		n->list.apart = where.loc != PDT_NONE && !pdt_stack_at(n->session, c->stack).depth;
	if (!n->list.count)
		frame_list_push(&n->list, n->unknown);
	if (!choose_steps(t, &n->list, &steps)) {
		if (!n->level.subtotal && t->o.chain.hide_unresolved)
			hide_sum(e, c);
		return;
	}
	if (!n->level.subtotal) {
		add(t, &e->weight, c->weight);
		add(t, &e->samples, c->samples);
		add(t, &e->unnamed, mark & WHERE_NAMED ? 0 : c->weight);
		add(t, &e->apart, n->list.apart ? c->weight : 0);
	}
	add_weighed(t,
		    &(struct weighed){ &n->level, who_base(t, n, &who, c->who, steps.parent),
				       steps.list, steps.count, c->weight, c->samples,
				       mode_of(mark) },
		    e);
}

static void count_pairs(struct rows *t, struct naming *n, size_t at, size_t end)
{
	struct sample_sum sum;

	while (samples_next(n->from, &at, &sum) && at <= end)
		add_pair(t, n, samples_who(n->from, sum.who), &sum);
}

/* A range of the pairs, counted beside others. */
struct counted {
	struct rows rows;
	struct naming naming;
	size_t begin, end;
};

static void count_part(void *list, size_t i)
{
	struct counted *c = (struct counted *)list + i;

	count_pairs(&c->rows, &c->naming, c->begin, c->end);
}

static void begin_part(struct rows *t, const struct naming *n, struct counted *c)
{
	c->naming = *n;
	c->naming.list = (struct frame_list){ .max = n->list.max };
	c->rows = (struct rows){
		.o = t->o, .key_bits = t->key_bits, .bases = t->bases, .steps = t->steps
	};
	c->rows.seen = xcalloc(t->frames.count + 1, sizeof(*c->rows.seen));
	c->rows.events = xcalloc(t->event_count + 1, sizeof(*c->rows.events));
}

static void add_event(struct rows *t, struct row_event *e, const struct row_event *part)
{
	add(t, &e->weight, part->weight);
	add(t, &e->samples, part->samples);
	add(t, &e->all_weight, part->all_weight);
	add(t, &e->all_samples, part->all_samples);
	add(t, &e->unnamed, part->unnamed);
	add(t, &e->apart, part->apart);
}

static void take_part(struct rows *t, struct counted *c)
{
	struct rows *from = &c->rows;

	for (size_t i = 0; i < from->row_count; i++) {
		const struct row *part = &from->rows[i];
		struct row *r = row_of(t, part->base, part->frame);

		add(t, &r->children, part->children);
		add(t, &r->self, part->self);
		add(t, &r->samples, part->samples);
		for (int m = 0; t->o.by_mode && m < ROW_MODES; m++)
			add(t, mode_of_row(t, r, (enum row_mode)m), from->modes[i][m]);
	}
	for (size_t i = 0; i < t->event_count; i++)
		add_event(t, &t->events[i], &from->events[i]);
	t->overflow |= from->overflow;
	free(from->rows);
	free(from->modes);
	free(from->pairs);
	free(from->seen);
	free(from->events);
	frame_list_release(&c->naming.list);
}

/* All pairs of a level; where one stack is not to tell of another, by several threads. */
static void count_level(struct rows *t, struct naming *n)
{
	size_t places = samples_places(n->from), parts = places / PART_MIN;
	struct counted *list;

	parts = parts < t->jobs ? parts : t->jobs;
	if (parts < 2 || t->o.view != VIEW_FLAT || t->o.chain.keep || looks_at_chains(t)) {
		count_pairs(t, n, 0, places);
		return;
	}
	for (uint32_t i = 0; i < n->from->who_count; i++) {
		struct who who = samples_who(n->from, i);

		(void)who_base(t, n, &who, i, KEY_NONE);
	}
	list = xcalloc(parts, sizeof(*list));
	for (size_t i = 0; i < parts; i++) {
		begin_part(t, n, &list[i]);
		list[i].begin = places * i / parts;
		list[i].end = places * (i + 1) / parts;
	}
	pool_for((unsigned)parts, parts, count_part, list);
	for (size_t i = 0; i < parts; i++)
		take_part(t, &list[i]);
	free(list);
}

void rows_take(struct rows *t, const struct samples *from, const struct pdt_session *s)
{
	struct naming n = { .rows = t, .session = s, .from = from, .filter = filter_of(s) };

	t->has_chains |= pdt_number(s, PDT_CHAINS) > 0;
	t->overflow |= from->overflow;
	name_events(t, &n);
	where_marks_init(&n.marks, s);
	n.bases = xmalloc((from->who_count + 1) * sizeof(*n.bases));
	n.list.max = t->o.chain.max;
	for (unsigned i = 0; i <= row_levels(t); i++) {
		n.level = row_level(t, i);
		memset(n.bases, 0xff, from->who_count * sizeof(*n.bases));
		name_level(t, &n);
		count_level(t, &n);
	}
	free(n.events);
	free(n.bases);
	where_marks_release(&n.marks);
	frames_release(&n.frames);
	frame_list_release(&n.list);
}

void rows_finish(struct rows *t, const struct pdt_session *s)
{
	samples_end(&t->samples);
	rows_take(t, &t->samples, s);
	samples_forget(&t->samples);
}

/* ---- folded stacks ---- */

/* Folded text while its stacks become rows. */
struct folded_naming {
	const struct stacks_part *part;
	struct row_level level;
	uint32_t event;
	uint32_t *steps; /* by name, of the level; the last is for stacks without any */
	size_t name_count;
	struct frame_list list; /* of the stack at hand */
};

static void add_folded(struct rows *t, struct folded_naming *n, const struct stack_row *row)
{
	const uint32_t none = (uint32_t)n->name_count;
	const uint32_t *names = row->count ? n->part->frames + row->first : &none;
	const char *root = row->count ? n->part->names[*names] : "[unknown]";
	uint64_t key[KEY_DSO] = { [KEY_EVENT] = n->event, [KEY_COMM] = row_text_id(t, root) };
	struct row_event *e = &t->events[n->event];
	struct steps steps;

	if (!n->level.subtotal)
		add(t, &e->all_weight, row->weight);
	n->list.count = 0;
	for (size_t i = row->count ? row->count : 1; i--;)
		frame_list_push(&n->list, n->steps[names[i]]);
	if (!choose_steps(t, &n->list, &steps))
		return;
	if (!n->level.subtotal)
		add(t, &e->weight, row->weight);
	key[KEY_PARENT] = steps.parent;
	add_weighed(t,
		    &(struct weighed){ &n->level, row_base_id(t, &n->level, key, KEY_NONE),
				       steps.list, steps.count, row->weight, 0, ROW_USER },
		    e);
}

void rows_stacks(struct rows *t, const struct stacks_part *p, size_t name_count)
{
	struct folded_naming n = { .part = p, .event = event_id(t, ""), .name_count = name_count };

	n.steps = xmalloc((name_count + 1) * sizeof(*n.steps));
	t->has_chains = true;
	t->decimals = p->decimals;
	for (unsigned l = 0; l <= row_levels(t); l++) {
		n.level = row_level(t, l);
		for (size_t i = 0; i <= name_count; i++)
			n.steps[i] = row_text_step(t, &n.level,
						   i < name_count ? p->names[i] : "[unknown]");
		for (size_t i = 0; i < p->count; i++)
			add_folded(t, &n, &p->rows[i]);
	}
	free(n.steps);
	frame_list_release(&n.list);
}

/* ---- the end ---- */

/* The subtotal that row I belongs to: there is one for each. */
static uint32_t subtotal_of(struct rows *t, size_t i)
{
	const struct row *r = &t->rows[i];
	uint64_t key[KEY_DSO];
	struct row_level level;
	struct row_place own;
	uint32_t base, frame;

	if (!r->level)
		return (uint32_t)i;
	level = row_level(t, r->level - 1);
	for (unsigned k = 0; k < KEY_DSO; k++)
		key[k] = row_key(t, r, k);
	base = row_base_id(t, &level, key, row_more(t, r));
	memcpy(&own, intern_str(&t->frames, r->frame), sizeof(own));
	frame = row_frame_id(t, &level, &own);
	return row_find(t, base, frame);
}

void rows_link(struct rows *t)
{
	for (size_t i = 0; i < t->row_count; i++)
		t->rows[i].up = subtotal_of(t, i);
}
