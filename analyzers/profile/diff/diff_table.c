/* The rows of the table: what is certain first, callers below what made them change. */
#include "analyzers/profile/diff/diff_table.h"
#include "analyzers/profile/diff/diff_order.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct column diff_columns[DIFF_COLUMNS + 1] = {
	{ "name", COLUMN_TEXT },
	{ "self_before", COLUMN_REAL },
	{ "self_after", COLUMN_REAL },
	{ "total_before", COLUMN_REAL },
	{ "total_after", COLUMN_REAL },
	{ "delta", COLUMN_REAL },
	{ "delta_percent", COLUMN_PERCENT, 2, "Delta %" },
	{ "self_delta", COLUMN_REAL },
	{ "ratio", COLUMN_REAL, 3, NULL },
	{ "ratio_low", COLUMN_REAL, 3, NULL },
	{ "ratio_high", COLUMN_REAL, 3, NULL },
	{ "z", COLUMN_REAL, 2, NULL },
	{ "certainty", COLUMN_TEXT },
	{ "caller_of", COLUMN_TEXT },
	{ 0 },
};

struct sorted {
	const struct diff_amount *amount;
	const char *name;
	double cause;		/* size of the change that explains this one */
	const char *cause_name; /* of that row, or of this one */
	bool caller;
};

static double change_of(const struct diff_amount *m)
{
	return fabs(m->total[1] - m->total[0]);
}

/* What is certain first, then the greatest change with the callers that it explains. */
static int by_change(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	bool sure_x = x->amount->certainty >= CERTAINTY_PAIR;
	bool sure_y = y->amount->certainty >= CERTAINTY_PAIR;
	double dx = change_of(x->amount), dy = change_of(y->amount);

	if (sure_x != sure_y)
		return sure_y - sure_x;
	if (x->cause != y->cause)
		return x->cause > y->cause ? -1 : 1;
	if (strcmp(x->cause_name, y->cause_name) != 0)
		return strcmp(x->cause_name, y->cause_name);
	if (x->caller != y->caller)
		return x->caller - y->caller;
	if (dx != dy)
		return dx > dy ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void noise_cells(struct answer *a, const struct diff_amount *m)
{
	const struct noise_test *test = &m->noise.total;
	bool known = m->certainty > CERTAINTY_SMALL;
	double range[2] = { NAN, NAN };

	if (known)
		noise_interval(test->change, test->se, test->df, range);
	answer_cell_real(a, known ? exp(test->change) : NAN);
	answer_cell_real(a, range[0]);
	answer_cell_real(a, range[1]);
	answer_cell_real(a, known ? test->t : NAN);
	answer_cell_text(a, certainty_words[m->certainty]);
}

static void add_row(struct answer *a, const struct sorted *row, double unit)
{
	const struct diff_amount *m = row->amount;
	double delta = m->total[1] - m->total[0];

	answer_cell_text(a, row->name);
	answer_cell_real(a, m->self[0] / unit);
	answer_cell_real(a, m->self[1] / unit);
	answer_cell_real(a, m->total[0] / unit);
	answer_cell_real(a, m->total[1] / unit);
	answer_cell_real(a, delta / unit);
	answer_cell_real(a, m->total[0] > 0 ? percent_of(delta, m->total[0]) : INFINITY);
	answer_cell_real(a, (m->self[1] - m->self[0]) / unit);
	noise_cells(a, m);
	answer_cell_text(a, row->caller ? row->cause_name : "");
}

uint8_t diff_mark(const struct diff_amount *m)
{
	bool more = diff_amount_test(m)->change > 0;

	switch (m->certainty) {
	case CERTAINTY_SURE:
		return more ? MARK_MORE : MARK_LESS;
	case CERTAINTY_PAIR:
		return more ? MARK_MAYBE_MORE : MARK_MAYBE_LESS;
	case CERTAINTY_UNKNOWN:
		return MARK_NONE;
	default:
		return MARK_NOISE;
	}
}

/* The row that explains row I, through others if need be; I itself where none does. */
static size_t root_cause(const struct diff_table *t, size_t i)
{
	size_t at = i;

	for (size_t steps = 0; t->causes && t->causes[at] != NO_CAUSE; steps++) {
		if (steps > t->amounts->count)
			return i; /* they explain each other */
		at = t->causes[at];
	}
	return at;
}

void diff_table(const struct diff_table *t, struct diff_rows *out)
{
	struct sorted *rows = xmalloc((t->amounts->count + 1) * sizeof(*rows));
	size_t n = 0;

	for (size_t i = 0; i < t->amounts->count; i++) {
		const struct diff_amount *m = &t->amounts->list[i];
		const struct diff_amount *cause = &t->amounts->list[root_cause(t, i)];

		if (t->names[m->id])
			rows[n++] = (struct sorted){ m, t->names[m->id], change_of(cause),
						     t->names[cause->id], cause != m };
	}
	qsort(rows, n, sizeof(*rows), by_change);
	*out = (struct diff_rows){ xmalloc((n + 1) * sizeof(*out->amounts)),
				   xmalloc((n + 1) * sizeof(*out->names)),
				   xmalloc(n + 1),
				   t->causes,
				   t->amounts,
				   n };
	for (size_t i = 0; i < n; i++) {
		out->marks[i] = diff_mark(rows[i].amount);
		out->amounts[i] = rows[i].amount;
		out->names[i] = answer_string(t->answer, rows[i].name);
		add_row(t->answer, &rows[i], t->unit);
	}
	free(rows);
}

void diff_rows_release(struct diff_rows *r)
{
	free(r->amounts);
	free(r->names);
	free(r->marks);
}
