/* Text for people: the facts, what matters most first; then the table in aligned columns, or the
 * grid as a heat map. On a terminal no line is wider than it is, and where the figures come from
 * stands below them. */
#include "formats/format.h"
#include "formats/cell.h"
#include "formats/shown.h"
#include "formats/text/sheet.h"
#include "formats/text/shorten.h"
#include "formats/text/text_grid.h"
#include "formats/text/text_screen.h"
#include "formats/text/text_stacks.h"
#include "formats/text/text_timeline.h"
#include "formats/text/text_tree.h"
#include "parser/base/mem.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOLD  "\033[1m"
#define PLAIN "\033[0m"

/* Of a terminal; 0: none. */
static const uint8_t mark_colours[] = { [MARK_NOISE] = 90,
					[MARK_MORE] = 31,
					[MARK_LESS] = 32,
					[MARK_MAYBE_MORE] = 33,
					[MARK_MAYBE_LESS] = 36 };
static const uint8_t heat_colours[] = { [HEAT_WARM] = 32, [HEAT_HOT] = 31 };

#define NOTE_COLOUR "\033[34m"

/* perf's: shares from here on are green, or red. */
#define SHARE_WARM 0.5
#define SHARE_HOT  5.0

#define FACT_LINES    6
#define FACT_NAME_MAX 32

/* ---- facts ---- */

/* What FACTS are called, in columns; on a terminal most of it is for what they say. */
static size_t names_width(const struct result *r, const struct style *style)
{
	size_t width = 0, most = SHEET_COLUMN_MAX;

	if (style->width)
		most = style->width / 3 < FACT_NAME_MAX ? style->width / 3 : FACT_NAME_MAX;
	for (size_t i = 0; i < r->fact_count; i++) {
		size_t n = shown_width(r->facts[i].name);

		width = n > width ? n : width;
	}
	return width < most ? width : most;
}

static void render_fact(const struct fact *f, size_t names, const struct style *style,
			struct out *out)
{
	struct buf text = { 0 }, lines = { 0 };
	const char *value = fact_text(f->value, true, &text), *line, *end;
	bool bold = style->colour && f->rank == FACT_LEADS;
	size_t room = style->width > names + 4 ? style->width - names - 2 : 2;

	out_put(out, "%-*.*s", (int)names + 2, style->width ? (int)names : INT_MAX, f->name);
	out_str(out, bold ? BOLD : "");
	if (!style->width) {
		out_put(out, "%s", value);
		out_str(out, bold ? PLAIN "\n" : "\n");
	} else {
		text_wrap(value, room, style->wide ? 0 : FACT_LINES, &lines);
		for (line = lines.data; (end = strchr(line, '\n')); line = end + 1) {
			if (line > lines.data)
				out_put(out, "%*s", (int)names + 2, "");
			lines.data[end - lines.data] = '\0';
			out_put(out, "%s", line);
			out_str(out, bold && !end[1] ? PLAIN "\n" : "\n");
		}
	}
	buf_release(&lines);
	buf_release(&text);
}

/* The sum of a table whose analyzer has no other line to begin with. */
static void render_sum(const struct table_part *t, size_t names, const struct style *style,
		       struct out *out)
{
	const struct column *c = &t->columns[t->weight_column - 1];
	char text[NUMBER_TEXT + CELL_TEXT_MAX + 64], label[CELL_TEXT_MAX];
	struct fact sum = { "total", text, FACT_LEADS };

	snprintf(text, sizeof(text), "%s: %s in %zu rows", column_label(c, label),
		 ALONE(table_weight(t, t->row_count), c->type), t->row_count);
	render_fact(&sum, names, style, out);
}

static bool has_lead(const struct result *r)
{
	for (size_t i = 0; i < r->fact_count; i++) {
		if (r->facts[i].rank == FACT_LEADS)
			return true;
	}
	return false;
}

#define RANK(rank) 1u << FACT_##rank

/* The facts of RANKS, in their order. */
static void render_ranks(const struct result *r, unsigned ranks, const struct style *style,
			 struct out *out)
{
	size_t names = names_width(r, style);

	for (size_t i = 0; i < r->fact_count; i++) {
		if (ranks >> r->facts[i].rank & 1)
			render_fact(&r->facts[i], names, style, out);
	}
}

/* The verdict or the sum, and what else people read before the figures of T; with ALL: every fact.
 * T is the table, also the one that R's stacks become, or NULL. Is there something now? */
static bool render_first(const struct result *r, const struct table_part *t, bool all,
			 const struct style *style, struct out *out)
{
	bool sum = t && t->row_count && t->weight_column && r->fact_count && !has_lead(r) &&
		   t->columns[t->weight_column - 1].type != COLUMN_PERCENT;
	bool any = sum || (all && r->fact_count);

	if (sum)
		render_sum(t, names_width(r, style), style, out);
	render_ranks(r, RANK(LEADS), style, out);
	render_ranks(r, all ? RANK(WARNS) | RANK(PLAIN) : RANK(WARNS), style, out);
	for (size_t i = 0; i < r->fact_count; i++)
		any |= r->facts[i].rank != FACT_PLAIN;
	return any;
}

/* ---- the table ---- */

/* Numbers stand at the right; nothing follows the last text. */
static void put_text(const struct sheet *s, size_t c, const char *text, struct out *out)
{
	size_t width = sheet_column(s, c)->width;
	struct buf made = { 0 };

	if (sheet_is_number(s, c)) {
		out_put(out, "%*s", (int)width, text);
		return;
	}
	if (s->cut)
		text = shorten(text, width, &made);
	out_put(out, "%-*s", c + 1 < s->count ? (int)width : 0, text);
	buf_release(&made);
}

static void put_heading(const struct sheet *s, size_t line, struct out *out)
{
	char text[CELL_TEXT_MAX];
	size_t blanks = 0; /* before the next part; none end the line */

	for (size_t c = 0; c < s->count; c++) {
		size_t len;
		const char *part = sheet_heading(s, c, line, &len);

		memcpy(text, part, len);
		text[len] = '\0';
		blanks += c ? 2 : 0;
		if (!len) {
			blanks += sheet_column(s, c)->width;
			continue;
		}
		out_put(out, "%*s", (int)blanks, "");
		blanks = 0;
		put_text(s, c, text, out);
	}
}

static unsigned cell_colour(const struct people_column *p, const struct cell *cell)
{
	double share = fabs(cell_number(p->column, cell));

	if (p->column->type != COLUMN_PERCENT || share < SHARE_WARM)
		return 0;
	return heat_colours[share < SHARE_HOT ? HEAT_WARM : HEAT_HOT];
}

/* The cells of ROW are there. */
static void put_row(const struct sheet *s, size_t row, bool colour, struct out *out)
{
	const struct table_part *t = s->t;
	char buf[CELL_TEXT_MAX];

	for (size_t c = 0; c < s->count; c++) {
		const struct cell *cell = &s->cells[s->order[c]];
		const struct people_column *p = sheet_column(s, c);
		unsigned own = colour ? cell_colour(p, cell) : 0;

		out_str(out, c ? "  " : "");
		if (t->listing && t->listing->gutters && c + 1 == s->count)
			out_put(out, "%s", t->listing->gutters[row]);
		if (c + 1 == s->count && s->gutter)
			out_put(out, "%*s", (int)sheet_indent(s, row), "");
		if (own)
			out_put(out, "\033[%um", own);
		put_text(s, c, people_cell(p, cell, buf), out);
		out_str(out, own ? PLAIN : "");
	}
}

/* ---- rows of a long table ---- */

/* A column of a line, as nearly all rows have it. */
struct spot {
	const struct cell *cell;
	const struct people_column *p;
	const struct number_scale *scale; /* of counts that fit; NULL: ask people_cell() */
	size_t at, width;
	bool number; /* it ends where the column does */
};

/* Into SPOTS, room for as many as there are columns; the width of a line, 0: rows are no such
 * lines.
 */
static size_t lay_spots(const struct sheet *s, bool colour, struct spot *spots)
{
	size_t at = 0;

	if (colour || s->gutter || (s->t->listing && s->t->listing->gutters))
		return 0;
	for (size_t c = 0; c < s->count; c++) {
		const struct people_column *p = sheet_column(s, c);

		at += c ? 2 : 0;
		spots[c] = (struct spot){
			&s->cells[s->order[c]], p, p->fits ? people_scale(p) : NULL, at, p->width,
			sheet_is_number(s, c)
		};
		at += p->width;
	}
	return at;
}

/* Where the text of S ends in ROW, which is blank; NULL: it is no plain text that fits. */
static char *fill_spot(const struct spot *s, char *row)
{
	char buf[CELL_TEXT_MAX], *from = row + s->at, *end = from + s->width;
	const char *text;
	size_t len;

	if (s->scale && !s->cell->empty &&
	    number_counted(end - NUMBER_TEXT, s->cell->count, s->scale, &len))
		return end;
	text = people_cell(s->p, s->cell, buf);
	len = shown_plain(text);
	if (text[len] || len > s->width)
		return NULL;
	if (s->number)
		from = end - len;
	memcpy(from, text, len);
	return from + len;
}

/* The row whose cells are there, in a line of WIDTH columns. False: put_row() has to do it. */
static bool put_line(const struct sheet *s, const struct spot *spots, size_t width, struct out *out)
{
	char *row, *end;

	if (!width || width > OUT_SIZE)
		return false;
	row = end = out_room(out, width);
	if (out->used < NUMBER_TEXT)
		return false;
	memset(row, ' ', width);
	for (size_t c = 0; c < s->count; c++) {
		end = fill_spot(&spots[c], row);
		if (!end)
			return false;
	}
	out_filled(out, end);
	return true;
}

/* NOTE begins where the last column does. */
static void put_note(const struct sheet *s, const struct table_note *note,
		     const struct style *style, struct out *out)
{
	size_t at = 0;

	for (size_t c = 0; c + 1 < s->count; c++)
		at += sheet_column(s, c)->width + 2;
	out_put(out, "%*s", (int)at, "");
	out_str(out, style->colour ? NOTE_COLOUR : "");
	if (style->width > at && !style->wide)
		out_put(out, "%.*s", (int)(style->width - at), note->text);
	else
		out_put(out, "%s", note->text);
	out_str(out, style->colour ? PLAIN "\n" : "\n");
}

static unsigned row_colour(const struct table_part *t, size_t row)
{
	if (t->listing)
		return heat_colours[t->listing->heat[row]];
	return t->marks ? mark_colours[t->marks[row]] : 0;
}

static void put_rows(const struct sheet *s, const struct style *style, struct out *out)
{
	const struct table_listing *l = s->t->listing;
	bool shares = style->colour && s->t->weight_column && !s->t->marks;
	size_t notes = l ? l->note_count : 0;
	struct spot *spots = xcalloc(s->count + 1, sizeof(*spots));
	size_t width = lay_spots(s, shares, spots);

	for (size_t r = 0, n = 0; r < s->rows; r++) {
		unsigned colour = style->colour ? row_colour(s->t, r) : 0;

		if (s->t->tree && s->t->tree->depth[r]) {
			r = text_tree(s->t, r, style->wide ? 0 : style->width, out) - 1;
			continue;
		}
		for (; n < notes && l->notes[n].row == r; n++)
			put_note(s, &l->notes[n], style, out);
		if (colour)
			out_put(out, "\033[%um", colour);
		table_row(s->t, r, s->cells);
		if (!put_line(s, spots, width, out))
			put_row(s, r, shares, out);
		out_str(out, colour ? PLAIN "\n" : "\n");
	}
	free(spots);
}

/* What is not shown, and how to see it. */
static void put_more(const struct sheet *s, struct out *out)
{
	size_t rows = s->more;

	if (rows)
		out_put(out, "%zu more: --limit 0", rows);
	if (s->dropped)
		out_put(out, "%s%zu more column%s: --wide", rows ? "; " : "", s->dropped,
			s->dropped > 1 ? "s" : "");
	out_str(out, rows || s->dropped ? "\n" : "");
}

static void render_table(const struct table_part *t, const struct style *style, struct out *out)
{
	struct sheet s = { 0 };

	sheet_init(&s, t, style);
	for (size_t line = 0; line < s.lines; line++) {
		out_str(out, style->colour ? BOLD : "");
		put_heading(&s, line, out);
		out_str(out, style->colour ? PLAIN "\n" : "\n");
	}
	put_rows(&s, style, out);
	put_more(&s, out);
	sheet_release(&s);
}

/* The table T of R, and the sums of it. */
static void render_tables(const struct result *r, const struct table_part *t,
			  const struct style *style, struct out *out)
{
	render_table(t, style, out);
	for (size_t i = 0; i < r->table_count; i++) {
		out_str(out, "\n");
		render_table(&r->tables[i], style, out);
	}
}

/* TEXT without SEPARATOR, in place of which perf puts a dot. */
static void put_separated(const char *text, const char *separator, struct out *out)
{
	size_t len = strlen(separator);
	struct buf b = { 0 };

	while (*text) {
		bool found = !strncmp(text, separator, len);

		buf_char(&b, found ? '.' : *text);
		text += found ? len : 1;
	}
	out_put(out, "%s", b.len ? b.data : "");
	buf_release(&b);
}

/* The columns that people see, for a program. */
static void render_separated(const struct table_part *t, const char *separator, struct out *out)
{
	struct sheet s = { 0 };
	char buf[CELL_TEXT_MAX];

	sheet_init(&s, t, &(struct style){ 0 });
	out_str(out, "# ");
	for (size_t c = 0; c < s.count; c++) {
		out_put(out, "%s", c ? separator : "");
		put_separated(column_label(sheet_column(&s, c)->column, buf), separator, out);
	}
	out_str(out, "\n");
	for (size_t r = 0; r < t->row_count; r++) {
		table_row(t, r, s.cells);
		for (size_t c = 0; c < s.count; c++) {
			const struct cell *cell = &s.cells[s.order[c]];

			out_put(out, "%s", c ? separator : "");
			put_separated(cell_machine(sheet_column(&s, c)->column, cell, buf),
				      separator, out);
		}
		out_str(out, "\n");
	}
	sheet_release(&s);
}

/* Lines for another program: whole on a terminal, too, as somebody may copy them from there. */
static void render_bare(const struct table_part *t, struct out *out)
{
	char buf[CELL_TEXT_MAX];

	for (size_t i = 0; i < t->row_count; i++)
		out_put(out, "%s\n", cell_machine(t->columns, TABLE_CELL(t, i, 0), buf));
}

/* Frames are put together for the rows that may be shown. */
static void stacks_init(struct stack_table *t, const struct result *r, const struct style *style)
{
	size_t named = style->limited ? (size_t)style->limit : style->width ? SHEET_ROWS_MAX : 0;

	stack_table_init(t, r, named ? named + 1 : 0);
}

static void render_part(const struct result *r, const struct table_part *t,
			const struct style *style, struct out *out)
{
	if (t)
		render_tables(r, t, style, out);
	else if (r->grid)
		text_grids(r, style, out);
	else
		text_timeline(r, style, out);
}

/* Facts and figures. */
static void render_people(const struct result *r, const struct style *style, struct out *out)
{
	/* a profile is for programs, a page for browsers: people get the facts about it */
	bool empty = r->table ? !r->table->row_count : r->profile || r->page || result_is_empty(r);
	bool stacks = !empty && !r->table && !r->grid && !r->timeline;
	bool figures_first = style->width && !empty && !r->facts_answer;
	const struct table_part *t = r->table, *sum;
	struct stack_table made = { 0 };

	if (stacks) {
		stacks_init(&made, r, style);
		t = &made.part;
	}
	sum = stacks && (!style->width || r->stacks->before) ? NULL : t;
	if (render_first(r, sum, !figures_first, style, out) && !empty)
		out_str(out, "\n");
	if (!empty)
		render_part(r, t, style, out);
	if (figures_first && r->fact_count) {
		out_str(out, "\n");
		render_ranks(r, RANK(PLAIN), style, out);
	}
	if (stacks)
		stack_table_release(&made);
}

/* As another program prints them: nothing else, and all of each. */
static void render_lines(const struct lines_part *l, const struct style *style, struct out *out)
{
	uint64_t left = style->limited && style->limit ? style->limit : UINT64_MAX;
	struct buf b = { 0 };

	for (; left && !out->error && l->next(l->ctx, &b, &out->error); left--) {
		if (b.len < OUT_LARGE)
			continue;
		shown_put_lines(out, b.data, b.len);
		b.len = 0;
	}
	if (b.len)
		shown_put_lines(out, b.data, b.len);
	buf_release(&b);
}

static void render(const struct result *r, const struct style *style, struct out *out)
{
	const struct table_part *t = r->table;

	if (r->lines) {
		render_lines(r->lines, style, out);
		return;
	}
	if (r->bare && t) {
		render_bare(t, out);
		return;
	}
	if (r->table_count && !t) {
		text_screen(r, style, out);
		return;
	}
	if (r->separator && t) {
		render_separated(t, r->separator, out);
		return;
	}
	render_people(r, style, out);
}

const struct format format_text = {
	.name = "text",
	.summary = "aligned columns and heat maps for people",
	.shapes = SHAPE_TABLE | SHAPE_TABLES | SHAPE_GRID | SHAPE_STACKS | SHAPE_TIMELINE |
		  SHAPE_CHANGES | SHAPE_LINES | SHAPE_PROFILE | SHAPE_PAGE,
	.render = render,
};
