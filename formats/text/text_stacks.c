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

static void add_frames(struct cells *cells, const struct stacks_part *p, size_t row)
{
	const struct stack_row *r = &p->rows[row];
	struct buf b = { 0 };

	for (uint32_t i = 0; i < r->count; i++) {
		buf_str(&b, i ? ";" : "");
		buf_str(&b, p->names[p->frames[r->first + i]]);
	}
	(void)cells_add_text(cells, b.data, b.len);
	buf_release(&b);
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

static void add_figures(struct cells *cells, const struct stacks_part *p, const struct item *i,
			double whole)
{
	if (p->before) {
		cells_add(cells, &(struct cell){ .real = i->weight - i->before });
		cells_add(cells, &(struct cell){ .real = i->before });
		cells_add(cells, &(struct cell){ .real = i->weight });
	} else {
		cells_add(cells, &(struct cell){ .real = percent_of(i->weight, whole) });
		cells_add(cells, &(struct cell){ .real = i->weight });
		cells_add(cells, &(struct cell){ .count = p->rows[i->row].count });
	}
}

void stack_table_init(struct stack_table *t, const struct result *r, size_t named)
{
	const struct stacks_part *p = r->stacks;
	struct item *list = sorted(p);
	double whole = 0;

	*t = (struct stack_table){ 0 };
	set_columns(t, r);
	for (size_t i = 0; i < p->count; i++)
		whole += list[i].weight;
	for (size_t i = 0; i < p->count; i++) {
		add_figures(&t->cells, p, &list[i], whole);
		if (!named || i < named)
			add_frames(&t->cells, p, list[i].row);
		else
			(void)cells_add_text(&t->cells, "", 0);
	}
	t->part = (struct table_part){ .columns = t->columns,
				       .column_count = STACK_COLUMNS,
				       .cells = &t->cells,
				       .row_count = p->count,
				       .weight_column = p->before ? 1 : 2 };
	free(list);
}

void stack_table_release(struct stack_table *t)
{
	cells_release(&t->cells);
}
