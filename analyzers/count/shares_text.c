/* Folded text into shares. */
#include "analyzers/count/shares_read.h"
#include "analyzers/count/counts.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Groups of each frame that was met, by its id. */
struct frames {
	struct intern names;
	uint64_t *any, *leaf;
	size_t count, any_cap, leaf_cap;
};

struct text_sum {
	struct shares *shares;
	unsigned side, decimals;
	uint64_t unit; /* of the weights so far, in 10^-decimals */
};

static uint32_t frame_id(struct frames *f, const struct pattern_list *g, const char *text,
			 size_t len)
{
	uint32_t id = intern_add(&f->names, text, len);

	if (id < f->count)
		return id;
	f->any = xgrow(f->any, &f->any_cap, id + 1, sizeof(*f->any));
	f->leaf = xgrow(f->leaf, &f->leaf_cap, id + 1, sizeof(*f->leaf));
	f->any[id] = groups_match(g, GROUP_STACK, intern_str(&f->names, id));
	f->leaf[id] = groups_match(g, GROUP_SYMBOL, intern_str(&f->names, id));
	f->count = id + 1;
	return id;
}

/* Empty frames at the end are none. */
static const char *stack_end(const struct folded_line *line)
{
	const char *end = line->stack + line->len;

	while (end > line->stack && end[-1] == ';')
		end--;
	return end;
}

static uint32_t group_of(struct frames *f, const struct pattern_list *g,
			 const struct folded_line *line)
{
	const char *p = line->stack, *end = stack_end(line);
	uint64_t found = 0;

	while (p < end) {
		const char *semi = memchr(p, ';', (size_t)(end - p));
		const char *stop = semi ? semi : end;
		uint32_t id = frame_id(f, g, p, (size_t)(stop - p));

		found |= f->any[id] | (stop == end ? f->leaf[id] : 0);
		p = stop + 1;
	}
	return found ? (uint32_t)__builtin_ctzll(found) : (uint32_t)g->count;
}

static uint32_t row_of(struct shares *s, struct frames *f, const struct share_rule *o,
		       const struct folded_line *line)
{
	const char *end = stack_end(line), *p;

	if (o->groups->count)
		return group_of(f, o->groups, line);
	if (o->by == BY_COMM) {
		p = memchr(line->stack, ';', (size_t)(end - line->stack));
		return shares_name(s, line->stack, (size_t)((p ? p : end) - line->stack));
	}
	p = memrchr(line->stack, ';', (size_t)(end - line->stack));
	p = p ? p + 1 : line->stack;
	return shares_name(s, p, (size_t)(end - p));
}

static uint64_t times(uint64_t v, uint64_t factor)
{
	return __builtin_mul_overflow(v, factor, &v) ? UINT64_MAX : v;
}

static uint64_t power10(unsigned n)
{
	uint64_t v = 1;

	while (n--)
		v *= 10;
	return v;
}

/* A line has more decimals than those before: so have they. */
static void more_decimals(struct text_sum *t, unsigned decimals)
{
	uint64_t factor = power10(decimals - t->decimals);

	for (size_t i = 0; i < t->shares->row_count; i++) {
		uint64_t *weight = &t->shares->rows[i].weight[t->side];

		*weight = times(*weight, factor);
	}
	t->shares->total[t->side] = times(t->shares->total[t->side], factor);
	t->unit = times(t->unit, factor);
	t->decimals = decimals;
}

static uint64_t divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static void take_line(struct text_sum *t, uint32_t row, const struct folded_line *line)
{
	struct share_cell cell = { 0 };

	if (line->decimals > t->decimals)
		more_decimals(t, line->decimals);
	cell.weight = times(line->weight[0], power10(t->decimals - line->decimals));
	t->unit = divisor(t->unit, cell.weight);
	shares_scope(t->shares, t->side, cell.weight, 0);
	shares_add(t->shares, t->side, row, &cell);
}

/* Samples of one unit each. */
static void square_up(struct text_sum *t)
{
	struct shares *s = t->shares;

	for (size_t i = 0; i < s->row_count; i++)
		s->rows[i].squares[t->side] = (double)s->rows[i].weight[t->side] * (double)t->unit;
	s->squares[t->side] = (double)s->total[t->side] * (double)t->unit;
}

int shares_add_text(struct shares *s, const struct share_rule *o, struct folded *text, double *unit,
		    struct warnings *w)
{
	struct text_sum sum = { .shares = s, .side = o->side };
	struct frames frames = { 0 };
	struct folded_line line;
	int rc;

	if (folded_columns(text) != 1) {
		warn_add(w, SEV_FATAL, "columns",
			 "%s: two columns of weights; give the two sides as two files",
			 folded_path(text));
		return ERR_USAGE;
	}
	intern_init(&frames.names);
	while ((rc = folded_next(text, &line)) == 1)
		take_line(&sum, row_of(s, &frames, o, &line), &line);
	square_up(&sum);
	*unit = (double)sum.unit / (double)power10(sum.decimals);
	intern_release(&frames.names);
	free(frames.any);
	free(frames.leaf);
	return rc < 0 ? rc : folded_check(text, w);
}
