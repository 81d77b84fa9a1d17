/* One way of writing a cell for each type of column. */
#include "formats/cell.h"
#include "formats/shown.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- for machines ---- */

static enum held held(const struct column *column, const struct cell *cell)
{
	return cell->empty ? HELD_NONE : column_kinds[column->type].held;
}

const char *cell_machine(const struct column *column, const struct cell *cell,
			 char buf[CELL_TEXT_MAX])
{
	char *p = buf + CELL_TEXT_MAX;
	uint64_t n;

	switch (held(column, cell)) {
	case HELD_COUNT:
		*--p = '\0';
		n = cell->count;
		do {
			*--p = (char)('0' + n % 10);
			n /= 10;
		} while (n);
		return p;
	case HELD_DELTA:
		snprintf(buf, CELL_TEXT_MAX, "%" PRId64, cell->delta);
		return buf;
	case HELD_REAL:
		snprintf(buf, CELL_TEXT_MAX, "%.*f", (int)column->decimals, cell->real);
		return isfinite(cell->real) ? buf : "";
	default:
		return cell->text ? cell->text : "";
	}
}

double cell_number(const struct column *column, const struct cell *cell)
{
	switch (held(column, cell)) {
	case HELD_COUNT:
		return (double)cell->count;
	case HELD_DELTA:
		return (double)cell->delta;
	case HELD_REAL:
		return isfinite(cell->real) ? cell->real : 0;
	default:
		return 0;
	}
}

/* ---- for people ---- */

/* Words of names that people spell otherwise: perf's, and abbreviations. */
static const char *const words[][2] = {
	{ "comm", "Command" },
	{ "dso", "Shared Object" },
	{ "sym", "Symbol" },
	{ "pid", "PID" },
	{ "tid", "TID" },
	{ "cpu", "CPU" },
	{ "cpus", "CPUs" },
	{ "id", "ID" },
	{ "ios", "I/Os" },
	{ "iops", "IOPS" },
	{ "srcfile", "Source File" },
	{ "srcline", "Source:Line" },
};

static size_t without_unit(const struct column *c)
{
	const char *const *endings = column_kinds[c->type].endings;
	size_t len = strlen(c->name);

	for (size_t i = 0; i < 2 && endings[i]; i++) {
		size_t n = strlen(endings[i]);

		if (len > n && !strcmp(c->name + len - n, endings[i]))
			return len - n;
	}
	return len;
}

static const char *spelled(const char *word, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strlen(words[i][0]) == len && !memcmp(words[i][0], word, len))
			return words[i][1];
	}
	return NULL;
}

const char *column_label(const struct column *column, char buf[CELL_TEXT_MAX])
{
	size_t len = without_unit(column), used = 0, n;

	if (column->label)
		return column->label;
	buf[0] = '\0';
	for (size_t i = 0; i < len && used < CELL_TEXT_MAX - 32; i += n + 1) {
		const char *word = column->name + i, *other;

		n = strcspn(word, "_");
		n = n > len - i ? len - i : n;
		other = spelled(word, n);
		used += (size_t)snprintf(buf + used, CELL_TEXT_MAX - used, "%s%.*s", i ? " " : "",
					 other || n > 200 ? 200 : (int)n, other ?: word);
		if (!i && buf[0] >= 'a' && buf[0] <= 'z')
			buf[0] = (char)(buf[0] - 'a' + 'A');
	}
	return buf;
}

static bool is_duration(const struct people_column *p)
{
	enum column_type type = p->column->type;

	return type == COLUMN_NS || type == COLUMN_DELTA_NS || type == COLUMN_REAL_NS;
}

/* Durations side by side have one unit, and the fine ones one of their own. */
static void share_unit(struct people_column *list, size_t count, bool fine)
{
	double most = 0;

	for (size_t i = 0; i < count; i++) {
		if (is_duration(&list[i]) && list[i].column->fine == fine)
			most = fmax(most, list[i].most);
	}
	for (size_t i = 0; i < count; i++) {
		if (is_duration(&list[i]) && list[i].column->fine == fine)
			number_durations(&list[i].scale, fine ? most / 1000 : most);
	}
}

/* CELL is one of P, which is COLUMN. */
static inline void look_at(struct people_column *p, const struct column *column,
			   const struct cell *cell)
{
	if (held(column, cell) == HELD_COUNT) {
		p->any = true;
		if (cell->count > p->most_counted)
			p->most_counted = cell->count;
		return;
	}
	p->counted &= cell->empty && !cell->text;
	p->most = fmax(p->most, fabs(cell_number(column, cell)));
}

struct people_column *people_columns(const struct table_part *t, size_t rows)
{
	struct people_column *list = xcalloc(t->column_count + 1, sizeof(*list));
	struct cell *row = xcalloc(t->column_count + 1, sizeof(*row));
	char buf[CELL_TEXT_MAX];

	for (size_t c = 0; c < t->column_count; c++)
		list[c].counted = column_kinds[t->columns[c].type].held == HELD_COUNT;
	for (size_t r = 0; r < rows; r++) {
		table_row(t, r, row);
		for (size_t c = 0; c < t->column_count; c++)
			look_at(&list[c], &t->columns[c], &row[c]);
	}
	free(row);
	for (size_t c = 0; c < t->column_count; c++) {
		struct people_column *p = &list[c];

		p->column = &t->columns[c];
		p->most = fmax(p->most, (double)p->most_counted);
		p->scale = number_scale(p->column->type, p->column->decimals, p->most);
	}
	share_unit(list, t->column_count, false);
	share_unit(list, t->column_count, true);
	for (size_t c = 0; c < t->column_count; c++)
		snprintf(list[c].heading, CELL_TEXT_MAX,
			 *list[c].scale.unit ? "%.300s (%s)" : "%.300s",
			 column_label(list[c].column, buf), list[c].scale.unit);
	return list;
}

const char *people_cell(const struct people_column *p, const struct cell *cell,
			char buf[CELL_TEXT_MAX])
{
	const struct column *c = p->column;

	if (held(c, cell) == HELD_NONE || c->type == COLUMN_ID)
		return cell_machine(c, cell, buf);
	if (held(c, cell) == HELD_REAL && !isfinite(cell->real))
		return "";
	number_scaled(buf, cell_number(c, cell), &p->scale);
	return buf;
}

const struct number_scale *people_scale(const struct people_column *p)
{
	static const struct number_scale id = { 1, 0, "", "", false, false, 1 };

	if (column_kinds[p->column->type].held != HELD_COUNT)
		return NULL;
	return p->column->type == COLUMN_ID ? &id : &p->scale;
}

/* The widest of the first ROWS cells of P, or MOST. The greatest count is the widest. */
static size_t widest(const struct people_column *p, const struct table_part *t, size_t rows,
		     size_t most)
{
	size_t column = (size_t)(p->column - t->columns), width = 0;
	char buf[CELL_TEXT_MAX];

	if (p->counted && rows == t->row_count)
		return p->any ? shown_width(people_cell(
					p, &(struct cell){ .count = p->most_counted }, buf))
			      : 0;
	for (size_t r = 0; r < rows && width < most; r++) {
		size_t n = shown_width(people_cell(p, TABLE_CELL(t, r, column), buf));

		width = n > width ? n : width;
	}
	return width;
}

void people_measure(struct people_column *p, const struct table_part *t, size_t rows, size_t most)
{
	p->cells = widest(p, t, rows, most);
	p->fits = p->counted && rows == t->row_count && p->cells < most;
	p->cells = p->cells > most ? most : p->cells;
	p->width = shown_width(p->heading);
	p->width = p->width > most ? most : p->width;
	p->width = p->width > p->cells ? p->width : p->cells;
}
