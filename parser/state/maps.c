/* A sorted array of mappings. */
#include "parser/state/maps.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define MAPS_MAX 65536 /* mappings of one process: the kernel's own limit (vm.max_map_count) */

struct maps *maps_new(void)
{
	struct maps *m = xcalloc(1, sizeof(*m));

	m->refs = 1;
	return m;
}

struct maps *maps_ref(struct maps *m)
{
	m->refs++;
	return m;
}

void maps_unref(struct maps *m)
{
	if (!m || --m->refs)
		return;
	free(m->list);
	free(m);
}

struct maps *maps_unshare(struct maps *m)
{
	struct maps *copy;

	if (m->refs == 1)
		return m;
	copy = maps_new();
	if (m->count) {
		copy->count = copy->cap = m->count;
		copy->list = xmalloc(m->count * sizeof(*m->list));
		memcpy(copy->list, m->list, m->count * sizeof(*m->list));
	}
	m->refs--;
	return copy;
}

/* Index of the first mapping that ends after ADDR. */
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

static void open_gap(struct maps *m, uint32_t at, uint32_t n)
{
	if (m->count + n > m->cap) {
		m->cap = (m->count + n) * 2;
		m->list = xrealloc(m->list, m->cap * sizeof(*m->list));
	}
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

bool maps_insert(struct maps *m, struct map new)
{
	bool used = false;
	uint32_t at;

	if (new.end <= new.start || m->count >= MAPS_MAX)
		return false;
	at = cut(m, new.start, new.end, &used);
	open_gap(m, at, 1);
	m->list[at] = new;
	return used;
}

void maps_cut(struct maps *m, uint64_t start, uint64_t end)
{
	bool used = false;

	if (start < end)
		(void)cut(m, start, end, &used);
}

struct map *maps_find(struct maps *m, uint64_t addr)
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
