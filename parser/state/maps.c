/* Sorted arrays of mappings, one over the other. */
#include "parser/state/maps.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 16 /* layers: each of them is asked for an address */

struct maps *maps_new(uint64_t *held)
{
	struct maps *m = xcalloc(1, sizeof(*m));

	m->refs = 1;
	m->held = held;
	*held += sizeof(*m);
	return m;
}

struct maps *maps_ref(struct maps *m)
{
	m->refs++;
	return m;
}

void maps_unref(struct maps *m)
{
	while (m && !--m->refs) {
		struct maps *base = m->base;

		*m->held -= sizeof(*m) + m->cap * sizeof(*m->list);
		free(m->list);
		free(m);
		m = base;
	}
}

static void reserve(struct maps *m, uint32_t count)
{
	if (count <= m->cap)
		return;
	*m->held += (count - m->cap) * sizeof(*m->list);
	m->cap = count;
	m->list = xrealloc(m->list, count * sizeof(*m->list));
}

/* Index of the first mapping of this layer that ends after ADDR. */
static uint32_t first_ending_after(const struct maps *m, uint64_t addr)
{
	uint32_t lo = 0, hi = m->count;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (m->list[mid].end > addr)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* ---- one layer ---- */

static void open_gap(struct maps *m, uint32_t at, uint32_t n)
{
	if (m->count + n > m->cap)
		reserve(m, m->count + n + 2 + m->count / 4);
	memmove(m->list + at + n, m->list + at, (m->count - at) * sizeof(*m->list));
	m->count += n;
}

static void close_gap(struct maps *m, uint32_t at, uint32_t n)
{
	memmove(m->list + at, m->list + at + n, (m->count - at - n) * sizeof(*m->list));
	m->count -= n;
}

/* Cut [start, end) out; returns where a mapping of that range belongs. */
static uint32_t cut(struct maps *m, uint64_t start, uint64_t end, bool *used)
{
	uint32_t i = first_ending_after(m, start);
	uint32_t n;

	m->last = 0;
	if (i < m->count && m->list[i].start < start) {
		struct map *old = &m->list[i];

		*used |= old->used;
		if (old->end > end) { /* both ends survive */
			struct map tail = *old;

			tail.start = end;
			tail.pgoff += end - old->start;
			old->end = start;
			open_gap(m, i + 1, 1);
			m->list[i + 1] = tail;
			return i + 1;
		}
		old->end = start;
		i++;
	}
	for (n = 0; i + n < m->count && m->list[i + n].end <= end; n++)
		*used |= m->list[i + n].used;
	if (n)
		close_gap(m, i, n);
	if (i < m->count && m->list[i].start < end) {
		*used |= m->list[i].used;
		m->list[i].pgoff += end - m->list[i].start;
		m->list[i].start = end;
	}
	return i;
}

static void put(struct maps *m, struct map new, bool *used)
{
	uint32_t at = cut(m, new.start, new.end, used);

	open_gap(m, at, 1);
	m->list[at] = new;
}

/* ---- layers ---- */

/* OUT, which is empty, becomes what UPPER over LOWER shows. */
static void merge(struct maps *out, const struct maps *lower, const struct maps *upper)
{
	uint64_t from = 0; /* up to here it is done */
	uint32_t i = 0;

	reserve(out, lower->count + 2 * upper->count);
	for (uint32_t k = 0; k <= upper->count; k++) {
		const struct map *over = k < upper->count ? &upper->list[k] : NULL;

		while (i < lower->count && (!over || lower->list[i].start < over->start)) {
			struct map part = lower->list[i];

			if (part.start < from) {
				part.pgoff += from - part.start;
				part.start = from;
			}
			if (over && part.end > over->start)
				part.end = over->start;
			if (part.start < part.end)
				out->list[out->count++] = part;
			if (over && lower->list[i].end > over->end)
				break; /* it goes on behind */
			i++;
		}
		if (!over)
			break;
		if (over->module != PDT_NONE)
			out->list[out->count++] = *over;
		from = over->end;
		while (i < lower->count && lower->list[i].end <= from)
			i++;
	}
}

/* A copy of M that is one layer. */
static struct maps *flat(const struct maps *m)
{
	const struct maps *layers[DEPTH_MAX + 1];
	struct maps *out = maps_new(m->held);
	uint32_t n = 0;

	for (const struct maps *l = m; l; l = l->base)
		layers[n++] = l;
	while (n--) {
		struct maps *next = maps_new(m->held);

		merge(next, out, layers[n]);
		maps_unref(out);
		out = next;
	}
	return out;
}

static void put_over(struct maps *m, struct maps *base)
{
	m->base = base;
	m->depth = base->depth + 1;
	m->below = maps_count(base);
}

/* A few are copied, that there need not be a layer for each fork. */
static bool is_small(const struct maps *m)
{
	return (uint64_t)m->count * m->count <= m->below;
}

struct maps *maps_unshare(struct maps *m)
{
	struct maps *own;

	if (m->refs == 1)
		return m;
	if (m->base && is_small(m)) {
		own = maps_new(m->held);
		put_over(own, maps_ref(m->base));
		reserve(own, m->count + 2);
		own->count = m->count;
		if (m->count)
			memcpy(own->list, m->list, m->count * sizeof(*m->list));
	} else if (m->depth < DEPTH_MAX) {
		own = maps_new(m->held);
		put_over(own, maps_ref(m));
	} else {
		own = flat(m);
	}
	maps_unref(m);
	return own;
}

/* Was a mapping looked up that the layers below M have in [start, end)? Those that others hide
 * count, too: then a space gets a new id for nothing, which costs little. */
static bool used_below(const struct maps *m, uint64_t start, uint64_t end)
{
	while ((m = m->base)) {
		for (uint32_t i = first_ending_after(m, start);
		     i < m->count && m->list[i].start < end; i++) {
			if (m->list[i].used)
				return true;
		}
	}
	return false;
}

bool maps_insert(struct maps *m, struct map new)
{
	bool used = false;

	if (new.end <= new.start || maps_count(m) >= MAPS_MAX)
		return false;
	used = used_below(m, new.start, new.end);
	put(m, new, &used);
	return used;
}

void maps_cut(struct maps *m, uint64_t start, uint64_t end)
{
	struct map nothing = { .start = start, .end = end, .module = PDT_NONE };
	bool used = false;

	if (start >= end)
		return;
	if (m->base)
		put(m, nothing, &used);
	else
		(void)cut(m, start, end, &used);
}

static struct map *find_in_layer(struct maps *m, uint64_t addr)
{
	uint32_t at = __atomic_load_n(&m->last, __ATOMIC_RELAXED);
	struct map *e;

	if (at < m->count) {
		e = &m->list[at];
		if (addr >= e->start && addr < e->end)
			return e;
	}
	at = first_ending_after(m, addr);
	__atomic_store_n(&m->last, at, __ATOMIC_RELAXED);
	if (at == m->count)
		return NULL;
	e = &m->list[at];
	return addr >= e->start ? e : NULL;
}

struct map *maps_find(struct maps *m, uint64_t addr)
{
	struct map *e = NULL;

	for (; m && !e; m = m->base)
		e = find_in_layer(m, addr);
	return e && e->module != PDT_NONE ? e : NULL;
}

const struct map *maps_at(const struct maps *m, uint32_t i)
{
	while (m->base && i < m->below)
		m = m->base;
	i -= m->below;
	return m->list[i].module == PDT_NONE ? NULL : &m->list[i];
}
