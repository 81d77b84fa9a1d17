/* The order of columns, from their types; their widths; as many rows as say the most. */
#include "formats/text/sheet.h"
#include "formats/shown.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAP	 2
#define TEXT_MIN 15 /* what is left of a text on a narrow terminal: a command has no more */
#define NAME_MIN 26 /* and of the last one */

#define EXPLAINED 0.9 /* of the weight, by the rows on a terminal, but */
#define ROWS_MIN  10

/* ---- which columns, in which order ---- */

/* Numbers, then the numbers that are names, then the texts. Names that an analyzer has before the
 * numbers that belong to them, as machines want it, end the line: they are as long as they like. */
enum place { PLACE_NUMBER, PLACE_ID, PLACE_TEXT, PLACE_NAME, PLACES };

static enum place place_of(enum column_type type, bool after_numbers)
{
	if (type == COLUMN_ID)
		return PLACE_ID;
	if (type == COLUMN_TEXT)
		return after_numbers ? PLACE_TEXT : PLACE_NAME;
	return PLACE_NUMBER;
}

/* A listing is read as it was written. */
static void choose_order(struct sheet *s)
{
	const struct table_part *t = s->t;
	bool as_written = t->listing || t->as_written;
	size_t n = 0;

	s->count = t->summary_columns ? t->summary_columns : t->column_count;
	s->order = xcalloc(s->count + 1, sizeof(*s->order));
	for (unsigned p = 0; p < (as_written ? 1 : PLACES); p++) {
		bool after_numbers = false;

		for (size_t i = 0; i < s->count; i++) {
			size_t c = t->summary ? t->summary[i] : i;
			enum place place = place_of(t->columns[c].type, after_numbers);

			after_numbers |= place == PLACE_NUMBER;
			if (place == p || as_written)
				s->order[n++] = c;
		}
	}
}

/* ---- headings of several lines ---- */

/* How many bytes of TEXT, of LEN, make a line of WIDTH characters: whole words, at least one. */
static size_t heading_line(const char *text, size_t len, size_t width)
{
	size_t end = 0;

	while (end < len) {
		const char *blank = memchr(text + end + 1, ' ', len - end - 1);
		size_t next = blank ? (size_t)(blank - text) : len;

		if (end && next > width)
			break;
		end = next;
	}
	return end;
}

static size_t heading_lines(const struct people_column *p)
{
	size_t lines = 0, len = strlen(p->heading), n;

	for (const char *at = p->heading; len; len -= n, at += n, lines++) {
		n = heading_line(at, len, p->width);
		n += n < len;
	}
	return lines;
}

const char *sheet_heading(const struct sheet *s, size_t c, size_t i, size_t *len)
{
	const struct people_column *p = sheet_column(s, c);
	size_t has = heading_lines(p), left = strlen(p->heading), n;
	const char *at = p->heading;

	*len = 0;
	if (i + has < s->lines)
		return "";
	for (size_t line = s->lines - has;; line++, at += n + 1, left -= n + 1) {
		n = heading_line(at, left, p->width);
		if (line == i)
			break;
	}
	*len = n;
	return at;
}

static size_t longest_word(const char *text)
{
	size_t most = 0;

	while (*text) {
		size_t n = strcspn(text, " ");

		most = n > most ? n : most;
		text += n + (text[n] == ' ');
	}
	return most;
}

/* ---- how wide ---- */

static bool gives_way(const struct people_column *p)
{
	return p->column->type == COLUMN_TEXT;
}

static size_t line_width(const struct sheet *s)
{
	size_t width = (s->count ? GAP * (s->count - 1) : 0) + s->gutter;

	for (size_t c = 0; c < s->count; c++)
		width += sheet_column(s, c)->width;
	return width;
}

/* The widths with headings in as many lines as they have words; those that still fit in one line
 * have it. */
static void break_headings(struct sheet *s, size_t terminal)
{
	size_t line, *whole = xcalloc(s->count + 1, sizeof(*whole));

	for (size_t c = 0; c < s->count; c++) {
		struct people_column *p = sheet_column(s, c);
		size_t word = longest_word(p->heading);

		whole[c] = p->width;
		p->width = p->cells > word ? p->cells : word;
	}
	line = line_width(s);
	for (size_t c = 0; c < s->count; c++) {
		struct people_column *p = sheet_column(s, c);

		if (line + whole[c] - p->width > terminal)
			continue;
		line += whole[c] - p->width;
		p->width = whole[c];
	}
	free(whole);
}

static void leave_out(struct sheet *s, size_t c)
{
	s->count--;
	memmove(&s->order[c], &s->order[c + 1], (s->count - c) * sizeof(*s->order));
}

static void drop_empty(struct sheet *s)
{
	for (size_t c = s->count; c-- > 0 && s->count > 1;) {
		if (!sheet_column(s, c)->cells)
			leave_out(s, c);
	}
}

/* The last number goes first: those that matter most are before it. */
static bool drop_number(struct sheet *s)
{
	size_t numbers = 0;

	while (numbers < s->count && sheet_is_number(s, numbers) &&
	       sheet_column(s, numbers)->column->type != COLUMN_ID)
		numbers++;
	if (numbers < 2)
		return false;
	leave_out(s, numbers - 1);
	s->dropped++;
	return true;
}

/* Texts get what is left of the terminal, the narrowest first. */
static void share_room(struct sheet *s, const size_t *whole, size_t terminal)
{
	for (size_t line = line_width(s); line < terminal; line++) {
		struct people_column *narrowest = NULL;

		for (size_t c = 0; c < s->count; c++) {
			struct people_column *p = sheet_column(s, c);

			if (gives_way(p) && p->width < whole[s->order[c]] &&
			    (!narrowest || p->width < narrowest->width))
				narrowest = p;
		}
		if (!narrowest)
			return;
		narrowest->width++;
	}
}

/* As the user wants them; numbers stay whole. */
static void set_widths(struct sheet *s)
{
	for (size_t c = 0; s->t->widths && c < s->count; c++) {
		struct people_column *p = sheet_column(s, c);
		size_t width = s->t->widths[s->order[c]];

		if (width && (p->column->type == COLUMN_TEXT || width > p->width)) {
			p->width = width > SHEET_COLUMN_MAX ? SHEET_COLUMN_MAX : width;
			s->cut = true;
		}
	}
}

/* Columns without a value go; then headings break; then texts are shortened; then numbers are left
 * out; then little is left of texts.
 */
static void fit(struct sheet *s, size_t terminal)
{
	size_t *whole = xcalloc(s->t->column_count + 1, sizeof(*whole));

	if (line_width(s) > terminal)
		drop_empty(s);
	if (line_width(s) > terminal)
		break_headings(s, terminal);
	if (line_width(s) > terminal) {
		s->cut = true;
		for (size_t c = 0; c < s->count; c++) {
			struct people_column *p = sheet_column(s, c);
			size_t least = c + 1 < s->count ? TEXT_MIN : NAME_MIN;

			whole[s->order[c]] = p->width;
			if (gives_way(p) && p->width > least)
				p->width = least;
		}
	}
	while (line_width(s) > terminal && drop_number(s))
		;
	for (size_t least = NAME_MIN; line_width(s) > terminal && least-- > 4;) {
		for (size_t c = 0; c < s->count && line_width(s) > terminal; c++) {
			struct people_column *p = sheet_column(s, c);

			p->width -= gives_way(p) && p->width > least;
		}
	}
	share_room(s, whole, terminal);
	free(whole);
}

/* ---- how many rows ---- */

static double row_weight(const struct table_part *t, size_t row)
{
	size_t c = t->weight_column - 1;

	if (t->tree && t->tree->depth[row])
		return 0;
	return fabs(cell_number(&t->columns[c], TABLE_CELL(t, row, c)));
}

double table_weight(const struct table_part *t, size_t rows)
{
	double sum = 0;

	for (size_t r = 0; t->weight_column && r < rows; r++)
		sum += row_weight(t, r);
	return sum;
}

static bool is_below(const struct table_part *t, size_t row)
{
	return t->tree && t->tree->depth[row];
}

/* The rows from FROM to END, without those of trees. */
static size_t count_rows(const struct table_part *t, size_t from, size_t end)
{
	size_t n = 0;

	for (size_t r = from; r < end; r++)
		n += !is_below(t, r);
	return n;
}

/* So many that they explain the most of the weight. */
static size_t enough_rows(const struct table_part *t)
{
	double part = 0, whole = table_weight(t, t->row_count);
	size_t n = 0;

	for (size_t r = 0; t->weight_column && r < t->row_count && part < EXPLAINED * whole; r++) {
		part += row_weight(t, r);
		n += !is_below(t, r);
	}
	if (!t->weight_column || n > SHEET_ROWS_MAX)
		return SHEET_ROWS_MAX;
	return n > ROWS_MIN ? n : ROWS_MIN;
}

static void choose_rows(struct sheet *s, const struct style *style)
{
	const struct table_part *t = s->t;
	size_t all = count_rows(t, 0, t->row_count), most = all;

	if (style->limited)
		most = style->limit && style->limit < all ? (size_t)style->limit : all;
	else if (style->width && !t->listing)
		most = enough_rows(t);
	if (all <= most || (all == most + 1 && !style->limited))
		most = all;
	for (s->rows = 0; s->rows < t->row_count && (most || is_below(t, s->rows)); s->rows++)
		most -= !is_below(t, s->rows);
	s->more = count_rows(t, s->rows, t->row_count);
}

/* Threads make threads as deep as a capture says: on a terminal half of it is for their names. */
static size_t gutter(const struct table_part *t, const struct style *style)
{
	size_t most = 0, room = style->width ? style->width / 2 : SHEET_COLUMN_MAX;

	if (t->listing && t->listing->gutters && t->row_count)
		return shown_width(t->listing->gutters[0]);
	for (size_t r = 0; t->tree && t->tree->indent && r < t->row_count; r++)
		most = t->tree->indent[r] > most ? t->tree->indent[r] : most;
	return most < room / SHEET_INDENT ? most * SHEET_INDENT : room;
}

void sheet_init(struct sheet *s, const struct table_part *t, const struct style *style)
{
	*s = (struct sheet){ .t = t, .columns = people_columns(t, t->row_count), .lines = 1 };
	s->cells = xcalloc(t->column_count + 1, sizeof(*s->cells));
	choose_order(s);
	choose_rows(s, style);
	s->gutter = gutter(t, style);
	for (size_t c = 0; c < s->count; c++)
		people_measure(sheet_column(s, c), t, s->rows, SHEET_COLUMN_MAX);
	set_widths(s);
	if (style->width && !style->wide && s->count)
		fit(s, style->width);
	for (size_t c = 0; c < s->count; c++) {
		size_t lines = heading_lines(sheet_column(s, c));

		s->lines = lines > s->lines ? lines : s->lines;
	}
}

size_t sheet_indent(const struct sheet *s, size_t row)
{
	size_t level = s->t->tree && s->t->tree->indent ? s->t->tree->indent[row] : 0;

	return level < s->gutter / SHEET_INDENT ? level * SHEET_INDENT : level ? s->gutter : 0;
}

void sheet_release(struct sheet *s)
{
	free(s->columns);
	free(s->cells);
	free(s->order);
}
