/* The cells of a capture go in, ascending by their places, those of one place as one: as chunks,
 * and summed up as totals. */
#include "parser/base/held.h"
#include "parser/base/mem.h"
#include "parser/base/numbered.h"
#include "parser/store/add.h"
#include "parser/store/address/address.h"
#include "parser/store/facts.h"
#include "parser/store/store.h"

#include <stdlib.h>

/* ---- leaves ---- */

/* By the ranks of their stacks, then by their origins: where they were. */
struct leaves {
	uint32_t *origins;
	size_t origin_count;
	uint32_t *places;	 /* by origin */
	uint32_t *ranks, *parts; /* by place: of its stack, and which of those of that rank */
};

static uint32_t rank_of(const struct adding *a, size_t leaf)
{
	return a->ranks[a->c->leaves[leaf]];
}

/* Without addresses a stack is all that a leaf is. */
static uint32_t *origins_of(const struct adding *a, size_t *count)
{
	uint32_t *origins;

	if (a->c->addresses)
		return address_origins(a, count);
	origins = xcalloc(a->c->leaf_count + 1, sizeof(*origins));
	for (size_t i = 0; i < a->c->leaf_count; i++)
		origins[i] = rank_of(a, i);
	*count = a->sorted_count;
	return origins;
}

static void leaves_order(struct leaves *l, const struct adding *a)
{
	uint32_t *first = xcalloc(a->sorted_count + 2, sizeof(*first)); /* by rank: of its places */
	uint32_t *used = xcalloc(a->sorted_count + 1, sizeof(*used)), *ranks;

	l->origins = origins_of(a, &l->origin_count);
	l->places = xcalloc(l->origin_count + 1, sizeof(*l->places));
	l->ranks = xcalloc(l->origin_count + 1, sizeof(*l->ranks));
	l->parts = xcalloc(l->origin_count + 1, sizeof(*l->parts));
	ranks = xcalloc(l->origin_count + 1, sizeof(*ranks)); /* by origin */
	for (size_t i = 0; i < a->c->leaf_count; i++)
		ranks[l->origins[i]] = rank_of(a, i);
	for (size_t i = 0; i < l->origin_count; i++)
		first[ranks[i] + 1]++;
	for (size_t i = 0; i < a->sorted_count; i++)
		first[i + 1] += first[i];
	for (size_t i = 0; i < l->origin_count; i++) {
		uint32_t part = used[ranks[i]]++, place = first[ranks[i]] + part;

		l->places[i] = place;
		l->ranks[place] = ranks[i];
		l->parts[place] = part;
	}
	free(first);
	free(used);
	free(ranks);
}

static void leaves_release(struct leaves *l)
{
	free(l->origins);
	free(l->places);
	free(l->ranks);
	free(l->parts);
}

/* ---- their order ---- */

enum field { EVENT, STEP, CPU, THREAD, LEAF, FIELDS };

struct ordering {
	const struct leaves *leaves;
	const struct store_cell *cells;
	size_t count;
	uint64_t first_step;
	unsigned bits[FIELDS]; /* that its values take */
};

static uint32_t place_of(const struct leaves *l, const struct store_cell *c)
{
	return l->places[l->origins[c->leaf]];
}

static inline uint64_t field_of(const struct ordering *o, size_t i, enum field field)
{
	const struct store_cell *c = &o->cells[i];

	switch (field) {
	case EVENT:
		return c->event;
	case STEP:
		return c->step - o->first_step;
	case CPU:
		return c->cpu;
	case THREAD:
		return c->thread;
	default:
		return place_of(o->leaves, c);
	}
}

static void count_bits(struct ordering *o)
{
	uint64_t any[FIELDS] = { 0 };

	o->first_step = o->count ? o->cells[0].step : 0;
	for (size_t i = 0; i < o->count; i++)
		o->first_step = o->cells[i].step < o->first_step ? o->cells[i].step : o->first_step;
	for (size_t i = 0; i < o->count; i++) {
		for (enum field f = 0; f < LEAF; f++)
			any[f] |= field_of(o, i, f);
	}
	any[LEAF] = o->leaves->origin_count;
	for (enum field f = 0; f < FIELDS; f++)
		o->bits[f] = any[f] ? 64 - (unsigned)__builtin_clzll(any[f]) : 0;
}

/* Fields [FROM, TO) of cell I, which fit into a number. */
static uint64_t key_of(const struct ordering *o, size_t i, unsigned from, unsigned to)
{
	uint64_t key = field_of(o, i, from);

	while (++from < to)
		key = key << o->bits[from] | field_of(o, i, from);
	return key;
}

/* The cells by all fields, the last ones first, as the sort keeps equals as they are; the caller
 * frees them. */
static struct numbered *cells_order(struct ordering *o)
{
	struct numbered *list = xmalloc((o->count + 1) * sizeof(*list));
	unsigned to = FIELDS, from, bits;

	count_bits(o);
	for (size_t i = 0; i < o->count; i++)
		list[i].id = i;
	for (; to; to = from) {
		from = to - 1;
		bits = o->bits[from];
		while (from && bits + o->bits[from - 1] <= 64)
			bits += o->bits[--from];
		for (size_t i = 0; i < o->count; i++)
			list[i].number = key_of(o, list[i].id, from, to);
		numbered_sort(list, o->count);
	}
	return list;
}

/* ---- into the store ---- */

struct putting {
	struct adding *a;
	sqlite3_stmt *chunk, *total;
	ZSTD_CCtx *zstd;
	struct chunk_cell *list; /* of the chunk at hand */
	size_t count, room;
	unsigned number;
	uint32_t event, place;	 /* of the cell that came last */
	struct store_sums *sums; /* by rank, of EVENT */
	struct buf parts;
};

static int put_chunk(struct putting *p)
{
	const struct chunk_cell *list = p->list;
	struct buf data = { 0 };
	int rc = ERR_IO;

	if (!p->count)
		return 0;
	if (chunk_pack(&data, p->zstd, list, p->count))
		rc = sql_run(p->a->sql, p->chunk,
			     SQL_VALUES(SQL_INT(p->a->capture), SQL_INT(p->event),
					SQL_INT(p->number), SQL_INT(list[0].step),
					SQL_INT(list[p->count - 1].step),
					SQL_BYTES(data.data, data.len)));
	p->number++;
	p->count = 0;
	buf_release(&data);
	return rc;
}

/* What each stack has of the event. */
static int put_totals(struct putting *p)
{
	const struct adding *a = p->a;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < a->sorted_count; i++) {
		if (p->sums[i].samples)
			rc = sql_run(a->sql, p->total,
				     SQL_VALUES(SQL_INT(a->capture), SQL_INT(p->event),
						SQL_INT(a->sorted[i]), SQL_INT(p->sums[i].weight),
						SQL_INT(p->sums[i].samples)));
		p->sums[i] = (struct store_sums){ 0 };
	}
	return rc;
}

/* There is a place for C, which is of PLACE among the leaves. */
static int begin_cell(struct putting *p, const struct leaves *l, const struct store_cell *c,
		      uint32_t place)
{
	int rc = 0;

	if (p->count == p->room || (p->count && c->event != p->event))
		rc = put_chunk(p);
	if (c->event != p->event)
		rc = rc ?: put_totals(p);
	p->event = c->event;
	p->place = place;
	p->list[p->count++] = (struct chunk_cell){
		.step = c->step, .cpu = c->cpu, .thread = c->thread, .stack = l->ranks[place]
	};
	put_uleb(&p->parts, l->parts[place]);
	return rc;
}

static int put_cell(struct putting *p, const struct leaves *l, const struct store_cell *c)
{
	uint32_t place = place_of(l, c);
	struct chunk_cell *to = p->count ? &p->list[p->count - 1] : NULL;
	int rc = 0;

	if (!to || place != p->place || c->thread != to->thread || c->cpu != to->cpu ||
	    c->step != to->step || c->event != p->event) {
		rc = begin_cell(p, l, c, place);
		to = &p->list[p->count - 1];
	}
	(void)add_held(&to->weight, c->weight);
	to->samples += c->samples;
	(void)add_held(&p->sums[to->stack].weight, c->weight);
	p->sums[to->stack].samples += c->samples;
	return rc;
}

#define AHEAD 12 /* cells lie anywhere in memory */

static int put_cells(struct putting *p, const struct leaves *l)
{
	struct ordering o = { .leaves = l, .cells = p->a->c->cells, .count = p->a->c->cell_count };
	struct numbered *sorted = cells_order(&o);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < o.count; i++) {
		if (i + AHEAD < o.count)
			__builtin_prefetch(&o.cells[sorted[i + AHEAD].id]);
		rc = put_cell(p, l, &o.cells[sorted[i].id]);
	}
	free(sorted);
	return rc ?: put_chunk(p) ?: put_totals(p);
}

int adding_cells(struct adding *a)
{
	struct leaves leaves = { 0 };
	struct putting p = {
		.a = a,
		.chunk = sql_prepare(a->sql, "INSERT INTO chunk VALUES(?,?,?,?,?,?)"),
		.total = sql_prepare(a->sql, "INSERT INTO total VALUES(?,?,?,?,?)"),
		.zstd = ZSTD_createCCtx(),
		.room = a->c->cell_count < CHUNK_CELLS ? a->c->cell_count : CHUNK_CELLS,
		.sums = xcalloc(a->sorted_count + 1, sizeof(*p.sums)),
	};
	int rc = p.chunk && p.total && p.zstd ? 0 : ERR_IO;

	leaves_order(&leaves, a);
	p.list = xmalloc((p.room + 1) * sizeof(*p.list));
	rc = rc ?: put_cells(&p, &leaves);
	if (rc == 0 && a->c->addresses)
		rc = address_add(a, leaves.origins, leaves.origin_count, &p.parts);
	sql_end(a->sql, p.chunk);
	sql_end(a->sql, p.total);
	ZSTD_freeCCtx(p.zstd);
	leaves_release(&leaves);
	free(p.list);
	free(p.sums);
	buf_release(&p.parts);
	return rc;
}
