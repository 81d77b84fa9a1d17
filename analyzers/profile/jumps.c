/* Which jumps of a function are drawn beside its instructions, and in which column. */
#include "analyzers/profile/jumps.h"
#include "parser/base/compare.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* A line: all jumps to one row. */
struct line {
	size_t low, high, to;
	size_t first, count; /* its jumps */
	uint8_t lane;	     /* 0 is next to the rows; JUMPS_LANES: not drawn */
};

/* What one row shows, by lane and as a whole. */
struct row {
	uint8_t up[JUMPS_LANES], down[JUMPS_LANES]; /* the lane goes on there */
	uint8_t across; /* lanes below this one are crossed on the way to the row */
	bool target, source;
	char lone; /* 'u' or 'd': a jump that has no line */
};

static int by_target(const void *a, const void *b)
{
	const struct jump *x = a, *y = b;

	return compare_u64(x->to, y->to) ?: compare_u64(x->from, y->from);
}

static int by_length(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	size_t n = x->high - x->low, m = y->high - y->low;

	return compare_u64(n, m) ?: compare_u64(x->to, y->to);
}

static size_t distance(const struct jump *j)
{
	return j->from < j->to ? j->to - j->from : j->from - j->to;
}

static bool is_short(const struct jump *j)
{
	return j->from != j->to && distance(j) <= JUMPS_ROWS;
}

/* One line for each row that is jumped to from near; JUMPS are sorted by target. */
static size_t make_lines(const struct jump *jumps, size_t count, struct line *lines)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		const struct jump *j = &jumps[i];
		struct line *l;

		if (!is_short(j))
			continue;
		if (!n || lines[n - 1].to != j->to)
			lines[n++] = (struct line){ j->to, j->to, j->to, i, 0, JUMPS_LANES };
		l = &lines[n - 1];
		l->low = j->from < l->low ? j->from : l->low;
		l->high = j->from > l->high ? j->from : l->high;
		l->count = i + 1 - l->first;
	}
	return n;
}

/* The first lane that is free all the way. */
static void choose_lane(struct line *l, uint8_t *taken)
{
	uint8_t used = 0;

	for (size_t r = l->low; r <= l->high; r++)
		used |= taken[r];
	for (uint8_t lane = 0; lane < JUMPS_LANES && l->lane == JUMPS_LANES; lane++) {
		if (!(used >> lane & 1))
			l->lane = lane;
	}
	for (size_t r = l->low; r <= l->high && l->lane < JUMPS_LANES; r++)
		taken[r] |= (uint8_t)(1u << l->lane);
}

static void touch(struct row *row, uint8_t lane)
{
	if (lane + 1 > row->across)
		row->across = (uint8_t)(lane + 1);
}

static void put_line(const struct line *l, const struct jump *jumps, struct row *rows)
{
	for (size_t r = l->low; r <= l->high; r++) {
		rows[r].up[l->lane] = r > l->low;
		rows[r].down[l->lane] = r < l->high;
	}
	touch(&rows[l->to], l->lane);
	rows[l->to].target = true;
	for (size_t i = l->first; i < l->first + l->count; i++) {
		if (!is_short(&jumps[i]))
			continue;
		touch(&rows[jumps[i].from], l->lane);
		rows[jumps[i].from].source = true;
	}
}

/* A crossing of lines: up, down, from the left, to the right. */
static const char *junction(bool up, bool down, bool left, bool right)
{
	static const char *const shapes[16] = { " ", "─", "─", "─", "│", "┌", "┐", "┬",
						"│", "└", "┘", "┴", "│", "├", "┤", "┼" };

	return shapes[up * 8 + down * 4 + left * 2 + right];
}

/* From the outermost lane that begins or ends here a line leads to the row, across the others. */
static const char *draw_row(const struct row *r, unsigned lanes, struct buf *b, struct arena *arena)
{
	b->len = 0;
	for (unsigned lane = lanes; lane-- > 0;)
		buf_str(b, junction(r->up[lane], r->down[lane], lane + 1 < r->across,
				    lane < r->across));
	if (r->target)
		buf_str(b, "► ");
	else if (r->lone)
		buf_str(b, r->lone == 'u' ? "↑ " : "↓ ");
	else
		buf_str(b, r->source ? "─ " : "  ");
	return arena_strndup(arena, b->data, b->len);
}

/* The lines' lanes; how many there are. */
static unsigned lay_out(struct line *lines, size_t count, size_t rows)
{
	uint8_t *taken = xcalloc(rows, 1);
	unsigned lanes = 0;

	qsort(lines, count, sizeof(*lines), by_length);
	for (size_t i = 0; i < count; i++) {
		choose_lane(&lines[i], taken);
		if (lines[i].lane < JUMPS_LANES && lines[i].lane + 1u > lanes)
			lanes = lines[i].lane + 1u;
	}
	free(taken);
	return lanes;
}

const char **jumps_draw(struct jump *jumps, size_t count, size_t rows, struct arena *arena)
{
	struct line *lines = xmalloc((count + 1) * sizeof(*lines));
	struct row *view = xcalloc(rows + 1, sizeof(*view));
	const char **drawn = count ? xmalloc(rows * sizeof(*drawn)) : NULL;
	struct buf b = { 0 };
	unsigned lanes;
	size_t n;

	if (count)
		qsort(jumps, count, sizeof(*jumps), by_target);
	n = make_lines(jumps, count, lines);
	lanes = n ? lay_out(lines, n, rows) : 0;
	for (size_t i = 0; i < count; i++)
		view[jumps[i].from].lone = jumps[i].to <= jumps[i].from ? 'u' : 'd';
	for (size_t i = 0; i < n; i++) {
		if (lines[i].lane < JUMPS_LANES)
			put_line(&lines[i], jumps, view);
	}
	for (size_t r = 0; drawn && r < rows; r++) {
		if (view[r].source)
			view[r].lone = 0;
		drawn[r] = draw_row(&view[r], lanes, &b, arena);
	}
	buf_release(&b);
	free(lines);
	free(view);
	return drawn;
}
