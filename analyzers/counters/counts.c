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
	free(c->told);
}

static struct count_place place_of(const struct counts *c, const struct pdt_counter *k,
				   const struct pdt_session *s)
{
	struct pdt_cpu_place at = pdt_cpu_place(s, k->cpu);
	struct count_place p = { -1, -1, -1, -1, -1, -1 };

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
	sum->told = sum->readings ? 0 : more->told;
	sum->runs = !sum->readings || sum->runs == more->runs ? more->runs : 0;
	sum->error2 += more->error2;
	sum->readings += more->readings;
	sum->idle += more->idle;
}

static size_t in_rounds(const struct counts *c)
{
	const struct count_round *r = c->round_count ? &c->rounds[c->round_count - 1] : NULL;

	return r ? r->first + r->count : 0;
}

void counts_end_round(struct counts *c, const struct count_round *r)
{
	size_t first = in_rounds(c);

	c->rounds = xgrow(c->rounds, &c->round_cap, c->round_count + 1, sizeof(*c->rounds));
	c->rounds[c->round_count] = *r;
	c->rounds[c->round_count].first = first;
	c->rounds[c->round_count++].count = c->entry_count - first;
	for (size_t i = first; i < c->entry_count; i++)
		c->in_round[c->entries[i].cell] = 0;
}

void counts_drop_rounds(struct counts *c, size_t r)
{
	if (r < c->round_count)
		c->entry_count = c->rounds[r].first;
	c->round_count = r;
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
	uint32_t event;

	if (pdt_round(s, e, &r))
		counts_end_round(c, &(struct count_round){ r.time_ns, r.last, .run = c->run });
	if (!pdt_counter(s, e, &k))
		return;
	p = place_of(c, &k, s);
	event = pdt_desc_index(e->desc);
	counts_put(
		c, &p, c->events ? c->events[event] : event,
		&(struct count){ k.scaled, k.value, k.enabled_ns, k.running_ns, 1, !k.running_ns });
}

void counts_put(struct counts *c, const struct count_place *p, uint32_t event,
		const struct count *k)
{
	struct cell_key key = { intern_add(&c->places, (const char *)p, sizeof(*p)), event };

	add(c, count_of(c, intern_add(&c->cells, (const char *)&key, sizeof(key))), k);
}

bool counts_has(const struct counts *c, const struct count_place *p, uint32_t event)
{
	struct cell_key key = { intern_find(&c->places, (const char *)p, sizeof(*p)), event };
	uint32_t cell = key.place == INTERN_NONE
				? INTERN_NONE
				: intern_find(&c->cells, (const char *)&key, sizeof(key));

	return cell != INTERN_NONE && cell < c->cell_count && c->in_round[cell];
}

void counts_tell(struct counts *c, double value, const char *unit)
{
	struct count *k = &c->entries[c->entry_count - 1].count;

	c->told = xgrow(c->told, &c->told_cap, c->told_count + 1, sizeof(*c->told));
	if (k->told)
		c->told[c->told_count - 1].last = false;
	else
		k->told = (uint32_t)c->told_count + 1;
	c->told[c->told_count++] = (struct told_metric){ value, unit, true };
}

bool counts_end_run(struct counts *c)
{
	size_t first = in_rounds(c), rounds = c->round_count;
	bool no_round = !rounds || c->rounds[rounds - 1].run != c->run;
	bool left = c->entry_count > first && no_round;

	for (size_t i = first; i < c->entry_count; i++)
		left |= c->entries[i].count.enabled_ns != 0;
	if (left)
		counts_end_round(c, &(struct count_round){ .rest = true, .run = c->run });
	return left;
}

void counts_end(struct counts *c)
{
	c->loaded = xcalloc(c->cells.count + 1, sizeof(*c->loaded));
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
	const int32_t xs[] = { x.socket, x.die, x.core, x.cpu, x.thread, x.other };
	const int32_t ys[] = { y.socket, y.die, y.core, y.cpu, y.thread, y.other };

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

/* Of one cell, run by run. */
struct mean {
	uint32_t runs;
	double scaled, enabled, running, squares; /* of the distances from the mean */
	struct count last;
};

static void mean_add(struct mean *m, const struct count *k)
{
	double n = ++m->runs, off = (double)k->scaled - m->scaled;

	m->scaled += off / n;
	m->squares += off * ((double)k->scaled - m->scaled);
	m->enabled += ((double)k->enabled_ns - m->enabled) / n;
	m->running += ((double)k->running_ns - m->running) / n;
	m->last = *k;
}

static uint64_t whole(double v)
{
	return v < 1.8e19 ? (uint64_t)(v + 0.5) : UINT64_MAX;
}

static struct count mean_of(const struct mean *m)
{
	struct count k = m->last;
	double n = m->runs;

	if (m->runs < 2)
		return k;
	k.scaled = whole(m->scaled);
	k.mean = m->scaled;
	k.enabled_ns = whole(m->enabled);
	k.running_ns = whole(m->running);
	k.error2 = m->squares / (n - 1) / n;
	k.runs = m->runs;
	k.told = 0;
	return k;
}

void counts_load_all(struct counts *c, uint32_t runs)
{
	struct mean *means = runs > 1 ? xcalloc(c->cells.count + 1, sizeof(*means)) : NULL;

	for (size_t i = 0, first = 0; i < c->round_count; i++) {
		bool last = i + 1 == c->round_count || c->rounds[i + 1].run != c->rounds[i].run;

		counts_load(c, i);
		for (size_t k = 0; means && last && k < c->cells.count; k++) {
			if (c->loaded[k].readings && c->loaded[k].running_ns)
				mean_add(&means[k], &c->loaded[k]);
			else if (!means[k].runs)
				means[k].last = c->loaded[k];
		}
		for (; means && last && first <= i; first++)
			counts_unload(c, first);
	}
	for (size_t k = 0; means && k < c->cells.count; k++)
		c->loaded[k] = mean_of(&means[k]);
	free(means);
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
