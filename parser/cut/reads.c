/* What counters grew by, summed up anew. Their forms: linux/perf_event.h, struct read_format. */
#include "parser/cut/reads.h"
#include "parser/base/abi.h"
#include "parser/pack/rewrite.h"

#include <stdlib.h>
#include <string.h>

static bool passes(struct reads *r, const struct event_list *e, uint64_t id)
{
	const struct pdt_desc *d = event_list_find_id(e, id);

	return !r->events->count || !d || event_chosen(&r->choice, e, r->events, d);
}

void reads_sum(struct reads *r, const struct event_list *e, const struct sample *s, uint8_t *out)
{
	const struct event_attr *attr = &s->desc->attr;
	uint64_t format = attr->read_format;
	bool group = format & FORMAT_GROUP;
	unsigned times = 8 * (!!(format & FORMAT_TIME_ENABLED) + !!(format & FORMAT_TIME_RUNNING));
	struct cursor c = cursor_make(s->read, s->read_size, s->swap);
	uint64_t nr = group ? cursor_u64(&c) : 1;

	if (group)
		cursor_skip(&c, times);
	while (nr-- && !c.bad) {
		size_t at = (size_t)(c.pos - s->read);
		uint64_t value = cursor_u64(&c), id, key, delta, *is;

		if (!group)
			cursor_skip(&c, times);
		key = id = cursor_u64(&c);
		if (format & FORMAT_LOST)
			cursor_skip(&c, 8);
		if (c.bad)
			return;
		if (attr->flags & ATTR_INHERIT) /* each thread's own, under one id */
			key ^= (uint64_t)s->tid << 40;
		delta = counters_read(&r->was, key, value);
		is = counters_last(&r->is, key);
		*is += out && passes(r, e, id) ? delta : 0;
		if (out)
			put_number(out + at, *is, 8, s->swap);
	}
}

void reads_release(struct reads *r)
{
	event_choice_release(&r->choice);
	counters_release(&r->was);
	idmap_release(&r->is.ids);
	free(r->is.values);
}
