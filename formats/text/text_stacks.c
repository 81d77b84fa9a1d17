/* Sorts stacks by weight, of a difference by how much they changed. */
#include "formats/text/text_stacks.h"
#include "formats/model/amount.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct item {
	size_t row;
	double weight, before;
};

static double change(const struct item *i)
{
	return fabs(i->weight - i->before);
}

/* Equal ones in their order. */
static int heavier(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (change(x) != change(y))
		return change(x) < change(y) ? 1 : -1;
	return (x->row > y->row) - (x->row < y->row);
}

static struct item *sorted(const struct stacks_part *p)
{
	struct item *list = xcalloc(p->count + 1, sizeof(*list));
	double one = pow(10, -(double)p->decimals);

	for (size_t i = 0; i < p->count; i++) {
		double before = p->before ? (double)p->before[i] * p->scale * one : 0;

		list[i] = (struct item){ i, (double)p->rows[i].weight * one,
					 isfinite(before) ? before : 0 };
	}
	qsort(list, p->count, sizeof(*list), heavier);
	return list;
}

static const char *frames(struct stack_table *t, const struct stacks_part *p, size_t row)
{
	const struct stack_row *r = &p->rows[row];
	struct buf b = { 0 };
	const char *text;

	for (uint32_t i = 0; i < r->count; i++) {
		buf_str(&b, i ? ";" : "");
		buf_str(&b, p->names[p->frames[r->first + i]]);
	}
	text = arena_strndup(&t->texts, b.len ? b.data : "", b.len);
	buf_release(&b);
	return text;
}

static void set_columns(struct stack_table *t, const struct result *r)
{
	bool in_ns = r->count_name && !strcmp(r->count_name, "ns");
	unsigned decimals = r->stacks->decimals < 3 ? r->stacks->decimals : 3;
	enum column_type type = in_ns ? COLUMN_REAL_NS : COLUMN_REAL;
	const char *weight = in_ns ? "weight" : r->count_name ?: "weight";

	if (r->stacks->before) {
		t->columns[0] = (struct column){ "delta", type, decimals, NULL };
		t->columns[1] = (struct column){ "before", type, decimals, NULL };
		t->columns[2] = (struct column){ "after", type, decimals, NULL };
	} else {
		t->columns[0] = (struct column){ "share", COLUMN_PERCENT, 2, NULL };
		t->columns[1] = (struct column){ weight, type, decimals, NULL };
		t->columns[2] = (struct column){ "frames", COLUMN_COUNT, 0, NULL };
	}
	t->columns[3] = (struct column){ "stack", COLUMN_TEXT, 0, NULL };
}

void stack_table_init(struct stack_table *t, const struct result *r, size_t named)
{
	const struct stacks_part *p = r->stacks;
	struct item *list = sorted(p);
	double whole = 0;

	*t = (struct stack_table){ .cells = xcalloc(p->count + 1,
						    STACK_COLUMNS * sizeof(*t->cells)) };
	set_columns(t, r);
	for (size_t i = 0; i < p->count; i++)
		whole += list[i].weight;
	for (size_t i = 0; i < p->count; i++) {
		struct cell *c = &t->cells[i * STACK_COLUMNS];

		if (p->before) {
			c[0].real = list[i].weight - list[i].before;
			c[1].real = list[i].before;
			c[2].real = list[i].weight;
		} else {
			c[0].real = percent_of(list[i].weight, whole);
			c[1].real = list[i].weight;
			c[2].count = p->rows[list[i].row].count;
		}
		c[3].text = !named || i < named ? frames(t, p, list[i].row) : "";
	}
	t->part = (struct table_part){ .columns = t->columns,
				       .column_count = STACK_COLUMNS,
				       .cells = t->cells,
				       .row_count = p->count,
				       .weight_column = p->before ? 1 : 2 };
	free(list);
}

void stack_table_release(struct stack_table *t)
{
	free(t->cells);
	arena_release(&t->texts);
}
