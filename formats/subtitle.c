/* Puts short texts into lines, whole where they fit, else broken at blanks. */
#include "formats/subtitle.h"
#include "formats/cell.h"
#include "formats/format.h"
#include "formats/shown.h"
#include "parser/base/path.h"

#include <string.h>

#define SEPARATOR  " | "
#define INPUTS_MAX 8

struct filler {
	struct subtitle *to;
	size_t width, most; /* of a line, in characters; of lines */
	size_t used;	    /* of the line, in characters */
	bool full;
};

/* MORE comes: where it has no line, that is seen. */
static void end_line(struct filler *f, bool more)
{
	f->full = f->to->count == f->most;
	if (f->full && more)
		buf_str(&f->to->text, " ...");
	buf_char(&f->to->text, '\0');
	f->used = 0;
}

/* LEN bytes of TEXT, which fit, behind BETWEEN where something stands there. */
static void put(struct filler *f, const char *text, size_t len, size_t width, const char *between)
{
	if (!f->used)
		f->to->count++;
	else
		buf_str(&f->to->text, between);
	f->used += width + (f->used ? strlen(between) : 0);
	buf_add(&f->to->text, text, len);
}

/* Does something of WIDTH fit behind what stands there and BETWEEN? */
static bool fits(const struct filler *f, size_t width, const char *between)
{
	return f->used + (f->used ? strlen(between) : 0) + width <= f->width;
}

/* Word by word; a word that is longer than a line is cut into such pieces. */
static void put_words(struct filler *f, const char *text)
{
	const char *between = SEPARATOR;

	while (*text && !f->full) {
		size_t len = strcspn(text, " "), blanks;
		char word[512];
		size_t width;

		if (len >= sizeof(word))
			len = sizeof(word) - 1;
		memcpy(word, text, len);
		word[len] = '\0';
		if (shown_width(word) > f->width)
			len = shown_bytes(word, f->width);
		len = len ? len : 1;
		word[len] = '\0';
		width = shown_width(word);
		if (!fits(f, width, between)) {
			end_line(f, true);
			continue;
		}
		put(f, word, len, width, between);
		blanks = strspn(text + len, " ");
		text += len + blanks;
		between = blanks ? " " : "";
	}
}

static void put_item(struct filler *f, const char *text)
{
	size_t width = shown_width(text);

	if (f->full || !*text)
		return;
	if (f->used && !fits(f, width, SEPARATOR) && width <= f->width)
		end_line(f, true);
	if (f->full)
		return;
	if (fits(f, width, SEPARATOR))
		put(f, text, strlen(text), width, SEPARATOR);
	else
		put_words(f, text);
}

/* A sum of weights in the unit of which there are 10^DECIMALS. */
static void weight_text(const struct result *r, double weight, struct buf *b)
{
	for (unsigned i = 0; i < r->stacks->decimals; i++)
		weight /= 10;
	if (!strcmp(r->count_name, "ns"))
		buf_str(b, ALONE(weight, COLUMN_NS));
	else
		buf_printf(b, "%s %s", ALONE(weight, COLUMN_COUNT), r->count_name);
}

static void weights_text(const struct result *r, struct buf *b)
{
	const struct stacks_part *p = r->stacks;
	double before = 0, after = 0;

	for (size_t i = 0; i < p->count; i++) {
		before += p->before ? (double)p->before[i] : 0;
		after += (double)p->rows[i].weight;
	}
	buf_str(b, "weight: ");
	if (p->before) {
		weight_text(r, before, b);
		buf_str(b, " before, ");
	}
	weight_text(r, after, b);
	buf_str(b, p->before ? " after" : "");
}

/* What a width, a colour, a bar is, as far as the input states it. */
static void unit_text(const struct result *r, const char *countname, struct buf *b)
{
	const struct timeline_part *t = r->timeline;
	const struct grid_part *g = t || r->stacks ? NULL : r->grid;

	if (t && t->unit && !strcmp(t->unit, "ns"))
		buf_str(b, "width: time");
	else if (!t && r->stacks && r->count_name && countname)
		buf_printf(b, "weight: %s", countname);
	else if (!t && r->stacks && r->count_name)
		weights_text(r, b);
	else if (!t && !r->stacks && !g && countname)
		buf_printf(b, "bars: %s", countname);
	else if (g && g->cell.name && g->y.name)
		buf_printf(b, "colour: %s per cell, rows: %s", LABEL(&g->cell), LABEL(&g->y));
}

/* Two inputs of a difference are its sides. */
static void inputs_text(const struct result *r, struct buf *b)
{
	bool difference = r->stacks && r->stacks->before, same = false;
	const char *first = difference ? "before and after: " : "inputs: ", *between = ", ";

	if (r->input_count < 2)
		return;
	if (difference && r->input_count == 2) {
		first = "before: ";
		between = ", after: ";
	} else if (r->table && r->table->sides && r->input_count == 2) {
		first = "before (A): "; /* as the facts call them */
		between = ", after (B): ";
	}
	for (size_t i = 1; i < r->input_count; i++)
		same |= !strcmp(base_name(r->inputs[0]), base_name(r->inputs[i]));
	for (size_t i = 0; i < r->input_count && i < INPUTS_MAX; i++)
		buf_printf(b, "%s%s", i ? between : first,
			   same ? r->inputs[i] : base_name(r->inputs[i]));
	if (r->input_count > INPUTS_MAX)
		buf_printf(b, " and %zu more", r->input_count - INPUTS_MAX);
}

void subtitle_make(struct subtitle *s, const struct result *r, const char *own,
		   const char *countname, size_t width)
{
	struct filler f = { .to = s, .width = width > 8 ? width : 8, .most = SUBTITLE_LINES };
	struct buf b = { 0 };

	*s = (struct subtitle){ 0 };
	put_item(&f, own ? own : "");
	if (f.used)
		end_line(&f, false);
	unit_text(r, countname, &b);
	put_item(&f, b.data ? b.data : "");
	b.len = 0;
	inputs_text(r, &b);
	put_item(&f, b.len ? b.data : "");
	for (size_t i = 0; i < r->told_count; i++)
		put_item(&f, fact_text(r->told[i], true, &b));
	if (f.used)
		end_line(&f, false);
	buf_release(&b);
}

void footer_make(struct subtitle *s, const struct result *r, const char *note, size_t width)
{
	struct filler f = { .to = s, .width = width > 8 ? width : 8, .most = FOOTER_LINES };
	struct buf value = { 0 }, fact = { 0 };

	*s = (struct subtitle){ 0 };
	put_item(&f, note ? note : "");
	if (f.used)
		end_line(&f, false);
	for (size_t i = 0; i < r->fact_count; i++) {
		fact.len = 0;
		buf_printf(&fact, "%s: %s", r->facts[i].name,
			   fact_text(r->facts[i].value, true, &value));
		put_item(&f, fact.data);
	}
	if (f.used)
		end_line(&f, false);
	buf_release(&value);
	buf_release(&fact);
}

const char *subtitle_line(const struct subtitle *s, size_t i)
{
	const char *line = s->text.data;

	while (i--)
		line += strlen(line) + 1;
	return line;
}

void subtitle_release(struct subtitle *s)
{
	buf_release(&s->text);
}
