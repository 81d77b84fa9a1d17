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
 * Columns of the tree, whose nodes come before those below them:
 *   drop    the depth of the node before + 1 less the node's
 *   frame   0: the next name that was not there yet; else how many names before the newest, + 1
 * and "names", a line each in the order of their first use; "kinds", enum frame_kind of each;
 * "places", of each the number of its module. Rows beside the samples: series.h. */
#include "formats/format.h"
#include "formats/page/column.h"
#include "formats/page/series.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_US 1000

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
	COLUMN_DROP,
	COLUMN_FRAME,
	COLUMN_NAMES,
	COLUMN_KINDS,
	COLUMN_PLACES,
	COLUMNS
};

static const char *const column_names[COLUMNS] = { "time",  "cpu",    "thread", "event",
						   "node",  "weight", "drop",	"frame",
						   "names", "kinds",  "places" };

struct writer {
	const struct page_part *p;
	struct out *out;
	struct column_stream *columns;
	uint64_t begin_us, samples; /* begin: of the first that came */
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
};

static void put(struct writer *w, enum column_name c, uint64_t v)
{
	column_put(&w->columns[c], v);
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

static void put_time(struct writer *w, struct span_us *span, uint64_t time_us)
{
	if (!w->samples)
		w->begin_us = w->time_us = time_us;
	widen(span, time_us);
	if (time_us >= w->time_us)
		put(w, COLUMN_TIME, (time_us - w->time_us) * 2);
	else
		put(w, COLUMN_TIME, (w->time_us - time_us) * 2 + 1);
	w->time_us = time_us;
}

static void put_row(struct writer *w, const struct page_row *row)
{
	uint32_t cpu = row->cpu + 1; /* PAGE_NONE: 0 */

	put_time(w, &w->spans[row->capture], row->time_ns / NS_PER_US);
	put(w, COLUMN_CPU, cpu);
	/* a damaged sample may name any */
	if (cpu > w->cpu_cap) {
		put(w, COLUMN_THREAD, row->thread + (uint64_t)1);
	} else {
		put(w, COLUMN_THREAD,
		    w->threads[cpu] == row->thread + 1 ? 0 : row->thread + (uint64_t)1);
		w->threads[cpu] = row->thread + 1;
	}
	put(w, COLUMN_EVENT, w->event == row->event + 1 ? 0 : row->event + (uint64_t)1);
	w->event = row->event + 1;
	put(w, COLUMN_NODE, row->node);
	if (row->weight == UINT64_MAX || w->weights[row->event] == row->weight + 1) {
		put(w, COLUMN_WEIGHT, 0);
	} else {
		put(w, COLUMN_WEIGHT, row->weight + 1);
		w->weights[row->event] = row->weight + 1;
	}
	w->samples++;
}

/* All time that anything is known of. */
static void span_beside(struct writer *w)
{
	for (size_t i = 0; i < w->p->capture_count; i++) {
		const struct page_capture *c = &w->p->captures[i];

		if (!c->beside)
			continue;
		if (!w->samples && !i)
			w->begin_us = c->beside_first_ns / NS_PER_US;
		widen(&w->spans[i], c->beside_first_ns / NS_PER_US);
		widen(&w->spans[i], c->beside_last_ns / NS_PER_US);
	}
}

#define CPUS_TOLD 4096

static void put_samples(struct writer *w)
{
	struct page_row row;

	w->cpu_cap = CPUS_TOLD;
	w->threads = xcalloc(CPUS_TOLD + 1, sizeof(*w->threads));
	w->weights = xcalloc(w->p->event_count + 1, sizeof(*w->weights));
	w->p->begin(w->p->ctx);
	while (!w->out->error && w->p->next(w->p->ctx, &row, &w->out->error))
		put_row(w, &row);
	free(w->threads);
	free(w->weights);
	span_beside(w);
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

/* ---- what is said in JSON ---- */

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

/* Modules once, and the number of each name's. */
static void write_modules(struct writer *w)
{
	struct intern seen;

	intern_init(&seen);
	out_str(w->out, "\"modules\":[");
	for (size_t i = 0; i < w->used_count; i++) {
		const char *module = w->p->modules[w->used[i]];
		size_t known = seen.count;
		uint32_t k = intern_add(&seen, module, strlen(module));

		if (k == known)
			out_put(w->out, k ? ",%s" : "%s", module);
		put(w, COLUMN_PLACES, k);
	}
	out_str(w->out, "],\n");
	intern_release(&seen);
}

/* What a comparison needs to know of all of it. */
static void write_input(struct out *out, const struct page_input *in)
{
	out_str(out, "\"input\":{\"ns\":");
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
	write_input(out, &c->input);
	write_number(out, "\"firstUs\":", span->first_us);
	write_number(out, ",\"lastUs\":", span->last_us);
	/* a number of a script would lose digits of one that is negative */
	out_put(out, ",\"shiftUs\":%f", (double)(int64_t)c->shift_ns / NS_PER_US);
	if (c->has_wall)
		out_put(out, ",\"wallMs\":%f", (double)c->wall_ns / 1e6);
	out_put(out, ",\"hasTime\":%d,\"any\":%d}", (int)c->has_time, (int)span->any);
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
	series_about(p, out);
	write_number(out, "\"beginUs\":", w->begin_us);
	write_number(out, ",\"samples\":", w->samples);
	write_number(out, ",\"nodes\":", p->node_count);
	write_number(out, ",\"names\":", w->used_count);
	out_str(out, "}\n</script>\n");
}

static void render(const struct result *r, const struct style *style, struct out *out)
{
	struct column_stream *columns = xmalloc(COLUMNS * sizeof(*columns));
	struct writer w = { .p = r->page, .out = out, .columns = columns };

	(void)style;
	for (int i = 0; i < COLUMNS; i++)
		column_begin(&columns[i]);
	put_samples(&w);
	put_tree(&w);
	put_names(&w);
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
		column_end(&columns[i]);
		if (columns[i].failed && !out->error)
			out->error = ENOMEM;
		out_str(out, "<script type=\"application/octet-stream\" id=\"column-");
		out_str(out, column_names[i]);
		out_str(out, "\">");
		out_base64(out, columns[i].packed.data, columns[i].packed.len);
		out_str(out, "</script>\n");
		column_release(&columns[i]);
	}
	series_columns(r->page, w.begin_us * NS_PER_US, out);
	out_str(out, "<script>");
	out_str(out, page_script);
	out_str(out, "</script>\n</body>\n</html>\n");
	free(columns);
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
