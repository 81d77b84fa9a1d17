/* What a capture is: where it comes from, what it holds, what it lacks, what can be asked of it. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/capture/health.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/base/abi.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ROW_MAX 100000 /* damaged files invent record types without end */

struct info {
	bool counts; /* --counts: the rows alone, nothing is looked for outside the capture */
	struct answer answer;
	size_t rows;
};

static const struct option options[] = {
	{ "counts", 0, OPT_FLAG, offsetof(struct info, counts), NULL,
	  "only the counts of records, events, losses, warnings and CPU modes" },
	{ 0 },
};

static const struct column columns[] = {
	{ "kind", COLUMN_TEXT, 0, NULL },
	{ "name", COLUMN_TEXT, 0, NULL },
	{ "count", COLUMN_COUNT, 0, NULL },
	{ 0 },
};

static int begin(void *state, const struct inputs *inputs, struct warnings *w)
{
	struct info *in = state;

	(void)inputs;
	(void)w;
	answer_init(&in->answer);
	return 0;
}

static void configure(void *state, struct session_options *o)
{
	const struct info *in = state;

	if (!in->counts)
		o->needs |= NEED_STACKS | NEED_COMMS;
}

static void row(struct info *in, const char *kind, const char *name, uint64_t count)
{
	if (in->rows++ > ROW_MAX)
		return;
	answer_cell_text(&in->answer, kind);
	answer_cell_text(&in->answer, name);
	answer_cell_count(&in->answer, count);
}

/* ---- counts ---- */

static void record_rows(struct info *in, const struct session *s)
{
	uint32_t type;
	uint64_t count;

	for (size_t i = 0; session_record_count(s, i, &type, &count); i++) {
		const char *name = record_type_name(type);
		char number[32];

		snprintf(number, sizeof(number), "UNKNOWN_%" PRIu32, type);
		row(in, "record", name ? name : number, count);
	}
}

static void loss_rows(struct info *in, const struct session *s)
{
	const struct session_stats *st = session_stats(s);
	const struct {
		const char *name;
		uint64_t count;
	} rows[] = {
		{ "lost", st->lost_records },
		{ "lost_samples", st->lost_samples },
		{ "throttled", st->throttles },
		{ "aux_truncated", st->aux_truncated },
		{ "bad_samples", st->bad_samples },
		{ "late", st->late },
		{ "maps_refused", session_maps_refused(s) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].count)
			row(in, "loss", rows[i].name, rows[i].count);
	}
}

static void count_rows(struct info *in, const struct session *s)
{
	static const char *const modes[MODE_COUNT] = { "user", "kernel", "hypervisor", "guest_user",
						       "guest_kernel" };
	const struct session_stats *st = session_stats(s);
	const struct event_list *events = &session_capture(s)->events;
	const struct warnings *w = session_capture(s)->warnings;

	record_rows(in, s);
	for (size_t i = 0; i < events->count; i++)
		row(in, "event", events->descs[i]->name,
		    session_event_stats(s, events->descs[i])->samples);
	loss_rows(in, s);
	for (size_t i = 0; i < w->count; i++)
		row(in, "warning", w->list[i].kind, w->list[i].count);
	for (size_t i = 0; i < w->count; i++) {
		if (w->list[i].bytes)
			row(in, "warning_bytes", w->list[i].kind, w->list[i].bytes);
	}
	for (int i = 0; i < MODE_COUNT; i++) {
		if (st->modes[i])
			row(in, "mode", modes[i], st->modes[i]);
	}
}

/* ---- facts ---- */

static void layout_fact(struct info *in, const struct session *s)
{
	const struct capture *c = session_capture(s);
	const struct file_header *h = &c->header;
	const char *outer = session_compression(s);

	answer_fact(&in->answer, "layout", "%s, %s-endian%s%s%s%s%s",
		    h->pipe	? "pipe"
		    : h->legacy ? "file (PERFFILE, perf <= 3.1)"
				: "file",
		    h->big ? "big" : "little", c->meta.has_compression ? ", zstd records" : "",
		    outer ? ", whole file " : "", outer ? outer : "",
		    c->meta.simpleperf ? ", written by simpleperf"
		    : c->meta.hiperf   ? ", written by hiperf"
				       : "",
		    h->unfinished ? ", unfinished" : "");
}

static void time_facts(struct info *in, const struct session *s)
{
	answer_span(&in->answer, s);
	health_clock(&in->answer, s);
}

static void machine_facts(struct info *in, const struct capture *c)
{
	const struct capture_meta *m = &c->meta;

	answer_fact_if(&in->answer, "host", m->hostname);
	answer_fact_if(&in->answer, "kernel", m->osrelease);
	answer_fact_if(&in->answer, "arch", m->arch);
	answer_fact_if(&in->answer, "recorder", m->version);
	answer_fact_if(&in->answer, "command", m->cmdline);
	if (m->cpus_available)
		answer_fact(&in->answer, "cpus", "%u online of %u", m->cpus_online,
			    m->cpus_available);
	answer_fact_if(&in->answer, "cpu", m->cpudesc);
	answer_fact_if(&in->answer, "cpuid", m->cpuid);
	answer_fact_if(&in->answer, "topology", m->topology);
	answer_fact_if(&in->answer, "numa", m->numa);
	if (m->total_mem_kb)
		answer_fact(&in->answer, "memory", "%s", BYTES_TEXT(m->total_mem_kb << 10));
	answer_fact_if(&in->answer, "pmu caps", m->pmu_caps);
	if (m->has_compression)
		answer_fact(&in->answer, "compression", "zstd level %u, ratio %u",
			    m->compression_level, m->compression_ratio);
}

static void event_facts(struct info *in, const struct session *s)
{
	const struct event_list *events = &session_capture(s)->events;

	for (size_t i = 0; i < events->count; i++) {
		const struct event_desc *d = events->descs[i];
		const struct event_stats *e = session_event_stats(s, d);
		bool freq = d->attr.flags & ATTR_FREQ;

		answer_fact(&in->answer, "event", "%s%s%s%s: %s samples, weight %s, %s %" PRIu64,
			    d->name, d->alias ? " (" : "", d->alias ? d->alias : "",
			    d->alias ? ")" : "", COUNT_TEXT(e->samples),
			    AMOUNT(event_counts_ns(d) ? COLUMN_NS : COLUMN_COUNT, e->weight),
			    freq ? "frequency" : "period", d->attr.sample_period);
	}
	answer_fact_if(&in->answer, "groups", session_capture(s)->meta.groups);
}

static void loss_facts(struct info *in, const struct session *s)
{
	const struct session_stats *st = session_stats(s);

	answer_fact(&in->answer, "lost",
		    "%" PRIu64 " (LOST %" PRIu64 ", LOST_SAMPLES %" PRIu64 ": mostly the same), "
		    "throttled %" PRIu64 " times",
		    session_lost(st), st->lost_records, st->lost_samples, st->throttles);
	health_damage(&in->answer, s);
}

/* Modules whose file was there but is another build, and those taken on trust. */
static void module_facts(struct info *in, const struct session *s)
{
	const struct names *n = session_names(s);
	const struct build_id none = { 0 };
	size_t locs = session_stacks(s)->loc_count, named = 0;

	if (!n)
		return;
	for (size_t i = 0; i < n->module_count; i++) {
		const struct module_names *m = &n->modules[i];
		char want[2 * BUILD_ID_MAX + 1], have[2 * BUILD_ID_MAX + 1];

		named += m->named;
		build_id_text(&m->recorded, want);
		build_id_text(m->refused_count ? &m->refused->id : &none, have);
		if (m->refused_count && !m->source)
			answer_fact(&in->answer, "refused",
				    "%s: %s has build-id %s, recorded was %s", m->module->path,
				    m->refused->path, have[0] ? have : "none", want);
		else if (m->unverified && m->source)
			answer_fact(&in->answer, "unverified",
				    "%s: names from %s, not verified by a build-id",
				    m->module->path, m->source);
		else if (m->locs && !m->source && m->module->kind != MODULE_BPF)
			answer_fact(&in->answer, "no symbols", "%s: %zu addresses, %s%s",
				    m->module->path, m->locs,
				    want[0] ? "build-id " : "no build-id recorded", want);
	}
	answer_fact(&in->answer, "addresses", "%zu, %zu of them with a name", locs, named);
}

static void feature_facts(struct info *in, const struct capture_meta *m)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < m->seen_count; i++) {
		const char *name = feature_name(m->seen[i].id);

		buf_str(&b, i ? " " : "");
		if (name)
			buf_printf(&b, "%s(%" PRIu64 ")", name, m->seen[i].size);
		else
			buf_printf(&b, "%u(%" PRIu64 ")", m->seen[i].id, m->seen[i].size);
	}
	if (b.len)
		answer_fact(&in->answer, "features", "%s (bytes)", b.data);
	buf_release(&b);
}

/* Is there an event with samples whose name begins with PREFIX? */
static bool has_event(const struct session *s, const char *prefix)
{
	const struct event_list *events = &session_capture(s)->events;

	for (size_t i = 0; i < events->count; i++) {
		const struct event_desc *d = events->descs[i];

		if (!strncmp(d->name, prefix, strlen(prefix)) && session_event_stats(s, d)->samples)
			return true;
	}
	return false;
}

static bool has_record(const struct session *s, uint32_t wanted)
{
	uint32_t type;
	uint64_t count;

	for (size_t i = 0; session_record_count(s, i, &type, &count); i++) {
		if (type == wanted && count)
			return true;
	}
	return false;
}

/* Which commands can make something of it. */
static void feeds_fact(struct info *in, const struct session *s)
{
	const struct session_stats *st = session_stats(s);
	bool sched = has_event(s, "sched:sched_switch") || has_record(s, RECORD_SWITCH) ||
		     has_record(s, RECORD_SWITCH_CPU_WIDE);
	bool block = has_event(s, "block:block_rq_") || has_event(s, "block:block_io_");

	if (!st->samples && !sched) {
		answer_fact(&in->answer, "feeds", "nothing: there are no samples");
		return;
	}
	answer_fact(&in->answer, "feeds", "%s%s%s%s",
		    st->samples ? "collapse, flamegraph, report, diff, abstime" : "",
		    st->samples && !st->chains_recorded ? " (leaf functions only)" : "",
		    sched ? st->samples ? ", sched" : "sched" : "",
		    block ? ", block, heatmap" : "");
}

static int finish(void *state, const struct session *s, const struct filter *f, struct warnings *w)
{
	struct info *in = state;
	const struct capture *c = session_capture(s);

	(void)f;
	(void)w;
	if (!in->counts) {
		answer_fact(&in->answer, "capture", "%s", session_path(s));
		layout_fact(in, s);
		machine_facts(in, c);
		time_facts(in, s);
		event_facts(in, s);
		health_stacks(&in->answer, s);
		loss_facts(in, s);
		module_facts(in, s);
		feature_facts(in, &c->meta);
		feeds_fact(in, s);
	}
	count_rows(in, s);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct info *in = state;

	answer_result(&in->answer, columns, out);
}

static void release(void *state)
{
	struct info *in = state;

	answer_release(&in->answer);
}

static void event(void *state, const struct event *e, const struct session *s)
{
	(void)state;
	(void)e;
	(void)s;
}

const struct analyzer analyzer_info = {
	.name = "info",
	.summary = "what a capture is, holds and lacks",
	.shapes = SHAPE_TABLE,
	.single = true,
	.default_format = "text",
	.options = options,
	.state_size = sizeof(struct info),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
