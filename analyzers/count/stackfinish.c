/* Sort stacks by their folded text without ever building it.
 *
 * Compared as text, "a;foo" and "a;foo.bar;x" part at what follows "foo": the end, ';' or '.'. So a
 * frame has two ranks: one as a last frame (its name and the end), one as an inner frame (its name
 * and ';'). Then stacks compare as arrays of ranks, and a merge sort that carries the length of the
 * common prefix looks at each rank about once. */
#include "analyzers/count/stackset.h"
#include "analyzers/count/stacksort.h"
#include "parser/base/compare.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* A frame's name and what follows it. Its first bytes, as a number in their order, mostly tell it
 * from others. */
struct spelled {
	uint64_t head;
	uint32_t frame;
	bool inner; /* followed by ';' */
};

struct spelling {
	const struct interned *names;
	bool in_line;
};

/* The I-th byte, -1 at the end; in a line of folded text a weight follows a last frame, taken for
 * 0. */
static int byte_at(const struct spelling *o, const struct spelled *x, uint32_t i)
{
	const struct interned *name = &o->names[x->frame];
	const char *tail = x->inner ? ";" : o->in_line ? " 0" : "";

	if (i < name->len)
		return (unsigned char)name->s[i];
	return i - name->len < strlen(tail) ? (unsigned char)tail[i - name->len] : -1;
}

static uint64_t head_of(const struct spelling *o, const struct spelled *x)
{
	uint64_t head = 0;
	int c = 0;

	for (uint32_t i = 0; i < sizeof(head); i++) {
		c = c < 0 ? c : byte_at(o, x, i);
		head = head << 8 | (c < 0 ? 0 : (uint64_t)c);
	}
	return head;
}

static int by_text(const void *a, const void *b, void *spelling)
{
	const struct spelling *o = spelling;
	const struct spelled *x = a, *y = b;
	const struct interned *left, *right;
	uint32_t n;
	int d, cx, cy;

	if (x->head != y->head)
		return x->head < y->head ? -1 : 1;
	left = &o->names[x->frame];
	right = &o->names[y->frame];
	n = left->len < right->len ? left->len : right->len;
	d = memcmp(left->s, right->s, n);
	if (d)
		return d;
	do {
		cx = byte_at(o, x, n);
		cy = byte_at(o, y, n++);
	} while (cx == cy && cx >= 0);
	return (cx > cy) - (cx < cy);
}

enum place { AS_LAST = 1, AS_INNER = 2 };

/* As what each frame is in the rows, enum place. */
static uint8_t *find_places(const struct stackset *s)
{
	uint8_t *places = xcalloc(s->names.count + 1, sizeof(*places));

	for (size_t r = 0; r < s->row_count; r++) {
		const uint32_t *frames = s->frames + s->rows[r].first;
		uint32_t n = s->rows[r].count;

		for (uint32_t i = 0; i + 1 < n; i++)
			places[frames[i]] |= AS_INNER;
		if (n)
			places[frames[n - 1]] |= AS_LAST;
	}
	return places;
}

/* RANKS[frame * 2 + inner], of those that are in the rows. */
static uint32_t *make_ranks(const struct stackset *s)
{
	struct spelling o = { s->names.list, s->by_line };
	uint8_t *places = find_places(s);
	struct spelled *list = xmalloc((s->names.count * 2 + 1) * sizeof(*list));
	uint32_t *ranks = xmalloc((s->names.count * 2 + 1) * sizeof(*ranks));
	size_t n = 0;

	for (size_t i = 0; i < s->names.count * 2; i++) {
		struct spelled *x = &list[n];

		if (!(places[i / 2] & (i & 1 ? AS_INNER : AS_LAST)))
			continue;
		*x = (struct spelled){ .frame = (uint32_t)(i / 2), .inner = i & 1 };
		x->head = head_of(&o, x);
		n++;
	}
	free(places);
	qsort_r(list, n, sizeof(*list), by_text, &o);
	for (size_t i = 0; i < n; i++)
		ranks[(size_t)list[i].frame * 2 + list[i].inner] = (uint32_t)i;
	free(list);
	return ranks;
}

/* To the sort a last frame and an inner one of the same name are two; to those who draw, one. */
static void share_last_frames(struct stackset *s)
{
	for (size_t i = 1; i < s->row_count; i++) {
		const struct stack_row *before = &s->rows[i - 1];
		struct stack_row *r = &s->rows[i];
		uint32_t k = r->shared;

		if (k < r->count && k < before->count &&
		    s->frames[r->first + k] == s->frames[before->first + k])
			r->shared++;
	}
}

/* The rows came in their order. */
static void share_frames(struct stackset *s)
{
	for (size_t i = 1; i < s->row_count; i++) {
		const struct stack_row *before = &s->rows[i - 1];
		struct stack_row *r = &s->rows[i];
		uint32_t n = before->count < r->count ? before->count : r->count;

		r->shared = (uint32_t)(common_bytes(s->frames + before->first, s->frames + r->first,
						    n * sizeof(*s->frames)) /
				       sizeof(*s->frames));
	}
}

/* Amounts follow their rows; a row's weight becomes that of the last side. */
static void sort_amounts(struct stackset *s)
{
	uint64_t *sorted = xmalloc((s->row_count * s->sides + 1) * sizeof(*sorted));

	s->before = xrealloc(s->before, (s->row_count + 1) * sizeof(*s->before));
	for (size_t i = 0; i < s->row_count; i++) {
		memcpy(sorted + i * s->sides, s->amounts + s->rows[i].weight * s->sides,
		       s->sides * sizeof(*sorted));
		s->rows[i].weight = sorted[(i + 1) * s->sides - 1];
		s->before[i] = sorted[i * s->sides];
	}
	free(s->amounts);
	s->amounts = sorted;
}

/* Whoever draws the rows adds them up. */
static void check_sums(struct stackset *s)
{
	for (unsigned side = 0; side < (s->sides ?: 1); side++) {
		uint64_t sum = 0;

		for (size_t i = 0; i < s->row_count; i++)
			s->overflow |= add_held(&sum, s->sides ? s->amounts[i * s->sides + side]
							       : s->rows[i].weight);
	}
}

static void sort_rows(struct stackset *s)
{
	uint32_t *ranks = make_ranks(s);

	s->rows = stack_rows_sort(&(struct stack_order){ s->frames, ranks, s->jobs }, s->rows,
				  s->row_count);
	share_last_frames(s);
	free(ranks);
}

void stackset_finish(struct stackset *s)
{
	stackset_reserve(s, 1); /* rows without frames, too, lie somewhere */
	if (s->ascending == s->row_count && !s->by_line)
		share_frames(s);
	else
		sort_rows(s);
	s->name_list = xmalloc((s->names.count + 1) * sizeof(*s->name_list));
	for (size_t i = 0; i < s->names.count; i++)
		s->name_list[i] = s->names.list[i].s;
	if (s->sides)
		sort_amounts(s);
	check_sums(s);
	s->part = (struct stacks_part){ .names = s->name_list,
					.frames = s->frames,
					.kinds = s->kinds,
					.rows = s->rows,
					.count = s->row_count,
					.decimals = s->decimals,
					.before = s->sides == 2 ? s->before : NULL,
					.scale = 1 };
}
