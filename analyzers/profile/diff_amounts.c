/* Sums by name and by call path for each capture, then a test for each of them. */
#include "analyzers/profile/diff_amounts.h"
#include "formats/model/stack_tree.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Sums of one capture by id. */
struct sums {
	double *self, *total;
};

static struct sums *new_sums(size_t captures, size_t ids)
{
	struct sums *list = xmalloc(captures * sizeof(*list));

	for (size_t c = 0; c < captures; c++) {
		list[c].self = xcalloc(ids + 1, sizeof(double));
		list[c].total = xcalloc(ids + 1, sizeof(double));
	}
	return list;
}

static void free_sums(struct sums *list, size_t captures)
{
	for (size_t c = 0; c < captures; c++) {
		free(list[c].self);
		free(list[c].total);
	}
	free(list);
}

/* Scratch for one test: values and units of both sides. */
struct scratch {
	double *value[2], *unit[2];
	size_t count[2];
};

static struct test test_id(const struct diff_captures *captures, const struct sums *sums, size_t id,
			   struct scratch *s)
{
	const struct diff_capture *a = &captures->list[0], *b = &captures->list[1];
	struct test_side before = { s->value[0], s->unit[0], s->count[0] };
	struct test_side after = { s->value[1], s->unit[1], s->count[1] };
	struct test t;

	if (captures->shares && captures->count == 2 && a->unit_weight > 0 && b->unit_weight > 0) {
		if (a->after) {
			const struct diff_capture *swap = a;

			a = b;
			b = swap;
		}
		t = test_shares(sums[a - captures->list].total[id] / a->unit_weight,
				a->total / a->unit_weight,
				sums[b - captures->list].total[id] / b->unit_weight,
				b->total / b->unit_weight);
		t.delta *= b->total * b->factor;
		t.se *= b->total * b->factor;
		return t;
	}
	for (size_t i = 0; i < 2; i++)
		s->count[i] = 0;
	for (size_t c = 0; c < captures->count; c++) {
		const struct diff_capture *k = &captures->list[c];
		size_t n = s->count[k->after]++;

		s->value[k->after][n] = sums[c].total[id] * k->factor;
		s->unit[k->after][n] = k->unit_weight * k->factor;
	}
	before.count = s->count[0];
	after.count = s->count[1];
	return test_amounts(&before, &after);
}

static void side_means(struct diff_amount *m, const struct diff_captures *captures,
		       const struct sums *sums)
{
	double n[2] = { 0, 0 };

	for (size_t c = 0; c < captures->count; c++) {
		const struct diff_capture *k = &captures->list[c];

		n[k->after]++;
		m->self[k->after] += sums[c].self[m->id] * k->factor;
		m->total[k->after] += sums[c].total[m->id] * k->factor;
	}
	for (int i = 0; i < 2; i++) {
		m->self[i] /= n[i];
		m->total[i] /= n[i];
	}
}

/* Tests every id that any capture has something of. */
static void compare(struct diff_amounts *d, const struct diff_captures *captures,
		    const struct sums *sums, size_t ids)
{
	struct test *tests = xmalloc((ids + 1) * sizeof(*tests));
	struct scratch s;

	for (int i = 0; i < 2; i++) {
		s.value[i] = xmalloc(captures->count * sizeof(double));
		s.unit[i] = xmalloc(captures->count * sizeof(double));
	}
	d->list = xcalloc(ids + 1, sizeof(*d->list));
	d->count = d->significant = 0;
	for (size_t id = 0; id < ids; id++) {
		struct diff_amount *m = &d->list[d->count];

		*m = (struct diff_amount){ .id = (uint32_t)id };
		side_means(m, captures, sums);
		if (m->total[0] > 0 || m->total[1] > 0)
			tests[d->count++] = test_id(captures, sums, id, &s);
	}
	test_false_discovery(tests, d->count, DIFF_FALSE_DISCOVERY);
	for (size_t i = 0; i < d->count; i++) {
		d->list[i].test = tests[i];
		d->significant += tests[i].significant;
	}
	for (int i = 0; i < 2; i++) {
		free(s.value[i]);
		free(s.unit[i]);
	}
	free(tests);
}

void diff_amounts_by_name(struct diff_amounts *d, const struct stackset *set,
			  const struct diff_captures *captures, bool skip_root)
{
	const struct stacks_part *p = &set->part;
	size_t n = captures->count;
	struct sums *sums = new_sums(n, set->names.count);
	size_t *seen = xcalloc(set->names.count + 1, sizeof(*seen)); /* row + 1 */

	for (size_t i = 0; i < p->count; i++) {
		const struct stack_row *r = &p->rows[i];
		const uint64_t *amounts = &set->amounts[i * n];

		for (uint32_t k = skip_root; k < r->count; k++) {
			uint32_t id = p->frames[r->first + k];

			for (size_t c = 0; c < n; c++) {
				if (seen[id] != i + 1)
					sums[c].total[id] += (double)amounts[c];
				if (k + 1 == r->count)
					sums[c].self[id] += (double)amounts[c];
			}
			seen[id] = i + 1;
		}
	}
	compare(d, captures, sums, set->names.count);
	free(seen);
	free_sums(sums, n);
}

void diff_amounts_by_node(struct diff_amounts *d, const struct stackset *set,
			  const struct diff_captures *captures)
{
	size_t n = captures->count, rows = set->part.count, nodes = 0;
	struct stack_row *copy = xmalloc((rows + 1) * sizeof(*copy));
	struct stacks_part part = set->part;
	struct sums *sums = NULL;

	if (rows)
		memcpy(copy, set->part.rows, rows * sizeof(*copy));
	part.rows = copy;
	part.before = NULL;
	for (size_t c = 0; c < n; c++) {
		struct stack_tree t;

		for (size_t i = 0; i < rows; i++)
			copy[i].weight = set->amounts[i * n + c];
		stack_tree_build(&t, &part);
		nodes = t.count;
		if (!sums)
			sums = new_sums(n, nodes);
		for (size_t i = 0; i < nodes; i++) {
			sums[c].self[t.nodes[i].same] += (double)t.nodes[i].self;
			sums[c].total[t.nodes[i].same] += (double)t.nodes[i].total;
		}
		stack_tree_release(&t);
	}
	compare(d, captures, sums, nodes);
	free_sums(sums, n);
	free(copy);
}

void diff_amounts_release(struct diff_amounts *d)
{
	free(d->list);
	memset(d, 0, sizeof(*d));
}
