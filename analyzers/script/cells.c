/* Names of columns are perf's, but for fields of tracepoints: those are the tracepoint's own. */
#include "analyzers/script/cells.h"
#include "analyzers/count/namer.h"
#include "analyzers/hardware/datasrc.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"
#include "parser/pdtool_capture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COMMON "common_"

enum told {
	COMM,
	PID,
	TID,
	CPU,
	TIME,
	EVENT,
	PERIOD,
	IP,
	SYM,
	DSO,
	STACK,
	ADDR,
	PHYS_ADDR,
	WEIGHT,
	DATA_SRC,
	CGROUP,
	ALWAYS, /* behind these: only what was asked for by name */
	SYMOFF = ALWAYS,
	DSOFF,
	SRCLINE,
	SRCCODE,
	OF_LINE, /* behind these: as the line has it */
	FLAGS = OF_LINE,
	MISC,
	TOD,
	INS_LAT,
	RETIRE_LAT,
	DATA_PAGE_SIZE,
	CODE_PAGE_SIZE,
	IREGS,
	UREGS,
	BRSTACK,
	BRSTACKSYM,
	BRSTACKOFF,
	BPF_OUTPUT,
	INSNLEN,
	INSN,
	DISASM,
	TOLD
};
_Static_assert(TOLD <= CELLS_TOLD, "there is a place for each");

static const struct {
	struct column column;
	uint64_t field;
} told[TOLD] = {
	[COMM] = { { "comm", COLUMN_TEXT }, FIELD_COMM },
	[PID] = { { "pid", COLUMN_ID }, FIELD_PID },
	[TID] = { { "tid", COLUMN_ID }, FIELD_TID },
	[CPU] = { { "cpu", COLUMN_ID }, FIELD_CPU },
	[TIME] = { { "time_ns", COLUMN_TIME_NS }, FIELD_TIME },
	[EVENT] = { { "event", COLUMN_TEXT }, FIELD_EVENT },
	[PERIOD] = { { "period", COLUMN_COUNT }, FIELD_PERIOD },
	[IP] = { { "ip", COLUMN_TEXT }, FIELD_IP },
	[SYM] = { { "sym", COLUMN_TEXT }, FIELD_SYM },
	[DSO] = { { "dso", COLUMN_TEXT }, FIELD_DSO },
	[STACK] = { { "stack", COLUMN_TEXT }, FIELD_IP },
	[ADDR] = { { "addr", COLUMN_TEXT }, FIELD_ADDR },
	[PHYS_ADDR] = { { "phys_addr", COLUMN_TEXT }, FIELD_PHYS_ADDR },
	[WEIGHT] = { { "weight", COLUMN_COUNT }, FIELD_WEIGHT },
	[DATA_SRC] = { { "data_src", COLUMN_TEXT }, FIELD_DATA_SRC },
	[CGROUP] = { { "cgroup", COLUMN_TEXT }, FIELD_CGROUP },
	[SYMOFF] = { { "symoff", COLUMN_COUNT }, FIELD_SYMOFF },
	[DSOFF] = { { "dsoff", COLUMN_COUNT }, FIELD_DSOFF },
	[SRCLINE] = { { "srcline", COLUMN_TEXT }, FIELD_SRCLINE },
	[SRCCODE] = { { "srccode", COLUMN_TEXT }, FIELD_SRCCODE },
	[FLAGS] = { { "flags", COLUMN_TEXT }, 0 },
	[MISC] = { { "misc", COLUMN_TEXT }, FIELD_MISC },
	[TOD] = { { "tod", COLUMN_TEXT }, FIELD_TOD },
	[INS_LAT] = { { "ins_lat", COLUMN_COUNT }, FIELD_INS_LAT },
	[RETIRE_LAT] = { { "retire_lat", COLUMN_COUNT }, FIELD_RETIRE_LAT },
	[DATA_PAGE_SIZE] = { { "data_page_size", COLUMN_TEXT }, FIELD_DATA_PAGE_SIZE },
	[CODE_PAGE_SIZE] = { { "code_page_size", COLUMN_TEXT }, FIELD_CODE_PAGE_SIZE },
	[IREGS] = { { "iregs", COLUMN_TEXT }, FIELD_IREGS },
	[UREGS] = { { "uregs", COLUMN_TEXT }, FIELD_UREGS },
	[BRSTACK] = { { "brstack", COLUMN_TEXT }, FIELD_BRSTACK },
	[BRSTACKSYM] = { { "brstacksym", COLUMN_TEXT }, FIELD_BRSTACKSYM },
	[BRSTACKOFF] = { { "brstackoff", COLUMN_TEXT }, FIELD_BRSTACKOFF },
	[BPF_OUTPUT] = { { "bpf-output", COLUMN_TEXT }, FIELD_BPF_OUTPUT },
	[INSNLEN] = { { "insnlen", COLUMN_COUNT }, FIELD_INSNLEN },
	[INSN] = { { "insn", COLUMN_TEXT }, FIELD_INSN },
	[DISASM] = { { "disasm", COLUMN_TEXT }, FIELD_DISASM },
};

/* ---- columns ---- */

static size_t add_column(struct cell_maker *m, const char *name, enum column_type type)
{
	uint32_t id = intern_add(&m->names, name, strlen(name));

	if (id == m->count) {
		m->columns = xgrow(m->columns, &m->cap, m->count + 1, sizeof(*m->columns));
		m->columns[m->count++] = (struct column){ .type = type };
	}
	/* of fields with one name, numbers and texts: texts; some with a sign: all with one */
	if (m->columns[id].type != type)
		m->columns[id].type = m->columns[id].type == COLUMN_TEXT || type == COLUMN_TEXT
					      ? COLUMN_TEXT
					      : COLUMN_DELTA;
	return id;
}

static enum column_type type_of(const struct pdt_field *f)
{
	int kind = pdt_field_kind(f);

	return kind == PDT_FIELD_NUMBER	  ? COLUMN_COUNT
	       : kind == PDT_FIELD_SIGNED ? COLUMN_DELTA
					  : COLUMN_TEXT;
}

static uint64_t field_key(const struct pdt_desc *d, size_t field)
{
	return (uint64_t)pdt_desc_index(d) << 32 | field;
}

/* A field that is called as what all samples tell is "field.pid". */
static void add_fields(struct cell_maker *m, const struct pdt_desc *d)
{
	const struct pdt_format *format = pdt_desc_format(m->session, d);
	const struct pdt_field *f;
	struct buf name = { 0 };

	for (size_t i = 0; format && (f = pdt_format_field_at(format, i)); i++) {
		const char *own = pdt_field_name(f);
		bool taken = false;

		if (!strncmp(own, COMMON, strlen(COMMON)))
			continue;
		for (size_t k = 0; k < TOLD; k++)
			taken |= !strcmp(own, told[k].column.name);
		name.len = 0;
		buf_printf(&name, "%s%s", taken ? "field." : "", own);
		make_safe(&name, 0);
		*idmap_put(&m->traced, field_key(d, i)) =
			(uint32_t)add_column(m, name.data, type_of(f));
	}
	buf_release(&name);
}

/* Is WHAT shown of events with these fields? */
static bool is_shown(const struct script_fields *f, const struct type_fields *of, enum told what)
{
	if (what == FLAGS)
		return f->flags && of->shown;
	return of->shown & told[what].field && (what < ALWAYS || of->asked & told[what].field);
}

void cell_maker_init(struct cell_maker *m, struct printer *printer)
{
	const struct line_options *options = printer->options;
	const struct script_fields *fields = printer->fields;
	const struct pdt_session *s = printer->session;
	struct type_fields all = { 0 };
	const struct pdt_desc *d;
	uint64_t shown;

	*m = (struct cell_maker){
		.printer = printer, .session = s, .fields = fields, .options = options
	};
	for (size_t i = 0; (d = pdt_desc_at(s, i)); i++) {
		if (!pdt_desc_samples(s, d))
			continue;
		all.shown |= fields->types[script_type_of(d)].shown;
		all.asked |= fields->types[script_type_of(d)].asked;
	}
	shown = all.shown;
	for (size_t i = 0; i < TOLD; i++) {
		bool chain =
			i != STACK || (!options->no_chain &&
				       pdt_number(s, PDT_CHAINS) + pdt_number(s, PDT_USER_STACKS));

		if (is_shown(fields, &all, (enum told)i) && chain)
			m->places[i] = 1 + add_column(m, told[i].column.name, told[i].column.type);
	}
	for (size_t i = 0; shown & FIELD_TRACE && (d = pdt_desc_at(s, i)); i++) {
		if (pdt_desc_samples(s, d))
			add_fields(m, d);
	}
	for (size_t i = 0; i < m->count; i++) /* they stay where they are by now */
		m->columns[i].name = intern_str(&m->names, (uint32_t)i);
	m->at = xcalloc(m->count + 1, sizeof(*m->at));
}

void cell_maker_release(struct cell_maker *m)
{
	for (size_t i = 0; m->functions && i < pdt_location_count(m->session); i++)
		free(m->functions[i].text);
	free(m->functions);
	free(m->columns);
	free(m->at);
	idmap_release(&m->traced);
	intern_release(&m->names);
	buf_release(&m->texts);
}

/* ---- rows ---- */

/* The text that begins at FROM is the cell of COLUMN. */
static void end_text(struct cell_maker *m, size_t column, size_t from)
{
	make_safe(&m->texts, from);
	buf_char(&m->texts, '\0');
	m->at[column] = 1 + from;
}

static void set_count(struct cell *out, uint64_t count)
{
	*out = (struct cell){ .count = count };
}

/* "main;loop;leaf", of one location: what the compiler inlined there, too. */
static const struct kept_text *functions_of(struct cell_maker *m, uint32_t loc)
{
	struct buf text = { 0 };
	size_t count;

	if (!m->functions)
		m->functions = xcalloc(pdt_location_count(m->session) + 1, sizeof(*m->functions));
	if (m->functions[loc].text)
		return &m->functions[loc];
	count = pdt_function_count(m->session, loc);
	/* as perf has it, the symbol is one of the others */
	count -= m->options->as_perf && count > 1;
	functions_text((struct place){ m->session, loc }, count, &text);
	buf_str(&text, "");
	m->functions[loc] = (struct kept_text){ text.data, text.len };
	return &m->functions[loc];
}

static void put_stack(struct cell_maker *m, const struct pdt_event *e)
{
	struct pdt_stack k = pdt_stack_at(m->session, e->stack);
	uint32_t depth = k.flags & PDT_STACK_EMPTY ? 0 : k.depth;

	if (e->place != PDT_NONE) {
		k.locations = &e->place;
		depth = 1;
	}
	if (m->options->max_stack && depth > m->options->max_stack)
		depth = (uint32_t)m->options->max_stack;
	for (uint32_t i = depth; i-- > 0;) {
		const struct kept_text *t = functions_of(m, k.locations[i]);

		buf_add(&m->texts, t->text, t->len);
		buf_str(&m->texts, i ? ";" : "");
	}
}

static void put_hex(struct cell_maker *m, uint64_t v)
{
	buf_printf(&m->texts, "0x%" PRIx64, v);
}

static void put_source_line(struct cell_maker *m, struct place leaf)
{
	struct pdt_function f = { 0 };

	if (leaf.loc != PDT_NONE)
		f = pdt_function_at(m->session, leaf.loc, 0);
	if (f.file)
		buf_printf(&m->texts, "%s:%" PRIu32,
			   m->options->full_path ? f.file : base_name(f.file), f.line);
}

/* What WHAT is of ROW as text; false: it is a number, or not there. */
static bool put_text(struct cell_maker *m, enum told what, const struct held_row *row)
{
	static const struct pdt_values none;
	const struct pdt_event *e = &row->event;
	const struct pdt_values *v = e->values ? e->values : &none;
	struct place leaf = { m->session, where_sampled(m->session, e) };

	if (what >= OF_LINE && told[what].column.type == COLUMN_TEXT) {
		printer_put_field(m->printer, row, told[what].field, &m->texts);
		return true;
	}
	switch (what) {
	case COMM:
		comm_text(pdt_comm(m->session, e->comm), e->tid, &m->texts);
		return true;
	case EVENT:
		buf_str(&m->texts, pdt_desc_name(e->desc));
		return true;
	case IP:
		put_hex(m, e->ip);
		return true;
	case SYM:
		where_text(leaf, &m->texts);
		return true;
	case DSO:
		if (leaf.loc != PDT_NONE)
			buf_str(&m->texts, pdt_location_module(m->session, leaf.loc) ?: "");
		return true;
	case STACK:
		put_stack(m, e);
		return true;
	case ADDR:
		put_hex(m, v->addr);
		return true;
	case PHYS_ADDR:
		put_hex(m, v->phys_addr);
		return true;
	case DATA_SRC:
		datasrc_text(v->data_src, &m->texts);
		return true;
	case CGROUP:
		buf_str(&m->texts, pdt_cgroup(m->session, v->cgroup) ?: "");
		return true;
	case SRCLINE:
		put_source_line(m, leaf);
		return true;
	case SRCCODE:
		buf_str(&m->texts, srccode_at(m->printer->srccode, leaf.loc) ?: "");
		return true;
	default:
		return false;
	}
}

/* Of OF_LINE and behind: the number that the line has. */
static void put_line_number(struct cell_maker *m, enum told what, const struct held_row *row,
			    struct cell *out)
{
	size_t from = m->texts.len;

	printer_put_field(m->printer, row, told[what].field, &m->texts);
	if (m->texts.len > from)
		set_count(out, strtoull(m->texts.data + from, NULL, 10));
	m->texts.len = from;
}

static void put_number(struct cell_maker *m, enum told what, const struct held_row *row,
		       struct cell *out)
{
	const struct pdt_event *e = &row->event;
	bool relative = m->options->reltime;
	struct place leaf = { m->session, where_sampled(m->session, e) };

	if (what >= OF_LINE)
		put_line_number(m, what, row, out);
	if (what == SYMOFF && leaf.loc != PDT_NONE && pdt_location_name(m->session, leaf.loc))
		set_count(out, pdt_location_symbol_offset(m->session, leaf.loc));
	if (what == DSOFF && leaf.loc != PDT_NONE && pdt_location_module(m->session, leaf.loc))
		set_count(out, pdt_location_offset(m->session, leaf.loc));

	if (what == PID && e->pid != UINT32_MAX)
		set_count(out, e->pid);
	if (what == TID && e->tid != UINT32_MAX)
		set_count(out, e->tid);
	if (what == CPU && e->has_cpu)
		set_count(out, e->cpu);
	if (what == TIME && e->has_time) {
		m->first_ns = m->first_ns ? m->first_ns : e->time_ns;
		set_count(out, relative ? e->time_ns - m->first_ns : e->time_ns);
	}
	if (what == PERIOD)
		set_count(out, e->weight);
	if (what == WEIGHT)
		set_count(out, e->values ? e->values->weight : 0);
}

static void put_bytes(struct cell_maker *m, const struct pdt_event *e, const struct pdt_field *f)
{
	size_t len;
	const uint8_t *bytes = pdt_event_bytes(e, f, &len);

	for (size_t i = 0; bytes && i < len; i++)
		buf_printf(&m->texts, "%02x", bytes[i]);
}

static void put_field(struct cell_maker *m, size_t column, const struct pdt_event *e,
		      const struct pdt_field *f, struct cell *out)
{
	bool is_text = m->columns[column].type == COLUMN_TEXT;
	bool is_signed = pdt_field_kind(f) == PDT_FIELD_SIGNED;
	size_t from = m->texts.len, len;
	const char *text;
	uint64_t v;

	if (pdt_event_number(e, f, &v) == 0) {
		if (m->columns[column].type == COLUMN_DELTA && !is_signed && v > INT64_MAX)
			is_text = true;
		if (!is_text)
			set_count(out, v); /* the same bits where it is signed */
		else
			buf_printf(&m->texts, is_signed ? "%" PRId64 : "%" PRIu64, v);
	} else if (strstr(pdt_field_type(f), "char") && (text = pdt_event_text(e, f, &len))) {
		buf_add(&m->texts, text, len);
	} else {
		put_bytes(m, e, f);
	}
	if (is_text)
		end_text(m, column, from);
}

static void put_fields(struct cell_maker *m, const struct pdt_event *e, struct cell *out)
{
	const struct pdt_field *f;

	for (size_t i = 0; e->format && e->raw && (f = pdt_format_field_at(e->format, i)); i++) {
		uint32_t column = idmap_get(&m->traced, field_key(e->desc, i));

		if (column != IDMAP_NONE)
			put_field(m, column, e, f, &out[column]);
	}
}

void cell_maker_put(struct cell_maker *m, const struct held_row *row, struct cell *out)
{
	const struct pdt_event *e = &row->event;
	const struct type_fields *type = &m->fields->types[script_type_of(e->desc)];

	m->texts.len = 0;
	memset(m->at, 0, m->count * sizeof(*m->at));
	for (size_t i = 0; i < m->count; i++)
		out[i] = (struct cell){ .empty = true };
	for (size_t i = 0; i < TOLD; i++) {
		size_t from = m->texts.len;

		if (!m->places[i] || !is_shown(m->fields, type, (enum told)i))
			continue;
		if (!put_text(m, (enum told)i, row))
			put_number(m, (enum told)i, row, &out[m->places[i] - 1]);
		else if (i < ALWAYS || m->texts.len > from)
			end_text(m, m->places[i] - 1, from);
	}
	if (type->shown & FIELD_TRACE)
		put_fields(m, e, out);
	for (size_t i = 0; i < m->count; i++) { /* they stay where they are by now */
		if (m->at[i])
			out[i] = (struct cell){ .text = m->texts.data + m->at[i] - 1,
						.empty = true };
	}
}
