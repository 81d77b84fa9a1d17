/* Source of the form: perf 6.12, tools/perf/builtin-script.c, __process_stat(). Of a counter that
 * was not read in an interval perf shows what it was before. */
#include "analyzers/script/counted.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"
#include "parser/pdtool_capture.h"
#include "parser/pdtool_record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct counted_place {
	uint32_t desc; /* its index */
	uint32_t thread, cpu;
};

struct counted_row {
	struct pdt_counter read;
	const char *name;
};

bool counted_is(const struct pdt_session *s)
{
	const char *name;
	uint64_t size;
	uint32_t id;

	for (size_t i = 0; pdt_feature(s, i, &id, &name, &size); i++) {
		if (name && !strcmp(name, "STAT"))
			return true;
	}
	return false;
}

static struct counted_place place_of(const struct counted *c, uint32_t id)
{
	struct counted_place place;

	memcpy(&place, intern_str(&c->places, id), sizeof(place));
	return place;
}

/* By events, then threads, then CPUs. */
static int by_place(const void *a, const void *b, void *counted)
{
	struct counted_place x = place_of(counted, *(const uint32_t *)a);
	struct counted_place y = place_of(counted, *(const uint32_t *)b);

	return compare_u64(x.desc, y.desc)   ?: compare_u64(x.thread, y.thread)
					     ?: compare_u64(x.cpu, y.cpu);
}

static void take(struct counted *c, const struct pdt_desc *d, const struct pdt_counter *read)
{
	const struct counted_place place = { pdt_desc_index(d), read->thread, read->cpu };
	uint32_t id = intern_add(&c->places, (const char *)&place, sizeof(place));

	c->reads = xgrow(c->reads, &c->cap, c->places.count, sizeof(*c->reads));
	c->reads[id] = (struct counted_row){ *read, pdt_desc_name(d) };
}

/* A counter that was never read is nothing, wherever the first one was. */
static void add_unread(struct counted *c, const struct pdt_session *s)
{
	uint32_t first = c->places.count ? place_of(c, 0).desc : 0;
	size_t count = pdt_desc_count(s), known = c->places.count;
	bool *read = xcalloc(count + 1, sizeof(*read));

	for (uint32_t i = 0; i < known; i++)
		read[place_of(c, i).desc] = true;
	for (size_t d = 0; d < count; d++) {
		for (uint32_t i = 0; i < known && !read[d]; i++) {
			struct counted_place place = place_of(c, i);

			if (place.desc == first)
				take(c, pdt_desc_at(s, d),
				     &(struct pdt_counter){ .cpu = place.cpu,
							    .thread = place.thread });
		}
	}
	free(read);
}

static void make_order(struct counted *c)
{
	if (c->ordered == c->places.count)
		return;
	c->order = xrealloc(c->order, c->places.count * sizeof(*c->order));
	for (; c->ordered < c->places.count; c->ordered++)
		c->order[c->ordered] = (uint32_t)c->ordered;
	qsort_r(c->order, c->ordered, sizeof(*c->order), by_place, c);
}

static void put_row(const struct counted_row *row, uint64_t time_ns, const struct pdt_session *s,
		    struct buf *out)
{
	uint32_t tid;
	size_t name;

	(void)pdt_counted_thread(s, row->read.thread, &tid);
	buf_printf(out, "%3d %8d %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " ",
		   (int)row->read.cpu, (int)tid, row->read.value, row->read.enabled_ns,
		   row->read.running_ns, time_ns);
	name = out->len;
	buf_str(out, row->name);
	make_safe(out, name);
	buf_char(out, '\n');
}

bool counted_event(struct counted *c, const struct pdt_event *e, const struct pdt_session *s,
		   struct buf *out)
{
	struct pdt_counter read;
	struct pdt_round round;

	if (e->kind == PDT_COUNTER && e->desc && pdt_counter(s, e, &read))
		take(c, e->desc, &read);
	if (e->kind != PDT_ROUND || !pdt_round(s, e, &round))
		return false;
	if (!c->begun)
		add_unread(c, s);
	make_order(c);
	if (!c->begun)
		buf_printf(out, "%3s %8s %15s %15s %15s %15s %s\n", "CPU", "THREAD", "VAL", "ENA",
			   "RUN", "TIME", "EVENT");
	c->begun = true;
	for (size_t i = 0; i < c->ordered; i++)
		put_row(&c->reads[c->order[i]], round.time_ns, s, out);
	return true;
}

void counted_release(struct counted *c)
{
	intern_release(&c->places);
	free(c->reads);
	free(c->order);
}
