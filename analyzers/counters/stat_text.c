/* Source: tools/perf/util/stat-display.c of 6.12. Each round has the sums of all until then. */
#include "analyzers/counters/stat_text.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_SEC    1000000000u
#define UNIT_WIDTH    4
#define METRIC_WIDTH  38
#define HEADERS_EVERY 26 /* rounds */
/* Lines of what was not read in a round: a damaged file has many rounds, and many counters. Past it
 * there are none. */
#define REPEATS_MAX (1u << 20)

static uint64_t repeats(const struct stat_text *t)
{
	const struct counts *c = t->counts;
	uint64_t lines = (uint64_t)c->round_count * counts_places(c) * t->metrics->count;

	return lines > c->entry_count ? lines - c->entry_count : 0;
}

uint64_t stat_text_left_out(const struct stat_text *t)
{
	return repeats(t) > REPEATS_MAX ? repeats(t) : 0;
}

void stat_text_init(struct stat_text *t, const struct pdt_session *s, struct counts *counts,
		    struct metrics *metrics)
{
	uint64_t ms;

	*t = (struct stat_text){ .session = s, .counts = counts, .metrics = metrics };
	t->order = xcalloc(counts_places(counts) + 1, sizeof(*t->order));
	counts_order(counts, t->order);
	t->intervals = pdt_stat_config(s, PDT_STAT_INTERVAL_MS, &ms) && ms;
}

void stat_text_release(struct stat_text *t)
{
	free(t->order);
}

/* ---- what stands before a row ---- */

static void put_time(uint64_t ns, struct buf *out)
{
	buf_printf(out, "%6" PRIu64 ".%09" PRIu64 " ", ns / NS_PER_SEC, ns % NS_PER_SEC);
}

static void put_place(const struct stat_text *t, struct count_place p, uint64_t readings,
		      struct buf *out)
{
	char text[64] = "";
	uint32_t tid;
	const char *comm;
	struct buf safe = { 0 };

	switch (t->counts->by) {
	case COUNT_BY_CPU:
		if (p.cpu >= 0)
			buf_printf(out, "CPU%-3d ", p.cpu);
		return;
	case COUNT_BY_THREAD:
		comm = pdt_counted_thread(t->session, (uint32_t)p.thread, &tid);
		put_safe(&safe, comm ? comm : "");
		buf_char(&safe, '\0');
		buf_printf(out, "%16s-%-7d ", safe.data, (int32_t)tid);
		buf_release(&safe);
		return;
	case COUNT_BY_SOCKET:
		snprintf(text, sizeof(text), "S%d", p.socket);
		buf_printf(out, "%-6s", text);
		break;
	case COUNT_BY_DIE:
		snprintf(text, sizeof(text), "S%d-D%d", p.socket, p.die);
		buf_printf(out, "%-12s", text);
		break;
	case COUNT_BY_CORE:
		snprintf(text, sizeof(text), "S%d-D%d-C%d", p.socket, p.die, p.core);
		buf_printf(out, "%-18s", text);
		break;
	default:
		return;
	}
	buf_printf(out, " %4" PRIu64 " ", readings);
}

static void put_headers(struct stat_text *t, struct buf *out)
{
	static const char *const headers[] = {
		[COUNT_BY_ALL] = "",
		[COUNT_BY_CPU] = " cpu   ",
		[COUNT_BY_SOCKET] = " socket cpus",
		[COUNT_BY_DIE] = " die          cpus",
		[COUNT_BY_CORE] = " core               cpus",
		[COUNT_BY_THREAD] = "             comm-pid    ",
	};
	const char *command = pdt_text(t->session, PDT_CMDLINE);

	if (t->headers++ % HEADERS_EVERY)
		return;
	if (t->intervals) {
		buf_printf(out, "#%15s%s %18s %*s events\n", "time", headers[t->counts->by],
			   "counts", UNIT_WIDTH, "unit");
		return;
	}
	buf_str(out, "\n Performance counter stats for '");
	put_safe(out, command ? command : "pipe");
	buf_str(out, "':\n\n");
}

/* ---- a row ---- */

static void put_metric(const struct metric *m, struct buf *out)
{
	size_t before = out->len;

	buf_str(out, " # ");
	buf_printf(out, m->format, m->value);
	buf_printf(out, " %-*s", METRIC_WIDTH - (int)(out->len - before) - 1, m->unit);
}

static void put_value(const struct stat_text *t, const struct pdt_desc *d, const struct count *k,
		      struct buf *out)
{
	double scale;
	const char *unit = pdt_desc_unit(d, &scale);
	struct buf name = { 0 };

	if (k->enabled_ns && k->running_ns)
		buf_printf(out, "%18.*f ", floor(scale) != scale ? 2 : 0,
			   (double)k->scaled * scale);
	else
		buf_printf(out, "%18s ", k->readings ? "<not counted>" : "<not supported>");
	put_safe(&name, unit ? unit : "");
	buf_char(&name, '\0');
	buf_printf(out, "%-*s ", UNIT_WIDTH, name.data);
	name.len = 0;
	put_safe(&name, pdt_desc_name(d));
	buf_char(&name, '\0');
	buf_printf(out, "%-32s", name.data);
	buf_release(&name);
}

/* A second metric stands below the first. */
static void put_next_line(const struct stat_text *t, const char *before, size_t len,
			  struct buf *out)
{
	buf_char(out, '\n');
	buf_add(out, before, len);
	buf_printf(out, "%*s", t->counts->by == COUNT_BY_CPU ? 57 : 49, "");
}

/* Those of a counter that the kernel refused are counted, too. */
static uint64_t readings_at(const struct stat_text *t, size_t place)
{
	uint64_t most = 0;

	for (size_t i = 0; i < t->metrics->count; i++) {
		uint64_t n = counts_at(t->counts, place, i).readings;

		most = n > most ? n : most;
	}
	return most;
}

/* Of parts of the machine, one counter that never ran makes it nothing. */
static struct count shown_count(const struct stat_text *t, size_t place, size_t event)
{
	enum count_by by = t->counts->by;
	struct count k = counts_at(t->counts, place, event);

	if (k.idle && by != COUNT_BY_ALL && by != COUNT_BY_THREAD)
		return (struct count){ .readings = k.readings };
	return k;
}

static void put_row(struct stat_text *t, uint64_t time_ns, size_t place, size_t event,
		    struct buf *out)
{
	const struct pdt_desc *d = pdt_desc_at(t->session, event);
	struct count k = shown_count(t, place, event);
	bool counted = k.enabled_ns && k.running_ns;
	struct metric metrics[METRICS_MAX];
	size_t n = 0, from = out->len;
	char *before;

	if (t->intervals)
		put_time(time_ns, out);
	put_place(t, counts_place(t->counts, place), k.readings ?: readings_at(t, place), out);
	before = memcpy(xmalloc(out->len - from + 1), out->data + from, out->len - from);
	from = out->len - from;
	put_value(t, d, &k, out);
	if (counted)
		n = metrics_of(t->metrics, t->counts, place, event, metrics);
	if (!n)
		buf_printf(out, "%*s", METRIC_WIDTH, "");
	for (size_t i = 0; i < n; i++) {
		if (i)
			put_next_line(t, before, from, out);
		put_metric(&metrics[i], out);
	}
	if (k.running_ns != k.enabled_ns)
		buf_printf(out, "  (%.2f%%)", 100.0 * (double)k.running_ns / (double)k.enabled_ns);
	buf_char(out, '\n');
	free(before);
}

/* ---- rounds ---- */

static void put_rows(struct stat_text *t, const struct count_round *r, struct buf *out)
{
	enum count_by by = t->counts->by;
	bool places_first = by == COUNT_BY_SOCKET || by == COUNT_BY_DIE || by == COUNT_BY_CORE;
	size_t places = counts_places(t->counts), events = t->metrics->count, p, e;

	for (size_t i = 0; stat_text_left_out(t) && i < r->count; i++) {
		counts_where(t->counts, t->counts->entries[r->first + i].cell, &p, &e);
		put_row(t, r->time_ns, p, e, out);
	}
	if (stat_text_left_out(t))
		return;
	for (size_t i = 0; i < places * events; i++) {
		size_t place = t->order[places_first ? i / events : i % places];
		size_t event = places_first ? i % events : i / places;

		put_row(t, r->time_ns, place, event, out);
	}
}

bool stat_text_next(struct stat_text *t, struct buf *out)
{
	const struct count_round *r =
		t->round < t->counts->round_count ? &t->counts->rounds[t->round] : NULL;

	if (!r || r->rest)
		return false;
	counts_load(t->counts, t->round++);
	if (r->last) {
		t->runs++;
		t->metrics->wall_ns += ((double)r->time_ns - t->metrics->wall_ns) / (double)t->runs;
	}
	put_headers(t, out);
	put_rows(t, r, out);
	if (!t->intervals)
		buf_printf(out, "\n %17.9f seconds time elapsed\n\n",
			   t->metrics->wall_ns / NS_PER_SEC);
	return true;
}
