/* The instructions of one function with the samples that each of them took. Weights stand where the
 * samples were taken: nothing is moved to a neighbour that might have been meant. */
#include "analyzers/analyzer.h"
#include "analyzers/profile/annotated.h"
#include "analyzers/count/insn_index.h"
#include "analyzers/count/answer.h"
#include "analyzers/profile/jumps.h"
#include "analyzers/count/namer.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/pdtool_module.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Code that is shown of all functions together; samples behind it are there without it. */
#define CODE_BYTES_MAX (1u << 20)
#define BYTES_SHOWN    32  /* of one row */
#define SOURCE_SHOWN   200 /* bytes of a line of the source */
/* perf's bounds for its colours, in percent */
#define PERCENT_HOT  5
#define PERCENT_WARM 0.5

#define COLUMNS_MAX (3 * ANNOTATED_EVENTS + 12)

enum percent_type { LOCAL_PERIOD, LOCAL_HITS, GLOBAL_PERIOD, GLOBAL_HITS };

struct annotate {
	/* the options */
	const char *symbol;
	bool no_source, full_paths, raw, skip_missing;
	size_t skipped;	    /* functions without code */
	const char *prefix; /* of source files; NULL: not given */
	uint64_t strip;
	enum percent_type percents;
	enum { SYNTAX_ATT, SYNTAX_INTEL } syntax;
	struct annotated counts;
	struct answer answer;
	struct column columns[COLUMNS_MAX + 1];
	size_t column_count, summary_columns;
	/* by row */
	uint8_t *heat;
	size_t heat_cap, rows;
	struct table_note *notes;
	size_t note_count, note_cap;
	struct table_listing listing;
	struct jump *jumps;
	size_t jump_count, jump_cap;
	const char **gutters;
	size_t code_left; /* of CODE_BYTES_MAX */
	bool partial;
};

#define A(member) offsetof(struct annotate, member)

static const char *const types[] = { "local-period", "local-hits", "global-period", "global-hits",
				     NULL };
static const char *const syntaxes[] = { "att", "intel", NULL };

static const struct option options[] = {
	{ "symbol", 's', OPT_TEXT, A(symbol), "SYMBOL",
	  "the function, in place of the first operand", .choices = "symbols" },
	{ "percent-type", 0, OPT_WORD, A(percents), "TYPE", "what percentages are of",
	  .words = types },
	{ "disassembler-style", 'M', OPT_WORD, A(syntax), NULL, "how x86 instructions are written",
	  .words = syntaxes },
	{ "asm-raw", 0, OPT_FLAG, A(raw), NULL, "show the bytes of instructions" },
	{ "no-source", 0, OPT_FLAG, A(no_source), NULL, "no lines of the source between them" },
	{ "prefix", 0, OPT_DIR, A(prefix), "DIR",
	  "look for source files there, below their recorded paths" },
	{ "prefix-strip", 0, OPT_COUNT, A(strip), "N",
	  "with --prefix: leave out N directories of the recorded paths", .needs = "prefix" },
	{ "skip-missing", 0, OPT_FLAG, A(skip_missing), NULL,
	  "leave out functions whose code is not there" },
	{ "full-paths", 'P', OPT_FLAG, A(full_paths), NULL, "source files with their whole path" },
	{ 0 },
};

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct annotate *a = state;

	a->code_left = CODE_BYTES_MAX;
	if (a->symbol)
		return 0;
	warn_add(w, SEV_FATAL, "usage", "expected a function: pdtool annotate SYMBOL [FILE]");
	return ERR_USAGE;
}

static void configure(void *state, struct asked *o)
{
	const struct annotate *a = state;

	o->source_prefix = a->prefix;
	o->source_strip = (size_t)a->strip;
	o->wants |= PDT_WANT_UNSAMPLED; /* jumps and calls lead anywhere */
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct annotate *a = state;

	annotated_event(&a->counts, e, s);
}

/* ---- columns ---- */

static void add_column(struct annotate *a, const char *name, enum column_type type)
{
	a->columns[a->column_count++] = (struct column){ name, type, 0, NULL };
}

/* With several events their names stand before the units. */
static void add_event_column(struct annotate *a, const struct annotated_event *e, const char *unit,
			     enum column_type type)
{
	struct buf b = { 0 };

	if (a->counts.event_count > 1)
		buf_printf(&b, "%s_", pdt_desc_name(e->desc));
	buf_str(&b, unit);
	add_column(a, answer_string(&a->answer, b.data), type);
	buf_release(&b);
}

static void make_columns(struct annotate *a)
{
	const struct annotated *n = &a->counts;

	for (size_t i = 0; i < n->event_count; i++) {
		add_event_column(a, &n->events[i], "percent", COLUMN_PERCENT);
		a->columns[i].decimals = 2;
		a->columns[i].label =
			n->event_count > 1
				? answer_string(&a->answer, pdt_desc_name(n->events[i].desc))
				: NULL;
	}
	add_column(a, "address", COLUMN_TEXT);
	if (a->raw)
		add_column(a, "bytes", COLUMN_TEXT);
	add_column(a, "instruction", COLUMN_TEXT);
	a->summary_columns = a->column_count;
	if (!a->raw)
		add_column(a, "bytes", COLUMN_TEXT);
	add_column(a, "kind", COLUMN_TEXT);
	add_column(a, "offset", COLUMN_TEXT);
	add_column(a, "target", COLUMN_TEXT);
	for (size_t i = 0; i < n->event_count; i++) {
		const struct annotated_event *e = &n->events[i];

		add_event_column(a, e, "samples", COLUMN_COUNT);
		if (pdt_desc_in_ns(e->desc))
			add_event_column(a, e, "ns", COLUMN_NS);
		else
			add_event_column(a, e, "periods", COLUMN_COUNT);
	}
	add_column(a, "file", COLUMN_TEXT);
	add_column(a, "line", COLUMN_ID);
	add_column(a, "sym", COLUMN_TEXT);
	add_column(a, "dso", COLUMN_TEXT);
}

/* ---- rows ---- */

/* A function while its rows are made. */
struct listing {
	const struct pdt_session *session;
	const struct annotated_function *f;
	struct pdt_code *code;	    /* NULL: the symbol is gone */
	uint64_t start, end, shift; /* of the code */
	struct amount totals[ANNOTATED_EVENTS];
	uint64_t whole[ANNOTATED_EVENTS]; /* of what percents are */
	size_t next;			  /* index of the first spot that has no row yet */
	size_t first_row;		  /* of all rows */
	const char *sym, *dso;
	/* the source line of the row before */
	const char *file;
	uint32_t line;
};

static uint64_t counted(const struct annotate *a, const struct amount *n)
{
	return a->percents == LOCAL_HITS || a->percents == GLOBAL_HITS ? n->samples : n->weight;
}

static void hex_cell(struct annotate *a, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	answer_cell_text(&a->answer, text);
}

static void bytes_cell(struct annotate *a, const struct pdt_insn *i)
{
	struct buf b = { 0 };

	for (size_t k = 0; k < i->size && k < BYTES_SHOWN; k++)
		buf_printf(&b, "%s%02x", k ? " " : "", i->bytes[k]);
	if (i->size > BYTES_SHOWN)
		buf_str(&b, " ...");
	answer_cell_text(&a->answer, b.len ? b.data : "");
	buf_release(&b);
}

/* "jne 0x1139 <+0x19>", "call 0x1030 <memcpy@plt>" */
static void instruction_cell(struct annotate *a, const struct listing *l, const struct pdt_insn *i)
{
	static const char *const others[] = {
		[PDT_INSN] = "(%u bytes, not decoded)",
		[PDT_INSN_BYTES] = "(%u bytes, no instruction known)",
		[PDT_INSN_DATA] = "(%u bytes of data)",
		[PDT_INSN_INSIDE] = "(inside the instruction above)",
		[PDT_INSN_ABSENT] = "(no code)",
	};
	struct buf b = { 0 };

	if (i->text)
		buf_str(&b, i->text);
	else
		buf_printf(&b, others[i->kind], i->size);
	if (i->label)
		buf_printf(&b, " <%s>", i->label);
	else if (i->target >= l->start && i->target < l->end)
		buf_printf(&b, " <+0x%" PRIx64 ">", i->target - l->start);
	answer_cell_text(&a->answer, b.data);
	buf_release(&b);
}

/* The amounts of the row at ADDR, by event. */
static void row_amounts(struct annotate *a, struct listing *l, uint64_t addr,
			struct amount amounts[ANNOTATED_EVENTS])
{
	memset(amounts, 0, a->counts.event_count * sizeof(*amounts));
	for (; l->next < l->f->count && l->f->spots[l->next].addr == addr - l->shift; l->next++)
		amounts[l->f->spots[l->next].event] = l->f->spots[l->next].amount;
}

/* Returns how much the row stands out. */
static uint8_t percent_cells(struct annotate *a, const struct listing *l,
			     const struct amount *amounts)
{
	uint8_t heat = HEAT_NONE;

	for (size_t e = 0; e < a->counts.event_count; e++) {
		double p = percent_of(counted(a, &amounts[e]), l->whole[e]);
		uint8_t h = p >= PERCENT_HOT ? HEAT_HOT : p >= PERCENT_WARM ? HEAT_WARM : HEAT_NONE;

		if (amounts[e].samples)
			answer_cell_real(&a->answer, p);
		else
			answer_cell_empty(&a->answer);
		heat = h > heat ? h : heat;
	}
	return heat;
}

static void source_cells(struct annotate *a, const struct pdt_insn *i)
{
	answer_cell_text(&a->answer, i->file ? i->file : "");
	if (i->file && i->line)
		answer_cell_count(&a->answer, i->line);
	else
		answer_cell_empty(&a->answer);
}

static void add_row(struct annotate *a, struct listing *l, const struct pdt_insn *i)
{
	static const char *const kinds[] = {
		[PDT_INSN] = "instruction",   [PDT_INSN_BYTES] = "bytes",
		[PDT_INSN_DATA] = "data",     [PDT_INSN_INSIDE] = "inside",
		[PDT_INSN_ABSENT] = "absent",
	};
	struct amount amounts[ANNOTATED_EVENTS];

	row_amounts(a, l, i->addr, amounts);
	a->heat = xgrow(a->heat, &a->heat_cap, a->rows + 1, 1);
	a->heat[a->rows++] = percent_cells(a, l, amounts);
	hex_cell(a, i->addr);
	if (a->raw)
		bytes_cell(a, i);
	instruction_cell(a, l, i);
	if (!a->raw)
		bytes_cell(a, i);
	answer_cell_kept(&a->answer, i->kind == PDT_INSN && !i->text ? "length" : kinds[i->kind]);
	hex_cell(a, i->addr - l->start);
	if (i->target == PDT_NO_TARGET)
		answer_cell_kept(&a->answer, "");
	else
		hex_cell(a, i->target);
	for (size_t e = 0; e < a->counts.event_count; e++) {
		answer_cell_count(&a->answer, amounts[e].samples);
		answer_cell_count(&a->answer, amounts[e].weight);
	}
	source_cells(a, i);
	answer_cell_kept(&a->answer, l->sym);
	answer_cell_kept(&a->answer, l->dso);
}

/* ---- what stands between and before the rows ---- */

static void add_note(struct annotate *a, const char *text)
{
	a->notes = xgrow(a->notes, &a->note_cap, a->note_count + 1, sizeof(*a->notes));
	a->notes[a->note_count++] = (struct table_note){ a->rows, answer_string(&a->answer, text) };
}

/* Where the source goes on at another line than that of the row before. */
static void source_note(struct annotate *a, struct listing *l, const struct pdt_insn *i)
{
	struct buf b = { 0 };

	if (a->no_source || !i->file || (l->file == i->file && l->line == i->line))
		return;
	l->file = i->file;
	l->line = i->line;
	buf_printf(&b, "%s:%" PRIu32, a->full_paths ? i->file : base_name(i->file), i->line);
	if (i->source && *i->source)
		buf_printf(&b, "  %.*s", SOURCE_SHOWN, i->source);
	add_note(a, b.data);
	buf_release(&b);
}

/* The index of the instruction at ADDR; SIZE_MAX: none begins there. */
static size_t insn_at(const struct pdt_code *c, uint64_t addr)
{
	size_t i = insn_from(c, addr);

	return pdt_insn_at(c, i) && pdt_insn_at(c, i)->addr == addr ? i : SIZE_MAX;
}

/* Jumps to instructions that are rows. */
static void add_jumps(struct annotate *a, const struct listing *l)
{
	const struct pdt_insn *from;

	for (size_t i = 0; (from = pdt_insn_at(l->code, i)) != NULL; i++) {
		size_t to = from->jump && from->target != PDT_NO_TARGET
				    ? insn_at(l->code, from->target)
				    : SIZE_MAX;

		if (to == SIZE_MAX || pdt_insn_at(l->code, to)->kind != PDT_INSN)
			continue;
		a->jumps = xgrow(a->jumps, &a->jump_cap, a->jump_count + 1, sizeof(*a->jumps));
		a->jumps[a->jump_count++] = (struct jump){ l->first_row + i, l->first_row + to };
	}
}

/* ---- facts ---- */

static void code_facts(struct annotate *a, const struct listing *l)
{
	const struct pdt_code *c = l->code;
	const char *machine = pdt_code_text(c, PDT_CODE_MACHINE);
	const char *refusal = pdt_code_text(c, PDT_CODE_REFUSAL);
	uint64_t unnamed = pdt_code_number(c, PDT_CODE_UNNAMED);
	uint64_t stretches = pdt_code_number(c, PDT_CODE_STRETCHES);
	uint64_t inside = pdt_code_number(c, PDT_CODE_INSIDE);
	uint64_t cut = pdt_code_number(c, PDT_CODE_CUT_BYTES);
	struct answer *to = &a->answer;

	if (machine)
		answer_fact(to, "code", "%s, 0x%" PRIx64 " to 0x%" PRIx64 " of %s", machine,
			    l->start, l->end, pdt_code_text(c, PDT_CODE_PATH));
	if (refusal)
		answer_warn(to, "no instructions", "%s", refusal);
	answer_fact_if(to, "lines", pdt_code_text(c, PDT_CODE_DEBUG));
	if (unnamed && !refusal)
		answer_warn(to, "undecoded",
			    "%" PRIu64 " instructions, but their lengths are known", unnamed);
	if (stretches && !refusal)
		answer_warn(to, "no instructions", "%" PRIu64 " bytes in %" PRIu64 " stretches",
			    pdt_code_number(c, PDT_CODE_STRETCH_BYTES), stretches);
	if (inside)
		answer_warn(to, "inside", "%" PRIu64 " sampled addresses are inside an instruction",
			    inside);
	if (cut)
		answer_warn(to, "cut", "%" PRIu64 " bytes at the end are not shown", cut);
}

/* How near the sampled address is to the instruction that was running. */
static const char *precision(const struct pdt_desc *d, bool exact)
{
	if (exact)
		return "the processor reports the exact address";
	if (pdt_desc_in_ns(d))
		return "a timer's interrupt: where interrupts were next allowed";
	if (pdt_desc_type(d) == EVENT_TYPE_TRACEPOINT)
		return "the place of the tracepoint";
	return "skid: one or more instructions after the one that counted";
}

static void event_facts(struct annotate *a, const struct listing *l)
{
	for (size_t i = 0; i < a->counts.event_count; i++) {
		const struct pdt_desc *d = a->counts.events[i].desc;
		const char *name = pdt_desc_name(d);
		const struct amount *n = &l->totals[i];

		if (!n->samples)
			continue;
		answer_fact(
			&a->answer, "event", "%s: %s samples, weight %s%s, %s of its weight", name,
			COUNT_TEXT(n->samples),
			AMOUNT(pdt_desc_in_ns(d) ? COLUMN_NS : COLUMN_COUNT, n->weight),
			pdt_desc_in_ns(d) ? "" : " periods",
			SHARE_TEXT(n->weight,
				   answer_sum(&a->answer, pdt_desc_number(l->session, d,
									  PDT_DESC_SCOPE_WEIGHT))));
		answer_leads(&a->answer);
		answer_fact(&a->answer, "precision",
			    "%s: precise_ip %u, %s of the samples exact; %s", name,
			    (unsigned)pdt_desc_number(l->session, d, PDT_DESC_PRECISE),
			    SHARE_TEXT(n->exact, n->samples), precision(d, n->exact == n->samples));
	}
}

/* ---- the whole ---- */

static void add_totals(struct annotate *a, struct listing *l)
{
	bool global = a->percents == GLOBAL_PERIOD || a->percents == GLOBAL_HITS;

	for (size_t i = 0; i < l->f->count; i++)
		annotated_add(&a->counts, &l->totals[l->f->spots[i].event], &l->f->spots[i].amount);
	for (size_t e = 0; e < a->counts.event_count; e++) {
		const struct pdt_desc *d = a->counts.events[e].desc;
		struct amount all = { pdt_desc_number(l->session, d, PDT_DESC_SCOPE_WEIGHT),
				      pdt_desc_number(l->session, d, PDT_DESC_SCOPE_SAMPLES), 0 };

		l->whole[e] = counted(a, global ? &all : &l->totals[e]);
	}
}

static void load(struct annotate *a, struct listing *l)
{
	uint64_t *sampled = xmalloc((l->f->count + 1) * sizeof(*sampled));
	struct pdt_code_query q = { .location = l->f->loc,
				    .sampled = sampled,
				    .max_bytes = a->code_left,
				    .intel = a->syntax == SYNTAX_INTEL,
				    .lines = true,
				    .sources = !a->no_source };

	for (size_t i = 0; i < l->f->count; i++) {
		if (!q.count || sampled[q.count - 1] != l->f->spots[i].addr)
			sampled[q.count++] = l->f->spots[i].addr;
	}
	if (pdt_code_new(l->session, &q, &l->code) == 0) {
		l->start = pdt_code_number(l->code, PDT_CODE_START);
		l->end = pdt_code_number(l->code, PDT_CODE_END);
		l->shift = pdt_code_number(l->code, PDT_CODE_SHIFT);
	}
	free(sampled);
}

/* The rows of a function whose code is there. */
static void add_code(struct annotate *a, struct listing *l, struct warnings *w)
{
	const char *refusal = pdt_code_text(l->code, PDT_CODE_REFUSAL);
	uint64_t shown = l->end - l->start - pdt_code_number(l->code, PDT_CODE_CUT_BYTES);
	const struct pdt_insn *insn;

	code_facts(a, l);
	if (a->counts.function_count > 1) {
		struct buf b = { 0 };

		buf_printf(&b, "%s in %s", l->sym, l->dso);
		add_note(a, b.data);
		buf_release(&b);
	}
	for (size_t i = 0; (insn = pdt_insn_at(l->code, i)) != NULL; i++) {
		source_note(a, l, insn);
		add_row(a, l, insn);
	}
	add_jumps(a, l);
	if (refusal) {
		a->partial = true;
		warn_add(w, SEV_FAILED, "no-instructions", "%s in %s: %s",
			 pdt_location_name(l->session, l->f->loc), l->dso, refusal);
	}
	a->code_left -= shown < a->code_left ? shown : a->code_left;
	pdt_code_free(l->session, l->code);
}

static void add_function(struct annotate *a, struct listing *l, struct warnings *w)
{
	const char *name = pdt_location_name(l->session, l->f->loc);

	load(a, l);
	if (a->skip_missing && (!l->code || pdt_code_text(l->code, PDT_CODE_REFUSAL))) {
		a->skipped++;
		pdt_code_free(l->session, l->code);
		return;
	}
	l->sym = answer_string(&a->answer, name);
	l->dso = answer_string(&a->answer, pdt_location_module(l->session, l->f->loc) ?: "");
	l->first_row = a->rows;
	answer_fact(&a->answer, "function", "%s in %s", name, l->dso);
	answer_leads(&a->answer);
	add_totals(a, l);
	event_facts(a, l);
	if (l->code)
		add_code(a, l, w);
}

static int not_found(struct annotate *a, const struct pdt_session *s, struct warnings *w)
{
	struct buf near = { 0 };

	annotated_nearest(&a->counts, s, a->symbol, &near);
	if (near.len)
		warn_add(w, SEV_FATAL, "no-symbol",
			 "no sample was taken in '%s'; there are samples in: %s", a->symbol,
			 near.data);
	else
		warn_add(w, SEV_FATAL, "no-symbol",
			 "no sample was taken in '%s', or in any function with a name", a->symbol);
	buf_release(&near);
	return ERR_ABSENT;
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct annotate *a = state;

	answer_capture(&a->answer, s);
	annotated_select(&a->counts, s, a->symbol);
	if (!a->counts.function_count)
		return not_found(a, s, w);
	make_columns(a);
	for (size_t i = 0; i < a->counts.function_count; i++) {
		struct listing *l = xcalloc(1, sizeof(*l));

		l->session = s;
		l->f = &a->counts.functions[i];
		add_function(a, l, w);
		free(l);
	}
	if (a->skipped)
		answer_fact(&a->answer, "skipped",
			    "%zu of %zu functions of that name, without code", a->skipped,
			    a->counts.function_count);
	if (a->counts.events_left_out)
		answer_warn(&a->answer, "left out", "%zu further events",
			    a->counts.events_left_out);
	answer_held(&a->answer, a->counts.overflow);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct annotate *a = state;
	struct table_part *t = &a->answer.table;

	answer_result(&a->answer, a->columns, out);
	a->gutters = jumps_draw(a->jumps, a->jump_count, a->rows, &a->answer.arena);
	t->summary_columns = a->summary_columns;
	a->listing = (struct table_listing){ a->heat, a->gutters, a->notes, a->note_count };
	t->listing = &a->listing;
	out->title = "Annotate";
	out->partial = a->partial;
	if (a->skipped)
		out->none = "no function of that name has its code, and --skip-missing was given";
}

static void release(void *state)
{
	struct annotate *a = state;

	annotated_release(&a->counts);
	answer_release(&a->answer);
	free(a->heat);
	free(a->notes);
	free(a->jumps);
	free(a->gutters);
}

const struct analyzer analyzer_annotate = {
	.name = "annotate",
	.summary = "the instructions of a function, with their samples",
	.question = QUESTION_TIME,
	.wants = PDT_WANT_STACKS | PDT_WANT_COMMS,
	.shapes = SHAPE_TABLE,
	.single = true,
	.operand = "symbol",
	.usage = { "SYMBOL [FILE]" },
	.options = options,
	.state_size = sizeof(struct annotate),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
