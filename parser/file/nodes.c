/* A list or a bitmap becomes runs, as few as there are. Sources: tools/perf/util/header.c,
 * process_numa_topology(), process_mem_topology(). */
#include "parser/file/nodes.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <stdlib.h>

struct nodes *nodes_make(struct nodes **n)
{
	*n = *n ?: xcalloc(1, sizeof(**n));
	return *n;
}

void nodes_free(struct nodes *n)
{
	if (n)
		free(n->runs);
	free(n);
}

static bool add(struct nodes *n, uint32_t node, uint64_t first, uint64_t last)
{
	struct node_run *before = n->count ? &n->runs[n->count - 1] : NULL;

	if (before && before->node == node && before->last + 1 == first && first) {
		before->last = last;
		return true;
	}
	if (n->count == NODE_RUNS_MAX || node > INT32_MAX || last < first)
		return false;
	n->runs = xgrow(n->runs, &n->cap, n->count + 1, sizeof(*n->runs));
	n->runs[n->count++] = (struct node_run){ first, last, node };
	return true;
}

/* The digits at *P; false: there are none, or too many. */
static bool take_number(const char **p, const char *end, uint64_t *out)
{
	const char *begin = *p;

	for (*out = 0; *p < end && **p >= '0' && **p <= '9' && *out <= UINT32_MAX; ++*p)
		*out = *out * 10 + (uint64_t)(**p - '0');
	return *p > begin && *out <= UINT32_MAX;
}

bool nodes_add_cpus(struct nodes *n, uint32_t node, const char *list, size_t len)
{
	const char *p = list, *end = list + len;

	while (p < end && *p != '\n') {
		uint64_t first, last;

		if (!take_number(&p, end, &first))
			return false;
		last = first;
		if (p < end && *p == '-' && (p++, !take_number(&p, end, &last)))
			return false;
		if (!add(n, node, first, last))
			return false;
		if (p < end && *p++ != ',')
			return false;
	}
	return true;
}

/* The blocks of one node, of which COUNT words tell. */
static bool add_blocks(struct nodes *n, uint32_t node, uint64_t block_bytes, struct cursor words)
{
	for (uint64_t base = 0; cursor_left(&words) >= 8; base += 64) {
		for (uint64_t word = cursor_u64(&words); word; word &= word - 1) {
			uint64_t i = base + (unsigned)__builtin_ctzll(word), first, last;

			if (__builtin_mul_overflow(i, block_bytes, &first) ||
			    __builtin_add_overflow(first, block_bytes - 1, &last) ||
			    !add(n, node, first, last))
				return false;
		}
	}
	return true;
}

bool nodes_add_memory(struct nodes *n, struct cursor *c)
{
	uint64_t version = cursor_u64(c), block_bytes = cursor_u64(c), count = cursor_u64(c);

	if (version != 1 || !block_bytes)
		return false;
	for (; count && !c->bad; count--) {
		uint64_t node = cursor_u64(c), blocks;

		(void)cursor_u64(c); /* which follows once more */
		blocks = cursor_u64(c);
		if (node > INT32_MAX || blocks / 64 > cursor_left(c) / 8)
			return false;
		if (!add_blocks(n, (uint32_t)node, block_bytes,
				cursor_sub(c, (size_t)((blocks + 63) / 64 * 8))))
			return false;
	}
	return !c->bad;
}

static int by_first(const void *pa, const void *pb)
{
	const struct node_run *a = pa, *b = pb;

	return compare_u64(a->first, b->first) ?: compare_u64(a->last, b->last)
			    ?: compare_u64(a->node, b->node);
}

void nodes_sort(struct nodes *n)
{
	if (n->count)
		qsort(n->runs, n->count, sizeof(*n->runs), by_first);
}

int32_t nodes_find(const struct nodes *n, uint64_t at)
{
	size_t lo = 0, hi = n ? n->count : 0;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (n->runs[mid].first <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && at <= n->runs[lo - 1].last ? (int32_t)n->runs[lo - 1].node : -1;
}
