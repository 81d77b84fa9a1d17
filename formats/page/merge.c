/* Rows are sorted and made one whenever there is no more room, so memory follows the different ones
 * of a step. */
#include "formats/page/merge.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_FIRST 4096

void merge_begin(struct merge *m, const enum merge_role *roles, size_t width)
{
	*m = (struct merge){ .roles = roles, .width = width, .least = ROWS_FIRST };
}

void merge_release(struct merge *m)
{
	free(m->rows);
	*m = (struct merge){ 0 };
}

static int compare(const void *a, const void *b, void *ctx)
{
	const struct merge *m = ctx;
	const uint64_t *x = a, *y = b;

	for (size_t i = 0; i < m->width; i++) {
		if (m->roles[i] == MERGE_KEY && x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	}
	return 0;
}

static void take(const struct merge *m, uint64_t *into, const uint64_t *row)
{
	for (size_t i = 0; i < m->width; i++) {
		if (m->roles[i] == MERGE_SUM)
			into[i] += row[i];
		else if (m->roles[i] == MERGE_LEAST && row[i] < into[i])
			into[i] = row[i];
	}
}

static void unite(struct merge *m)
{
	size_t kept = 0, size = m->width * sizeof(*m->rows);

	if (m->count < 2)
		return;
	qsort_r(m->rows, m->count, size, compare, m);
	for (size_t i = 1; i < m->count; i++) {
		uint64_t *last = m->rows + kept * m->width, *row = m->rows + i * m->width;

		if (compare(last, row, m) == 0)
			take(m, last, row);
		else if (++kept != i)
			memcpy(last + m->width, row, size);
	}
	m->count = kept + 1;
}

void merge_add(struct merge *m, const uint64_t *row)
{
	size_t size = m->width * sizeof(*row);

	if (m->count == m->least) {
		unite(m);
		if (m->count > m->least / 2)
			m->least *= 2;
	}
	m->rows = xgrow(m->rows, &m->cap, m->count + 1, size);
	memcpy(m->rows + m->count++ * m->width, row, size);
}

const uint64_t *merge_next(struct merge *m)
{
	if (!m->next)
		unite(m);
	if (m->next == m->count) {
		m->next = m->count = 0;
		return NULL;
	}
	return m->rows + m->next++ * m->width;
}
