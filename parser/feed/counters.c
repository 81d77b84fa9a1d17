/* What counters grew by, from what they were read at. */
#include "parser/feed/counters.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>

#define STAT_MAX (1u << 20) /* counters: a damaged file invents them without end */

static void values_release(struct last_values *v)
{
	idmap_release(&v->ids);
	free(v->values);
}

void counters_release(struct counters *c)
{
	values_release(&c->read);
	values_release(&c->stat);
}

/* The last value of counter KEY, 0 at first. */
static uint64_t *last_value(struct last_values *v, uint64_t key)
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
	uint64_t *last = last_value(&c->read, id);
	/* a counter that went back was read too late: nothing new */
	uint64_t delta = value > *last ? value - *last : 0;

	*last = value;
	return delta;
}

/* What S would have counted had it run all the time that it was enabled. */
static uint64_t stat_scaled(const struct record_stat *s)
{
	unsigned __int128 v = s->value;

	if (!s->running_ns)
		return 0;
	v = v * s->enabled_ns / s->running_ns;
	return v > UINT64_MAX ? UINT64_MAX : (uint64_t)v;
}

void counters_stat(struct counters *c, struct event_stats *e, const struct record_stat *s)
{
	uint64_t key[2] = { s->id, (uint64_t)s->cpu << 32 | s->thread };
	uint64_t scaled, *last;
	uint64_t hash = hash_words(key, 2);
	size_t known = c->stat.count;

	if (known >= STAT_MAX && idmap_get(&c->stat.ids, hash) == IDMAP_NONE) {
		c->left_out++;
		return;
	}
	last = last_value(&c->stat, hash);
	e->counters += c->stat.count - known;
	scaled = stat_scaled(s);
	e->counted = e->counted - *last + scaled;
	*last = scaled;
}
