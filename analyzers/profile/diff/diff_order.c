/* Which changed functions are only callers of changed functions. */
#include "analyzers/profile/diff/diff_order.h"
#include "analyzers/chance/tails.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* More found rows than these are not looked at: the matrix would be too large. */
#define MOST_FOUND 512

struct nesting {
	size_t captures, found;
	uint32_t *place; /* by id: in the lists below, + 1; 0: not found */
	double *left;	 /* by place and capture: of stacks without deeper found rows */
	double *overlap; /* by place of a caller and of the deepest below it: change of the weight
			  */
};

/* One stack, from its leaf: each found row is deepest, or has a deepest one below it. */
static void add_stack(struct nesting *n, const uint32_t *frames, uint32_t count,
		      const struct diff_capture *captures, const uint64_t *amounts)
{
	uint32_t deepest = 0;
	double change = 0;

	for (size_t c = 0; c < n->captures; c++)
		change += (captures[c].after ? 1 : -1) * (double)amounts[c] * captures[c].factor;
	for (uint32_t k = count; k-- > 0;) {
		uint32_t at = n->place[frames[k]];

		if (!at || at == deepest)
			continue;
		if (deepest) {
			n->overlap[(at - 1) * n->found + deepest - 1] += change;
			continue;
		}
		deepest = at;
		for (size_t c = 0; c < n->captures; c++)
			n->left[(at - 1) * n->captures + c] += (double)amounts[c];
	}
}

static uint32_t cause_of(const struct nesting *n, uint32_t at)
{
	const double *row = &n->overlap[at * n->found];
	uint32_t best = NO_CAUSE;

	for (uint32_t i = 0; i < n->found; i++) {
		if (row[i] != 0 && (best == NO_CAUSE || fabs(row[i]) > fabs(row[best])))
			best = i;
	}
	return best;
}

/* What is left did not change in the direction of the whole row, ROW. */
static bool is_explained(const struct noise *noise, const struct nesting *n, uint32_t at,
			 const struct diff_capture *captures, const struct diff_amount *row)
{
	double *left = &n->left[at * n->captures];
	struct noise_test test;

	for (size_t c = 0; c < n->captures; c++)
		left[c] /= captures[c].unit_weight;
	noise_test_one(noise, left, SIZE_MAX, &test);
	return copysign(1, row->noise.total.change) * test.t < student_quantile(0.025, test.df);
}

uint32_t *diff_causes(const struct diff_amounts *d, const struct stackset *set,
		      const struct diff_capture *captures, const struct noise *noise)
{
	const struct stacks_part *p = &set->part;
	struct nesting n = { .captures = set->sides };
	uint32_t *causes = xmalloc((d->count + 1) * sizeof(*causes));
	uint32_t rows[MOST_FOUND];

	n.place = xcalloc(set->names.count + 1, sizeof(*n.place));
	for (uint32_t i = 0; i < d->count; i++) {
		causes[i] = NO_CAUSE;
		if (d->list[i].certainty < CERTAINTY_PAIR || n.found == MOST_FOUND)
			continue;
		rows[n.found++] = i;
		n.place[d->list[i].id] = (uint32_t)n.found;
	}
	n.left = xcalloc(n.found * n.captures + 1, sizeof(*n.left));
	n.overlap = xcalloc(n.found * n.found + 1, sizeof(*n.overlap));
	for (size_t i = 0; i < p->count; i++)
		add_stack(&n, &p->frames[p->rows[i].first], p->rows[i].count, captures,
			  &set->amounts[i * n.captures]);
	for (uint32_t i = 0; i < n.found; i++) {
		uint32_t cause = cause_of(&n, i);

		if (cause != NO_CAUSE && is_explained(noise, &n, i, captures, &d->list[rows[i]]))
			causes[rows[i]] = rows[cause];
	}
	free(n.place);
	free(n.left);
	free(n.overlap);
	return causes;
}
