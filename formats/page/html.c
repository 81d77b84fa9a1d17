/* One file for a browser, which asks for nothing else: a policy forbids all but its own script and
 * style, which are known by their hashes. The data are text that is no script: JSON, and columns
 * (column.h), that the script unpacks.
 *
 * Columns of the samples, in their order; "as before" is 0, and what else is there counts from 1:
 *   time    microseconds since the sample before, twice; + 1 where they are before it
 *   cpu     + 1; 0: not recorded
 *   thread  as before on its CPU, or the thread
 *   event   as before, or the event
 *   node    the node
 *   weight  as before of its event, or the weight
 *   merged  how many samples it was; empty where that is one each: in steps of a microsecond
 * Columns of the tree, whose nodes come before those below them:
 *   drop    the depth of the node before + 1 less the node's
 *   frame   0: the next name that was not there yet; else how many names before the newest, + 1
 * and "names", a line each in the order of their first use; "kinds", enum frame_kind of each;
 * "places", of each the number of its module. Rows beside the samples: series.h. */
#include "formats/format.h"
#include "formats/page/column.h"
#include "formats/page/merge.h"
#include "formats/page/series.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_US  1000
#define CPUS_TOLD  4096
#define BOUND_ROWS 65536 /* after so many it is seen how large it is */

#ifndef PDTOOL_VERSION
#define PDTOOL_VERSION "0"
#endif

extern const char page_script[], page_css[], page_body[], page_policy[];

enum column_name {
	COLUMN_TIME,
	COLUMN_CPU,
	COLUMN_THREAD,
	COLUMN_EVENT,
	COLUMN_NODE,
	COLUMN_WEIGHT,
	COLUMN_MERGED,
	COLUMN_DROP,
	COLUMN_FRAME,
	COLUMN_NAMES,
	COLUMN_KINDS,
	COLUMN_PLACES,
	COLUMNS
};

static const char *const column_names[COLUMNS] = { "time",  "cpu",    "thread", "event",
						   "node",  "weight", "merged", "drop",
						   "frame", "names",  "kinds",	"places" };

/* A sample, as it goes into the columns. */
enum { ROW_TIME, ROW_CPU, ROW_THREAD, ROW_EVENT, ROW_NODE, ROW_WEIGHT, ROW_MERGED, ROW_WIDTH };

static const enum merge_role row_roles[ROW_WIDTH] = {
	[ROW_WEIGHT] = MERGE_SUM, [ROW_MERGED] = MERGE_SUM
};

struct writer {
	const struct page_part *p;
	struct out *out;
	struct column_stream *columns;
	struct series_columns *series;
	uint64_t step_us;			/* times have; past 1 us equal rows are one */
	uint64_t begin_us, rows, read, samples; /* begin: of the first that came */
	uint64_t most_bytes;			/* of the page; past it a try is over */
	bool over;
	struct span_us {
		uint64_t first_us, last_us;
		bool any;
	} spans[PAGE_CAPTURES];
	/* what samples begin with */
	uint32_t *threads; /* by cpu + 1: the last one there, + 1 */
	size_t cpu_cap;
	uint64_t *weights; /* by event: the last one, + 1 */
	uint64_t time_us;
	uint32_t event; /* + 1 */
	/* by name: its number in the order of first use, + 1, and the other way round */
	uint32_t *numbers, *used;
	size_t used_count;
	struct intern modules;
};

static void put(struct writer *w, enum column_name c, uint64_t v)
{
	column_put(&w->columns[c], v);
}

/* ---- how large it is ---- */

#define OF_A_THREAD 24 /* bytes, about */
#define OF_A_MODULE 4
#define OF_THE_REST 3072

/* About: facts are not counted one by one. */
static uint64_t size_of(const struct writer *w)
{
	uint64_t size = strlen(page_script) + strlen(page_css) + strlen(page_body) + OF_THE_REST;

	for (size_t i = 0; i < w->p->thread_count; i++)
		size += strlen(w->p->threads[i].comm) + OF_A_THREAD;
	for (uint32_t k = 0; k < w->modules.count; k++)
		size += w->modules.list[k].len + OF_A_MODULE;
	for (int i = 0; i < COLUMNS; i++)
		size += OUT_BASE64(w->columns[i].packed.len) + COLUMN_TAG;
	return size + (w->series ? series_size(w->series) : 0);
}

/* ---- samples ---- */

static void widen(struct span_us *span, uint64_t time_us)
{
	if (!span->any || time_us < span->first_us)
		span->first_us = time_us;
	if (!span->any || time_us > span->last_us)
		span->last_us = time_us;
	span->any = true;
}

static uint64_t step_of(const struct writer *w, uint64_t time_ns)
{
	return time_ns / NS_PER_US / w->step_us * w->step_us;
}

static void put_time(struct writer *w, uint64_t time_us)
{
	if (!w->rows)
		w->begin_us = w->time_us = time_us;
	if (time_us >= w->time_us)
		put(w, COLUMN_TIME, (time_us - w->time_us) * 2);
	else
		put(w, COLUMN_TIME, (w->time_us - time_us) * 2 + 1);
	w->time_us = time_us;
}

static void put_row(struct writer *w, const uint64_t *row)
{
	uint64_t cpu = row[ROW_CPU], event = row[ROW_EVENT], weight = row[ROW_WEIGHT];
	uint32_t thread = (uint32_t)row[ROW_THREAD] + 1;

	put_time(w, row[ROW_TIME]);
	put(w, COLUMN_CPU, cpu);
	/* a damaged sample may name any */
	if (cpu > w->cpu_cap) {
		put(w, COLUMN_THREAD, thread);
	} else {
		put(w, COLUMN_THREAD, w->threads[cpu] == thread ? 0 : thread);
		w->threads[cpu] = thread;
	}
	put(w, COLUMN_EVENT, w->event == event + 1 ? 0 : event + 1);
	w->event = (uint32_t)event + 1;
	put(w, COLUMN_NODE, row[ROW_NODE]);
	if (weight == UINT64_MAX || w->weights[event] == weight + 1) {
		put(w, COLUMN_WEIGHT, 0);
	} else {
		put(w, COLUMN_WEIGHT, weight + 1);
		w->weights[event] = weight + 1;
	}
	if (w->step_us > 1)
		put(w, COLUMN_MERGED, row[ROW_MERGED]);
	w->rows++;
}

/* All time that anything is known of. */
static void span_beside(struct writer *w)
{
	for (size_t i = 0; i < w->p->capture_count; i++) {
		const struct page_capture *c = &w->p->captures[i];

		if (!c->beside)
			continue;
		if (!w->rows && !i)
			w->begin_us = step_of(w, c->beside_first_ns);
		widen(&w->spans[i], step_of(w, c->beside_first_ns));
		widen(&w->spans[i], step_of(w, c->beside_last_ns));
	}
}

static void flush(struct writer *w, struct merge *m)
{
	const uint64_t *row;

	while ((row = merge_next(m)))
		put_row(w, row);
}

static void put_all(struct writer *w, struct merge *m)
{
	struct page_row from;
	uint64_t now_us = 0;

	w->p->begin(w->p->ctx);
	while (!w->out->error && !w->over && w->p->next(w->p->ctx, &from, &w->out->error)) {
		uint64_t row[ROW_WIDTH] = { step_of(w, from.time_ns),
					    (uint32_t)(from.cpu + 1), /* PAGE_NONE: 0 */
					    from.thread,
					    from.event,
					    from.node,
					    from.weight,
					    from.samples };

		widen(&w->spans[from.capture], row[ROW_TIME]);
		w->samples += from.samples;
		if (!(++w->read % BOUND_ROWS))
			w->over = size_of(w) > w->most_bytes;
		if (w->step_us == 1) {
			put_row(w, row);
			continue;
		}
		if (row[ROW_TIME] != now_us)
			flush(w, m);
		now_us = row[ROW_TIME];
		merge_add(m, row);
	}
	flush(w, m);
}

/* No further than it may be large. */
static void put_samples(struct writer *w)
{
	uint64_t size;
	struct merge m;

	w->begin_us = w->rows = w->read = w->samples = w->time_us = w->event = 0;
	w->over = false;
	w->series = NULL;
	memset(w->spans, 0, sizeof(w->spans));
	w->cpu_cap = CPUS_TOLD;
	w->threads = xcalloc(CPUS_TOLD + 1, sizeof(*w->threads));
	w->weights = xcalloc(w->p->event_count + 1, sizeof(*w->weights));
	merge_begin(&m, row_roles, ROW_WIDTH);
	put_all(w, &m);
	merge_release(&m);
	free(w->threads);
	free(w->weights);
	span_beside(w);
	size = size_of(w);
	if (!w->over && size <= w->most_bytes)
		w->series = series_new(w->p,
				       &(struct series_way){ w->begin_us * NS_PER_US, w->step_us,
							     w->most_bytes - size },
				       &w->out->error);
}

/* ---- the budget ---- */

#define STEP_MOST_US 1000000
#define STEPS_MOST   10000 /* of those that the rows have */

static void step_text(uint64_t step_us, char *text, size_t size)
{
	const char *unit = step_us >= 1000000 ? "s" : step_us >= 1000 ? "ms" : "us";
	uint64_t of = step_us >= 1000000 ? 1000000 : step_us >= 1000 ? 1000 : 1;

	snprintf(text, size, "%u %s", (unsigned)(step_us / of), unit);
}

/* In the finest steps with which the page is no larger than it should be. What becomes larger is
 * left where that is seen: a try takes no longer than to write what may be written. */
static void fit_samples(struct writer *w)
{
	uint64_t budget = w->p->budget_bytes, least_us = w->p->step_us ?: 1;
	uint64_t most_us = w->p->step_us ? least_us * STEPS_MOST : STEP_MOST_US;
	char step[32];

	for (w->step_us = least_us;; w->step_us *= 10) {
		w->most_bytes = w->step_us == most_us ? UINT64_MAX : budget;
		for (int i = 0; i < COLUMN_DROP; i++)
			column_begin(&w->columns[i],
				     i == COLUMN_WEIGHT ? PACK_AMOUNTS : PACK_CHOICES);
		put_samples(w);
		for (int i = 0; i < COLUMN_DROP; i++)
			column_end(&w->columns[i]);
		if (w->out->error || (!w->over && size_of(w) <= w->most_bytes))
			break;
		if (w->series)
			series_free(w->series);
		for (int i = 0; i < COLUMN_DROP; i++)
			column_release(&w->columns[i]);
	}
	step_text(w->step_us, step, sizeof(step));
	if (w->step_us > least_us)
		snprintf(w->out->note, sizeof(w->out->note),
			 "times are in steps of %s%s: the page has a budget of %.*f MiB (--budget)",
			 step, size_of(w) > budget ? ", and it is still too large" : "",
			 budget < 1 << 20 ? 2 : 0, (double)budget / (1 << 20));
}

/* ---- the tree ---- */

static void put_tree(struct writer *w)
{
	uint32_t depth = 0;

	w->numbers = xcalloc(w->p->name_count + 1, sizeof(*w->numbers));
	w->used = xcalloc(w->p->name_count + 1, sizeof(*w->used));
	for (size_t i = 0; i < w->p->node_count; i++) {
		const struct page_node *n = &w->p->nodes[i];
		uint32_t *number = &w->numbers[n->name];

		put(w, COLUMN_DROP, i ? depth + 1 - n->depth : 0);
		depth = n->depth;
		put(w, COLUMN_FRAME, *number ? w->used_count - *number + 1 : 0);
		if (!*number) {
			w->used[w->used_count++] = n->name;
			*number = (uint32_t)w->used_count;
		}
	}
}

static void put_names(struct writer *w)
{
	for (size_t i = 0; i < w->used_count; i++) {
		uint32_t name = w->used[i];

		column_bytes(&w->columns[COLUMN_NAMES], w->p->names[name],
			     strlen(w->p->names[name]));
		column_bytes(&w->columns[COLUMN_NAMES], "\n", 1);
		put(w, COLUMN_KINDS, w->p->kinds[name]);
	}
}

/* Modules once, and the number of each name's. */
static void put_places(struct writer *w)
{
	intern_init(&w->modules);
	for (size_t i = 0; i < w->used_count; i++) {
		const char *module = w->p->modules[w->used[i]];

		put(w, COLUMN_PLACES, intern_add(&w->modules, module, strlen(module)));
	}
}

/* ---- what is said in JSON ---- */

static void write_modules(struct writer *w)
{
	out_str(w->out, "\"modules\":[");
	for (uint32_t k = 0; k < w->modules.count; k++)
		out_put(w->out, k ? ",%s" : "%s", intern_str(&w->modules, k));
	out_str(w->out, "],\n");
}

static void write_ids(struct out *out, uint32_t pid, uint32_t tid)
{
	out_put(out, "%d,%d", (int)pid, (int)tid);
}

static void write_events(struct writer *w)
{
	out_str(w->out, "\"events\":[");
	for (size_t i = 0; i < w->p->event_count; i++) {
		const struct page_event *e = &w->p->events[i];

		out_put(w->out, i ? ",\n[%s," : "\n[%s,", e->name);
		out_put(w->out, "%s,%s,", e->unit, e->unit_line);
		out_u64(w->out, e->samples);
		out_str(w->out, ",");
		out_str(w->out, "[");
		out_u64(w->out, e->rate[0]);
		out_str(w->out, ",");
		out_u64(w->out, e->rate[1]);
		out_str(w->out, "]]");
	}
	out_str(w->out, "],\n\"threads\":[");
	for (size_t i = 0; i < w->p->thread_count; i++) {
		out_put(w->out, i ? ",\n[%s," : "\n[%s,", w->p->threads[i].comm);
		write_ids(w->out, w->p->threads[i].pid, w->p->threads[i].tid);
		out_put(w->out, ",%u]", (unsigned)w->p->threads[i].capture);
	}
	out_str(w->out, "],\n");
}

static void write_facts(struct writer *w, const struct result *r)
{
	struct buf b = { 0 };

	out_str(w->out, "\"facts\":[");
	for (size_t i = 0; i < r->fact_count; i++) {
		const struct fact *f = &r->facts[i];

		out_put(w->out, i ? ",\n[%s," : "\n[%s,", f->name);
		out_put(w->out, "%s,%d]", fact_text(f->value, true, &b), (int)f->rank);
	}
	out_str(w->out, "],\n");
	buf_release(&b);
}

/* What a comparison needs to know of all of it. */
static void write_input(struct out *out, const struct page_input *in, uint64_t first_us)
{
	/* from the first microsecond of what is shown, which may be behind the first sample */
	out_put(out, "\"input\":{\"fromNs\":%f",
		(double)(int64_t)(in->first_ns - first_us * NS_PER_US));
	out_put(out, ",\"toNs\":%f", (double)(int64_t)(in->last_ns - first_us * NS_PER_US));
	out_str(out, ",\"ns\":");
	out_u64(out, in->duration_ns);
	out_str(out, ",\"lost\":");
	out_u64(out, in->lost);
	out_str(out, ",\"samples\":");
	out_u64(out, in->samples);
	out_put(out, ",\"cpus\":%u,\"wide\":%d},\n", (unsigned)in->cpus, (int)in->system_wide);
}

static void write_number(struct out *out, const char *name, uint64_t n)
{
	out_str(out, name);
	out_u64(out, n);
}

static void write_capture(struct writer *w, const struct page_capture *c,
			  const struct span_us *span)
{
	struct out *out = w->out;

	out_put(out, "{\"path\":%s,\"host\":%s,\"os\":%s,", c->path, c->host, c->os);
	out_put(out, "\"arch\":%s,\"command\":%s,\n", c->arch, c->command);
	write_input(out, &c->input, span->first_us);
	write_number(out, "\"firstUs\":", span->first_us);
	write_number(out, ",\"lastUs\":", span->last_us + w->step_us - 1);
	/* a number of a script would lose digits of one that is negative */
	out_put(out, ",\"shiftUs\":%f", (double)(int64_t)c->shift_ns / NS_PER_US);
	if (c->has_wall)
		out_put(out, ",\"wallMs\":%f", (double)c->wall_ns / 1e6);
	out_put(out, ",\"hasTime\":%d,\"any\":%d", (int)c->has_time, (int)span->any);
	out_str(out, c->stored ? ",\"stored\":1}" : "}");
}

static void write_about(struct writer *w, const struct result *r)
{
	const struct page_part *p = w->p;
	struct out *out = w->out;

	out->quoting = QUOTE_SCRIPT; /* JSON, too, and nothing in it can end a script */
	out_str(out, "<script type=\"application/json\" id=\"about\">\n{");
	out_put(out, "\"version\":%s,\n\"captures\":[", PDTOOL_VERSION);
	for (size_t i = 0; i < p->capture_count; i++) {
		out_str(out, i ? ",\n" : "");
		write_capture(w, &p->captures[i], &w->spans[i]);
	}
	out_str(out, "],\n");
	write_events(w);
	write_facts(w, r);
	write_modules(w);
	if (w->series)
		series_about(w->series, out);
	write_number(out, "\"beginUs\":", w->begin_us);
	write_number(out, ",\"samples\":", w->samples);
	write_number(out, ",\"rows\":", w->rows);
	write_number(out, ",\"stepUs\":", w->step_us);
	if (p->step_us)
		write_number(out, ",\"storedUs\":", p->step_us);
	write_number(out, ",\"budget\":", p->budget_bytes);
	write_number(out, ",\"nodes\":", p->node_count);
	write_number(out, ",\"names\":", w->used_count);
	out_str(out, "}\n</script>\n");
}

static void render(const struct result *r, const struct style *style, struct out *out)
{
	struct column_stream *columns = xmalloc(COLUMNS * sizeof(*columns));
	struct writer w = { .p = r->page, .out = out, .columns = columns };

	(void)style;
	for (int i = COLUMN_DROP; i < COLUMNS; i++)
		column_begin(&columns[i], PACK_TEXT);
	put_tree(&w);
	put_names(&w);
	put_places(&w);
	for (int i = COLUMN_DROP; i < COLUMNS; i++)
		column_end(&columns[i]);
	fit_samples(&w);
	out->quoting = QUOTE_XML;
	out_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		     "<meta http-equiv=\"Content-Security-Policy\" content=\"");
	out_str(out, page_policy);
	out_str(out, "\">\n<meta name=\"viewport\" content=\"width=device-width\">\n");
	out_put(out, "<title>%s</title>\n<style>",
		r->page->capture_count && r->page->captures[0].path ? r->page->captures[0].path
								    : "-");
	out_str(out, page_css);
	out_str(out, "</style>\n</head>\n");
	out_str(out, page_body);
	write_about(&w, r);
	for (int i = 0; i < COLUMNS; i++) {
		if (columns[i].failed && !out->error)
			out->error = ENOMEM;
		out_str(out, "<script type=\"application/octet-stream\" id=\"column-");
		out_str(out, column_names[i]);
		out_str(out, "\">");
		out_base64(out, columns[i].packed.data, columns[i].packed.len);
		out_str(out, "</script>\n");
		column_release(&columns[i]);
	}
	if (w.series) {
		series_write(w.series, out);
		series_free(w.series);
	}
	out_str(out, "<script>");
	out_str(out, page_script);
	out_str(out, "</script>\n</body>\n</html>\n");
	free(columns);
	intern_release(&w.modules);
	free(w.numbers);
	free(w.used);
}

const struct format format_html = {
	.name = "html",
	.summary = "one page for a browser, which needs nothing else",
	.shapes = SHAPE_PAGE,
	.draws = true,
	.render = render,
};
