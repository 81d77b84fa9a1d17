/* The addresses of a capture as columns of LEB128 numbers, each the number of its bytes and that of
 * the compressed ones, then these, by Zstandard: those of parser/kept.h, then
 *
 *   frames     their ids in the store, as differences, zigzag, in the order of their first use here
 *   counts     how many frames each location has
 *   locations  these: 0 is the next that was not used, else how far it lies behind that
 *   leaves     a leaf is a stack with a name: how many leaves each kept stack has
 *   labels     the first frames of these
 *   cells      for each, in the order of chunks: which of the leaves that have its name */
#include "parser/store/address/address.h"
#include "parser/base/compare.h"
#include "parser/base/cursor.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define LEVEL	  1
#define BYTES_MAX (1u << 30) /* of a column */

enum { FRAMES = KEPT_COLUMNS, COUNTS, LOCATIONS, LEAVES, LABELS, CELLS, COLUMNS };

_Static_assert(COLUMNS == ADDRESS_COLUMNS, "each has its bytes");

/* ---- leaves ---- */

/* By chain: where its leaves begin in ORDER, which has them all; the caller frees both. */
static uint32_t *by_chain(const struct store_capture *c, uint32_t **order)
{
	const uint32_t *chains = c->addresses->chains;
	size_t count = c->addresses->chain_count;
	uint32_t *first = xcalloc(count + 2, sizeof(*first));
	uint32_t *at = xcalloc(count + 1, sizeof(*at));

	*order = xcalloc(c->leaf_count + 1, sizeof(**order));
	for (size_t i = 0; i < c->leaf_count; i++)
		first[chains[i] + 1]++;
	for (size_t i = 0; i < count; i++)
		first[i + 1] += at[i] = first[i];
	for (uint32_t i = 0; i < c->leaf_count; i++)
		(*order)[at[chains[i]]++] = i;
	free(at);
	return first;
}

static uint32_t label_of(const struct store_capture *c, uint32_t leaf)
{
	return c->frame_ids[c->stacks[c->leaves[leaf]].first];
}

static int by_label(const void *a, const void *b, void *capture)
{
	return compare_u64(label_of(capture, *(const uint32_t *)a),
			   label_of(capture, *(const uint32_t *)b));
}

uint32_t *address_origins(const struct adding *a, size_t *count)
{
	const struct store_capture *c = a->c;
	uint32_t *origins = xcalloc(c->leaf_count + 1, sizeof(*origins)), *order;
	uint32_t *first = by_chain(c, &order);

	*count = 0;
	for (size_t i = 0; i < c->addresses->chain_count; i++) {
		uint32_t *at = order + first[i], n = first[i + 1] - first[i];

		if (n > 1)
			qsort_r(at, n, sizeof(*at), by_label, (void *)c);
		for (uint32_t k = 0; k < n; k++) {
			*count += !k || label_of(c, at[k - 1]) != label_of(c, at[k]);
			origins[at[k]] = (uint32_t)*count - 1;
		}
	}
	free(first);
	free(order);
	return origins;
}

/* ---- into the store ---- */

struct packing {
	const struct adding *a;
	uint32_t *places; /* by frame of the capture: its place here + 1; 0: it has none yet */
	uint32_t count;
	uint64_t last; /* id of the frame that was put last */
	struct buf columns[COLUMNS];
};

/* The place of frame I; *IS_NEW: nobody had asked for it. */
static uint32_t place_of(struct packing *p, uint32_t i, bool *is_new)
{
	*is_new = !p->places[i];
	if (*is_new) {
		put_step(&p->columns[FRAMES], (uint64_t)p->a->frames[i], p->last);
		p->last = (uint64_t)p->a->frames[i];
		p->places[i] = ++p->count;
	}
	return p->places[i] - 1;
}

static void put_locations(struct packing *p)
{
	const struct store_addresses *ad = p->a->c->addresses;

	for (size_t i = 0; i < ad->location_count; i++)
		put_uleb(&p->columns[COUNTS], ad->first[i + 1] - ad->first[i]);
	for (uint32_t i = 0; i < ad->first[ad->location_count]; i++) {
		bool is_new;
		uint32_t place = place_of(p, ad->frames[i], &is_new);

		put_uleb(&p->columns[LOCATIONS], is_new ? 0 : p->count - place);
	}
}

static void put_leaves(struct packing *p, const uint32_t *origins, size_t count)
{
	const struct store_capture *c = p->a->c;
	uint32_t *leaves = xcalloc(count + 1, sizeof(*leaves)); /* by origin */
	uint32_t *counts = xcalloc(c->addresses->chain_count + 1, sizeof(*counts));
	bool is_new;

	for (uint32_t i = 0; i < c->leaf_count; i++)
		leaves[origins[i]] = i;
	for (size_t i = 0; i < count; i++)
		counts[c->addresses->chains[leaves[i]]]++;
	for (size_t i = 0; i < c->addresses->chain_count; i++)
		put_uleb(&p->columns[LEAVES], counts[i]);
	for (size_t i = 0; i < count; i++)
		put_uleb(&p->columns[LABELS], place_of(p, label_of(c, leaves[i]), &is_new));
	free(leaves);
	free(counts);
}

static bool compress(struct kept_column column, struct buf *out)
{
	struct buf data = { 0 };
	size_t room = ZSTD_compressBound(column.len), n;

	n = ZSTD_compress(buf_reserve(&data, room), room, column.bytes, column.len, LEVEL);
	if (!ZSTD_isError(n)) {
		put_uleb(out, column.len);
		put_uleb(out, n);
		buf_add(out, data.data, n);
	}
	buf_release(&data);
	return !ZSTD_isError(n);
}

static bool put_columns(const struct packing *p, const struct buf *parts, struct buf *out)
{
	bool good = true;

	for (size_t i = 0; good && i < COLUMNS; i++) {
		const struct buf *column = i == CELLS ? parts : &p->columns[i];

		good = compress(i < KEPT_COLUMNS
					? p->a->c->addresses->columns[i]
					: (struct kept_column){ column->data, column->len },
				out);
	}
	return good;
}

int address_add(struct adding *a, const uint32_t *origins, size_t count, const struct buf *parts)
{
	struct packing p = { .a = a, .places = xcalloc(a->c->frame_count + 1, sizeof(uint32_t)) };
	struct buf data = { 0 };
	sqlite3_stmt *add = sql_prepare(a->sql, "INSERT INTO address VALUES(?,?)");
	int rc = ERR_IO;

	put_locations(&p);
	put_leaves(&p, origins, count);
	if (add && put_columns(&p, parts, &data))
		rc = sql_run(a->sql, add,
			     SQL_VALUES(SQL_INT(a->capture), SQL_BYTES(data.data, data.len)));
	sql_end(a->sql, add);
	free(p.places);
	for (size_t i = 0; i < COLUMNS; i++)
		buf_release(&p.columns[i]);
	buf_release(&data);
	return rc;
}

/* ---- out of it ---- */

/* The numbers of a column; NULL: it is damaged, else the caller frees them. */
static uint32_t *take_numbers(const struct kept_column *column, size_t *count)
{
	struct cursor c = cursor_make(column->bytes, column->len, false);
	uint32_t *list = xcalloc(column->len + 1, sizeof(*list));
	size_t n = 0;

	while (cursor_left(&c))
		list[n++] = (uint32_t)cursor_uleb(&c);
	*count = n;
	if (!c.bad)
		return list;
	free(list);
	return NULL;
}

static void take_frames(struct address *a)
{
	struct cursor c = cursor_make(a->columns[FRAMES].bytes, a->columns[FRAMES].len, false);
	uint64_t last = 0;

	a->frames = xcalloc(cursor_left(&c) + 1, sizeof(*a->frames));
	while (cursor_left(&c)) {
		last = cursor_step(&c, last);
		a->frames[a->of.frame_count++] = (int64_t)last;
	}
}

/* COUNT numbers become where each begins: the sum of those before. False: it is not SUM. */
static bool make_first(uint32_t *list, size_t count, size_t sum)
{
	uint64_t at = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t n = list[i];

		list[i] = (uint32_t)at;
		at += n;
	}
	list[count] = (uint32_t)at;
	return at == sum;
}

static bool take_locations(struct address *a)
{
	size_t used = 0, sum, count;

	a->first = take_numbers(&a->columns[COUNTS], &count);
	a->loc_frames = take_numbers(&a->columns[LOCATIONS], &sum);
	if (!a->first || !a->loc_frames || !make_first(a->first, count, sum))
		return false;
	for (size_t i = 0; i < sum; i++) {
		uint32_t back = a->loc_frames[i];

		if (back > used || (!back && used >= a->of.frame_count))
			return false;
		a->loc_frames[i] = (uint32_t)(back ? used - back : used++);
	}
	a->of.addresses.location_count = count;
	return true;
}

static bool take_leaves(struct address *a)
{
	size_t leaves, count;
	uint32_t *first = take_numbers(&a->columns[LEAVES], &count);
	bool good;

	a->labels = take_numbers(&a->columns[LABELS], &leaves);
	good = first && a->labels && make_first(first, count, leaves);
	a->chains = xcalloc(good ? leaves + 1 : 1, sizeof(*a->chains));
	for (uint32_t i = 0; good && i < count; i++) {
		for (uint32_t at = first[i]; at < first[i + 1]; at++)
			a->chains[at] = i;
	}
	for (size_t i = 0; good && i < leaves; i++)
		good = a->labels[i] < a->of.frame_count;
	a->of.addresses.chain_count = count;
	a->of.leaf_count = leaves;
	free(first);
	return good;
}

static bool take_column(struct address *a, size_t i, struct cursor *c)
{
	uint64_t size = cursor_uleb(c), len = cursor_uleb(c);
	const void *from = cursor_take(c, len);

	if (!from || c->bad || size > BYTES_MAX)
		return false;
	a->bytes[i] = xmalloc(size + 1);
	a->columns[i] = (struct kept_column){ a->bytes[i], size };
	return ZSTD_decompress(a->bytes[i], size, from, len) == size;
}

bool address_unpack(struct address *a, const void *bytes, size_t len)
{
	struct cursor c = cursor_make(bytes, len, false);

	*a = (struct address){ 0 };
	for (size_t i = 0; i < COLUMNS; i++) {
		if (!take_column(a, i, &c))
			return false;
	}
	memcpy(a->of.addresses.columns, a->columns, sizeof(a->of.addresses.columns));
	take_frames(a);
	if (cursor_left(&c) || !take_locations(a) || !take_leaves(a))
		return false;
	a->parts = take_numbers(&a->columns[CELLS], &a->cell_count);
	a->of.addresses.first = a->first;
	a->of.addresses.frames = a->loc_frames;
	a->of.addresses.chains = a->chains;
	a->of.labels = a->labels;
	return a->parts;
}

void address_release(struct address *a)
{
	free(a->frames);
	free(a->first);
	free(a->loc_frames);
	free(a->chains);
	free(a->labels);
	free(a->parts);
	for (size_t i = 0; i < COLUMNS; i++)
		free(a->bytes[i]);
	*a = (struct address){ 0 };
}
