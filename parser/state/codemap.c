/* Ranges painted one over the other. */
#include "parser/state/codemap.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Node 1 is the root, nodes 2i and 2i + 1 are the halves of node i, and the last nodes are the
 * segments. (Where their number is no power of two some nodes stand for none or for wrapped ones;
 * marks are put on none of those.) */
struct node {
	uint64_t mark; /* order of painting, then the range's index + 1; 0 there: cut away */
	bool looked;   /* something below was looked up */
};

struct codemap {
	const struct code_log *log;
	struct node *nodes; /* twice as many as segments */
	size_t segments;
	size_t next;	/* range */
	uint32_t order; /* of the last mark */
	uint32_t refs;
	uint32_t module;
};

#define ORDER_MAX UINT32_MAX

/* ---- the log ---- */

void code_log_init(struct code_log *log, const struct code_range *ranges, size_t count)
{
	size_t keep = 0;

	*log = (struct code_log){ .ranges = ranges, .count = count };
	log->bounds = xmalloc((2 * count + 1) * sizeof(*log->bounds));
	for (size_t i = 0; i < count; i++) {
		log->bounds[2 * i] = ranges[i].start;
		log->bounds[2 * i + 1] = ranges[i].end;
	}
	if (count)
		qsort(log->bounds, 2 * count, sizeof(*log->bounds), compare_numbers);
	for (size_t i = 0; i < 2 * count; i++) {
		if (!i || log->bounds[i] != log->bounds[keep - 1])
			log->bounds[keep++] = log->bounds[i];
	}
	log->bound_count = keep;
}

void code_log_release(struct code_log *log)
{
	free(log->bounds);
}

/* The index of the first bound at or after ADDR. */
static size_t bound_at(const struct code_log *log, uint64_t addr)
{
	size_t lo = 0, hi = log->bound_count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (log->bounds[mid] < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* ---- one moment ---- */

struct codemap *codemap_new(const struct code_log *log, uint32_t module)
{
	struct codemap *c = xcalloc(1, sizeof(*c));

	c->log = log;
	c->segments = log->bound_count ? log->bound_count - 1 : 0;
	c->nodes = xcalloc(2 * c->segments + 1, sizeof(*c->nodes));
	c->module = module;
	c->refs = 1;
	return c;
}

struct codemap *codemap_ref(struct codemap *c)
{
	c->refs++;
	return c;
}

void codemap_unref(struct codemap *c)
{
	if (!c || --c->refs)
		return;
	free(c->nodes);
	free(c);
}

struct codemap *codemap_unshare(struct codemap *c)
{
	struct codemap *copy;

	if (c->refs == 1)
		return c;
	copy = xmalloc(sizeof(*copy));
	*copy = *c;
	copy->refs = 1;
	copy->nodes = xmalloc((2 * c->segments + 1) * sizeof(*c->nodes));
	memcpy(copy->nodes, c->nodes, 2 * c->segments * sizeof(*c->nodes));
	c->refs--;
	return copy;
}

bool codemap_is_shared(const struct codemap *c)
{
	return c->refs > 1;
}

size_t codemap_bytes(const struct codemap *c)
{
	return sizeof(*c) + 2 * c->segments * sizeof(*c->nodes);
}

const struct code_log *codemap_log(const struct codemap *c)
{
	return c->log;
}

uint32_t codemap_module(const struct codemap *c)
{
	return c->module;
}

uint64_t codemap_next_ns(const struct codemap *c)
{
	return c->next < c->log->count ? c->log->ranges[c->next].time_ns : UINT64_MAX;
}

/* Mark the segments [from, to); true when one of them was looked up. */
static bool paint(struct codemap *c, size_t from, size_t to, uint32_t range)
{
	bool looked = false;
	uint64_t mark;

	if (from >= to || c->order == ORDER_MAX)
		return false;
	mark = (uint64_t)++c->order << 32 | range;
	from += c->segments;
	to += c->segments;
	for (; from < to; from /= 2, to /= 2) {
		if (from & 1) {
			looked |= c->nodes[from].looked;
			c->nodes[from++].mark = mark;
		}
		if (to & 1) {
			looked |= c->nodes[--to].looked;
			c->nodes[to].mark = mark;
		}
	}
	return looked;
}

bool codemap_run(struct codemap *c, uint64_t until_ns)
{
	bool looked = false;

	for (; c->next < c->log->count; c->next++) {
		const struct code_range *r = &c->log->ranges[c->next];

		if (r->time_ns > until_ns)
			break;
		looked |= paint(c, bound_at(c->log, r->start), bound_at(c->log, r->end),
				(uint32_t)c->next + 1);
	}
	return looked;
}

bool codemap_cut(struct codemap *c, uint64_t start, uint64_t end)
{
	const struct code_log *log = c->log;
	size_t from = bound_at(log, start), to = bound_at(log, end);

	/* a segment that is cut in two goes as a whole: no function ends in the middle of it */
	if (from && (from == log->bound_count || log->bounds[from] > start))
		from--;
	return paint(c, from, to < c->segments ? to : c->segments, 0);
}

/* The segment that holds ADDR. */
static bool segment_of(const struct codemap *c, uint64_t addr, size_t *out)
{
	size_t i = bound_at(c->log, addr);

	if (i == c->log->bound_count)
		return false; /* also the end of the last */
	*out = c->log->bounds[i] == addr ? i : i - 1;
	return (i || c->log->bounds[i] == addr) && *out < c->segments;
}

bool codemap_find(struct codemap *c, uint64_t addr, uint64_t *pgoff)
{
	const struct code_range *r;
	uint64_t mark = 0;
	size_t i;

	if (!segment_of(c, addr, &i))
		return false;
	for (i += c->segments; i; i /= 2) {
		/* by several threads: they all write the same */
		if (!__atomic_load_n(&c->nodes[i].looked, __ATOMIC_RELAXED))
			__atomic_store_n(&c->nodes[i].looked, true, __ATOMIC_RELAXED);
		if (c->nodes[i].mark > mark)
			mark = c->nodes[i].mark;
	}
	if (!(uint32_t)mark)
		return false;
	r = &c->log->ranges[(uint32_t)mark - 1];
	*pgoff = addr - r->start + r->pgoff;
	return true;
}
