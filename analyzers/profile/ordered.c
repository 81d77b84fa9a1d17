/* Lines of folded text as they come, for a flame chart. */
#include "analyzers/profile/ordered.h"
#include "analyzers/count/fold/folding.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

void ordered_release(struct ordered *o)
{
	stackset_release(&o->set);
	free(o->name_list);
	free(o->before);
	free(o->decimals);
}

/* How many leading frames of the row that was begun are those of the row before. */
static uint32_t shared_frames(const struct stackset *s)
{
	const struct stack_row *r = &s->rows[s->row_count], *last = r - 1;
	uint32_t n = 0;

	if (!s->row_count)
		return 0;
	while (n < r->count && n < last->count &&
	       s->frames[r->first + n] == s->frames[last->first + n])
		n++;
	return n;
}

static void add_line(struct ordered *o, const struct folded_line *line, bool reverse)
{
	struct stackset *s = &o->set;
	struct stack_row *r;

	stackset_begin(s);
	stackset_push_text(s, line->stack, line->len);
	if (reverse)
		stackset_reverse(s);
	r = &s->rows[s->row_count];
	r->count = (uint32_t)(s->frame_count - r->first);
	r->weight = line->weight[o->two_sides];
	r->shared = shared_frames(s);
	o->before = xgrow(o->before, &o->before_cap, s->row_count + 1, sizeof(*o->before));
	o->before[s->row_count] = line->weight[0];
	o->decimals = xgrow(o->decimals, &o->decimals_cap, s->row_count + 1, sizeof(*o->decimals));
	o->decimals[s->row_count] = (uint8_t)line->decimals;
	if (line->decimals > o->decimals_most)
		o->decimals_most = line->decimals;
	s->row_count++;
}

int ordered_read(struct ordered *o, struct folded *f, bool reverse, struct warnings *w)
{
	struct folded_line line;
	int rc;

	o->two_sides = folded_columns(f) == 2;
	while ((rc = folded_next(f, &line)) == 1)
		add_line(o, &line, reverse);
	return rc < 0 ? rc : folded_check(f, w);
}

/* *VALUE, of ROW, counts the finest decimals; added to *SUM. */
static void scale_up(struct ordered *o, uint64_t *value, size_t row, uint64_t *sum)
{
	unsigned digits = o->decimals_most - o->decimals[row];

	while (digits--) {
		if (!__builtin_mul_overflow(*value, 10, value))
			continue;
		*value = SUM_HELD;
		o->set.overflow = true;
	}
	o->set.overflow |= add_held(sum, *value);
}

void ordered_finish(struct ordered *o)
{
	uint64_t before = 0, after = 0;

	for (size_t i = 0; i < o->set.row_count; i++) {
		scale_up(o, &o->set.rows[i].weight, i, &after);
		scale_up(o, &o->before[i], i, &before);
	}
}

void ordered_result(struct ordered *o, struct result *out)
{
	struct stackset *s = &o->set;

	o->name_list = xmalloc((s->names.count + 1) * sizeof(*o->name_list));
	for (size_t i = 0; i < s->names.count; i++)
		o->name_list[i] = intern_str(&s->names, (uint32_t)i);
	o->part = (struct stacks_part){ .names = o->name_list,
					.frames = s->frames,
					.rows = s->rows,
					.count = s->row_count,
					.decimals = o->decimals_most,
					.before = o->two_sides ? o->before : NULL,
					.scale = 1 };
	out->stacks = &o->part;
	out->title = "Flame Chart";
}
