/* Every record by itself, as perf script prints it: for people who look, and for the programs that
 * read that text.
 *
 * Events have no names while they flow, so they wait in a temporary file (held.h), and each line is
 * made when it is written. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/count/namer.h"
#include "analyzers/script/counted.h"
#include "analyzers/script/held.h"
#include "analyzers/script/dumps.h"
#include "analyzers/script/line.h"
#include "analyzers/script/cells.h"
#include "analyzers/script/records.h"
#include "analyzers/hardware/branches.h"
#include "analyzers/hardware/itrace.h"
#include "analyzers/script/branches.h"
#include "parser/ahead.h"
#include "parser/base/mem.h"
#include "parser/eventname.h"
#include "parser/pdtool_record.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct script {
	struct name_list fields; /* --fields, each as it was given */
	struct line_options line;
	enum { COMPAT_NONE, COMPAT_PERF } compat;
	bool per_event_dump;
	struct reader reader; /* of the events; NULL: they are held */
	bool counts;	      /* they are of perf stat record */
	struct counted counted;
	uint64_t made; /* lines, of those that are read */
	uint64_t noted; /* fields that are shown of some event */
	const struct pdt_desc *desc; /* of the event before, and whether it records_more() */
	bool desc_more;
	const char *itrace;
	struct itrace trace;
	struct record_options records;
	struct script_fields shown;
	struct held held;
	uint32_t *ends; /* of the branches of one event */
	size_t end_cap;
	struct texts texts;
	struct insns insns;
	struct srccode srccode;
	struct dumps dumps;
	struct printer printer;
	struct held_row row; /* that was held, and comes now */
	struct cell_maker cells;
	const struct pdt_session *session;
	struct answer answer;
	struct lines_part part;
};

#define O(member) offsetof(struct script, member)

static const char *const compats[] = { "", "perf", NULL };

static const struct option options[] = {
	{ "fields", 'F', OPT_TEXTS, O(fields), "FIELDS",
	  "what to show: comm,ip,sym; +srcline,-period of the default; trace:comm,trace for the "
	  "events of one type (hw, sw, trace, raw, break, synth)" },
	{ "hide-call-graph", 'G', OPT_FLAG, O(line.no_chain), NULL,
	  "no call chains: the sampled address alone" },
	{ "max-stack", 0, OPT_COUNT, O(line.max_stack), "N", "so many frames of a call chain" },
	{ "stop-bt", 0, OPT_NAMES, O(line.stop), "LIST",
	  "call chains end at the first of these functions" },
	{ "ns", 0, OPT_FLAG, O(line.ns), NULL, "times in nanoseconds" },
	{ "reltime", 0, OPT_FLAG, O(line.reltime), NULL, "times from the first line",
	  .one_of = "times" },
	{ "deltatime", 0, OPT_FLAG, O(line.deltatime), NULL, "times from the line before",
	  .one_of = "times" },
	{ "latency", 'L', OPT_FLAG, O(line.latency), NULL, "narrow columns for comm and CPU" },
	{ "full-source-path", 0, OPT_FLAG, O(line.full_path), NULL,
	  "with the field srcline: whole paths" },
	{ "show-task-events", 0, OPT_FLAG, O(records.task), NULL,
	  "also records of new names, forks and exits" },
	{ "show-mmap-events", 0, OPT_FLAG, O(records.mmap), NULL, "also records of mappings" },
	{ "show-switch-events", 0, OPT_FLAG, O(records.switches), NULL,
	  "also records of context switches" },
	{ "show-namespace-events", 0, OPT_FLAG, O(records.namespaces), NULL,
	  "also records of namespaces" },
	{ "show-cgroup-events", 0, OPT_FLAG, O(records.cgroup), NULL, "also records of cgroups" },
	{ "show-lost-events", 0, OPT_FLAG, O(records.lost), NULL, "also records of losses" },
	{ "show-bpf-events", 0, OPT_FLAG, O(records.bpf), NULL,
	  "also records of BPF programs and symbols" },
	{ "per-event-dump", 0, OPT_FLAG, O(per_event_dump), NULL,
	  "samples of each event into a file of their own, beside the capture: "
	  "CAPTURE.EVENT.dump; with -o FILE: FILE.EVENT.dump",
	  .written = true },
	{ "itrace", 0, OPT_MAYBE, O(itrace), ITRACE_ARG, ITRACE_TEXT,
	  .pattern = "^[bcri0-9][bcri0-9numst ,]*$", .wanted = ITRACE_WANTED },
	{ "compat", 0, OPT_WORD, O(compat), NULL, "as perf script (6.12) reads a capture",
	  .words = compats },
	{ 0 },
};

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct script *s = state;
	int rc = 0;

	(void)in;
	fields_init(&s->shown);
	for (size_t i = 0; rc == 0 && i < s->fields.count; i++)
		rc = fields_parse(&s->shown, s->fields.list[i], w);
	if (rc == 0 && s->itrace)
		rc = itrace_parse(&s->trace, s->itrace, "script", w);
	s->line.as_perf = s->compat == COMPAT_PERF;
	if (s->compat == COMPAT_PERF && !s->line.max_stack)
		s->line.max_stack = PERF_MAX_STACK;
	return rc;
}

static bool wants_records(const struct record_options *o)
{
	return o->task || o->mmap || o->switches || o->namespaces || o->cgroup || o->lost || o->bpf;
}

static void configure(void *state, struct asked *o)
{
	struct script *s = state;
	uint64_t fields = fields_all(&s->shown);

	s->noted = fields;
	/* what these let pass is looked for in stacks */
	o->places = !o->filter.dsos.count && !o->filter.symbols.count;
	if (s->reader.next)
		fields &= FIELDS_OF_EVENTS;
	if (fields & FIELD_IP)
		o->wants |= PDT_WANT_STACKS | PDT_WANT_ADDRESSES;
	if (fields & FIELD_TRACE)
		o->wants |= PDT_WANT_FIELDS;
	if (fields & FIELD_TRACE && !s->reader.next) /* their texts may name addresses */
		o->wants |= PDT_WANT_STACKS;
	if (fields & FIELD_BPF_OUTPUT)
		o->wants |= PDT_WANT_FIELDS;
	if (fields & FIELDS_OF_CODE)
		o->wants |= PDT_WANT_STACKS;
	if (fields & FIELD_DISASM) /* jumps and calls lead anywhere */
		o->wants |= PDT_WANT_UNSAMPLED;
	/* the default shows values where they were recorded */
	if (fields & (FIELDS_OF_VALUES | FIELD_CALLINDENT))
		o->wants |= PDT_WANT_VALUES | PDT_WANT_STACKS;
	if (fields & FIELDS_OF_BRANCHES)
		o->wants |= PDT_WANT_BRANCHES | PDT_WANT_STACKS;
	if (fields & FIELDS_OF_REGISTERS)
		o->wants |= PDT_WANT_REGISTERS;
	if (fields & FIELD_SYM && !o->no_inline)
		o->wants |= PDT_WANT_UNWOUND_INLINES;
	if (fields & (FIELD_SRCLINE | FIELD_SRCCODE))
		o->wants |= PDT_WANT_LINES;
	if (wants_records(&s->records))
		o->wants |= PDT_WANT_RECORDS;
	if (s->counts)
		o->wants |= PDT_WANT_COUNTERS;
	o->itrace = s->trace;
	o->itrace.cycles = fields & FIELD_IPC;
	if (s->compat == COMPAT_PERF) {
		o->quirks = (struct quirks)QUIRKS_OF_PERF;
		o->quirks.counts_plt = false; /* 6.12 does not */
		o->quirks.demangles_by_cxa = true;
		o->quirks.names_by_addr2line = true;
		o->quirks.lines_behind_calls = true;
	}
}

/* The address of a page fault has a name. */
static uint32_t place_of_address(const struct script *s, const struct pdt_event *e,
				 const struct pdt_session *session)
{
	uint64_t fields = e->values ? s->shown.types[script_type_of(e->desc)].shown : 0;
	bool branch = e->values && is_branch_event(e->desc);
	uint32_t place;
	int mode;

	if (!fields || !addr_is_named(e->desc) || !e->values->addr)
		return PDT_NONE;
	if (!(branch && fields & FIELD_CALLINDENT) &&
	    (!(fields & (FIELD_SYM | FIELD_DSO)) ||
	     !(fields & FIELD_ADDR || (branch && shows_target(&s->shown, e->desc)))))
		return PDT_NONE;
	/* the kernel's own are in the upper half, and it works on the process's, too */
	mode = (int64_t)e->values->addr >= 0 ? PDT_USER : branch ? PDT_KERNEL : e->mode;
	if (pdt_locate(session, e, e->values->addr, mode, &place) < 0)
		return PDT_NONE;
	return place;
}

/* Locations of both ends of each branch, where they are to have names. */
static void find_ends(struct script *s, const struct pdt_event *e,
		      const struct pdt_session *session, struct held_more *m)
{
	uint64_t fields = s->shown.types[script_type_of(e->desc)].shown;

	if (!m->branch_count || !branches_are_named(fields))
		return;
	s->ends = xgrow(s->ends, &s->end_cap, 2 * (size_t)m->branch_count, sizeof(*s->ends));
	for (uint32_t i = 0; i < 2 * m->branch_count; i++) {
		const struct pdt_branch *b = &m->branches[i / 2];

		s->ends[i] = branch_locate(session, e, i % 2 ? b->to : b->from);
	}
	m->ends = s->ends;
}

static struct held_more more_of(struct script *s, const struct pdt_event *e,
				const struct pdt_session *session)
{
	struct held_more m = { .place = place_of_address(s, e, session), .depth = e->depth };

	m.branch_count = (uint32_t)pdt_branches(session, &m.branches);
	find_ends(s, e, session, &m);
	for (int i = 0; i < 2; i++)
		pdt_registers(session, i, &m.registers[i]);
	return m;
}

/* Of records those that are asked for. */
static bool is_asked(const struct script *s, const struct pdt_event *e)
{
	struct pdt_record r;

	return e->kind != PDT_RECORD || !pdt_event_record(e, &r) ||
	       (e->desc && records_ask(&s->records, r.type));
}

/* The instruction and the source where E was will be looked for. */
static void note_code(struct script *s, const struct pdt_event *e,
		      const struct pdt_session *session)
{
	uint64_t fields = s->shown.types[script_type_of(e->desc)].shown;
	uint32_t location = where_sampled(session, e);

	if (fields & FIELDS_OF_CODE)
		insns_note(&s->insns, location);
	if (fields & FIELD_SRCCODE)
		srccode_note(&s->srccode, location);
}

/* Has E, a sample, what struct held_more holds? */
static bool has_more(struct script *s, const struct pdt_event *e)
{
	if (e->desc != s->desc) {
		s->desc = e->desc;
		s->desc_more = records_more(e->desc);
	}
	return s->desc_more;
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *session)
{
	struct script *s = state;
	struct held_more more;

	if (!is_asked(s, e))
		return;
	if (s->noted & FIELD_TRACE && e->raw)
		texts_note(&s->texts, e, session);
	if (s->noted & (FIELDS_OF_CODE | FIELD_SRCCODE))
		note_code(s, e, session);
	if (!e->values || e->kind != PDT_SAMPLE || !has_more(s, e)) {
		held_add(&s->held, e, NULL);
		return;
	}
	more = more_of(s, e, session);
	held_add(&s->held, e, &more);
}

/* A format whose text shows names of addresses, or that is not known yet? */
static bool needs_names(const struct pdt_session *session, const struct pdt_desc *d)
{
	const struct pdt_format *format = pdt_desc_format(session, d);
	struct print_format *print = format ? print_format_new(format) : NULL;
	bool needs = !print || print_format_has_names(print);

	print_format_free(print);
	return needs;
}

/* Lines of fields that an event has itself are made while it is read. */
static bool fit_to_read(const struct script *s, const struct pdt_session *session)
{
	struct script_fields shown = s->shown;
	struct warnings none = { 0 };
	const struct pdt_desc *d;
	bool fit = !s->itrace && fields_check(&shown, session, !s->line.no_chain, &none) == 0;

	warnings_release(&none);
	for (size_t i = 0; fit && (d = pdt_desc_at(session, i)); i++) {
		uint64_t fields = shown.types[script_type_of(d)].shown;

		if (event_is_dummy(d))
			continue;
		fit = !(fields & ~FIELDS_OF_EVENTS) && !is_branch_event(d) &&
		      !(fields & FIELD_TRACE && pdt_desc_type(d) == TYPE_TRACEPOINT &&
			needs_names(session, d));
	}
	return fit && pdt_desc_count(session);
}

static bool reads(void *state, const struct pdt_session *session, const struct reader *r)
{
	struct script *s = state;

	s->counts = counted_is(session);
	if (s->counts || fit_to_read(s, session))
		s->reader = *r;
	return s->reader.next;
}

static bool passes(const struct script *s, const struct pdt_event *e)
{
	const struct filter *f = filter_of(s->session);

	if (e->kind == PDT_RECORD || !filters_places(f))
		return true;
	return where_passes_any((struct place){ s->session, where_sampled(s->session, e) }, f,
				!e->pid);
}

static void put_row(struct script *s, const struct held_row *row, struct buf *out)
{
	printer_put(&s->printer, row, out);
	s->part.at = s->per_event_dump ? dumps_count(&s->dumps, &row->event) : LINES_ALONE;
}

/* The next event, without what would have to be held of it. */
static bool read_line(struct script *s, struct buf *out)
{
	struct held_row row = { .more = { .place = PDT_NONE } };

	while (s->reader.next(s->reader.ctx, &row.event)) {
		if (s->counts ? !counted_event(&s->counted, &row.event, s->session, out)
			      : !is_asked(s, &row.event))
			continue;
		if (!s->counts)
			put_row(s, &row, out);
		s->made++;
		return true;
	}
	s->part.count = s->made;
	return false;
}

/* Events that come after the next one. */
#define AHEAD_STACK 12
#define AHEAD_NEXT  6
#define AHEAD_WHERE 3
#define AHEAD_TEXT  1
#define AHEAD_QUICK 6 /* further where there are no stacks: a line takes less than a wait */

/* What the lines of events to come are made of is fetched already. */
static void look_ahead(struct script *s)
{
	uint32_t further = s->held.stacked ? 0 : AHEAD_QUICK;
	struct held_coming c;

	while (s->held.stacked && held_ahead(&s->held, 0, AHEAD_STACK, &c))
		stack_ahead(s->session, c.stack, c.chain);
	while (s->held.stacked && held_ahead(&s->held, 1, AHEAD_NEXT, &c))
		stack_next(s->session, c.stack, c.chain);
	while (held_ahead(&s->held, 2, AHEAD_WHERE + 2 * further, &c))
		printer_expect(&s->printer, &c);
	while (held_ahead(&s->held, 3, AHEAD_TEXT + further, &c))
		printer_expect_text(&s->printer, &c);
}

static bool next_line(void *ctx, struct buf *out, int *error)
{
	struct script *s = ctx;

	if (s->reader.next)
		return read_line(s, out);

	look_ahead(s);
	while (held_next(&s->held, &s->row)) {
		if (!passes(s, &s->row.event))
			continue;
		put_row(s, &s->row, out);
		return true;
	}
	if (s->held.error)
		*error = s->held.error;
	return false;
}

/* Samples alone: records have no fields. */
static bool next_cells(void *ctx, struct cell *cells, int *error)
{
	struct script *s = ctx;

	while (held_next(&s->held, &s->row)) {
		if (s->row.event.kind == PDT_RECORD || !passes(s, &s->row.event))
			continue;
		cell_maker_put(&s->cells, &s->row, cells);
		return true;
	}
	if (s->held.error)
		*error = s->held.error;
	return false;
}

static int refuse_counters(struct warnings *w)
{
	warn_add(w, SEV_FATAL, "counters",
		 "script: the counters of perf stat record are shown as text alone, and of a file; "
		 "pdtool stat has them in every form");
	return ERR_USAGE;
}

static int finish(void *state, const struct pdt_session *session, struct warnings *w)
{
	struct script *s = state;
	int rc = 0;

	if (!s->counts && counted_is(session))
		rc = refuse_counters(w);
	else if (!s->counts)
		rc = fields_check(&s->shown, session, !s->line.no_chain, w);
	if (rc == 0)
		rc = held_rewind(&s->held, w);
	if (rc == 0 && s->per_event_dump)
		rc = dumps_make(&s->dumps, session, w);
	if (rc < 0)
		return rc;
	s->session = session;
	if (fields_all(&s->shown) & FIELDS_OF_CODE) {
		s->insns.as_perf = s->compat == COMPAT_PERF;
		insns_make(&s->insns, session, fields_all(&s->shown), w);
	}
	srccode_make(&s->srccode, session, w);
	s->printer = (struct printer){ .options = &s->line,
				       .fields = &s->shown,
				       .session = session,
				       .texts = &s->texts,
				       .insns = &s->insns,
				       .srccode = &s->srccode };
	printer_init(&s->printer);
	cell_maker_init(&s->cells, &s->printer);
	answer_capture(&s->answer, session);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct script *s = state;

	answer_result(&s->answer, NULL, out);
	s->part = (struct lines_part){ .next = next_line,
				       .ctx = s,
				       .count = s->reader.next ? UINT64_MAX : s->held.count,
				       .cells = next_cells,
				       .columns = s->cells.columns,
				       .column_count = s->cells.count,
				       .files = s->dumps.files,
				       .file_count = s->dumps.count,
				       .as_perf = s->compat == COMPAT_PERF };
	out->lines = &s->part;
}

static void release(void *state)
{
	struct script *s = state;

	printer_release(&s->printer);
	cell_maker_release(&s->cells);
	texts_release(&s->texts);
	insns_release(&s->insns);
	srccode_release(&s->srccode);
	dumps_release(&s->dumps);
	held_release(&s->held);
	counted_release(&s->counted);
	free(s->ends);
	answer_release(&s->answer);
}

const struct analyzer analyzer_script = {
	.name = "script",
	.summary = "every record by itself, as perf script prints it",
	.question = QUESTION_CAPTURE,
	.wants = PDT_WANT_COMMS,
	.shapes = SHAPE_LINES,
	.single = true,
	.options = options,
	.state_size = sizeof(struct script),
	.begin = begin,
	.configure = configure,
	.reads = reads,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
