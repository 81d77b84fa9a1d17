/* Lays out one screen: what does not fit gives way, the blank lines first, then rows of the longest
 * table. */
#include "formats/text/text_screen.h"
#include "formats/shown.h"
#include "formats/text/blocks.h"
#include "formats/text/sheet.h"
#include "formats/text/shorten.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH	    80
#define LINES	    40
#define LEAST_ROWS  2
#define LEAST_TEXT  6 /* what is left of a text in a table */
#define LOAD_ROWS   5 /* all, and the heaviest */
#define SHARE_WIDTH 7
#define LANE_WIDTH  15 /* of a command */
#define BOLD	    "\033[1m"
#define PLAIN	    "\033[0m"

struct screen {
	const struct result *r;
	struct out *out; /* NULL: lines are only counted */
	size_t width;
	bool colour, spaced; /* spaced: blank lines between parts */
	size_t load_rows;    /* without the one of all */
	size_t *rows;	     /* by table */
};

/* ---- texts ---- */

/* TEXT in WIDTH columns. Returns how many it took. */
static size_t put_short(struct out *out, const char *text, size_t width)
{
	struct buf made = { 0 };

	text = shorten(text, width, &made);
	width = shown_width(text);
	shown_put(out, text, strlen(text));
	buf_release(&made);
	return width;
}

static void put_heading(struct screen *s, bool begin)
{
	if (s->colour)
		out_str(s->out, begin ? BOLD : PLAIN);
	if (!begin)
		out_str(s->out, "\n");
}

/* ---- facts ---- */

static void put_facts(struct screen *s)
{
	const struct result *r = s->r;
	struct buf text = { 0 };
	size_t width = 0;

	for (size_t i = 0; i < r->fact_count; i++) {
		size_t n = shown_width(r->facts[i].name);

		width = n > width ? n : width;
	}
	for (size_t i = 0; i < r->fact_count; i++) {
		const char *value = fact_text(r->facts[i].value, true, &text);
		bool bold = s->colour && r->facts[i].rank == FACT_LEADS;

		out_put(s->out, "%-*s", (int)width + 2, r->facts[i].name);
		out_str(s->out, bold ? BOLD : "");
		put_short(s->out, value, s->width > width + 2 ? s->width - width - 2 : 1);
		out_str(s->out, bold ? PLAIN "\n" : "\n");
	}
	buf_release(&text);
}

/* ---- the grid, as lines of blocks ---- */

struct line {
	double most, whole; /* of a column of all rows; of all columns */
	double *sums;
	size_t columns, each; /* so many, each of so many of the grid's */
};

/* The sums of rows FROM to END by column. */
static void sum_rows(const struct grid_part *g, size_t from, size_t end, struct line *l)
{
	memset(l->sums, 0, l->columns * sizeof(*l->sums));
	for (size_t r = from; r < end; r++) {
		for (size_t c = 0; c < g->columns; c++)
			l->sums[c / l->each] += (double)g->cells[r * g->columns + c];
	}
}

static void put_blocks(struct screen *s, const struct line *l, const char *name)
{
	size_t used = SHARE_WIDTH + 4 + l->columns;
	double sum = 0;

	for (size_t c = 0; c < l->columns; c++)
		sum += l->sums[c];
	out_put(s->out, "%*s  ", SHARE_WIDTH, SHARE(sum, l->whole));
	for (size_t c = 0; c < l->columns; c++)
		out_str(s->out, block_of(l->most > 0 ? l->sums[c] / l->most : 0));
	out_str(s->out, "  ");
	put_short(s->out, name, s->width > used ? s->width - used : 0);
	out_str(s->out, "\n");
}

/* On a narrow screen several columns of the grid are one. */
static void line_init(const struct screen *s, struct line *l)
{
	const struct grid_part *g = s->r->grid;
	size_t room = SHARE_WIDTH + 4 + LANE_WIDTH;

	room = s->width > room ? s->width - room : 1;
	l->each = (g->columns + room - 1) / room;
	l->columns = (g->columns + l->each - 1) / l->each;
	l->sums = xcalloc(l->columns + 1, sizeof(*l->sums));
	sum_rows(g, 0, g->rows, l);
	for (size_t c = 0; c < l->columns; c++) {
		l->most = l->sums[c] > l->most ? l->sums[c] : l->most;
		l->whole += l->sums[c];
	}
}

static void put_load_heading(struct screen *s, const struct line *l)
{
	const struct grid_part *g = s->r->grid;
	struct buf text = { 0 };

	buf_printf(&text, "%*s  %.32s, %s a column, up to %s", SHARE_WIDTH, "Share",
		   LABEL(&g->cell), ALONE(g->x_step * l->each, COLUMN_NS),
		   ALONE(l->most, g->cell.type));
	put_heading(s, true);
	put_short(s->out, text.data, s->width);
	put_heading(s, false);
	buf_release(&text);
}

static void put_load(struct screen *s)
{
	const struct grid_part *g = s->r->grid;
	struct line l = { 0 };
	size_t named = g->rows <= s->load_rows ? g->rows : s->load_rows - 1;

	line_init(s, &l);
	put_load_heading(s, &l);
	if (g->rows > 1)
		put_blocks(s, &l, "all");
	for (size_t r = 0; r < named; r++) {
		sum_rows(g, r, r + 1, &l);
		put_blocks(s, &l, g->labels[r]);
	}
	sum_rows(g, named, g->rows, &l);
	if (named < g->rows)
		put_blocks(s, &l, named + 1 < g->rows ? "others" : g->labels[named]);
	free(l.sums);
}

static size_t load_lines(const struct screen *s)
{
	const struct grid_part *g = s->r->grid;
	size_t rows;

	if (!g || !g->labels || !g->rows)
		return 0;
	rows = g->rows < s->load_rows ? g->rows : s->load_rows;
	return 1 + (g->rows > 1) + rows;
}

/* ---- tables ---- */

static void narrow(struct sheet *s, size_t width)
{
	size_t line = 2 * (s->count - 1);

	for (size_t c = 0; c < s->count; c++)
		line += sheet_column(s, c)->width;
	while (line > width) {
		struct people_column *widest = NULL;

		for (size_t c = 0; c < s->count; c++) {
			struct people_column *p = sheet_column(s, c);

			if (column_is_text(p->column) && p->width > LEAST_TEXT &&
			    (!widest || p->width > widest->width))
				widest = p;
		}
		if (!widest)
			return;
		widest->width--;
		line--;
	}
}

static void put_cell(struct screen *s, const struct sheet *sheet, size_t c, const char *text)
{
	size_t width = sheet_column(sheet, c)->width, used;

	out_str(s->out, c ? "  " : "");
	if (sheet_is_number(sheet, c)) {
		out_put(s->out, "%*s", (int)width, text);
		return;
	}
	used = put_short(s->out, text, width);
	if (c + 1 < sheet->count)
		out_put(s->out, "%*s", (int)(width - used), "");
}

static void put_table(struct screen *s, const struct table_part *t, size_t rows)
{
	struct table_part shown = *t;
	struct sheet sheet;

	shown.row_count = rows;
	sheet_init(&sheet, &shown, &(struct style){ 0 });
	narrow(&sheet, s->width);
	put_heading(s, true);
	for (size_t c = 0; c < sheet.count; c++)
		put_cell(s, &sheet, c, sheet_column(&sheet, c)->heading);
	put_heading(s, false);
	for (size_t r = 0; r < rows; r++) {
		for (size_t c = 0; c < sheet.count; c++) {
			char buf[CELL_TEXT_MAX];

			put_cell(s, &sheet, c,
				 people_cell(sheet_column(&sheet, c),
					     TABLE_CELL(t, r, sheet.order[c]), buf));
		}
		out_str(s->out, "\n");
	}
	sheet_release(&sheet);
}

/* ---- commands ---- */

/* A table whose last column is commands has one other. */
static bool is_commands(const struct table_part *t)
{
	return t->column_count == 2 && t->columns[1].type == COLUMN_COMMAND;
}

/* Where a line of TEXT that has room for LIMIT bytes ends: behind the last space that a shell parts
 * words at, else within a word. QUOTED: between single quotes, at the start, then there. */
static size_t command_cut(const char *text, size_t limit, bool *quoted)
{
	size_t space = 0, i = 0, next;
	bool q = *quoted;

	for (; i < limit; i = next) {
		next = i + (!q && text[i] == '\\' ? 2 : 1);
		if (next > limit)
			break;
		if (text[i] == '\'')
			q = !q;
		if (!q && text[i] == ' ')
			space = next;
	}
	*quoted = !space && q;
	return space ? space : i ? i : limit;
}

/* TEXT in lines that a shell joins again; returns how many. */
static size_t put_command(struct screen *s, const char *text)
{
	bool quoted = false;
	size_t lines = 1;

	for (; shown_width(text) + quoted > s->width; lines++) {
		bool was = quoted;
		size_t n = command_cut(text, shown_bytes(text, s->width - 3), &quoted);

		if (s->out) {
			out_str(s->out, was ? "'" : "");
			shown_put(s->out, text, n);
			out_str(s->out, quoted ? "'\\\n" : "\\\n");
		}
		text += n;
	}
	if (s->out) {
		out_str(s->out, quoted ? "'" : "");
		shown_put(s->out, text, strlen(text));
		out_str(s->out, "\n");
	}
	return lines;
}

static size_t why_width(const struct table_part *t)
{
	size_t width = shown_width(t->columns[0].label);

	for (size_t r = 0; r < t->row_count; r++) {
		size_t n = shown_width(table_cell(t, r, 0).text);

		width = n > width ? n : width;
	}
	return width;
}

/* A command that does not fit behind the words about it gets lines of its own. */
static size_t put_commands(struct screen *s, const struct table_part *t)
{
	size_t why = why_width(t), lines = 1;

	if (s->out) {
		put_heading(s, true);
		out_put(s->out, "%-*s  %s", (int)why, LABEL(&t->columns[0]), LABEL(&t->columns[1]));
		put_heading(s, false);
	}
	for (size_t r = 0; r < t->row_count; r++) {
		const char *command = table_cell(t, r, 1).text;
		bool fits = why + 2 + shown_width(command) <= s->width;

		if (s->out)
			out_put(s->out, fits ? "%-*s  " : "%-*s:\n", fits ? (int)why : 0,
				table_cell(t, r, 0).text);
		lines += !fits + put_command(s, command);
	}
	return lines;
}

/* ---- the screen ---- */

static size_t table_lines(const struct screen *s, size_t i)
{
	struct screen counting = *s;

	counting.out = NULL;
	if (is_commands(&s->r->tables[i]))
		return put_commands(&counting, &s->r->tables[i]);
	return s->rows[i] ? 1 + s->rows[i] : 0;
}

static size_t lines_of(const struct screen *s)
{
	size_t lines = s->r->fact_count + load_lines(s), parts = 1 + (load_lines(s) > 0);

	for (size_t i = 0; i < s->r->table_count; i++) {
		lines += table_lines(s, i);
		parts += table_lines(s, i) > 0;
	}
	return lines + (s->spaced ? parts - 1 : 0);
}

/* Take a row away from the longest part. False: none has more than it needs. */
static bool take_row(struct screen *s)
{
	size_t *longest = s->r->grid && s->load_rows > LEAST_ROWS ? &s->load_rows : NULL;

	for (size_t i = 0; i < s->r->table_count; i++) {
		if (!is_commands(&s->r->tables[i]) && s->rows[i] > LEAST_ROWS &&
		    (!longest || s->rows[i] > *longest))
			longest = &s->rows[i];
	}
	if (longest)
		--*longest;
	return longest;
}

static void put_blank(struct screen *s)
{
	out_str(s->out, s->spaced ? "\n" : "");
}

void text_screen(const struct result *r, const struct style *style, struct out *out)
{
	struct screen s = { .r = r,
			    .width = style->width && style->width < WIDTH ? style->width : WIDTH,
			    .colour = style->colour,
			    .spaced = true,
			    .load_rows = LOAD_ROWS,
			    .rows = xcalloc(r->table_count + 1, sizeof(*s.rows)) };

	for (size_t i = 0; i < r->table_count; i++)
		s.rows[i] = r->tables[i].row_count;
	s.spaced = lines_of(&s) <= LINES;
	while (lines_of(&s) > LINES && take_row(&s))
		;
	s.out = out;
	put_facts(&s);
	if (load_lines(&s)) {
		put_blank(&s);
		put_load(&s);
	}
	for (size_t i = 0; i < r->table_count; i++) {
		put_blank(&s);
		if (is_commands(&r->tables[i]))
			put_commands(&s, &r->tables[i]);
		else
			put_table(&s, &r->tables[i], s.rows[i]);
	}
	free(s.rows);
}
