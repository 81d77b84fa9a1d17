/* A merge sort that carries the length of the common prefix: it looks at each frame about once. */
#include "analyzers/count/stacksort.h"
#include "parser/base/mem.h"
#include "parser/base/pool.h"

#include <stdlib.h>
#include <string.h>

#define MANY  8192 /* rows that are sorted by several threads */
#define BLOCK 64   /* frames that are compared at a time where stacks have many in common */

static uint32_t rank_at(const struct stack_order *o, const struct stack_row *r, uint32_t i)
{
	uint32_t frame = o->frames[r->first + i];

	return o->ranks ? o->ranks[frame * 2 + (i + 1 < r->count)] : frame;
}

/* Compare A and B from rank *LCP on; *LCP becomes how many leading ranks they share. */
static int compare(const struct stack_order *o, const struct stack_row *a,
		   const struct stack_row *b, uint32_t *lcp)
{
	const uint32_t *fa = o->frames + a->first, *fb = o->frames + b->first;
	uint32_t n = a->count < b->count ? a->count : b->count;
	uint32_t i = *lcp;

	while (i + BLOCK <= n && !memcmp(fa + i, fb + i, BLOCK * sizeof(*fa)))
		i += BLOCK;
	while (i < n && fa[i] == fb[i])
		i++;
	*lcp = i;
	if (i == n) {
		if (a->count == b->count)
			return 0;
		if (i == 0 || !o->ranks)
			return a->count < b->count ? -1 : 1;
		/* the shorter one ends with a frame that is an inner one of the longer */
		*lcp = i - 1;
		return rank_at(o, a, i - 1) < rank_at(o, b, i - 1) ? -1 : 1;
	}
	/* A last frame against an inner one of another name: both ranks know it. */
	return rank_at(o, a, i) < rank_at(o, b, i) ? -1 : 1;
}

struct run {
	const struct stack_row *rows;
	size_t count;
};

/* Merge the sorted runs RA and RB into OUT; row.shared is the prefix shared with the row before in
 * the run, 0 for the first. */
static void merge(const struct stack_order *o, struct run ra, struct run rb, struct stack_row *out)
{
	const struct stack_row *a = ra.rows, *b = rb.rows;
	size_t na = ra.count, nb = rb.count;
	size_t i = 0, j = 0, k = 0;
	uint32_t la = 0, lb = 0; /* prefixes that a[i], b[j] share with the last row put out */

	while (i < na && j < nb) {
		bool take_a;
		uint32_t l;

		if (la != lb) {
			take_a = la > lb; /* shares more with what is smaller than both */
			l = la < lb ? la : lb;
		} else {
			l = la;
			take_a = compare(o, &a[i], &b[j], &l) <= 0;
		}
		if (take_a) {
			out[k] = a[i++];
			out[k++].shared = la;
			la = i < na ? a[i].shared : 0;
			lb = l;
		} else {
			out[k] = b[j++];
			out[k++].shared = lb;
			lb = j < nb ? b[j].shared : 0;
			la = l;
		}
	}
	for (; i < na; la = i + 1 < na ? a[i + 1].shared : 0, i++) {
		out[k] = a[i];
		out[k++].shared = la;
	}
	for (; j < nb; lb = j + 1 < nb ? b[j + 1].shared : 0, j++) {
		out[k] = b[j];
		out[k++].shared = lb;
	}
}

/* Text mostly comes sorted. With the prefixes that rows share with those before them if it does. */
static bool is_sorted(const struct stack_order *o, struct stack_row *rows, size_t n)
{
	if (n > 1)
		rows[0].shared = 0;
	for (size_t i = 1; i < n; i++) {
		uint32_t shared = 0;

		if (compare(o, &rows[i - 1], &rows[i], &shared) > 0)
			return false;
		rows[i].shared = shared;
	}
	return true;
}

/* Sort ROWS, N of them. TO has room for as many; returns which of both
 * they are in. Bottom up, so that no depth follows the data. */
static struct stack_row *merge_runs(const struct stack_order *o, struct stack_row *rows,
				    struct stack_row *to, size_t n)
{
	struct stack_row *from = rows;

	for (size_t width = 1; width < n; width *= 2) {
		for (size_t at = 0; at < n; at += width * 2) {
			size_t na = n - at < width ? n - at : width;
			size_t nb = n - at - na < width ? n - at - na : width;

			merge(o, (struct run){ from + at, na }, (struct run){ from + at + na, nb },
			      to + at);
		}
		struct stack_row *t = from;

		from = to;
		to = t;
	}
	return from;
}

/* ---- by several threads ---- */

struct sorting {
	const struct stack_order *order;
	struct stack_row *from, *to;
	size_t count, width;
};

/* The I-th part of all, WIDTH rows. */
static void sort_part(void *ctx, size_t i)
{
	const struct sorting *s = ctx;
	size_t at = i * s->width;
	size_t n = s->count - at < s->width ? s->count - at : s->width;
	const struct stack_row *sorted = merge_runs(s->order, s->from + at, s->to + at, n);

	if (sorted != s->to + at)
		memcpy(s->to + at, sorted, n * sizeof(*sorted));
}

/* The I-th two parts. */
static void merge_parts(void *ctx, size_t i)
{
	const struct sorting *s = ctx;
	size_t at = i * s->width * 2;
	size_t na = s->count - at < s->width ? s->count - at : s->width;
	size_t nb = s->count - at - na < s->width ? s->count - at - na : s->width;

	merge(s->order, (struct run){ s->from + at, na }, (struct run){ s->from + at + na, nb },
	      s->to + at);
}

static struct stack_row *sort_parts(const struct stack_order *o, struct stack_row *rows,
				    struct stack_row *to, size_t n)
{
	struct sorting s = { o, rows, to, n, (n + o->jobs - 1) / o->jobs };

	pool_for(o->jobs, (n + s.width - 1) / s.width, sort_part, &s);
	for (; s.width < n; s.width *= 2) {
		struct stack_row *t = s.from;

		s.from = s.to;
		s.to = t;
		pool_for(o->jobs, (n + s.width * 2 - 1) / (s.width * 2), merge_parts, &s);
	}
	return s.to;
}

struct stack_row *stack_rows_sort(const struct stack_order *o, struct stack_row *rows, size_t n)
{
	struct stack_row *to, *sorted;

	if (is_sorted(o, rows, n))
		return rows;
	to = xmalloc((n + 1) * sizeof(*to));
	sorted = (o->jobs > 1 && n >= MANY ? sort_parts : merge_runs)(o, rows, to, n);
	free(sorted == to ? rows : to);
	return sorted;
}
