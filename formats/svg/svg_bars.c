/* Draws the rows of a table as bars, as wide as one column says. Long text is cut to fit; the
 * table decides the order. */
#include "formats/svg/svg_draw.h"
#include "formats/cell.h"
#include "formats/svg/svg_sheet.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS_MAX     200
#define ROW_HEIGHT   18
#define TEXT_MAX     56	 /* characters of a text column */
#define TEXTS_MAX    110 /* and of all of them; a column that does not fit is only in the title */
#define BAR_WIDTH    440
#define NUMBER_WIDTH 24 /* characters */

struct bars {
	struct out *out;
	const struct table_part *t;
	struct people_column *columns; /* of width 0: not drawn */
	size_t rows;		       /* that are drawn */
	size_t bar_column;
	unsigned left;	  /* of the bars */
	unsigned top;	  /* of the rows */
	double low, high; /* of the bars' numbers; 0 is between them */
};

static const struct cell *cell_at(const struct bars *b, size_t row, size_t column)
{
	return &b->t->cells[row * b->t->column_count + column];
}

/* For "%s" in a call: it lasts as long as the block around it. */
#define TEXT_AT(b, row, c) \
	people_cell(&(b)->columns[c], cell_at(b, row, c), (char[CELL_TEXT_MAX]){ 0 })

/* What the bar of ROW stands for; 0 where there is no number. */
static double number_at(const struct bars *b, size_t row)
{
	return cell_number(&b->t->columns[b->bar_column], cell_at(b, row, b->bar_column));
}

/* ---- layout ---- */

/* Text columns that fit, from the left. */
static void lay_out(struct bars *b)
{
	size_t used = 0;

	for (size_t c = 0; c < b->t->column_count; c++) {
		if (!column_is_text(&b->t->columns[c]))
			continue;
		people_measure(&b->columns[c], b->t, b->rows, TEXT_MAX);
		if (used + b->columns[c].width > TEXTS_MAX)
			b->columns[c].width = 0;
		else
			used += b->columns[c].width + 2;
	}
	b->left = 16 + svg_text_pixels(used);
	for (size_t r = 0; r < b->rows; r++) {
		b->low = fmin(b->low, number_at(b, r));
		b->high = fmax(b->high, number_at(b, r));
	}
}

/* ---- drawing ---- */

static double x_of(const struct bars *b, double value)
{
	double range = b->high - b->low;

	/* Divided before it can be infinite. */
	if (!(range > 0))
		return b->left;
	if (!isfinite(range))
		return b->left + BAR_WIDTH * (value / 2 - b->low / 2) / (b->high / 2 - b->low / 2);
	return b->left + BAR_WIDTH * (value - b->low) / range;
}

/* What bars stand for: where the result says nothing, the first column of amounts. */
static size_t bar_column(const struct table_part *t)
{
	size_t c = t->bar_column;

	while (c + 1 < t->column_count && t->columns[c].type <= COLUMN_ID)
		c++;
	return c;
}

/* Where lines end, and the numbers of the bars. */
static unsigned right_of(const struct bars *b)
{
	return b->left + BAR_WIDTH + svg_text_pixels(NUMBER_WIDTH);
}

static void put_head(const struct bars *b)
{
	unsigned x = 12;

	if (!b->t->column_count)
		return;
	for (size_t c = 0; c < b->t->column_count; c++) {
		if (!b->columns[c].width)
			continue;
		out_put(b->out, "<text class=\"d\" x=\"%u\" y=\"%u\">%.*s</text>\n", x, b->top - 8,
			(int)b->columns[c].width, b->columns[c].heading);
		x += svg_text_pixels(b->columns[c].width + 2);
	}
	out_put(b->out,
		"<text class=\"d e\" x=\"%u\" y=\"%u\">%.60s</text>\n"
		"<path class=\"line\" d=\"M12 %uH%u\"/>\n",
		right_of(b), b->top - 8, b->columns[b->bar_column].heading, b->top - 2,
		right_of(b));
}

/* Every column of the row, also those that are not drawn. */
static void put_title(const struct bars *b, size_t row)
{
	out_str(b->out, "<title>");
	for (size_t c = 0; c < b->t->column_count; c++)
		out_put(b->out, c ? "\n%s: %.1000s" : "%s: %.1000s", b->columns[c].heading,
			TEXT_AT(b, row, c));
	out_str(b->out, "</title>");
}

static void put_texts(const struct bars *b, size_t row, unsigned y)
{
	unsigned x = 12;

	for (size_t c = 0; c < b->t->column_count; c++) {
		if (!b->columns[c].width)
			continue;
		out_put(b->out, "<text x=\"%u\" y=\"%u\">%.*s</text>", x, y + 13,
			(int)b->columns[c].width, TEXT_AT(b, row, c));
		x += svg_text_pixels(b->columns[c].width + 2);
	}
}

static void put_row(const struct bars *b, size_t row)
{
	static const char *const colours[] = { "bar",  "noise",	     "more", /* by mark */
					       "less", "maybe-more", "maybe-less" };
	unsigned y = b->top + (unsigned)row * ROW_HEIGHT;
	double zero = x_of(b, 0), end = x_of(b, number_at(b, row));

	out_put(b->out,
		"<g class=\"row\"><rect class=\"hit\" x=\"8\" y=\"%u\" width=\"%u\" "
		"height=\"%u\"/>",
		y, right_of(b), ROW_HEIGHT);
	put_title(b, row);
	put_texts(b, row, y);
	out_put(b->out,
		"<rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%u\" style=\"fill:var(--%s)\"/>"
		"<text class=\"e\" x=\"%u\" y=\"%u\">%.*s</text></g>\n",
		fmin(zero, end), y + 3, fabs(end - zero), ROW_HEIGHT - 6,
		colours[b->t->marks ? b->t->marks[row] : MARK_NONE], right_of(b), y + 13,
		NUMBER_WIDTH, TEXT_AT(b, row, b->bar_column));
}

/* What the rows that are not drawn come to. */
static void put_rest(const struct bars *b)
{
	unsigned y = b->top + (unsigned)b->rows * ROW_HEIGHT + 13;
	char text[NUMBER_TEXT];
	double sum = 0;

	if (b->rows == b->t->row_count)
		return;
	for (size_t r = b->rows; r < b->t->row_count; r++)
		sum += number_at(b, r);
	number_scaled(text, sum, &b->columns[b->bar_column].scale);
	out_put(b->out,
		"<text class=\"d\" x=\"12\" y=\"%u\">and %zu more rows</text>"
		"<text class=\"d e\" x=\"%u\" y=\"%u\">%.*s</text>\n",
		y, b->t->row_count - b->rows, right_of(b), y, NUMBER_WIDTH, text);
}

static void put_legend(const struct bars *b, unsigned width)
{
	static const char *const names[][2] = { { "more", "more" },
						{ "less", "less" },
						{ "maybe-more", "more in these two" },
						{ "maybe-less", "less in these two" },
						{ "noise", "within the noise" } };
	bool pair = false;
	unsigned x = width - 290;

	for (size_t r = 0; b->t->marks && r < b->t->row_count; r++)
		pair |= b->t->marks[r] >= MARK_MAYBE_MORE;
	x -= pair ? 120 : 0;

	for (size_t i = 0; i < ARRAY_SIZE(names) && b->t->marks; i++) {
		if (i < 4 && pair != (i >= 2))
			continue;
		out_put(b->out,
			"<rect x=\"%u\" y=\"14\" width=\"12\" height=\"12\" "
			"style=\"fill:var(--%s)\"/><text class=\"d\" x=\"%u\" y=\"24\">%s</text>\n",
			x, names[i][0], x + 18, names[i][1]);
		x += pair ? 130 : 70;
	}
}

/* What the bars stand for; NULL: there are none. */
static const char *bars_heading(const struct bars *b)
{
	bool any = b->t->column_count && b->t->columns[b->bar_column].type > COLUMN_ID;

	return any ? b->columns[b->bar_column].heading : NULL;
}

void svg_bars_draw(const struct result *r, const struct drawing *d, struct out *out)
{
	const struct table_part *t = r->table;
	struct bars b = { .out = out, .t = t };
	struct svg_frame f = { .out = out,
			       .result = r,
			       .kind = "pdtool-bars",
			       .title = (d ? d->title : NULL) ?: r->title ?: "Table" };
	unsigned bottom;

	b.rows = t->row_count > ROWS_MAX ? ROWS_MAX : t->row_count;
	b.columns = people_columns(t, b.rows);
	b.bar_column = bar_column(t);
	lay_out(&b);
	f.width_px = right_of(&b) + 16;
	f.own = d ? d->subtitle : NULL;
	f.counted = bars_heading(&b);
	b.top = (unsigned)svg_frame_head(&f) + 24;
	bottom = b.top + ((unsigned)b.rows + 1) * ROW_HEIGHT + 24;
	svg_sheet_open(&f, bottom);
	put_head(&b);
	for (size_t row = 0; row < b.rows; row++)
		put_row(&b, row);
	if (b.low < 0)
		out_put(out, "<path class=\"line\" d=\"M%.1f %uv%u\"/>\n", x_of(&b, 0), b.top,
			(unsigned)b.rows * ROW_HEIGHT);
	put_rest(&b);
	put_legend(&b, (unsigned)f.width_px);
	svg_sheet_close(&f, NULL);
	free(b.columns);
}
