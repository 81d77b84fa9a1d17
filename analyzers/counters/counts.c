/* Counts are kept for what was read, not for each event at each place in each round. */
#include "analyzers/counters/counts.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

struct cell_key {
	uint32_t place, event;
};

void counts_release(struct counts *c)
{
	intern_release(&c->places);
	intern_release(&c->cells);
	free(c->entries);
	free(c->rounds);
	free(c->in_round);
	free(c->loaded);
}

static struct count_place place_of(const struct counts *c, const struct pdt_counter *k,
				   const struct pdt_session *s)
{
	struct pdt_cpu_place at = pdt_cpu_place(s, k->cpu);
	struct count_place p = { -1, -1, -1, -1, -1 };

	if (c->by == COUNT_BY_CPU)
		p.cpu = (int32_t)k->cpu;
	if (c->by == COUNT_BY_THREAD)
		p.thread = (int32_t)k->thread;
	if (c->by == COUNT_BY_SOCKET || c->by == COUNT_BY_DIE || c->by == COUNT_BY_CORE)
		p.socket = at.socket;
	if (c->by == COUNT_BY_DIE || c->by == COUNT_BY_CORE)
		p.die = at.die;
	if (c->by == COUNT_BY_CORE)
		p.core = at.core;
	return p;
}

static void add(struct counts *c, struct count *sum, const struct count *more)
{
	c->held |= add_held(&sum->scaled, more->scaled);
	c->held |= add_held(&sum->value, more->value);
	c->held |= add_held(&sum->enabled_ns, more->enabled_ns);
	c->held |= add_held(&sum->running_ns, more->running_ns);
	sum->readings += more->readings;
	sum->idle += more->idle;
}

static size_t in_rounds(const struct counts *c)
{
	const struct count_round *r = c->round_count ? &c->rounds[c->round_count - 1] : NULL;

	return r ? r->first + r->count : 0;
}

static void end_round(struct counts *c, const struct pdt_round *r)
{
	size_t first = in_rounds(c);

	c->rounds = xgrow(c->rounds, &c->round_cap, c->round_count + 1, sizeof(*c->rounds));
	c->rounds[c->round_count++] = (struct count_round){ .time_ns = r->time_ns,
							    .last = r->last,
							    .first = first,
							    .count = c->entry_count - first };
	for (size_t i = first; i < c->entry_count; i++)
		c->in_round[c->entries[i].cell] = 0;
}

/* What CELL comes to in the round that goes on. */
static struct count *count_of(struct counts *c, uint32_t cell)
{
	size_t *at;

	c->in_round =
		xgrow_to(c->in_round, &c->cell_count, &c->cell_cap, cell, sizeof(*c->in_round));
	at = &c->in_round[cell];
	if (!*at) {
		c->entries =
			xgrow(c->entries, &c->entry_cap, c->entry_count + 1, sizeof(*c->entries));
		c->entries[c->entry_count++] = (struct count_entry){ .cell = cell };
		*at = c->entry_count;
	}
	return &c->entries[*at - 1].count;
}

void counts_add(struct counts *c, const struct pdt_event *e, const struct pdt_session *s)
{
	struct pdt_counter k;
	struct pdt_round r;
	struct count_place p;
	struct cell_key key;

	if (pdt_round(s, e, &r))
		end_round(c, &r);
	if (!pdt_counter(s, e, &k))
		return;
	p = place_of(c, &k, s);
	key.place = intern_add(&c->places, (const char *)&p, sizeof(p));
	key.event = pdt_desc_index(e->desc);
	add(c, count_of(c, intern_add(&c->cells, (const char *)&key, sizeof(key))),
	    &(struct count){ k.scaled, k.value, k.enabled_ns, k.running_ns, 1, !k.running_ns });
}

bool counts_end(struct counts *c)
{
	size_t first = in_rounds(c);
	bool left = c->entry_count > first && !c->round_count;

	for (size_t i = first; i < c->entry_count; i++)
		left |= c->entries[i].count.enabled_ns != 0;
	if (left) {
		end_round(c, &(struct pdt_round){ 0 });
		c->rounds[c->round_count - 1].rest = true;
	}
	c->loaded = xcalloc(c->cells.count + 1, sizeof(*c->loaded));
	return left;
}

size_t counts_places(const struct counts *c)
{
	return c->places.count;
}

struct count_place counts_place(const struct counts *c, size_t place)
{
	struct count_place p;

	memcpy(&p, intern_str(&c->places, (uint32_t)place), sizeof(p));
	return p;
}

static int by_place(const void *a, const void *b, void *ctx)
{
	struct count_place x = counts_place(ctx, *(const size_t *)a);
	struct count_place y = counts_place(ctx, *(const size_t *)b);
	const int32_t xs[] = { x.socket, x.die, x.core, x.cpu, x.thread };
	const int32_t ys[] = { y.socket, y.die, y.core, y.cpu, y.thread };

	for (size_t i = 0; i < ARRAY_SIZE(xs); i++) {
		if (xs[i] != ys[i])
			return xs[i] < ys[i] ? -1 : 1;
	}
	return 0;
}

void counts_order(const struct counts *c, size_t *order)
{
	size_t n = counts_places(c);

	for (size_t i = 0; i < n; i++)
		order[i] = i;
	if (n)
		qsort_r(order, n, sizeof(*order), by_place, (void *)c);
}

void counts_load(struct counts *c, size_t r)
{
	const struct count_round *round = &c->rounds[r];

	for (size_t i = round->first; i < round->first + round->count; i++)
		add(c, &c->loaded[c->entries[i].cell], &c->entries[i].count);
}

void counts_unload(struct counts *c, size_t r)
{
	const struct count_round *round = &c->rounds[r];

	for (size_t i = round->first; i < round->first + round->count; i++)
		c->loaded[c->entries[i].cell] = (struct count){ 0 };
}

void counts_where(const struct counts *c, uint32_t cell, size_t *place, size_t *event)
{
	struct cell_key key;

	memcpy(&key, intern_str(&c->cells, cell), sizeof(key));
	*place = key.place;
	*event = key.event;
}

struct count counts_at(const struct counts *c, size_t place, size_t event)
{
	struct cell_key key = { (uint32_t)place, (uint32_t)event };
	uint32_t cell = intern_find(&c->cells, (const char *)&key, sizeof(key));

	return cell == INTERN_NONE ? (struct count){ 0 } : c->loaded[cell];
}
