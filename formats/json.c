/* JSON: one object with everything that the result holds, numbers as they were counted, written as
 * it comes. Its shape is in README.md. */
#include "formats/format.h"
#include "formats/cell.h"
#include "formats/json_out.h"
#include "formats/stack_line.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void key_text(struct out *out, const char *key, const char *text)
{
	json_key(out, key);
	json_text(out, text);
}

static void key_u64(struct out *out, const char *key, uint64_t value)
{
	json_key(out, key);
	out_u64(out, value);
}

static void out_i64(struct out *out, int64_t value)
{
	out_str(out, value < 0 ? "-" : "");
	out_u64(out, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

/* "[1,2,null]": what is NONE is null. */
static void list_some(struct out *out, const uint64_t *values, size_t count, const uint64_t *none)
{
	out_str(out, "[");
	for (size_t i = 0; i < count; i++) {
		out_str(out, i ? "," : "");
		if (none && values[i] == *none)
			out_str(out, "null");
		else
			out_u64(out, values[i]);
	}
	out_str(out, "]");
}

static void list_u64(struct out *out, const uint64_t *values, size_t count)
{
	list_some(out, values, count, NULL);
}

static void list_text(struct out *out, const char *const *texts, size_t count)
{
	struct buf text = { 0 };

	out_str(out, "[");
	for (size_t i = 0; i < count; i++) {
		out_str(out, i ? "," : "");
		json_text(out, fact_text(texts[i], false, &text));
	}
	out_str(out, "]");
	buf_release(&text);
}

/* ---- facts ---- */

struct named {
	const char *name;
	size_t index;
	size_t next; /* the next fact of this name; SIZE_MAX: none */
	bool again;  /* the name was there before */
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : (x->index > y->index) - (x->index < y->index);
}

static int by_index(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return (x->index > y->index) - (x->index < y->index);
}

/* Facts that share a name, chained in their order. */
static struct named *chain_facts(const struct result *r)
{
	struct named *list = xcalloc(r->fact_count, sizeof(*list));

	for (size_t i = 0; i < r->fact_count; i++)
		list[i] = (struct named){ r->facts[i].name, i, SIZE_MAX, false };
	qsort(list, r->fact_count, sizeof(*list), by_name);
	for (size_t i = 1; i < r->fact_count; i++) {
		if (strcmp(list[i - 1].name, list[i].name))
			continue;
		list[i - 1].next = list[i].index;
		list[i].again = true;
	}
	qsort(list, r->fact_count, sizeof(*list), by_index);
	return list;
}

static void write_facts(const struct result *r, struct out *out)
{
	struct named *list = chain_facts(r);
	struct buf text = { 0 };
	bool first = true;

	out_str(out, ",\n\"facts\":{");
	for (size_t i = 0; i < r->fact_count; i++) {
		bool many = list[i].next != SIZE_MAX;

		if (list[i].again)
			continue;
		out_str(out, first ? "\n" : ",\n");
		json_key(out, r->facts[i].name);
		out_str(out, many ? "[" : "");
		for (size_t k = i; k != SIZE_MAX; k = list[k].next) {
			out_str(out, k == i ? "" : ",");
			json_text(out, fact_text(r->facts[k].value, false, &text));
		}
		out_str(out, many ? "]" : "");
		first = false;
	}
	out_str(out, "}");
	buf_release(&text);
	free(list);
}

/* ---- table ---- */

static void write_cell(const struct column *column, const struct cell *cell, struct out *out)
{
	char buf[CELL_TEXT_MAX];
	const char *number;

	if (column->type == COLUMN_TEXT || cell->empty) {
		json_text(out, cell->text);
		return;
	}
	number = cell_machine(column, cell, buf);
	out_str(out, *number ? number : "null"); /* not finite */
}

static void write_marks(const struct table_part *t, struct out *out)
{
	static const char *const names[] = { "none", "noise", "more", "less" };

	out_str(out, ",\n\"marks\":[");
	for (size_t i = 0; i < t->row_count; i++) {
		out_str(out, i ? "," : "");
		json_text(out, names[t->marks[i]]);
	}
	out_str(out, "]");
}

static void write_table(const struct table_part *t, struct out *out)
{
	static const char *const types[COLUMN_TYPES] = {
		[COLUMN_TEXT] = "text",	   [COLUMN_ID] = "count",
		[COLUMN_COUNT] = "count",  [COLUMN_NS] = "ns",
		[COLUMN_TIME_NS] = "ns",   [COLUMN_BYTES] = "count",
		[COLUMN_DELTA] = "delta",  [COLUMN_DELTA_NS] = "delta",
		[COLUMN_REAL] = "real",	   [COLUMN_REAL_NS] = "real",
		[COLUMN_PERCENT] = "real", [COLUMN_BYTES_PER_S] = "real",
	};

	out_str(out, ",\n\"table\":{\"columns\":[");
	for (size_t c = 0; c < t->column_count; c++) {
		out_str(out, c ? "," : "");
		json_text(out, t->columns[c].name);
	}
	out_str(out, "],\n\"types\":[");
	for (size_t c = 0; c < t->column_count; c++) {
		out_str(out, c ? "," : "");
		json_text(out, types[t->columns[c].type]);
	}
	out_str(out, "],\n\"rows\":[");
	for (size_t i = 0; i < t->row_count; i++) {
		out_str(out, i ? ",\n[" : "\n[");
		for (size_t c = 0; c < t->column_count; c++) {
			out_str(out, c ? "," : "");
			write_cell(&t->columns[c], &t->cells[i * t->column_count + c], out);
		}
		out_str(out, "]");
	}
	out_str(out, "]");
	if (t->marks)
		write_marks(t, out);
	out_str(out, "}");
}

/* ---- grid ---- */

static void write_y(const struct grid_part *g, struct out *out)
{
	out_str(out, "},\n\"y\":{");
	key_text(out, "name", g->y.name);
	out_str(out, g->labels ? ",\"labels\":" : ",\"edges\":");
	if (g->labels)
		list_text(out, g->labels, g->rows);
	else
		list_u64(out, g->edges, g->rows + 1);
	out_str(out, "}");
}

static void write_series(const char *key, const struct grid_series *list, size_t count,
			 const struct grid_part *g, struct out *out)
{
	const uint64_t none = GRID_NONE;

	out_str(out, ",\n");
	json_key(out, key);
	for (size_t i = 0; i < count; i++) {
		out_str(out, i ? ",\n{" : "[\n{");
		key_text(out, "name", list[i].what.name);
		out_str(out, ",\"values\":");
		list_some(out, list[i].values, g->columns, &none);
		out_str(out, "}");
	}
	out_str(out, "]");
}

static void write_gaps(const struct grid_part *g, struct out *out)
{
	out_str(out, ",\n\"gaps\":[");
	for (size_t i = 0; i < g->gap_count; i++) {
		out_str(out, i ? ",{" : "{");
		key_u64(out, "start", g->gaps[i].start);
		out_str(out, ",");
		key_u64(out, "end", g->gaps[i].end);
		out_str(out, ",");
		key_text(out, "cause", g->gaps[i].cause);
		out_str(out, "}");
	}
	out_str(out, "]");
	if (!g->has_wall)
		return;
	out_str(out, ",\n\"wall_ns\":");
	out_i64(out, g->wall_ns);
	out_str(out, g->wall_is_exact ? ",\"wall_is_exact\":true" : ",\"wall_is_exact\":false");
}

/* Its cells, and what stands beside them. */
static void write_amounts(const struct grid_part *g, struct out *out)
{
	out_str(out, "\"cells\":[");
	for (size_t i = 0; i < g->rows; i++) {
		out_str(out, i ? ",\n" : "\n");
		list_u64(out, g->cells + i * g->columns, g->columns);
	}
	out_str(out, "]");
	if (g->line_count)
		write_series("lines", g->lines, g->line_count, g, out);
	if (g->strip_count)
		write_series("strips", g->strips, g->strip_count, g, out);
}

/* Some of what was counted, the largest first: lane, x, y, number, index of labels. */
static void write_events(const struct grid_part *g, struct out *out)
{
	out_str(out, ",\n\"events\":{");
	key_u64(out, "total", g->event_total);
	out_str(out, ",");
	key_text(out, "number", g->event_number.name);
	out_str(out, ",\"labels\":");
	list_text(out, g->event_labels, g->event_label_count);
	out_str(out, ",\n\"list\":[");
	for (size_t i = 0; i < g->event_count; i++) {
		const struct grid_event *e = &g->events[i];

		out_str(out, i ? "," : "");
		list_u64(out, (const uint64_t[]){ e->lane, e->x, e->y, e->number, e->label }, 5);
	}
	out_str(out, "]}");
}

static void write_grid(const struct grid_part *g, struct out *out)
{
	out_str(out, ",\n\"grid\":{\"x\":{");
	key_text(out, "name", g->x.name);
	out_str(out, ",");
	key_u64(out, "first", g->x_first);
	out_str(out, ",");
	key_u64(out, "step", g->x_step);
	out_str(out, ",");
	key_u64(out, "columns", g->columns);
	write_y(g, out);
	out_str(out, ",\n");
	key_text(out, "cell_name", g->cell.name);
	out_str(out, ",");
	write_amounts(g, out);
	if (g->event_count)
		write_events(g, out);
	write_gaps(g, out);
	out_str(out, "}");
}

/* The lanes have the axes of the grid. */
static void write_lanes(const struct result *r, struct out *out)
{
	out_str(out, ",\n\"grid_lanes\":[");
	for (size_t i = 0; i < r->grid_lane_count; i++) {
		out_str(out, i ? ",\n{" : "\n{");
		key_text(out, "name", r->grid_lanes[i].name);
		out_str(out, ",");
		write_amounts(&r->grid_lanes[i], out);
		out_str(out, "}");
	}
	out_str(out, "]");
}

/* ---- names that are used, numbered as they come ---- */

struct numbering {
	uint32_t *number; /* by id; UINT32_MAX: not seen */
	size_t cap;
	uint32_t count;
};

/* The first time that ID is seen its name is written. */
static void number_name(struct numbering *n, const char *const *names, uint32_t id, struct out *out)
{
	size_t old = n->cap;

	n->number = xgrow(n->number, &n->cap, (size_t)id + 1, sizeof(*n->number));
	if (n->cap > old)
		memset(n->number + old, 0xff, (n->cap - old) * sizeof(*n->number));
	if (n->number[id] != UINT32_MAX)
		return;
	out_str(out, n->count ? "," : "");
	json_text(out, names[id]);
	n->number[id] = n->count++;
}

/* ---- stacks ---- */

static void write_stack_names(const struct stacks_part *p, struct numbering *n, struct out *out)
{
	out_str(out, "\"names\":[");
	for (size_t i = 0; i < p->count; i++) {
		const struct stack_row *row = &p->rows[i];

		for (uint32_t k = row->shared; k < row->count; k++)
			number_name(n, p->names, p->frames[row->first + k], out);
	}
	out_str(out, "]");
}

static void write_scale(const struct stacks_part *p, struct out *out)
{
	char text[64];

	if (!p->before)
		return;
	snprintf(text, sizeof(text), ",\"scale\":%.17g", p->scale);
	out_str(out, isfinite(p->scale) ? text : ",\"scale\":null");
}

/* What was counted before, as it was counted: to be multiplied by scale. */
static void write_stacks(const struct stacks_part *p, struct out *out)
{
	struct numbering names = { 0 };

	out_str(out, ",\n\"stacks\":{");
	write_stack_names(p, &names, out);
	write_scale(p, out);
	out_str(out, ",\n\"rows\":[");
	for (size_t i = 0; i < p->count; i++) {
		const struct stack_row *row = &p->rows[i];

		out_str(out, i ? ",\n{\"stack\":[" : "\n{\"stack\":[");
		for (uint32_t k = 0; k < row->count; k++) {
			out_str(out, k ? "," : "");
			out_u64(out, names.number[p->frames[row->first + k]]);
		}
		out_str(out, "]");
		if (p->before) {
			out_str(out, ",\"before\":");
			stack_amount(out, p->before[i], p->decimals);
		}
		out_str(out, ",\"weight\":");
		stack_amount(out, row->weight, p->decimals);
		out_str(out, "}");
	}
	out_str(out, "]}");
	free(names.number);
}

/* ---- timeline ---- */

static void write_lane(const struct lane *lane, const struct numbering *names, struct out *out)
{
	out_str(out, "{");
	key_text(out, "name", lane->name);
	out_str(out, ",\"spans\":[");
	for (size_t i = 0; i < lane->count; i++) {
		const struct span *s = &lane->spans[i];

		out_str(out, i ? ",\n" : "\n");
		list_u64(out,
			 (const uint64_t[]){ s->start_ns, s->end_ns, s->depth,
					     names->number[s->name] },
			 4);
	}
	out_str(out, "]}");
}

static void write_timeline(const struct timeline_part *t, struct out *out)
{
	struct numbering names = { 0 };

	out_str(out, ",\n\"timeline\":{");
	key_text(out, "unit", t->unit);
	out_str(out, ",");
	key_u64(out, "start", t->start_ns);
	out_str(out, ",");
	key_u64(out, "end", t->end_ns);
	out_str(out, ",\"names\":[");
	for (size_t i = 0; i < t->lane_count; i++) {
		for (size_t k = 0; k < t->lanes[i].count; k++)
			number_name(&names, t->names, t->lanes[i].spans[k].name, out);
	}
	out_str(out, "],\n\"lanes\":[");
	for (size_t i = 0; i < t->lane_count; i++) {
		out_str(out, i ? ",\n" : "\n");
		write_lane(&t->lanes[i], &names, out);
	}
	out_str(out, "]}");
	free(names.number);
}

static void render(const struct result *r, const struct style *style, struct out *out)
{
	(void)style;
	out_str(out, "{");
	key_text(out, "title", r->title);
	out_str(out, ",\n");
	key_text(out, "count_name", r->count_name);
	write_facts(r, out);
	if (r->table)
		write_table(r->table, out);
	if (r->grid)
		write_grid(r->grid, out);
	if (r->grid_lane_count)
		write_lanes(r, out);
	if (r->stacks)
		write_stacks(r->stacks, out);
	if (r->timeline)
		write_timeline(r->timeline, out);
	out_str(out, "}\n");
}

const struct format format_json = {
	.name = "json",
	.summary = "everything as one JSON object",
	.shapes = SHAPE_TABLE | SHAPE_GRID | SHAPE_STACKS | SHAPE_TIMELINE,
	.render = render,
};
