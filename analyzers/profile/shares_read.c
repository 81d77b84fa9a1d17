/* Stacks to rows of shares. A stack is a list of frames, the innermost first and its command last,
 * whether it comes from a capture or from text: so both give the same rows. */
#include "analyzers/profile/shares_read.h"
#include "analyzers/count/fold/folding.h"
#include "parser/base/buf.h"
#include "parser/base/idmap.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Frames are ids of texts here. */
struct chooser {
	struct shares *shares;
	const struct share_rule *rule;
	struct intern texts;
	/* by text */
	uint32_t *rows;	      /* its row + 1; 0: not known yet */
	uint32_t *functions;  /* the same among the functions */
	uint64_t *any, *leaf; /* the groups that match it as any frame, as the innermost */
	size_t count, row_cap, function_cap, any_cap, leaf_cap;
	struct frame_list list; /* of the stack at hand */
};

static void chooser_init(struct chooser *c, struct shares *s, const struct share_rule *rule)
{
	*c = (struct chooser){ .shares = s, .rule = rule };
}

static void chooser_release(struct chooser *c)
{
	intern_release(&c->texts);
	free(c->rows);
	free(c->functions);
	free(c->any);
	free(c->leaf);
	frame_list_release(&c->list);
}

static uint32_t text_id(struct chooser *c, const char *text, size_t len)
{
	uint32_t id = intern_add(&c->texts, text, len);
	const char *kept = intern_str(&c->texts, id);

	if (id < c->count)
		return id;
	c->rows = xgrow(c->rows, &c->row_cap, id + 1, sizeof(*c->rows));
	c->functions = xgrow(c->functions, &c->function_cap, id + 1, sizeof(*c->functions));
	c->any = xgrow(c->any, &c->any_cap, id + 1, sizeof(*c->any));
	c->leaf = xgrow(c->leaf, &c->leaf_cap, id + 1, sizeof(*c->leaf));
	c->rows[id] = c->functions[id] = 0;
	c->any[id] = groups_match(c->rule->groups, GROUP_STACK, kept);
	c->leaf[id] = groups_match(c->rule->groups, GROUP_SYMBOL, kept);
	c->count = id + 1;
	return id;
}

static uint32_t row_of_text(struct chooser *c, uint32_t id)
{
	const struct interned *t = &c->texts.list[id];

	if (!c->rows[id])
		c->rows[id] = shares_name(c->shares, t->s, t->len) + 1;
	return c->rows[id] - 1;
}

/* Once the sampled function is the first of the list. */
static void add_function(struct chooser *c, uint64_t weight, double squares)
{
	struct shares *to = c->rule->functions;
	uint32_t id = c->list.ids[0];
	const struct interned *t = &c->texts.list[id];

	if (!to)
		return;
	if (!c->functions[id])
		c->functions[id] = shares_name(to, t->s, t->len) + 1;
	shares_scope(to, c->rule->capture, weight, squares);
	shares_add(to, c->rule->capture, c->functions[id] - 1,
		   &(struct share_cell){ .weight = weight });
}

/* The first group that matches wins; MATCHED: those that match already. */
static uint32_t group_of(const struct chooser *c, uint64_t matched)
{
	matched |= c->leaf[c->list.ids[0]];
	for (size_t i = 0; i < c->list.count; i++)
		matched |= c->any[c->list.ids[i]];
	return matched ? (uint32_t)__builtin_ctzll(matched) : (uint32_t)c->rule->groups->count;
}

static uint32_t row_of(struct chooser *c)
{
	if (c->rule->groups->count)
		return group_of(c, 0);
	return row_of_text(c, c->list.ids[c->rule->by == BY_COMM ? c->list.count - 1 : 0]);
}

/* ---- captures ---- */

struct who share_who(const struct pdt_event *e, const struct pdt_session *s, uint64_t step)
{
	struct who who = { .step = step, .desc = pdt_desc_index(e->desc), .idle = !e->pid };

	who_comm(&who, e, s);
	return who;
}

static void name_loc(void *chooser, struct frames *frames, struct place p)
{
	struct chooser *c = chooser;
	struct buf b = { 0 };

	for (size_t i = 0, count = pdt_function_count(p.session, p.loc); i < count; i++) {
		struct pdt_function f = pdt_function_at(p.session, p.loc, i);

		b.len = 0;
		function_text(c->rule->names, &f, p, &b);
		frames_push(frames, text_id(c, b.data, b.len));
	}
	buf_release(&b);
}

/* As it looks in folded stacks, so that the two compare. */
static uint32_t comm_frame(struct chooser *c, const struct pdt_session *s, const struct who *who)
{
	struct buf b = { 0 };
	uint32_t id;

	comm_text(pdt_comm(s, who->comm), who->tid, &b);
	for (size_t i = 0; i < b.len; i++)
		b.data[i] = isspace((unsigned char)b.data[i]) ? '_' : b.data[i];
	id = text_id(c, b.data ?: "", b.len);
	buf_release(&b);
	return id;
}

static uint32_t row_of_capture(struct chooser *c, const struct pdt_session *s, uint32_t stack)
{
	struct place where = where_of(s, stack);
	const char *module = pdt_location_module(s, where.loc);

	if (c->rule->groups->count)
		return group_of(c, module ? groups_match(c->rule->groups, GROUP_DSO, module) : 0);
	if (c->rule->by == BY_DSO && where.loc != PDT_NONE) {
		const char *place = place_of(where);

		return shares_name(c->shares, place, strlen(place));
	}
	return row_of(c);
}

struct reading {
	struct chooser chooser;
	const struct pdt_session *session;
	struct frames frames;
	struct filter shown; /* chooses what is shown of what is in scope */
};

static void add_pair(struct reading *r, const struct sample_sum *sum, const struct who *who)
{
	struct chooser *c = &r->chooser;
	struct shares *s = c->shares;
	size_t capture = c->rule->capture;
	struct place where = where_of(r->session, sum->stack);
	struct share_cell cell = { .step = who->step, .weight = sum->weight };

	frame_list_fill(&c->list, &r->frames, r->session, sum->stack);
	shares_scope(s, capture, sum->weight, sum->squares);
	if (!pdt_location_name(r->session, where.loc))
		(void)add_held(&s->totals[capture].unnamed, sum->weight);
	if (c->list.apart)
		(void)add_held(&s->totals[capture].apart, sum->weight);
	if (!c->list.count)
		frame_list_push(&c->list, text_id(c, "[unknown]", 9));
	add_function(c, sum->weight, sum->squares);
	if (!where_passes(where, &r->shown, who->idle))
		return;
	frame_list_push(&c->list, comm_frame(c, r->session, who));
	shares_add(s, capture, row_of_capture(c, r->session, sum->stack), &cell);
}

void shares_add_capture(struct shares *s, const struct share_rule *rule,
			const struct samples *samples, const struct pdt_session *from)
{
	const char *event = pdt_desc_name(pdt_desc_at(from, rule->desc));
	struct filter idle = { .no_idle = filter_of(from)->no_idle };
	struct reading r = { .session = from, .shown = *filter_of(from) };
	struct sample_sum sum;

	r.shown.no_idle = false;
	chooser_init(&r.chooser, s, rule);
	frames_name(&r.frames, all_places(from), name_loc, &r.chooser);
	for (size_t at = 0; samples_next(samples, &at, &sum);) {
		struct who who = samples_who(samples, sum.who);

		if (!strcmp(pdt_desc_name(pdt_desc_at(from, who.desc)), event) &&
		    stack_passes(from, sum.stack, &idle, who.idle))
			add_pair(&r, &sum, &who);
	}
	frames_release(&r.frames);
	chooser_release(&r.chooser);
}

/* ---- folded text ---- */

static void add_row(struct chooser *c, const struct stacks_part *p, const struct stack_row *row,
		    double sample)
{
	struct share_cell cell = { .weight = row->weight };
	double squares = (double)row->weight * sample;

	c->list.count = 0;
	for (uint32_t i = row->count; i--;) {
		const char *name = p->names[p->frames[row->first + i]];

		frame_list_push(&c->list, text_id(c, name, strlen(name)));
	}
	if (!c->list.count)
		frame_list_push(&c->list, text_id(c, "[unknown]", 9));
	shares_scope(c->shares, c->rule->capture, cell.weight, squares);
	add_function(c, cell.weight, squares);
	shares_add(c->shares, c->rule->capture, row_of(c), &cell);
}

int shares_add_text(struct shares *s, const struct share_rule *rule, struct folded *text,
		    struct unit *unit, struct warnings *w)
{
	struct folding f = { 0 };
	struct chooser c;
	int rc;

	if (folded_columns(text) != 1) {
		warn_add(w, SEV_FATAL, "columns",
			 "%s: two columns of weights; give the two sides as two files",
			 folded_path(text));
		return ERR_USAGE;
	}
	rc = folding_begin(&f, w);
	if (rc == 0)
		rc = folding_text(&f, text, w);
	stackset_finish(&f.set);
	chooser_init(&c, s, rule);
	for (size_t i = 0; rc == 0 && i < f.set.part.count; i++)
		add_row(&c, &f.set.part, &f.set.part.rows[i],
			unit_sample(&f.unit) * stackset_one(&f.set));
	*unit = f.unit;
	chooser_release(&c);
	folding_release(&f);
	return rc;
}
