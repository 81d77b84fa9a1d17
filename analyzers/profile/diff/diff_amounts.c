/* Sums by name and by call path for each capture, then a test for each of them. */
#include "analyzers/profile/diff/diff_amounts.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

const char *const certainty_words[] = { "", "small", "no", "pair", "sure" };

/* ---- sums ---- */

void diff_sums_init(struct diff_sums *s, size_t ids, size_t captures)
{
	*s = (struct diff_sums){ .ids = ids, .captures = captures };
	s->self = xcalloc(ids * captures + 1, sizeof(*s->self));
	s->total = xcalloc(ids * captures + 1, sizeof(*s->total));
}

void diff_sums_release(struct diff_sums *s)
{
	free(s->self);
	free(s->total);
	*s = (struct diff_sums){ 0 };
}

void diff_sums_by_name(struct diff_sums *s, const struct stackset *set, bool skip_root)
{
	const struct stacks_part *p = &set->part;
	size_t n = set->sides;
	size_t *seen = xcalloc(set->names.count + 1, sizeof(*seen)); /* row + 1 */

	diff_sums_init(s, set->names.count, n);
	for (size_t i = 0; i < p->count; i++) {
		const struct stack_row *r = &p->rows[i];
		const uint64_t *amounts = &set->amounts[i * n];

		for (uint32_t k = skip_root; k < r->count; k++) {
			uint32_t id = p->frames[r->first + k];

			for (size_t c = 0; c < n; c++) {
				if (seen[id] != i + 1)
					s->total[id * n + c] += (double)amounts[c];
				if (k + 1 == r->count)
					s->self[id * n + c] += (double)amounts[c];
			}
			seen[id] = i + 1;
		}
	}
	free(seen);
}

/* ---- tests ---- */

/* The rows of the ids in LIST, all of them when that is NULL, in effective samples. */
static void take_rows(struct noise_rows *rows, const struct diff_sums *s, const uint32_t *list,
		      size_t count, const struct diff_capture *captures)
{
	size_t n = s->captures;
	double *self = xmalloc((count * n + 1) * sizeof(*self));
	double *total = xmalloc((count * n + 1) * sizeof(*total));

	for (size_t i = 0; i < count * n; i++) {
		size_t from = list ? list[i / n] * n + i % n : i;

		self[i] = s->self[from] / captures[i % n].unit_weight;
		total[i] = s->total[from] / captures[i % n].unit_weight;
	}
	*rows = (struct noise_rows){ .self = self, .total = total, .count = count };
}

static void free_rows(struct noise_rows *rows)
{
	free((void *)rows->self);
	free((void *)rows->total);
}

void diff_noise(struct noise *n, const struct diff_sums *s, const struct diff_capture *captures,
		const bool *nameless, const struct noise_asked *asked)
{
	struct noise_run *run = xmalloc(s->captures * sizeof(*run));
	struct noise_rows rows;

	for (size_t c = 0; c < s->captures; c++)
		run[c] = (struct noise_run){ .after = captures[c].after,
					     .unit = captures[c].unit_weight * captures[c].factor,
					     .total = captures[c].total };
	take_rows(&rows, s, NULL, s->ids, captures);
	rows.nameless = nameless;
	noise_fit(n, run, s->captures, &rows, asked);
	free_rows(&rows);
	free(run);
}

static void side_means(struct diff_amount *m, const struct diff_sums *s,
		       const struct diff_capture *captures)
{
	double n[2] = { 0, 0 };

	for (size_t c = 0; c < s->captures; c++) {
		const struct diff_capture *k = &captures[c];

		n[k->after]++;
		m->self[k->after] += s->self[m->id * s->captures + c] * k->factor;
		m->total[k->after] += s->total[m->id * s->captures + c] * k->factor;
	}
	for (int i = 0; i < 2; i++) {
		m->self[i] /= n[i];
		m->total[i] /= n[i];
	}
}

const struct noise_test *diff_amount_test(const struct diff_amount *a)
{
	const struct noise_test *self = &a->noise.self, *total = &a->noise.total;

	if (self->found != total->found)
		return self->found ? self : total;
	return self->tested && self->p < total->p ? self : total;
}

static enum certainty certainty_of(const struct noise *n, const struct noise_row *r)
{
	if (!r->self.tested && !r->total.tested)
		return CERTAINTY_SMALL;
	if (!r->self.found && !r->total.found)
		return CERTAINTY_NO;
	return n->side_runs[0] > 1 && n->side_runs[1] > 1 ? CERTAINTY_SURE : CERTAINTY_PAIR;
}

static void test(struct diff_amounts *d, const struct diff_sums *s,
		 const struct diff_capture *captures, const struct diff_ids *known,
		 const struct noise *n)
{
	uint32_t *ids = xmalloc((d->count + 1) * sizeof(*ids));
	uint32_t *names = xmalloc((d->count + 1) * sizeof(*names));
	bool *no_function = xcalloc(d->count + 1, sizeof(*no_function));
	struct noise_row *out = xcalloc(d->count + 1, sizeof(*out));
	struct noise_rows rows;

	for (size_t i = 0; i < d->count; i++) {
		ids[i] = d->list[i].id;
		names[i] = known->names ? known->names[ids[i]] : ids[i];
		no_function[i] = known->nameless[names[i]];
	}
	take_rows(&rows, s, ids, d->count, captures);
	rows.nameless = no_function;
	d->family = noise_test_rows(n, &rows, names, out);
	for (size_t i = 0; i < d->count; i++) {
		d->list[i].noise = out[i];
		d->list[i].certainty = certainty_of(n, &out[i]);
		d->found += d->list[i].certainty >= CERTAINTY_PAIR;
	}
	free_rows(&rows);
	free(no_function);
	free(names);
	free(ids);
	free(out);
}

void diff_amounts_of(struct diff_amounts *d, const struct diff_sums *s,
		     const struct diff_capture *captures, const struct diff_ids *ids,
		     const struct noise *n)
{
	*d = (struct diff_amounts){ .list = xcalloc(s->ids + 1, sizeof(*d->list)) };
	for (size_t id = 0; id < s->ids; id++) {
		struct diff_amount *m = &d->list[d->count];

		*m = (struct diff_amount){ .id = (uint32_t)id };
		side_means(m, s, captures);
		d->count += m->total[0] > 0 || m->total[1] > 0;
	}
	d->all = d->count;
	if (n)
		test(d, s, captures, ids, n);
}

void diff_amounts_release(struct diff_amounts *d)
{
	free(d->list);
	memset(d, 0, sizeof(*d));
}
