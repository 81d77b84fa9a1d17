/* A capture is closed before the next one is read, so that nothing of its events may stay but
 * copies. */
#include "analyzers/counters/stat_runs.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

void stat_runs_release(struct stat_runs *r)
{
	stat_runs_end(r);
	intern_release(&r->keys);
	intern_release(&r->units);
	free(r->seen);
	free(r->map);
}

void stat_runs_end(struct stat_runs *r)
{
	intern_release(&r->names);
	r->seen_count = r->map_count = 0;
}

/* How many events of the capture had NAME before. */
static uint32_t order_of(struct stat_runs *r, const char *name)
{
	uint32_t id = intern_add(&r->names, name, strlen(name));

	r->seen = xgrow_to(r->seen, &r->seen_count, &r->seen_cap, id, sizeof(*r->seen));
	return r->seen[id]++;
}

static void add_event(struct stat_runs *r, struct metrics *m, uint32_t id, struct metric_event e)
{
	e.name = intern_str(&r->keys, id);
	if (e.unit)
		e.unit = intern_str(&r->units, intern_add(&r->units, e.unit, strlen(e.unit)));
	/* its leader came before it, or there is no group */
	e.group = e.group && e.group <= r->map_count ? 1 + r->map[e.group - 1] : 0;
	m->events = xgrow(m->events, &m->cap, m->count + 1, sizeof(*m->events));
	m->events[m->count++] = e;
}

static void map_event(struct stat_runs *r, struct metrics *m, struct metric_event e)
{
	uint32_t order = order_of(r, e.name), id;
	struct buf key = { 0 };

	buf_add(&key, e.name, strlen(e.name) + 1);
	buf_add(&key, &order, sizeof(order));
	id = intern_add(&r->keys, key.data, key.len);
	buf_release(&key);
	r->map = xgrow(r->map, &r->map_cap, r->map_count + 1, sizeof(*r->map));
	r->map[r->map_count++] = id;
	if (id == m->count)
		add_event(r, m, id, e);
}

const uint32_t *stat_runs_map(struct stat_runs *r, struct metrics *m, const struct pdt_session *s,
			      const struct pdt_desc *d)
{
	uint32_t wanted = pdt_desc_index(d);

	while (r->map_count <= wanted)
		map_event(r, m, metrics_event(s, pdt_desc_at(s, r->map_count)));
	return r->map;
}
