/* The order and the widths of columns, from their types. */
#include "formats/text/sheet.h"
#include "parser/base/mem.h"

#include <stdlib.h>

#define CUT_MIN 16 /* what is left of a text on a narrow terminal */

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

/* On a terminal the widest texts give way until a line fits, or there is little left of them. */
static void fit(struct sheet *s, size_t terminal)
{
	size_t line = sheet_column(s, 0)->width;

	for (size_t c = 1; c < s->count; c++)
		line += 2 + sheet_column(s, c)->width;
	for (; line > terminal; line--) {
		struct people_column *widest = NULL;

		for (size_t c = 0; c < s->count; c++) {
			struct people_column *p = sheet_column(s, c);

			if (p->column->type == COLUMN_TEXT && p->width > CUT_MIN &&
			    (!widest || p->width > widest->width))
				widest = p;
		}
		if (!widest)
			return;
		widest->width--;
		s->cut = true;
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

void sheet_init(struct sheet *s, const struct table_part *t, size_t terminal)
{
	*s = (struct sheet){ .t = t, .columns = people_columns(t, t->row_count) };
	choose_order(s);
	for (size_t c = 0; c < s->count; c++)
		people_measure(sheet_column(s, c), t, t->row_count, SHEET_COLUMN_MAX);
	set_widths(s);
	if (terminal && s->count && !t->listing)
		fit(s, terminal);
}

void sheet_release(struct sheet *s)
{
	free(s->columns);
	free(s->order);
}
