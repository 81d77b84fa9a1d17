/* Draws call trees. A branch is "|--12.34%--name", and the last one of those beside each other
 * begins with a blank. A function that is the only one called, with all of its caller's weight,
 * stands below that without a line of its own. */
#include "formats/text/text_tree.h"
#include "formats/shown.h"
#include "formats/text/shorten.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define MARGIN	 12
#define STEP	 11 /* from a branch to those below it; less where a tree is too deep for that */
#define STEP_MIN 2
#define NAME_MIN 24 /* what is left of a name that is cut */
/* Deeper branches stand below each other: 127 callers, perf's most, do so never. */
#define INDENT_MAX 4096

/* Where lines of one depth are. */
struct level {
	size_t bar;   /* the branch */
	size_t below; /* branches of the next depth */
	size_t under; /* the name of what continues it */
};

struct drawing {
	const struct table_part *table;
	const struct table_tree *tree;
	size_t first, end; /* rows of the table */
	size_t step, width;
	size_t most; /* where a branch is at most */
	bool *same;  /* by row from first on: it continues the line above */
	bool *last;  /* by row from first on: no other branch beside it follows */
	struct level *levels;
	uint32_t *open; /* depths beside which another branch follows, so many: */
	size_t open_count;
	struct buf amount;
	struct out *out;
};

/* One pass from the end: what was seen beside a row follows it. */
static void find_marks(struct drawing *d, uint32_t deepest)
{
	const uint32_t *depth = d->tree->depth;
	bool *seen = xcalloc((size_t)deepest + 2, sizeof(*seen));
	uint32_t most = 0; /* that is seen */

	for (size_t r = d->end; r-- > d->first;) {
		uint32_t n = depth[r];

		d->last[r - d->first] = !seen[n];
		while (most > n)
			seen[most--] = false;
		seen[n] = true;
		most = n;
	}
	for (size_t r = d->first; r < d->end; r++)
		d->same[r - d->first] =
			depth[r - 1] + 1 == depth[r] && d->last[r - d->first] && d->tree->equal[r];
	free(seen);
}

/* How far branches are apart, so that names fit. */
static size_t choose_step(const struct drawing *d, uint32_t deepest)
{
	size_t *branches = xcalloc((size_t)deepest + 1, sizeof(*branches)), most = 0;
	size_t step = STEP;

	for (size_t r = d->first; r < d->end; r++) {
		uint32_t n = d->tree->depth[r];

		branches[n] = branches[n - 1] + !d->same[r - d->first];
		most = branches[n] > most ? branches[n] : most;
	}
	while (d->width && step > STEP_MIN && MARGIN + STEP + NAME_MIN + most * step > d->width)
		step--;
	free(branches);
	return step;
}

/* What stands in row R. */
static const char *text_of(const struct drawing *d, size_t r)
{
	return cells_at(d->table->cells, r * d->table->column_count + d->tree->text_column).text;
}

/* NAME, which begins at column FROM, ends its line. */
static void put_name(const struct drawing *d, const char *name, size_t from)
{
	size_t room = d->width > from + NAME_MIN ? d->width - from : NAME_MIN;

	struct buf made = { 0 };

	out_put(d->out, "%s\n", d->width ? shorten(name, room, &made) : name);
	buf_release(&made);
}

/* Blanks from column FROM up to TO; returns where that ends. */
static size_t put_blanks(const struct drawing *d, size_t from, size_t to)
{
	if (to <= from)
		return from;
	out_put(d->out, "%*s", (int)(to - from), "");
	return to;
}

/* The bars beside a line of DEPTH; returns where they end. */
static size_t put_bars(struct drawing *d, uint32_t depth)
{
	size_t column = 0;

	while (d->open_count && d->open[d->open_count - 1] >= depth)
		d->open_count--;
	for (size_t i = 0; i < d->open_count && column <= d->most; i++) {
		size_t bar = d->levels[d->open[i]].bar;

		if (bar < column)
			continue;
		put_blanks(d, column, bar);
		out_str(d->out, "|");
		column = bar + 1;
	}
	return column;
}

/* The tree begins with one line: it is the only one of its depth. */
static void draw_head(struct drawing *d, size_t r)
{
	d->levels[1] = (struct level){ MARGIN, MARGIN + 3, MARGIN + 3 };
	put_blanks(d, 0, MARGIN);
	out_str(d->out, "|\n");
	put_blanks(d, 0, MARGIN);
	out_str(d->out, "---");
	put_name(d, text_of(d, r), MARGIN + 3);
}

static void draw_same(struct drawing *d, size_t r)
{
	uint32_t depth = d->tree->depth[r];
	struct level *l = &d->levels[depth];

	*l = l[-1];
	put_blanks(d, put_bars(d, depth), l->under);
	put_name(d, text_of(d, r), l->under);
}

static void draw_branch(struct drawing *d, size_t r)
{
	uint32_t depth = d->tree->depth[r];
	struct level *l = &d->levels[depth];
	bool last = d->last[r - d->first];
	const char *amount = fact_text(d->tree->amounts[r], true, &d->amount);

	l->bar = l[-1].below > d->most ? d->most : l[-1].below;
	l->below = l->bar + d->step;
	l->under = l->bar + STEP;
	put_blanks(d, put_bars(d, depth), l->bar);
	if (!last)
		d->open[d->open_count++] = depth;
	out_put(d->out, last ? " --%s--" : "|--%s--", amount);
	put_name(d, text_of(d, r), l->bar + 5 + strlen(amount));
}

static void draw_branches(struct drawing *d)
{
	size_t count = d->end - d->first;
	uint32_t deepest = 0;

	for (size_t r = d->first; r < d->end; r++)
		deepest = d->tree->depth[r] > deepest ? d->tree->depth[r] : deepest;
	d->same = xcalloc(count + 1, sizeof(*d->same));
	d->last = xcalloc(count + 1, sizeof(*d->last));
	d->levels = xcalloc((size_t)deepest + 2, sizeof(*d->levels));
	find_marks(d, deepest);
	d->step = choose_step(d, deepest);
	d->open = xcalloc((size_t)deepest + 2, sizeof(*d->open));
	d->levels[0].below = MARGIN;
	d->most = !d->width				? INDENT_MAX
		  : d->width > MARGIN + STEP + NAME_MIN ? d->width - STEP - NAME_MIN
							: MARGIN;
	for (size_t r = d->first; r < d->end; r++)
		(!d->same[r - d->first] ? draw_branch
		 : r == d->first	? draw_head
					: draw_same)(d, r);
	free(d->same);
	free(d->last);
	free(d->levels);
	free(d->open);
}

/* The amount in a line, the functions below it. */
static void draw_chain(struct drawing *d, size_t r)
{
	const char *text = text_of(d, r);
	char *copy, *at, *next;

	put_blanks(d, 0, MARGIN);
	out_put(d->out, "%s\n", fact_text(d->tree->amounts[r], true, &d->amount));
	copy = xstrdup(text);
	for (at = copy; at; at = next) {
		next = strchr(at, ';');
		if (next)
			*next++ = '\0';
		put_blanks(d, 0, MARGIN + 5);
		put_name(d, at, MARGIN + 5);
	}
	free(copy);
}

static void draw_line(struct drawing *d, size_t r)
{
	const char *amount = fact_text(d->tree->amounts[r], true, &d->amount);

	out_put(d->out, "%s ", amount);
	put_name(d, text_of(d, r), strlen(amount) + 1);
}

size_t text_tree(const struct table_part *t, size_t first, size_t width, struct out *out)
{
	struct drawing d = {
		.table = t, .tree = t->tree, .first = first, .width = width, .out = out
	};
	enum tree_look look = t->tree->look;

	for (d.end = first; d.end < t->row_count && t->tree->depth[d.end]; d.end++)
		;
	if (look == TREE_BRANCHES)
		draw_branches(&d);
	for (size_t r = first; look != TREE_BRANCHES && r < d.end; r++)
		(look == TREE_CHAINS ? draw_chain : draw_line)(&d, r);
	if (look != TREE_LINES)
		out_str(out, "\n");
	buf_release(&d.amount);
	return d.end;
}
