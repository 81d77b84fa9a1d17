/* What counters grew by, from what they were read at. */
#include "parser/feed/counters.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define STAT_MAX (1u << 20) /* counters: a damaged file invents them without end */

void counters_release(struct counters *c)
{
	idmap_release(&c->read.ids);
	free(c->read.values);
	idmap_release(&c->stat_ids);
	free(c->stat);
	free(c->threads);
}

uint64_t *counters_last(struct last_values *v, uint64_t key)
{
	uint32_t *slot = idmap_put(&v->ids, key);

	if (*slot == IDMAP_NONE) {
		v->values = xgrow(v->values, &v->cap, v->count + 1, sizeof(*v->values));
		v->values[v->count] = 0;
		*slot = (uint32_t)v->count++;
	}
	return &v->values[*slot];
}

uint64_t counters_read(struct counters *c, uint64_t id, uint64_t value)
{
	uint64_t *last = counters_last(&c->read, id);
	/* a counter that went back was read too late: nothing new */
	uint64_t delta = value > *last ? value - *last : 0;

	*last = value;
	return delta;
}

/* perf stat record --no-scale: counts stay as they were read. */
static bool unscaled(const struct counters *c)
{
	return c->has_config[PDT_STAT_SCALED] && !c->config[PDT_STAT_SCALED];
}

/* What S would have counted had it run all the time that it was enabled. */
static uint64_t stat_scaled(const struct counters *c, const struct record_stat *s)
{
	unsigned __int128 v = s->value;

	if (unscaled(c))
		return s->value;
	if (!s->running_ns)
		return 0;
	if (s->running_ns >= s->enabled_ns)
		return s->value;
	v = v * s->enabled_ns / s->running_ns;
	return v > UINT64_MAX ? UINT64_MAX : (uint64_t)v;
}

static uint64_t grown(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

uint64_t counters_stat(struct counters *c, struct event_stats *e, struct record_stat *s)
{
	uint64_t key[2] = { s->id, (uint64_t)s->cpu << 32 | s->thread };
	uint64_t hash = hash_words(key, 2), scaled;
	struct record_stat now = *s, *last;
	uint32_t *slot;

	if (c->stat_count >= STAT_MAX && idmap_get(&c->stat_ids, hash) == IDMAP_NONE) {
		c->left_out++;
		s->value = s->enabled_ns = s->running_ns = 0;
		return 0;
	}
	slot = idmap_put(&c->stat_ids, hash);
	if (*slot == IDMAP_NONE) {
		c->stat = xgrow(c->stat, &c->stat_cap, c->stat_count + 1, sizeof(*c->stat));
		c->stat[c->stat_count] = (struct record_stat){ 0 };
		*slot = (uint32_t)c->stat_count++;
		e->counters++;
	}
	last = &c->stat[*slot];
	s->value = grown(now.value, last->value);
	s->enabled_ns = grown(now.enabled_ns, last->enabled_ns);
	s->running_ns = grown(now.running_ns, last->running_ns);
	*last = now;
	scaled = stat_scaled(c, s);
	e->counted += scaled;
	return scaled;
}

/* OFFSET SIZE MEANING of THREAD_MAP (perf 4.4): 0 8 how many, then of each 0 8 tid, 8 16 name */
void counters_threads(struct counters *c, const struct raw *raw)
{
	enum { COMM = sizeof(c->threads->comm), BYTES = 8 + COMM };
	struct cursor from = raw->body;
	uint64_t count = cursor_u64(&from);

	if (from.bad || c->threads || count > cursor_left(&from) / BYTES)
		return;
	c->threads = xcalloc(count + 1, sizeof(*c->threads));
	c->thread_count = count;
	for (size_t i = 0; i < count; i++) {
		c->threads[i].tid = (uint32_t)cursor_u64(&from);
		memcpy(c->threads[i].comm, cursor_take(&from, COMM), COMM - 1);
	}
}

/* STAT_CONFIG: 0 8 how many, then of each 0 8 what it is of, 8 8 the value */
void counters_config(struct counters *c, const struct raw *raw)
{
	struct cursor from = raw->body;
	uint64_t count = cursor_u64(&from);

	for (uint64_t i = 0; i < count && cursor_left(&from) >= 16; i++) {
		uint64_t what = cursor_u64(&from), value = cursor_u64(&from);

		if (what < PDT_STAT_CONFIGS) {
			c->config[what] = value;
			c->has_config[what] = true;
		}
	}
}
