/* What a capture is: where it comes from, what it holds, what it lacks, what can be asked of it. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/capture/health.h"
#include "analyzers/capture/module_paths.h"
#include "analyzers/capture/refusals.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/base/abi.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ROW_MAX 100000 /* damaged files invent record types without end */

struct info {
	bool attr, trace_fields;
	bool counts; /* --counts: the rows alone */
	bool names;  /* --names: nothing is looked for outside the capture otherwise */
	struct answer answer;
	size_t rows;
};

static const struct option options[] = {
	{ "counts", 0, OPT_FLAG, offsetof(struct info, counts), NULL,
	  "only the counts of records, events, losses, warnings and CPU modes" },
	{ "names", 0, OPT_FLAG, offsetof(struct info, names), NULL,
	  "also which addresses have a name, and the modules without symbols" },
	{ "attr", 0, OPT_FLAG, offsetof(struct info, attr), NULL,
	  "each event's attributes, as it was opened" },
	{ "trace-fields", 0, OPT_FLAG, offsetof(struct info, trace_fields), NULL,
	  "the fields of each tracepoint" },
	{ 0 },
};

static const struct column columns[] = {
	{ "kind", COLUMN_TEXT },
	{ "name", COLUMN_TEXT },
	{ "count", COLUMN_COUNT },
	{ 0 },
};

static void configure(void *state, struct asked *o)
{
	const struct info *in = state;

	o->no_stacks = true;
	o->no_names = !in->names;
	if (!in->counts)
		o->wants |= PDT_WANT_STACKS | PDT_WANT_COMMS;
	if (in->trace_fields)
		o->wants |= PDT_WANT_FIELDS;
}

static void row(struct info *in, const char *kind, const char *name, uint64_t count)
{
	if (in->rows++ >= ROW_MAX)
		return;
	answer_cell_text(&in->answer, kind);
	answer_cell_text(&in->answer, name);
	answer_cell_count(&in->answer, count);
}

/* ---- counts ---- */

static void record_rows(struct info *in, const struct pdt_session *s)
{
	uint32_t type;
	uint64_t count;

	for (size_t i = 0; pdt_record_count(s, i, &type, &count); i++) {
		const char *name = pdt_record_name(type);
		char number[32];

		snprintf(number, sizeof(number), "UNKNOWN_%" PRIu32, type);
		row(in, "record", name ? name : number, count);
	}
}

static void loss_rows(struct info *in, const struct pdt_session *s)
{
	static const struct {
		const char *name;
		enum pdt_number_key number;
	} rows[] = {
		{ "lost", PDT_LOST_RECORDS },	    { "lost_samples", PDT_LOST_SAMPLES },
		{ "throttled", PDT_THROTTLES },	    { "aux_truncated", PDT_AUX_TRUNCATED },
		{ "bad_samples", PDT_SAMPLES_BAD }, { "late", PDT_LATE },
		{ "left_out", PDT_LEFT_OUT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t count = pdt_number(s, rows[i].number);

		if (count)
			row(in, "loss", rows[i].name, count);
	}
}

static void count_rows(struct info *in, const struct pdt_session *s)
{
	static const char *const modes[PDT_MODES] = { "user", "kernel", "hypervisor", "guest_user",
						      "guest_kernel" };
	const struct pdt_desc *d;
	uint64_t count, bytes;
	const char *kind;

	record_rows(in, s);
	for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++)
		row(in, "event", pdt_desc_name(d), pdt_desc_samples(s, d));
	loss_rows(in, s);
	for (size_t i = 0; (kind = pdt_warning_kind(s, i, &bytes)) != NULL; i++) {
		(void)pdt_warning(s, i, &count);
		row(in, "warning", kind, count);
	}
	for (size_t i = 0; (kind = pdt_warning_kind(s, i, &bytes)) != NULL; i++) {
		if (bytes)
			row(in, "warning_bytes", kind, bytes);
	}
	for (int i = 0; i < PDT_MODES; i++) {
		count = pdt_number(s, PDT_MODE_SAMPLES + i);
		if (count)
			row(in, "mode", modes[i], count);
	}
}

/* ---- facts ---- */

static void layout_fact(struct info *in, const struct pdt_session *s)
{
	const char *outer = pdt_text(s, PDT_COMPRESSION);

	answer_fact(&in->answer, "layout", "%s, %s-endian%s%s%s%s%s",
		    pdt_number(s, PDT_IS_PIPE)	   ? "pipe"
		    : pdt_number(s, PDT_IS_LEGACY) ? "file (PERFFILE, perf <= 3.1)"
						   : "file",
		    pdt_number(s, PDT_IS_BIG_ENDIAN) ? "big" : "little",
		    pdt_number(s, PDT_HAS_COMPRESSION) ? ", zstd records" : "",
		    outer ? ", whole file " : "", outer ?: "",
		    pdt_number(s, PDT_IS_SIMPLEPERF) ? ", written by simpleperf"
		    : pdt_number(s, PDT_IS_HIPERF)   ? ", written by hiperf"
						     : "",
		    pdt_number(s, PDT_IS_UNFINISHED) ? ", unfinished" : "");
}

static void time_facts(struct info *in, const struct pdt_session *s)
{
	answer_span(&in->answer, s);
	health_clock(&in->answer, s);
}

static void machine_facts(struct info *in, const struct pdt_session *s)
{
	static const struct {
		const char *name;
		enum pdt_text_key text;
	} before[] = { { "host", PDT_HOSTNAME },	 { "product", PDT_PRODUCT },
		       { "kernel", PDT_OSRELEASE },	 { "arch", PDT_ARCH },
		       { "arch known by", PDT_ARCH_BY }, { "recorder", PDT_RECORDER },
		       { "command", PDT_CMDLINE } },
	  after[] = { { "cpu", PDT_CPUDESC },
		      { "cpuid", PDT_CPUID },
		      { "topology", PDT_TOPOLOGY },
		      { "numa", PDT_NUMA } };
	uint64_t cpus = pdt_number(s, PDT_CPUS_AVAILABLE), kb = pdt_number(s, PDT_MEMORY_KB);

	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		answer_fact_if(&in->answer, before[i].name, pdt_text(s, before[i].text));
	if (cpus)
		answer_fact(&in->answer, "cpus", "%" PRIu64 " online of %" PRIu64,
			    pdt_number(s, PDT_CPUS_ONLINE), cpus);
	for (size_t i = 0; i < ARRAY_SIZE(after); i++)
		answer_fact_if(&in->answer, after[i].name, pdt_text(s, after[i].text));
	if (kb)
		answer_fact(&in->answer, "memory", "%s", BYTES_TEXT(kb << 10));
	answer_fact_if(&in->answer, "pmu caps", pdt_text(s, PDT_PMU_CAPS));
	if (pdt_number(s, PDT_HAS_COMPRESSION))
		answer_fact(&in->answer, "compression", "zstd level %" PRIu64 ", ratio %" PRIu64,
			    pdt_number(s, PDT_COMPRESSION_LEVEL),
			    pdt_number(s, PDT_COMPRESSION_RATIO));
}

static void event_facts(struct info *in, const struct pdt_session *s)
{
	const struct pdt_desc *d;

	for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++) {
		const char *alias = pdt_desc_alias(d);

		answer_fact(&in->answer, "event", "%s%s%s%s: %s samples, weight %s, %s %" PRIu64,
			    pdt_desc_name(d), alias ? " (" : "", alias ?: "", alias ? ")" : "",
			    COUNT_TEXT(pdt_desc_samples(s, d)),
			    AMOUNT(pdt_desc_in_ns(d) ? COLUMN_NS : COLUMN_COUNT,
				   answer_sum(&in->answer, pdt_desc_number(s, d, PDT_DESC_WEIGHT))),
			    pdt_desc_number(s, d, PDT_DESC_IS_FREQ) ? "frequency" : "period",
			    pdt_desc_number(s, d, PDT_DESC_PERIOD));
	}
	answer_fact_if(&in->answer, "groups", pdt_text(s, PDT_GROUPS));
}

/* The set bits of N, the lowest first. */
static void bits_text(uint64_t n, const char *const *names, const char *between, struct buf *out)
{
	for (size_t i = 0; names[i] && i < 64; i++) {
		if (n >> i & 1 && *names[i])
			buf_printf(out, "%s%s", out->len ? between : "", names[i]);
	}
}

/* By bit, see perf_event_open(2). */
static const char *const sample_bits[] = { "IP",
					   "TID",
					   "TIME",
					   "ADDR",
					   "READ",
					   "CALLCHAIN",
					   "ID",
					   "CPU",
					   "PERIOD",
					   "STREAM_ID",
					   "RAW",
					   "BRANCH_STACK",
					   "REGS_USER",
					   "STACK_USER",
					   "WEIGHT",
					   "DATA_SRC",
					   "IDENTIFIER",
					   "TRANSACTION",
					   "REGS_INTR",
					   "PHYS_ADDR",
					   "AUX",
					   "CGROUP",
					   "DATA_PAGE_SIZE",
					   "CODE_PAGE_SIZE",
					   "WEIGHT_STRUCT",
					   NULL };
static const char *const read_bits[] = {
	"TOTAL_TIME_ENABLED", "TOTAL_TIME_RUNNING", "ID", "GROUP", "LOST", NULL
};
/* precise_ip is a number of two bits, and told as one */
static const char *const flag_bits[] = { "disabled",
					 "inherit",
					 "pinned",
					 "exclusive",
					 "exclude_user",
					 "exclude_kernel",
					 "exclude_hv",
					 "exclude_idle",
					 "mmap",
					 "comm",
					 "freq",
					 "inherit_stat",
					 "enable_on_exec",
					 "task",
					 "watermark",
					 "",
					 "",
					 "mmap_data",
					 "sample_id_all",
					 "exclude_host",
					 "exclude_guest",
					 "exclude_callchain_kernel",
					 "exclude_callchain_user",
					 "mmap2",
					 "comm_exec",
					 "use_clockid",
					 "context_switch",
					 "write_backward",
					 "namespaces",
					 "ksymbol",
					 "bpf_event",
					 "aux_output",
					 "cgroup",
					 "text_poke",
					 "build_id",
					 "inherit_thread",
					 "remove_on_exec",
					 "sigtrap",
					 NULL };

static void attr_fact(struct info *in, const struct pdt_desc *d)
{
	struct buf samples = { 0 }, reads = { 0 }, flags = { 0 };
	uint64_t precise = pdt_desc_number(NULL, d, PDT_DESC_PRECISE);

	bits_text(pdt_desc_number(NULL, d, PDT_DESC_SAMPLE_TYPE), sample_bits, "|", &samples);
	bits_text(pdt_desc_number(NULL, d, PDT_DESC_READ_FORMAT), read_bits, "|", &reads);
	bits_text(pdt_desc_number(NULL, d, PDT_DESC_FLAGS), flag_bits, ", ", &flags);
	if (precise)
		buf_printf(&flags, "%sprecise_ip %" PRIu64, flags.len ? ", " : "", precise);
	answer_fact(&in->answer, "attr",
		    "%s: type %" PRIu32 ", config %#" PRIx64 ", %s %" PRIu64
		    ", sample_type %s, read_format %s%s%s",
		    pdt_desc_name(d), pdt_desc_type(d), pdt_desc_config(d),
		    pdt_desc_number(NULL, d, PDT_DESC_IS_FREQ) ? "sample_freq" : "sample_period",
		    pdt_desc_number(NULL, d, PDT_DESC_PERIOD), samples.len ? samples.data : "0",
		    reads.len ? reads.data : "0", flags.len ? ", " : "",
		    flags.len ? flags.data : "");
	buf_release(&samples);
	buf_release(&reads);
	buf_release(&flags);
}

static void fields_fact(struct info *in, const struct pdt_session *s, const struct pdt_desc *d)
{
	const struct pdt_format *f = pdt_desc_format(s, d);
	const struct pdt_field *field;
	struct buf b = { 0 };

	for (size_t i = 0; f && (field = pdt_format_field_at(f, i)) != NULL; i++) {
		if (strncmp(pdt_field_name(field), "common_", 7)) /* which all events have */
			buf_printf(&b, "%s%s", b.len ? ", " : "", pdt_field_name(field));
	}
	if (b.len)
		answer_fact(&in->answer, "fields", "%s: %s", pdt_desc_name(d), b.data);
	buf_release(&b);
}

/* What perf evlist -v and --trace-fields show. */
static void detail_facts(struct info *in, const struct pdt_session *s)
{
	const struct pdt_desc *d;

	for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++) {
		if (in->attr)
			attr_fact(in, d);
		if (in->trace_fields)
			fields_fact(in, s, d);
	}
}

static void loss_facts(struct info *in, const struct pdt_session *s)
{
	answer_fact(&in->answer, "lost",
		    "%" PRIu64 " (LOST %" PRIu64 ", LOST_SAMPLES %" PRIu64 ": mostly the same), "
		    "throttled %" PRIu64 " times",
		    pdt_number(s, PDT_LOST_ANY), pdt_number(s, PDT_LOST_RECORDS),
		    pdt_number(s, PDT_LOST_SAMPLES), pdt_number(s, PDT_THROTTLES));
	answer_warns_if(&in->answer, pdt_number(s, PDT_LOST_ANY) || pdt_number(s, PDT_THROTTLES));
	health_damage(&in->answer, s);
}

/* M has addresses and no symbols. */
static void no_symbols_fact(struct info *in, const struct pdt_module *m)
{
	struct build_id recorded = module_id(m);
	char id[2 * BUILD_ID_MAX + 1];

	build_id_text(&recorded, id);
	answer_fact(&in->answer, "no symbols", "%s: %" PRIu64 " addresses, %s%s", module_path(m),
		    pdt_module_number(m, PDT_MODULE_LOCATIONS),
		    id[0] ? "build-id " : "no build-id recorded", id);
}

/* Modules whose file was there but is another build, those taken on trust, those without any. */
static void source_facts(struct info *in, const struct pdt_session *s)
{
	struct refusals r = { 0 };

	for (size_t i = 0; i < pdt_module_count(s); i++) {
		const struct pdt_module *m = pdt_module_at(s, (uint32_t)i);
		const char *source = pdt_module_text(m, PDT_MODULE_SOURCE);

		if (!pdt_module_number(m, PDT_MODULE_LOCATIONS))
			continue;
		if (source ? pdt_module_number(m, PDT_MODULE_UNVERIFIED)
			   : pdt_module_number(m, PDT_MODULE_REFUSED) ||
				     pdt_module_text(m, PDT_MODULE_UNUSED))
			refusals_add(&r, m);
		else if (!source && pdt_module_number(m, PDT_MODULE_KIND) != PDT_MODULE_BPF)
			no_symbols_fact(in, m);
	}
	refusals_state(&r, &in->answer);
}

static void address_facts(struct info *in, const struct pdt_session *s)
{
	uint64_t named = 0, own = 0, count = pdt_number(s, PDT_ADDRESSES);

	if (!in->names) {
		answer_fact(&in->answer, "addresses", "%" PRIu64, count);
		return;
	}
	for (size_t i = 0; i < pdt_module_count(s); i++) {
		const struct pdt_module *m = pdt_module_at(s, (uint32_t)i);

		named += pdt_module_number(m, PDT_MODULE_NAMED);
		own += pdt_module_number(m, PDT_MODULE_FROM_CAPTURE);
	}
	source_facts(in, s);
	if (own)
		answer_fact(&in->answer, "addresses",
			    "%" PRIu64 ", %" PRIu64 " of them with a name, %" PRIu64
			    " by symbols within the capture",
			    count, named, own);
	else
		answer_fact(&in->answer, "addresses",
			    "%" PRIu64 ", %" PRIu64 " of them with a name", count, named);
}

static void feature_facts(struct info *in, const struct pdt_session *s)
{
	struct buf b = { 0 };
	const char *name;
	uint64_t size;
	uint32_t id;

	for (size_t i = 0; pdt_feature(s, i, &id, &name, &size); i++) {
		buf_str(&b, i ? " " : "");
		if (name)
			buf_printf(&b, "%s(%" PRIu64 ")", name, size);
		else
			buf_printf(&b, "%u(%" PRIu64 ")", id, size);
	}
	if (b.len)
		answer_fact(&in->answer, "features", "%s (bytes)", b.data);
	buf_release(&b);
}

/* Is there an event with samples whose name begins with PREFIX? */
static bool has_event(const struct pdt_session *s, const char *prefix)
{
	const struct pdt_desc *d;

	for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++) {
		if (!strncmp(pdt_desc_name(d), prefix, strlen(prefix)) && pdt_desc_samples(s, d))
			return true;
	}
	return false;
}

static bool has_record(const struct pdt_session *s, uint32_t wanted)
{
	uint32_t type;
	uint64_t count;

	for (size_t i = 0; pdt_record_count(s, i, &type, &count); i++) {
		if (type == wanted && count)
			return true;
	}
	return false;
}

/* Which commands can make something of it. */
static void feeds_fact(struct info *in, const struct pdt_session *s)
{
	bool samples = pdt_number(s, PDT_SAMPLES);
	bool fields = pdt_number(s, PDT_HAS_FORMATS);
	bool sched = (fields && has_event(s, "sched:sched_switch")) ||
		     has_record(s, RECORD_SWITCH) || has_record(s, RECORD_SWITCH_CPU_WIDE);
	bool block = fields && (has_event(s, "block:block_rq_") || has_event(s, "block:block_io_"));

	if (!samples && !sched) {
		answer_fact(&in->answer, "feeds", "nothing: there are no samples");
		return;
	}
	answer_fact(&in->answer, "feeds", "%s%s%s%s",
		    samples ? "collapse, flamegraph, report, diff, abstime" : "",
		    samples && !pdt_number(s, PDT_CHAINS) ? " (leaf functions only)" : "",
		    sched ? samples ? ", sched" : "sched" : "", block ? ", block, heatmap" : "");
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct info *in = state;

	if (!in->counts) {
		answer_fact(&in->answer, "capture", "%s", pdt_text(s, PDT_PATH));
		layout_fact(in, s);
		machine_facts(in, s);
		time_facts(in, s);
		event_facts(in, s);
		detail_facts(in, s);
		health_stacks(&in->answer, s);
		loss_facts(in, s);
		address_facts(in, s);
		feature_facts(in, s);
		feeds_fact(in, s);
	}
	count_rows(in, s);
	if (in->rows > ROW_MAX) {
		answer_warn(&in->answer, "left out", "%s rows, past %s",
			    COUNT_TEXT(in->rows - ROW_MAX), COUNT_TEXT(ROW_MAX));
		warn_add(w, SEV_WARN, "left-out", "left out: %zu rows, past %d", in->rows - ROW_MAX,
			 ROW_MAX);
	}
	return 0;
}

static void result(void *state, struct result *out)
{
	struct info *in = state;

	answer_result(&in->answer, columns, out);
	out->facts_answer = true;
}

static void release(void *state)
{
	struct info *in = state;

	answer_release(&in->answer);
}

const struct analyzer analyzer_info = {
	.name = "info",
	.summary = "what a capture is, holds and lacks",
	.question = QUESTION_CAPTURE,
	.shapes = SHAPE_TABLE,
	.single = true,
	.options = options,
	.state_size = sizeof(struct info),
	.configure = configure,
	.finish = finish,
	.result = result,
	.release = release,
};
