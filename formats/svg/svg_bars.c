/* Draws the rows of a table as bars, as wide as one column says. Long text is cut to fit; the
 * table decides the order. */
#include "formats/svg/svg_draw.h"
#include "formats/cell.h"
#include "formats/axis.h"
#include "formats/svg/svg_frame.h"
#include "formats/svg/svg_scale.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX     200
#define ROW_HEIGHT   18
#define SIDES_HEIGHT 24	 /* of a row with the bars of two sides */
#define TEXT_MAX     56	 /* characters of a text column */
#define TEXTS_MAX    80	 /* and of all of them; a column that does not fit is only in the title */
#define LABELS_MAX   120 /* the same where the table says what stands there */
#define USUAL_WIDTH  1200
#define BAR_MIN	     200
#define NUMBER_WIDTH 16	 /* characters */
#define RATIO_WIDTH  22	 /* with its interval */
#define RATIO_PX     210 /* where the ratios are drawn, beside the bars */
#define RATIO_GAP    24
#define DOUBLINGS    6 /* from the middle to an end of theirs at most */
#define MONO	     "font-family=\"DejaVu Sans Mono,Liberation Mono,monospace\""
#define MONO_X100    725 /* hundredths of a pixel of each character */

struct bars {
	struct out *out;
	const struct table_part *t;
	struct people_column *columns; /* of width 0: not drawn */
	size_t rows;		       /* that are drawn */
	size_t bar_column;
	unsigned left;	  /* of the bars */
	unsigned top;	  /* of the rows */
	unsigned width;	  /* of all that a row has drawn: bars, and ratios beside them */
	unsigned longest; /* of the longest bar */
	unsigned right;	  /* where lines end, and the numbers of the bars */
	unsigned numbers; /* columns of them at the right */
	unsigned row_height;
	double low, high; /* of the bars' numbers; 0 is between them */
	double *most; /* of bars that do not compare with all: by row, the longest that it does with
		       */
	unsigned doublings; /* from a ratio of 1 to the ends of theirs */
};

static unsigned mono_pixels(size_t characters)
{
	return (unsigned)((characters * MONO_X100 + 99) / 100);
}

/* For "%s" in a call: it lasts as long as the block around it. */
#define TEXT_AT(b, row, c) \
	people_cell(&(b)->columns[c], TABLE_CELL((b)->t, row, c), (char[CELL_TEXT_MAX]){ 0 })

static double value_at(const struct bars *b, size_t row, size_t column)
{
	return cell_number(&b->t->columns[column], TABLE_CELL(b->t, row, column));
}

/* What the bar of ROW stands for; 0 where there is no number. */
static double counted_at(const struct bars *b, size_t row)
{
	const struct table_part *t = b->t;
	bool other = t->bar_else && TABLE_CELL(t, row, b->bar_column)->empty;

	return value_at(b, row, other ? t->bar_else - 1 : b->bar_column);
}

/* How long it is; of bars that do not all compare, as part of the longest. */
static double number_at(const struct bars *b, size_t row)
{
	double number = counted_at(b, row);

	if (!b->most)
		return number;
	return b->most[row] > 0 ? number / b->most[row] : 0;
}

/* ---- layout ---- */

/* Of the rows that ROW compares with; 0: there are none, and a bar would say nothing. */
static double most_beside(const struct bars *b, size_t row)
{
	size_t c = b->t->bar_group - 1;
	double most = 0;
	size_t beside = 0;

	for (size_t r = 0; r < b->rows; r++) {
		if (strcmp(TEXT_AT(b, r, c), TEXT_AT(b, row, c)) != 0)
			continue;
		most = fmax(most, counted_at(b, r));
		beside += r != row;
	}
	return beside ? most : 0;
}

static void find_groups(struct bars *b)
{
	double *most = b->t->bar_group ? xcalloc(b->rows + 1, sizeof(*most)) : NULL;

	for (size_t r = 0; most && r < b->rows; r++)
		most[r] = most_beside(b, r);
	b->most = most;
}

/* So that all ratios have room, and intervals that are not much longer. */
static void find_doublings(struct bars *b)
{
	const struct table_sides *s = b->t->sides;
	double most = 1;

	for (size_t r = 0; r < b->rows; r++) {
		double ratio = value_at(b, r, s->ratio), low = value_at(b, r, s->low);
		double high = value_at(b, r, s->high);

		if (!(ratio > 0) || !isfinite(ratio))
			continue;
		most = fmax(most, fabs(log2(ratio)));
		if (low > 0 && isfinite(high))
			most = fmax(most, fmin(fmax(-log2(low), log2(high)), 3));
	}
	b->doublings = (unsigned)fmin(ceil(most), DOUBLINGS);
}

/* The longest bars decide what a pixel is. */
static void find_range(struct bars *b)
{
	const struct table_sides *s = b->t->sides;

	for (size_t r = 0; r < b->rows; r++) {
		b->low = fmin(b->low, number_at(b, r));
		b->high = fmax(b->high, number_at(b, r));
		if (s)
			b->high = fmax(b->high, value_at(b, r, s->before));
	}
	if (s)
		find_doublings(b);
}

/* Where number I from the right ends, from the right end of the drawing. */
static unsigned number_right(const struct bars *b, unsigned i)
{
	unsigned first = b->numbers > 1 ? RATIO_WIDTH : NUMBER_WIDTH;

	return i ? mono_pixels(first + (i - 1) * (NUMBER_WIDTH + 3)) : 0;
}

static unsigned numbers_px(const struct bars *b)
{
	return number_right(b, b->numbers);
}

/* A table for people may leave columns out. */
static bool is_summary(const struct table_part *t, size_t c)
{
	size_t i = 0;

	if (!t->summary_columns)
		return true;
	while (t->summary && i < t->summary_columns && t->summary[i] != c)
		i++;
	return t->summary ? i < t->summary_columns : c < t->summary_columns;
}

/* Does column C say what a row is? */
static bool is_label(const struct bars *b, size_t c)
{
	const struct table_part *t = b->t;
	enum column_type type = t->columns[c].type;

	if (t->labels)
		return c < 64 && t->labels >> c & 1;
	return type == COLUMN_TEXT || (type == COLUMN_ID && c != b->bar_column && is_summary(t, c));
}

/* Labels that fit, from the left; the bars take what numbers leave. */
static void lay_out(struct bars *b, unsigned width)
{
	size_t used = 0, most = b->t->labels ? LABELS_MAX : TEXTS_MAX;

	for (size_t c = 0; c < b->t->column_count; c++) {
		if (!is_label(b, c))
			continue;
		people_measure(&b->columns[c], b->t, b->rows, TEXT_MAX);
		if (used + b->columns[c].width > most)
			b->columns[c].width = 0;
		else
			used += b->columns[c].width + 2;
	}
	b->numbers = b->t->sides ? 3 : 1;
	b->left = SVG_SIDE_PX + 4 + mono_pixels(used);
	b->right = b->left + BAR_MIN + numbers_px(b) + (b->t->sides ? RATIO_PX + RATIO_GAP : 0);
	b->right = b->right > width - SVG_SIDE_PX ? b->right : width - SVG_SIDE_PX;
	b->width = b->right - b->left - numbers_px(b);
	b->longest = b->width - (b->t->sides ? RATIO_PX + RATIO_GAP : 0);
	b->row_height = b->t->sides ? SIDES_HEIGHT : ROW_HEIGHT;
	find_groups(b);
	find_range(b);
}

/* ---- drawing ---- */

/* From the left end of the bars. */
static double x_of(const struct bars *b, double value)
{
	double range = b->high - b->low, part;

	/* Divided before it can be infinite. */
	if (!(range > 0))
		return 0;
	part = isfinite(range) ? (value - b->low) / range
			       : (value / 2 - b->low / 2) / (b->high / 2 - b->low / 2);
	return b->longest * fmin(fmax(part, 0), 1);
}

/* The same of a ratio: as far to the left when halved as to the right when doubled. */
static double ratio_x(const struct bars *b, double ratio)
{
	double part = log2(ratio) / b->doublings;

	return b->width - RATIO_PX / 2.0 * (1 - fmin(fmax(part, -1), 1));
}

/* What bars stand for: where the result says nothing, the first column of amounts. */
static size_t bar_column(const struct table_part *t)
{
	size_t c = t->bar_column;

	if (t->bar_group)
		return c;
	while (c + 1 < t->column_count && t->columns[c].type <= COLUMN_ID)
		c++;
	return c;
}

/* The numbers at the right of a row, or their headings, from the last one: the bar's own, or both
 * sides and their ratio. */
static size_t number_column(const struct bars *b, unsigned from_right)
{
	const struct table_sides *s = b->t->sides;

	if (!s)
		return b->bar_column;
	return from_right == 0 ? s->ratio : from_right == 1 ? s->after : s->before;
}

/* Ticks of what is not negative; other numbers have no axis that round steps suit. */
static void put_ticks(const struct bars *b)
{
	const struct column *column = &b->t->columns[b->bar_column];
	unsigned high = b->row_height * (unsigned)b->rows;
	struct axis_span span = { 0, 0, b->longest / 110, column->type };
	struct axis axis;

	if (b->most || b->low < 0 || !(b->high >= 1) || b->high > 1e18 ||
	    column_kinds[column->type].held != HELD_COUNT)
		return;
	span.high = (uint64_t)b->high;
	axis_linear(&axis, &span);
	out_put(b->out, "<g data-at=\"axis\" " SVG_DIM_TEXT " transform=\"translate(%u 0)\">\n",
		b->left);
	for (size_t i = 0; i < axis.count; i++)
		out_put(b->out,
			"<path " SVG_RULE
			" d=\"M%.1f %uv%u\"/><text text-anchor=\"middle\" x=\"%.1f\" "
			"y=\"%u\">%s</text>\n",
			x_of(b, (double)axis.ticks[i].at), b->top, high,
			x_of(b, (double)axis.ticks[i].at), b->top + high + 15, axis.ticks[i].text);
	out_str(b->out, "</g>\n");
}

/* Of the ratios: 1/4, 1/2, 1, 2, 4. */
static void put_ratio_ticks(const struct bars *b)
{
	unsigned high = b->row_height * (unsigned)b->rows, every = b->doublings > 3 ? 2 : 1;

	out_put(b->out,
		"<g data-at=\"axis\" text-anchor=\"middle\" " SVG_DIM_TEXT
		" transform=\"translate(%u 0)\">\n<text x=\"%.1f\" y=\"%u\">ratio, 95 %% interval"
		"</text>\n",
		b->left, ratio_x(b, 1), b->top - 8);
	for (unsigned i = 0; i <= b->doublings; i += every) {
		for (unsigned up = i > 0 ? 0 : 1; up < 2; up++) {
			double x = ratio_x(b, up ? 1u << i : 1.0 / (1u << i));

			out_put(b->out,
				"<path fill=\"none\" stroke=\"%s\" shape-rendering=\"crispEdges\" "
				"d=\"M%.1f %uv%u\"/><text x=\"%.1f\" y=\"%u\">%s%u</text>\n",
				i ? SVG_LINE : SVG_EDGE, x, b->top, high, x, b->top + high + 15,
				up ? "" : "1/", 1u << i);
		}
	}
	out_str(b->out, "</g>\n");
}

/* Where TEXT begins in column C, which begins at X: numbers end where their column does. */
static unsigned label_x(const struct bars *b, size_t c, unsigned x, const char *text)
{
	size_t width = b->columns[c].width, len = strlen(text);

	return column_is_text(&b->t->columns[c]) || len >= width ? x : x + mono_pixels(width - len);
}

/* For the script: what is left of them where there is little room. */
static const char *label_kind(const struct bars *b, size_t c)
{
	if (c + 1 == b->t->bar_group)
		return "main";
	return column_is_text(&b->t->columns[c]) ? "name" : "id";
}

static void put_head(const struct bars *b)
{
	unsigned x = SVG_SIDE_PX, y = b->top - 8;

	if (!b->t->column_count)
		return;
	out_str(b->out, "<g data-at=\"headings\" " SVG_DIM_TEXT ">\n");
	for (size_t c = 0; c < b->t->column_count; c++) {
		if (!b->columns[c].width)
			continue;
		out_put(b->out, "<text x=\"%u\" y=\"%u\">%.*s</text>\n",
			label_x(b, c, x, b->columns[c].heading), y, (int)b->columns[c].width,
			b->columns[c].heading);
		x += mono_pixels(b->columns[c].width + 2);
	}
	for (unsigned i = 0; i < b->numbers; i++)
		out_put(b->out, "<text text-anchor=\"end\" x=\"%u\" y=\"%u\">%.*s</text>\n",
			b->right - number_right(b, i), y, b->numbers > 1 ? NUMBER_WIDTH + 4 : 60,
			b->columns[number_column(b, i)].heading);
	out_put(b->out, "</g>\n<path data-at=\"rule\" " SVG_RULE " d=\"M%d %uH%u\"/>\n",
		SVG_SIDE_PX, b->top - 2, b->right);
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

static void put_texts(const struct bars *b, size_t row)
{
	unsigned x = SVG_SIDE_PX, y = b->row_height / 2 + 4;
	const char *text;

	for (size_t c = 0; c < b->t->column_count; c++) {
		if (!b->columns[c].width)
			continue;
		text = TEXT_AT(b, row, c);
		out_put(b->out, "<text data-at=\"%s\" x=\"%u\" y=\"%u\">%.*s</text>",
			label_kind(b, c), label_x(b, c, x, text), y, (int)b->columns[c].width,
			text);
		x += mono_pixels(b->columns[c].width + 2);
	}
	for (unsigned i = 0; i < b->numbers; i++) {
		out_put(b->out,
			"<text data-at=\"value%u\" text-anchor=\"end\" x=\"%u\" y=\"%u\">%.*s", i,
			b->right - number_right(b, i), y, NUMBER_WIDTH,
			TEXT_AT(b, row, number_column(b, i)));
		if (!i && b->t->sides && !TABLE_CELL(b->t, row, b->t->sides->high)->empty &&
		    isfinite(TABLE_CELL(b->t, row, b->t->sides->high)->real))
			out_put(b->out, " (%s to %s)", TEXT_AT(b, row, b->t->sides->low),
				TEXT_AT(b, row, b->t->sides->high));
		out_str(b->out, "</text>");
	}
}

static const char *const mark_colors[] = {
	[MARK_NONE] = SVG_BAR,
	[MARK_NOISE] = SVG_NOISE,
	[MARK_MORE] = SVG_MORE,
	[MARK_LESS] = SVG_LESS,
	[MARK_MAYBE_MORE] = SVG_MAYBE_MORE,
	[MARK_MAYBE_LESS] = SVG_MAYBE_LESS,
};

static void put_bar(const struct bars *b, double value, unsigned y, unsigned height,
		    const char *color)
{
	double zero = x_of(b, 0), end = x_of(b, value);

	out_put(b->out, "<rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%u\" fill=\"%s\"/>",
		fmin(zero, end), y, fabs(end - zero), height, color);
}

/* The ratio and how far it could be off. An end of the interval that has no room has no bar. */
static void put_ratio(const struct bars *b, size_t row, const char *color)
{
	const struct table_sides *s = b->t->sides;
	double ratio = value_at(b, row, s->ratio), middle = b->row_height / 2.0;
	double low = value_at(b, row, s->low), high = value_at(b, row, s->high);
	double most = exp2(b->doublings), x = ratio_x(b, ratio);

	if (!(ratio > 0) || !isfinite(ratio))
		return;
	if (low > 0 && high >= low && isfinite(high)) {
		out_put(b->out,
			"<path data-at=\"interval\" fill=\"none\" stroke=\"" SVG_TEXT
			"\" d=\"M%.1f %gH%.1f",
			ratio_x(b, low), middle, ratio_x(b, high));
		if (low * most >= 1)
			out_put(b->out, "M%.1f %gv8", ratio_x(b, low), middle - 4);
		if (high <= most)
			out_put(b->out, "M%.1f %gv8", ratio_x(b, high), middle - 4);
		out_str(b->out, "\"/>");
	}
	out_put(b->out, "<rect x=\"%.1f\" y=\"%g\" width=\"7\" height=\"7\" fill=\"%s\"/>", x - 3.5,
		middle - 3.5, color);
}

/* The side before above the side after. */
static void put_sides(const struct bars *b, size_t row, const char *color)
{
	const struct table_sides *s = b->t->sides;

	put_bar(b, value_at(b, row, s->before), 3, 8, SVG_BEFORE);
	put_bar(b, value_at(b, row, s->after), 12, 8, color);
	put_ratio(b, row, color);
}

static void put_row(const struct bars *b, size_t row)
{
	const char *color = mark_colors[b->t->marks ? b->t->marks[row] : MARK_NONE];

	out_put(b->out,
		"<g data-at=\"row\" transform=\"translate(0 %u)\">"
		"<rect data-at=\"hit\" fill=\"none\" pointer-events=\"all\" x=\"%d\" "
		"width=\"%u\" height=\"%u\"/>",
		b->top + (unsigned)row * b->row_height, SVG_SIDE_PX - 4, b->right - SVG_SIDE_PX + 8,
		b->row_height);
	put_title(b, row);
	put_texts(b, row);
	out_put(b->out, "<g data-at=\"bar\" transform=\"translate(%u 0)\">", b->left);
	if (b->t->sides)
		put_sides(b, row, color);
	else
		put_bar(b, number_at(b, row), 3, b->row_height - 6, color);
	out_str(b->out, "</g></g>\n");
}

/* What the rows that are not drawn come to. */
static void note_rest(const struct bars *b, struct buf *note)
{
	char text[NUMBER_TEXT];
	double sum = 0;

	if (b->rows == b->t->row_count)
		return;
	for (size_t r = b->rows; r < b->t->row_count && !b->most; r++)
		sum += number_at(b, r);
	buf_printf(note, "%zu more rows are not drawn", b->t->row_count - b->rows);
	if (b->most)
		return;
	number_scaled(text, sum, &b->columns[b->bar_column].scale);
	buf_printf(note, "; %s: %s", b->columns[b->bar_column].heading, text);
}

/* What colours say, those that occur. */
static void add_legend(const struct bars *b, struct svg_frame *f)
{
	static const char *const names[] = {
		[MARK_NONE] = NULL,
		[MARK_NOISE] = "within the noise",
		[MARK_MORE] = "more",
		[MARK_LESS] = "less",
		[MARK_MAYBE_MORE] = "more in these two captures",
		[MARK_MAYBE_LESS] = "less in these two captures",
	};
	unsigned seen = 0;

	if (b->t->sides) {
		svg_frame_key(f, "before", svg_rgb(SVG_BEFORE));
		svg_frame_key(f, "after, and how many times before it is", svg_rgb(SVG_BAR));
	}
	for (size_t r = 0; b->t->marks && r < b->t->row_count; r++)
		seen |= 1u << b->t->marks[r];
	for (unsigned mark = MARK_MORE; mark <= MARK_MAYBE_LESS; mark++) {
		if (seen >> mark & 1)
			svg_frame_key(f, names[mark], svg_rgb(mark_colors[mark]));
	}
	if (seen >> MARK_NOISE & 1)
		svg_frame_key(f, names[MARK_NOISE], svg_rgb(mark_colors[MARK_NOISE]));
}

/* What the bars stand for; NULL: there are none. */
static const char *bars_heading(const struct bars *b)
{
	bool any = b->t->column_count && b->t->columns[b->bar_column].type > COLUMN_ID;

	return any ? b->columns[b->bar_column].heading : NULL;
}

static void put_rows(const struct bars *b)
{
	out_put(b->out,
		"<g id=\"rows\" data-left=\"%u\" data-width=\"%u\" data-height=\"%u\" "
		"data-top=\"%u\" " MONO ">\n",
		b->left, b->width, b->row_height, b->top);
	for (size_t row = 0; row < b->rows; row++)
		put_row(b, row);
	if (b->low < 0)
		out_put(b->out, "<path data-at=\"zero\" " SVG_RULE " d=\"M%.1f %uv%u\"/>\n",
			b->left + x_of(b, 0), b->top, (unsigned)b->rows * b->row_height);
	out_str(b->out, "</g>\n");
}

void svg_bars_draw(const struct result *r, const struct drawing *d, struct out *out)
{
	const struct table_part *t = r->table;
	struct bars b = { .out = out, .t = t };
	struct svg_frame f = { .out = out,
			       .result = r,
			       .kind = "pdtool-bars",
			       .title = r->title ?: "Table",
			       .is_live = true };
	struct buf note = { 0 };

	svg_frame_style(&f, d);
	b.rows = t->row_count > ROWS_MAX ? ROWS_MAX : t->row_count;
	b.columns = people_columns(t, b.rows);
	b.bar_column = t->sides ? t->sides->after : bar_column(t);
	lay_out(&b, d && d->width_px > 0 ? (unsigned)d->width_px : USUAL_WIDTH);
	f.width_px = b.right + SVG_SIDE_PX;
	f.counted = bars_heading(&b);
	add_legend(&b, &f);
	b.top = (unsigned)svg_frame_head(&f) + 24;
	note_rest(&b, &note);
	f.note = note.len ? note.data : NULL;
	svg_frame_open(&f, b.top + (double)b.rows * b.row_height + 22);
	put_head(&b);
	if (b.rows)
		put_ticks(&b);
	if (b.rows && t->sides)
		put_ratio_ticks(&b);
	put_rows(&b);
	svg_frame_script_open(&f, svg_bars_script);
	svg_frame_close(&f);
	buf_release(&note);
	free(b.most);
	free(b.columns);
}
