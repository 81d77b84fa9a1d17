/* Sorts row numbers by what is read of the cells beforehand. The order of rows that are equal
 * stays. */
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
	uint64_t *values; /* of each row, by key: the least first */
	bool *lacks;	  /* the same: there is none, it comes last */
};

static struct cell cell_of(const struct order *o, size_t row, size_t column)
{
	return cells_at(&o->answer->cells, row * o->columns + column);
}

static int compare_rows(const void *pa, const void *pb, void *ctx)
{
	const struct order *o = ctx;
	size_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	size_t x = a * o->count, y = b * o->count, end = x + o->count;
	int rc = 0;

	for (; !rc && x < end; x++, y++)
		rc = o->lacks[x] - o->lacks[y] ?: compare_u64(o->values[x], o->values[y]);
	return rc ?: compare_u64(a, b);
}

/* The first LEFT numbers in LIST are of rows, of ROWS. */
static void sort_rows(struct order *o, uint32_t *list, size_t left, size_t rows)
{
	size_t n = 0;

	o->values = xcalloc(rows * o->count, sizeof(*o->values));
	o->lacks = xcalloc(rows * o->count, sizeof(*o->lacks));
	for (size_t r = 0; r < rows; r++) {
		for (size_t i = 0; i < o->count; i++, n++) {
			struct cell c = cell_of(o, r, o->keys[i]);

			o->lacks[n] = c.empty;
			o->values[n] = o->rises[i] ? c.count : ~c.count;
		}
	}
	qsort_r(list, left, sizeof(*list), compare_rows, o);
	free(o->values);
	free(o->lacks);
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
static size_t drop_short(const struct order *o, uint32_t *list, size_t rows, size_t column,
			 uint64_t min)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows; i++) {
		struct cell c = cell_of(o, list[i], column);

		if (!c.empty && c.count >= min)
			list[kept++] = list[i];
	}
	return kept;
}

static uint64_t longest(const struct order *o, size_t rows, size_t column)
{
	uint64_t most = 0;

	for (size_t i = 0; i < rows; i++) {
		struct cell c = cell_of(o, i, column);

		most = !c.empty && c.count > most ? c.count : most;
	}
	return most;
}

static const char *none_text(struct answer *a, uint64_t rows, uint64_t min_ns, uint64_t most)
{
	struct buf b = { 0 };
	const char *text;

	buf_printf(&b, "--min %s: no row has that much; there are %s, the longest of %s",
		   NS_TEXT(min_ns), COUNT_TEXT(rows), NS_TEXT(most));
	text = answer_string(a, b.data);
	buf_release(&b);
	return text;
}

void listing_tell(struct listing *l, struct answer *a, uint64_t rows, uint64_t left,
		  uint64_t longest_ns)
{
	if (rows && !left)
		l->none = none_text(a, rows, l->min_ns, longest_ns);
	if (left < rows)
		answer_warn(a, "rows", "%s of %s", COUNT_TEXT(left), COUNT_TEXT(rows));
}

void listing_apply(struct listing *l, const char *const *keys, const struct column *columns,
		   struct answer *a)
{
	struct order o = { .answer = a };
	size_t rows, left, least;
	uint32_t *list;

	if (!listing_given(l))
		return;
	while (columns[o.columns].name)
		o.columns++;
	rows = left = a->cells.count / o.columns;
	list = xcalloc(rows + 1, sizeof(*list));
	for (size_t i = 0; i < rows; i++)
		list[i] = (uint32_t)i;
	if (l->ordered)
		read_keys(&o, &l->order, keys, columns);
	least = o.count && columns[o.keys[0]].type == COLUMN_NS ? o.keys[0]
								: column_at(columns, keys[0]);
	if (l->min_ns)
		left = drop_short(&o, list, left, least, l->min_ns);
	if (o.count && left)
		sort_rows(&o, list, left, rows);
	left = l->limit && l->limit < left ? (size_t)l->limit : left;
	listing_tell(l, a, rows, left, left ? 0 : longest(&o, rows, least));
	a->order = list;
	a->order_count = left;
}
