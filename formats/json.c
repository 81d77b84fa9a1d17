/* JSON: one object with everything that the result holds, numbers as they were counted, written as
 * it comes. Its shape is in README.md. */
#include "formats/format.h"
#include "formats/cell.h"
#include "formats/stack_line.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

	for (size_t i = 0; i < count; i++)
		out_put(out, i ? ",%s" : "[%s", fact_text(texts[i], false, &text));
	out_str(out, count ? "]" : "[]");
	buf_release(&text);
}

/* ---- facts ---- */

struct chained {
	size_t next; /* the next fact of this name; their number: none */
	bool again;  /* the name was there before */
};

static struct chained *chain_facts(const struct result *r)
{
	struct chained *list = xcalloc(r->fact_count + 1, sizeof(*list));
	size_t *last = xcalloc(r->fact_count + 1, sizeof(*last)); /* by name */
	struct intern names;

	intern_init(&names);
	for (size_t i = 0; i < r->fact_count; i++) {
		const char *name = r->facts[i].name;
		size_t known = names.count;
		uint32_t id = intern_add(&names, name, strlen(name));

		list[i] = (struct chained){ r->fact_count, id < known };
		if (id < known)
			list[last[id]].next = i;
		last[id] = i;
	}
	intern_release(&names);
	free(last);
	return list;
}

static void write_facts(const struct result *r, struct out *out)
{
	struct chained *list = chain_facts(r);
	struct buf text = { 0 };

	out_str(out, ",\n\"facts\":{");
	for (size_t i = 0; i < r->fact_count; i++) {
		bool many = list[i].next < r->fact_count;

		if (list[i].again)
			continue;
		out_put(out, i ? ",\n%s:" : "\n%s:", r->facts[i].name);
		out_str(out, many ? "[" : "");
		for (size_t k = i; k < r->fact_count; k = list[k].next)
			out_put(out, k > i ? ",%s" : "%s",
				fact_text(r->facts[k].value, false, &text));
		out_str(out, many ? "]" : "");
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

	if (column_is_text(column) || cell->empty) {
		out_put(out, "%s", cell->text);
		return;
	}
	number = cell_machine(column, cell, buf);
	out_str(out, *number ? number : "null"); /* not finite */
}

static const char *type_name(enum column_type type)
{
	static const char *const held[] = { "text", "count", "delta", "real" };

	return type == COLUMN_NS || type == COLUMN_TIME_NS ? "ns" : held[column_kinds[type].held];
}

/* From its columns on. */
static void write_columns(const struct table_part *t, struct out *out)
{
	static const char *const marks[] = { "none", "noise",	   "more",
					     "less", "maybe-more", "maybe-less" };
	struct cell *row = xcalloc(t->column_count + 1, sizeof(*row));

	out_str(out, "\"columns\":[");
	for (size_t c = 0; c < t->column_count; c++)
		out_put(out, c ? ",%s" : "%s", t->columns[c].name);
	out_str(out, "],\n\"types\":[");
	for (size_t c = 0; c < t->column_count; c++)
		out_put(out, c ? ",%s" : "%s", type_name(t->columns[c].type));
	out_str(out, "],\n\"rows\":[");
	for (size_t i = 0; i < t->row_count; i++) {
		table_row(t, i, row);
		out_str(out, i ? ",\n[" : "\n[");
		for (size_t c = 0; c < t->column_count; c++) {
			out_str(out, c ? "," : "");
			write_cell(&t->columns[c], &row[c], out);
		}
		out_str(out, "]");
	}
	free(row);
	out_str(out, t->marks ? "],\n\"marks\":[" : "");
	for (size_t i = 0; t->marks && i < t->row_count; i++)
		out_put(out, i ? ",%s" : "%s", marks[t->marks[i]]);
	out_str(out, "]}");
}

static void write_table(const struct table_part *t, struct out *out)
{
	out_str(out, ",\n\"table\":{");
	write_columns(t, out);
}

static void write_tables(const struct result *r, struct out *out)
{
	for (size_t i = 0; i < r->table_count; i++) {
		out_put(out, i ? ",\n{\"name\":%s,\n" : ",\n\"tables\":[\n{\"name\":%s,\n",
			r->tables[i].name);
		write_columns(&r->tables[i], out);
	}
	out_str(out, "]");
}

/* ---- grid ---- */

static void write_series(const char *key, const struct grid_series *list, size_t count,
			 const struct grid_part *g, struct out *out)
{
	const uint64_t none = GRID_NONE;

	if (count)
		out_put(out, ",\n%s:[", key);
	for (size_t i = 0; i < count; i++) {
		out_str(out, i ? ",\n" : "\n");
		out_put(out, "{\"name\":%s,\"values\":", list[i].what.name);
		list_some(out, list[i].values, g->columns, &none);
		out_str(out, i + 1 < count ? "}" : "}]");
	}
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
	write_series("lines", g->lines, g->line_count, g, out);
	write_series("strips", g->strips, g->strip_count, g, out);
}

/* Some of what was counted, the largest first: lane, x, y, number, index of labels. */
static void write_events(const struct grid_part *g, struct out *out)
{
	out_put(out,
		",\n\"events\":{\"total\":%" PRIu64 ",\"number\":%s,\"labels\":", g->event_total,
		g->event_number.name);
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
	out_put(out,
		",\n\"grid\":{\"x\":{\"name\":%s,\"first\":%" PRIu64 ",\"step\":%" PRIu64
		",\"columns\":%zu},\n\"y\":{\"name\":%s,",
		g->x.name, g->x_first, g->x_step, g->columns, g->y.name);
	out_str(out, g->labels ? "\"labels\":" : "\"edges\":");
	if (g->labels)
		list_text(out, g->labels, g->rows);
	else
		list_u64(out, g->edges, g->rows + 1);
	out_put(out, "},\n\"cell_name\":%s,", g->cell.name);
	write_amounts(g, out);
	if (g->event_count)
		write_events(g, out);
	out_str(out, ",\n\"gaps\":[");
	for (size_t i = 0; i < g->gap_count; i++) {
		out_str(out, i ? "," : "");
		out_put(out, "{\"start\":%" PRIu64 ",\"end\":%" PRIu64 ",\"cause\":%s}",
			g->gaps[i].start, g->gaps[i].end, g->gaps[i].cause);
	}
	out_str(out, "]");
	if (g->has_wall) {
		out_put(out, ",\n\"wall_ns\":%" PRId64 ",\"wall_is_exact\":", g->wall_ns);
		out_str(out, g->wall_is_exact ? "true" : "false");
	}
	out_str(out, "}");
}

/* The lanes have the axes of the grid. */
static void write_lanes(const struct result *r, struct out *out)
{
	out_str(out, ",\n\"grid_lanes\":[");
	for (size_t i = 0; i < r->grid_lane_count; i++) {
		out_put(out, i ? ",\n{\"name\":%s," : "\n{\"name\":%s,", r->grid_lanes[i].name);
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
	out_put(out, n->count ? ",%s" : "%s", names[id]);
	n->number[id] = n->count++;
}

/* ---- stacks ---- */

/* What was counted before, as it was counted: to be multiplied by scale. */
static void write_stacks(const struct stacks_part *p, struct out *out)
{
	struct numbering names = { 0 };

	out_str(out, ",\n\"stacks\":{\"names\":[");
	for (size_t i = 0; i < p->count; i++) {
		const struct stack_row *row = &p->rows[i];

		for (uint32_t k = row->shared; k < row->count; k++)
			number_name(&names, p->names, p->frames[row->first + k], out);
	}
	out_str(out, "]");
	if (p->before && isfinite(p->scale))
		out_put(out, ",\"scale\":%.17g", p->scale);
	else if (p->before)
		out_str(out, ",\"scale\":null");
	out_str(out, ",\n\"rows\":[");
	for (size_t i = 0; i < p->count; i++) {
		const struct stack_row *row = &p->rows[i];

		out_str(out, i ? ",\n{\"stack\":[" : "\n{\"stack\":[");
		for (uint32_t k = 0; k < row->count; k++) {
			out_str(out, k ? "," : "");
			out_u64(out, names.number[p->frames[row->first + k]]);
		}
		out_str(out, p->before ? "],\"before\":" : "]");
		if (p->before)
			stack_amount(out, p->before[i], p->decimals);
		out_str(out, ",\"weight\":");
		stack_amount(out, row->weight, p->decimals);
		out_str(out, "}");
	}
	out_str(out, "]}");
	free(names.number);
}

/* ---- timeline ---- */

static void write_timeline(const struct timeline_part *t, struct out *out)
{
	struct numbering names = { 0 };

	out_put(out,
		",\n\"timeline\":{\"unit\":%s,\"start\":%" PRIu64 ",\"end\":%" PRIu64
		",\"names\":[",
		t->unit, t->start_ns, t->end_ns);
	for (size_t i = 0; i < t->lane_count; i++) {
		for (size_t k = 0; k < t->lanes[i].count; k++)
			number_name(&names, t->names, t->lanes[i].spans[k].name, out);
	}
	out_str(out, "],\n\"lanes\":[");
	for (size_t i = 0; i < t->lane_count; i++) {
		const struct lane *lane = &t->lanes[i];

		out_str(out, i ? ",\n" : "\n");
		out_put(out, "{\"name\":%s,\"spans\":[", lane->name);
		for (size_t k = 0; k < lane->count; k++) {
			const struct span *s = &lane->spans[k];

			out_str(out, k ? ",\n" : "\n");
			list_u64(out,
				 (const uint64_t[]){ s->start_ns, s->end_ns, s->depth,
						     names.number[s->name] },
				 4);
		}
		out_str(out, "]}");
	}
	out_str(out, "]}");
	free(names.number);
}

/* Records that are too many to be held are an object in each line, without what is empty. */
static void write_lines(const struct lines_part *l, struct out *out)
{
	struct cell *row = xcalloc(l->column_count + 1, sizeof(*row));

	while (!out->error && l->cells(l->ctx, row, &out->error)) {
		const char *before = "{";

		for (size_t c = 0; c < l->column_count; c++) {
			if (row[c].empty && !row[c].text)
				continue;
			out_str(out, before);
			out_put(out, "%s:", l->columns[c].name);
			write_cell(&l->columns[c], &row[c], out);
			before = ",";
		}
		out_str(out, *before == '{' ? "{}\n" : "}\n");
	}
	free(row);
}

static void render(const struct result *r, const struct style *style, struct out *out)
{
	(void)style;
	out->quoting = QUOTE_JSON;
	if (r->lines) {
		write_lines(r->lines, out);
		return;
	}
	out_put(out, "{\"title\":%s,\n\"count_name\":%s", r->title, r->count_name);
	write_facts(r, out);
	if (r->table)
		write_table(r->table, out);
	if (r->table_count)
		write_tables(r, out);
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
	.shapes = SHAPE_TABLE | SHAPE_TABLES | SHAPE_GRID | SHAPE_STACKS | SHAPE_TIMELINE |
		  SHAPE_CHANGES | SHAPE_LINES,
	.render = render,
};
