/* A merge sort that carries the length of the common prefix: it looks at each frame about once. */
#include "analyzers/count/stacksort.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK 64 /* frames that are compared at a time where stacks have many in common */

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

/* Bottom up, so that no depth follows the data. */
struct stack_row *stack_rows_sort(const struct stack_order *o, struct stack_row *rows, size_t n)
{
	struct stack_row *from = rows, *to;

	if (is_sorted(o, rows, n))
		return rows;
	to = xmalloc((n + 1) * sizeof(*to));
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
	free(to);
	return from;
}
