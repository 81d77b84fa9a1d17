/* Sorts row numbers, then moves the cells. The order of rows that are equal stays. */
#include "analyzers/count/listing.h"
#include "parser/base/buf.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define L(member) offsetof(struct listing, member)

const struct option listing_options[] = {
	{ "min", 0, OPT_DURATION, L(min_ns), "TIME",
	  "only rows in which the time that they are sorted by is TIME at least" },
	{ "limit", 0, OPT_COUNT, L(limit), "N", "only the first N rows; 0: all" },
	{ 0 },
};

bool listing_given(const struct listing *l)
{
	return l->ordered || l->min_ns || l->limit;
}

/* What is compared, row by row. */
struct order {
	const struct answer *answer;
	size_t columns; /* in a row */
	size_t keys[OPTION_LIST_MAX];
	bool rises[OPTION_LIST_MAX];
	size_t count;
};

static const struct cell *cell_of(const struct order *o, size_t row, size_t column)
{
	return &o->answer->cells[row * o->columns + column];
}

static int compare_rows(const void *pa, const void *pb, void *ctx)
{
	size_t a = *(const size_t *)pa, b = *(const size_t *)pb;
	const struct order *o = ctx;
	int rc = 0;

	for (size_t i = 0; !rc && i < o->count; i++) {
		const struct cell *x = cell_of(o, a, o->keys[i]), *y = cell_of(o, b, o->keys[i]);

		if (x->empty != y->empty)
			return x->empty ? 1 : -1;
		rc = o->rises[i] ? compare_u64(x->count, y->count)
				 : compare_u64(y->count, x->count);
	}
	return rc ?: compare_u64(a, b);
}

static size_t column_at(const struct column *columns, const char *name)
{
	size_t i = 0;

	while (strcmp(columns[i].name, name) != 0)
		i++;
	return i;
}

static void read_keys(struct order *o, const struct word_list *words, const char *const *keys,
		      const struct column *columns)
{
	for (size_t i = 0; i < words->count; i++) {
		size_t at = column_at(columns, keys[words->list[i]]);

		o->keys[o->count] = at;
		o->rises[o->count++] = columns[at].type == COLUMN_TIME_NS;
	}
}

/* Which rows stay, of ROWS numbers in *LIST. */
static size_t drop_short(const struct order *o, size_t *list, size_t rows, size_t column,
			 uint64_t min)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows; i++) {
		const struct cell *c = cell_of(o, list[i], column);

		if (!c->empty && c->count >= min)
			list[kept++] = list[i];
	}
	return kept;
}

static uint64_t longest(const struct order *o, size_t rows, size_t column)
{
	uint64_t most = 0;

	for (size_t i = 0; i < rows; i++) {
		const struct cell *c = cell_of(o, i, column);

		most = !c->empty && c->count > most ? c->count : most;
	}
	return most;
}

static const char *none_text(struct answer *a, size_t rows, uint64_t min_ns, uint64_t most)
{
	struct buf b = { 0 };
	const char *text;

	buf_printf(&b, "--min %s: no row has that much; there are %s, the longest of %s",
		   NS_TEXT(min_ns), COUNT_TEXT(rows), NS_TEXT(most));
	text = answer_string(a, b.data);
	buf_release(&b);
	return text;
}

/* Row I becomes row LIST[I], in place: what it was changes places with it, and the list tells where
 * it went. */
static void move_rows(struct answer *a, size_t *list, size_t rows, size_t columns)
{
	size_t size = columns * sizeof(*a->cells);
	struct cell *held = xmalloc(size);

	for (size_t i = 0; i < rows; i++) {
		struct cell *to = a->cells + i * columns, *from;
		size_t at = list[i];

		while (at < i)
			at = list[at];
		list[i] = at;
		from = a->cells + at * columns;
		memcpy(held, to, size);
		memmove(to, from, size);
		memcpy(from, held, size);
	}
	free(held);
	a->cell_count = rows * columns;
}

void listing_apply(struct listing *l, const char *const *keys, const struct column *columns,
		   struct answer *a)
{
	struct order o = { .answer = a };
	size_t rows, left, least, *list;

	if (!listing_given(l))
		return;
	while (columns[o.columns].name)
		o.columns++;
	rows = left = a->cell_count / o.columns;
	list = xcalloc(rows + 1, sizeof(*list));
	for (size_t i = 0; i < rows; i++)
		list[i] = i;
	if (l->ordered)
		read_keys(&o, &l->order, keys, columns);
	least = o.count && columns[o.keys[0]].type == COLUMN_NS ? o.keys[0]
								: column_at(columns, keys[0]);
	if (l->min_ns)
		left = drop_short(&o, list, left, least, l->min_ns);
	if (rows && !left)
		l->none = none_text(a, rows, l->min_ns, longest(&o, rows, least));
	if (o.count && left)
		qsort_r(list, left, sizeof(*list), compare_rows, &o);
	left = l->limit && l->limit < left ? (size_t)l->limit : left;
	if (left < rows)
		answer_warn(a, "rows", "%s of %s", COUNT_TEXT(left), COUNT_TEXT(rows));
	move_rows(a, list, left, o.columns);
	free(list);
}
