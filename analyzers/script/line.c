/* The columns of a line, each with its own separator. Source of the forms: perf 6.12,
 * tools/perf/builtin-script.c, process_event() and perf_sample__fprintf_start(). */
#include "analyzers/script/line.h"
#include "analyzers/count/namer.h"
#include "analyzers/hardware/datasrc.h"
#include "analyzers/hardware/itrace.h"
#include "analyzers/script/bpfoutput.h"
#include "analyzers/script/branches.h"
#include "analyzers/script/records.h"
#include "analyzers/script/who.h"
#include "parser/pdtool_capture.h"
#include "parser/base/abi.h"
#include "parser/base/digits.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"
#include "parser/pdtool_record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_SEC   1000000000u
#define TIME_ROOM    64 /* 20 digits and a point, 9 and ": " */
#define SOURCE_BYTES 99 /* perf has room for no more */

/* ---- numbers, without printf(): there are many ---- */

/* V with blanks (or zeros) before it, at least WIDTH. */
static void put_padded(struct buf *b, uint64_t v, unsigned width, char pad)
{
	buf_number(b, v, false, width, pad);
}

/* "%16x" */
static void put_address(struct buf *b, uint64_t v)
{
	hex_wide(buf_reserve(b, HEX_WIDE), v);
	b->len += HEX_WIDE;
	b->data[b->len] = '\0';
}

/* ---- who and when ---- */

static void put_fraction(const struct printer *p, uint64_t ns, struct buf *b)
{
	buf_char(b, '.');
	if (p->options->ns)
		put_padded(b, ns % NS_PER_SEC, 9, '0');
	else
		put_padded(b, ns % NS_PER_SEC / 1000, 6, '0');
}

/* Most lines are of the second that the line before was of: it begins at NS. */
static void set_second(struct printer *p, uint64_t ns)
{
	struct buf b = { 0 };

	put_padded(&b, ns / NS_PER_SEC, 5, ' ');
	buf_char(&b, '.');
	p->second = ns;
	p->second_len = (uint8_t)b.len; /* 20 digits at most */
	memcpy(p->second_text, b.data, b.len);
	buf_release(&b);
}

static void put_tod(const struct printer *p, const struct pdt_event *e, struct buf *b)
{
	uint64_t ns = e->time_ns - pdt_number(p->session, PDT_CLOCK_NS) +
		      pdt_number(p->session, PDT_WALL_NS);
	time_t sec = (time_t)(ns / NS_PER_SEC);
	struct tm tm;
	char text[64];

	if (!localtime_r(&sec, &tm) || !strftime(text, sizeof(text), "%F %H:%M:%S", &tm))
		return;
	buf_str(b, text);
	put_fraction(p, ns, b);
	buf_char(b, ' ');
}

/* The time to show in place of TIME. */
static uint64_t shown_time(struct printer *p, uint64_t time)
{
	uint64_t before = p->last_ns;

	p->last_ns = time;
	p->first_ns = p->first_ns ?: time;
	if (p->options->reltime)
		return time - p->first_ns;
	if (p->options->deltatime)
		return before ? time - before : 0;
	return time;
}

/* The time of E at TO, where TIME_ROOM bytes are: its end. */
static inline char *time_at(struct printer *p, const struct pdt_event *e, char *to)
{
	uint64_t ns = shown_time(p, e->has_time ? e->time_ns : UINT64_MAX);

	if (ns - p->second >= NS_PER_SEC || !p->second_len)
		set_second(p, ns - ns % NS_PER_SEC);
	memcpy(to, p->second_text, sizeof(p->second_text));
	to += p->second_len;
	if (p->options->ns) {
		digits_fixed(to, (uint32_t)(ns - p->second), 9);
		to += 9;
	} else {
		digits_fixed(to, (uint32_t)(ns - p->second) / 1000, 6);
		to += 6;
	}
	memcpy(to, ": ", 3);
	return to + 2;
}

static void put_time(struct printer *p, const struct pdt_event *e, struct buf *b)
{
	char *to = buf_reserve(b, TIME_ROOM);

	b->len += (size_t)(time_at(p, e, to) - to);
}

static bool has_chain(const struct printer *p, const struct pdt_desc *d)
{
	return !p->options->no_chain &&
	       pdt_desc_number(NULL, d, PDT_DESC_SAMPLE_TYPE) & SAMPLE_CALLCHAIN;
}

#define HEAD_TOO_LONG UINT8_MAX
#define HEAD_FIELDS   (FIELD_COMM | FIELD_PID | FIELD_TID | FIELD_CPU)

static bool is_same_head(const struct head_of *a, const struct head_of *b)
{
	return a->fields == b->fields && a->comm == b->comm && a->pid == b->pid &&
	       a->tid == b->tid && a->cpu == b->cpu && a->padded == b->padded;
}

/* OF, which are of E, go to H. */
static __attribute__((noinline)) void keep_head(struct printer *p, const struct pdt_event *e,
						const struct head_of *of, struct line_head *h)
{
	struct buf b = { 0 };

	head_put(p, e, of, &b);
	h->of = *of;
	h->len = b.len <= sizeof(h->text) ? (uint8_t)b.len : HEAD_TOO_LONG;
	memcpy(h->text, b.data, b.len <= sizeof(h->text) ? b.len : 0);
	buf_release(&b);
}

static inline struct head_of head_of(const struct line_plan *plan, const struct pdt_event *e)
{
	return (struct head_of){ .fields = plan->fields & HEAD_FIELDS,
				 .comm = e->comm,
				 .pid = e->pid,
				 .tid = e->tid,
				 .cpu = e->has_cpu ? e->cpu : UINT32_MAX,
				 .padded = plan->padded };
}

/* What the line of E, a sample, begins with; NULL: that has no room here. */
static inline const struct line_head *find_head(struct printer *p, const struct line_plan *plan,
						const struct pdt_event *e)
{
	const struct head_of of = head_of(plan, e);
	struct line_head *h = &p->heads[(e->tid ^ e->cpu << 7) % LINE_HEADS];

	if (!is_same_head(&h->of, &of))
		keep_head(p, e, &of, h);
	return h->len == HEAD_TOO_LONG ? NULL : h;
}

static void put_head(struct printer *p, const struct line_plan *plan, const struct pdt_event *e,
		     struct buf *b)
{
	const struct head_of of = head_of(plan, e);
	/* commands of others are those of whom they are about */
	const struct line_head *h = e->kind == PDT_SAMPLE ? find_head(p, plan, e) : NULL;

	if (h)
		buf_add_part(b, h->text, sizeof(h->text), h->len);
	else
		head_put(p, e, &of, b);
}

static void put_start(struct printer *p, const struct line_plan *plan, const struct pdt_event *e,
		      struct buf *b)
{
	uint64_t fields = plan->fields;

	if (fields & HEAD_FIELDS)
		put_head(p, plan, e, b);
	if (fields & FIELD_MISC)
		misc_put(e, b);
	if (fields & FIELD_TOD)
		put_tod(p, e, b);
	if (fields & FIELD_TIME)
		put_time(p, e, b);
}

/* ---- what ---- */

static struct kept_text event_text(const struct printer *p, const struct pdt_desc *d)
{
	size_t len = strlen(pdt_desc_name(d));
	struct buf made = { 0 };

	buf_fill(&made, ' ', p->event_width > len ? p->event_width - len : 0);
	put_safe(&made, pdt_desc_name(d));
	buf_str(&made, ": ");
	return kept_text_of(&made);
}

#define SIMPLE_ROOM (64 + TIME_ROOM + BUF_SHORT) /* a head, a time, a period */
#define SIMPLE_FIELDS                                                                        \
	(HEAD_FIELDS | FIELD_TIME | FIELD_PERIOD | FIELD_EVENT | FIELD_IP | FIELD_SYM |      \
	 FIELD_SYMOFF | FIELD_DSO | FIELD_DSOFF | FIELD_SRCLINE)

static struct line_plan make_plan(const struct printer *p, const struct pdt_desc *d)
{
	struct line_plan plan = { event_text(p, d), .type = script_type_of(d) };
	uint64_t none = is_bpf_output(d) ? 0 : FIELD_BPF_OUTPUT;

	plan.fields = p->fields->types[plan.type].shown;
	plan.padded = !(plan.fields & FIELD_IP && has_chain(p, d));
	plan.own_period = pdt_desc_number(NULL, d, PDT_DESC_SAMPLE_TYPE) &
			  (SAMPLE_PERIOD | SAMPLE_READ);
	plan.period = pdt_desc_number(NULL, d, PDT_DESC_PERIOD);
	plan.simple = plan.fields & FIELD_IP && !(plan.fields & ~(SIMPLE_FIELDS | none)) &&
		      !has_chain(p, d) && !is_branch_event(d) && !p->fields->flags;
	return plan;
}

static const struct line_plan *plan_of(struct printer *p, const struct pdt_desc *d)
{
	uint32_t i = pdt_desc_index(d);

	if (i >= p->plan_count)
		p->plans = xgrow_to(p->plans, &p->plan_count, &p->plan_cap, i, sizeof(*p->plans));
	if (!p->plans[i].name.text)
		p->plans[i] = make_plan(p, d);
	return &p->plans[i];
}

/* Most samples have the period of the one before. */
static inline void find_period(struct printer *p, const struct line_plan *plan,
			       const struct pdt_event *e)
{
	uint64_t period = plan->own_period ? e->weight : plan->period;
	struct buf b = { 0 };

	if (period == p->period && p->period_len)
		return;
	put_padded(&b, period, 10, ' ');
	buf_char(&b, ' ');
	p->period = period;
	p->period_len = (uint8_t)b.len; /* 20 digits at most */
	memcpy(p->period_text, b.data, b.len);
	buf_release(&b);
}

/* ---- where ---- */

/* The line of F: without addresses, where they are not known. True: the chain ends here. */
static bool put_frame(struct where *w, struct where_frame *f, const uint64_t *address,
		      struct buf *b)
{
	const char *behind;
	size_t len;

	if (address) {
		where_put_line(w, f, *address, b);
	} else {
		behind = where_behind(w, f, &len);
		buf_char(b, '\t');
		buf_add(b, behind, len + 1);
	}
	return f->stops;
}

/* The frames of location LOC with those that were inlined; for perf, which asks addr2line, the
 * symbol is one of these. */
static bool put_inlined(const struct printer *p, struct where *w, uint32_t loc,
			const uint64_t *address, struct buf *b)
{
	for (uint32_t i = w->first[loc]; i < w->first[loc + 1]; i++) {
		if (put_frame(w, &w->inlined[i], address, b))
			return true;
	}
	if (p->options->as_perf && w->first[loc] < w->first[loc + 1])
		return false;
	return put_frame(w, where_frame_of(w, loc), address, b);
}

/* The chain K of what was unwound: its user part is counted apart, and has inlined functions. */
static void put_unwound(const struct printer *p, struct where *w, const struct pdt_stack *k,
			const uint64_t *addresses, struct buf *b)
{
	uint64_t left = p->options->max_stack ?: UINT64_MAX;
	int mode = PDT_USER;

	for (uint32_t i = 0; i < k->depth; i++) {
		const uint64_t *address = addresses ? &addresses[i] : NULL;
		uint32_t loc = k->locations[i];
		int was = mode;

		mode = pdt_location_mode(p->session, loc);
		if (mode == PDT_USER && was != PDT_USER)
			left = p->options->max_stack ?: UINT64_MAX;
		if (left && (mode == PDT_USER && w->first
				     ? put_inlined(p, w, loc, address, b)
				     : put_frame(w, where_frame_of(w, loc), address, b)))
			break;
		left -= left != 0;
	}
}

static void put_chain(struct printer *p, struct where *w, const struct pdt_event *e, struct buf *b)
{
	struct pdt_stack k = pdt_stack_at(p->session, e->stack);
	const uint64_t *addresses = pdt_addresses(p->session, e->chain, e->stack);
	uint64_t most = p->options->max_stack;

	p->last = w;
	buf_char(b, '\n');
	if (k.flags & PDT_STACK_EMPTY || (p->options->as_perf && k.flags & PDT_STACK_PERF_DROPS))
		return;
	if (k.flags & PDT_STACK_UNWOUND) {
		put_unwound(p, w, &k, addresses, b);
		return;
	}
	if (most && k.depth > most)
		k.depth = (uint32_t)most;
	for (uint32_t i = 0; i < k.depth; i++) {
		if (put_frame(w, where_frame_of(w, k.locations[i]),
			      addresses ? &addresses[i] : NULL, b))
			break;
	}
}

static struct where *made(struct where *w, const struct printer *p, uint64_t fields)
{
	if (!w->frames)
		where_make(w,
			   &(struct where_options){ fields, &p->options->stop,
						    p->options->full_path, p->options->as_perf },
			   p->session);
	return w;
}

static struct where *where_for(struct printer *p, const struct pdt_desc *d, uint64_t fields)
{
	return made(&p->where[script_type_of(d)], p, fields);
}

static void put_place(const struct where *w, uint32_t loc, struct buf *b)
{
	size_t len;
	const char *text = where_behind(w, where_frame_of(w, loc), &len);

	buf_add(b, text, len);
}

static void put_ip(struct printer *p, const struct pdt_event *e, uint64_t fields, struct buf *b)
{
	struct where *w = where_for(p, e->desc, fields);

	if (has_chain(p, e->desc)) {
		put_chain(p, w, e, b);
		return;
	}
	buf_char(b, ' ');
	put_address(b, e->ip);
	put_place(w, where_sampled(p->session, e), b);
}

/* ---- what few events record ---- */

static const struct pdt_values *values_of(const struct held_row *row)
{
	static const struct pdt_values none;

	return row->event.values ?: &none;
}

static void put_wide(struct buf *b, uint64_t v)
{
	put_padded(b, v, 16, ' ');
}

static void put_weights(const struct held_row *row, uint64_t fields, struct buf *b)
{
	uint64_t weight = values_of(row)->weight;
	bool parts =
		pdt_desc_number(NULL, row->event.desc, PDT_DESC_SAMPLE_TYPE) & SAMPLE_WEIGHT_STRUCT;

	if (fields & FIELD_WEIGHT)
		put_wide(b, parts ? (uint32_t)weight : weight);
	if (fields & FIELD_INS_LAT)
		put_wide(b, parts ? weight >> 32 & 0xffff : 0);
	if (fields & FIELD_RETIRE_LAT)
		put_wide(b, parts ? weight >> 48 : 0);
}

/* In 99 bytes, as wide as the widest one before. */
static void put_source(struct printer *p, uint64_t src, struct buf *b)
{
	size_t from = b->len;

	put_address(b, src);
	buf_char(b, ' ');
	datasrc_text(src, b);
	if (b->len - from > SOURCE_BYTES)
		b->len = from + SOURCE_BYTES;
	if (b->len - from > p->source_width)
		p->source_width = b->len - from;
	buf_fill(b, ' ', p->source_width - (b->len - from));
}

static void put_branches(struct printer *p, const struct held_row *row, uint64_t fields,
			 struct buf *b)
{
	struct where *w = &p->ends[script_type_of(row->event.desc)];
	uint64_t shown = branches_where(fields);

	if (row->more.branch_count)
		branches_put(&row->more, fields, shown ? made(w, p, shown) : NULL, p->session, b);
}

static void put_registers(const struct printer *p, const struct held_row *row, uint64_t fields,
			  struct buf *b)
{
	const char *arch = pdt_text(p->session, PDT_ARCH);

	if (fields & FIELD_IREGS)
		registers_put(&row->more.registers[0], arch, b);
	if (fields & FIELD_UREGS)
		registers_put(&row->more.registers[1], arch, b);
}

static void put_before(struct printer *p, const struct held_row *row, uint64_t fields,
		       struct buf *b)
{
	const struct pdt_values *v = values_of(row);

	if (fields & FIELD_ADDR) {
		put_address(b, v->addr);
		if (addr_is_named(row->event.desc) && fields & (FIELD_SYM | FIELD_DSO))
			put_place(where_for(p, row->event.desc, fields), row->more.place, b);
	}
	if (fields & FIELD_DATA_SRC)
		put_source(p, v->data_src, b);
	put_weights(row, fields, b);
	if (fields & FIELD_CGROUP) {
		buf_char(b, ' ');
		put_safe(b, pdt_cgroup(p->session, v->cgroup) ?: "unknown");
	}
}

static void put_page_size(struct buf *b, uint64_t size)
{
	static const char units[] = "BKMGTPE";
	unsigned i = 0;

	for (; size && !(size & 1023); size >>= 10)
		i++;
	if (size)
		buf_printf(b, " %" PRIu64 "%c", size, units[i]);
	else
		buf_str(b, " N/A");
}

static void put_insn(const struct printer *p, const struct pdt_event *e, uint64_t fields,
		     struct buf *b)
{
	if (fields & FIELDS_OF_CODE)
		insns_put(p->insns, where_sampled(p->session, e), e->ip, fields, b);
}

/* Instructions per cycle, where a trace tells of cycles. */
static void put_ipc(const struct pdt_values *v, struct buf *b)
{
	uint64_t ipc;

	if (!v->insns || !v->cycles)
		return;
	ipc = v->insns * 100 / v->cycles;
	buf_printf(b, " \t IPC: %" PRIu64 ".%02" PRIu64 " (%" PRIu64 "/%" PRIu64 ") ", ipc / 100,
		   ipc % 100, v->insns, v->cycles);
}

static void put_behind(const struct held_row *row, uint64_t fields, struct buf *b)
{
	const struct pdt_values *v = values_of(row);

	if (fields & FIELD_PHYS_ADDR)
		put_address(b, v->phys_addr);
	if (fields & FIELD_DATA_PAGE_SIZE)
		put_page_size(b, v->data_page_size);
	if (fields & FIELD_CODE_PAGE_SIZE)
		put_page_size(b, v->code_page_size);
	if (fields & FIELD_IPC)
		put_ipc(v, b);
}

/* ---- the line ---- */

void printer_expect(const struct printer *p, const struct held_coming *c)
{
	const struct where *w = p->last;
	struct pdt_stack k;

	if (w && c->place != PDT_NONE)
		__builtin_prefetch(where_frame_of(w, c->place));
	if (!w || c->place != PDT_NONE)
		return;
	k = pdt_stack_at(p->session, c->stack);
	for (uint32_t i = 0; i < k.depth; i++)
		__builtin_prefetch(where_frame_of(w, k.locations[i]));
}

void printer_init(struct printer *p)
{
	const struct pdt_desc *d;

	p->heads = xcalloc(LINE_HEADS, sizeof(*p->heads));
	for (size_t i = 0; (d = pdt_desc_at(p->session, i)); i++) {
		size_t len = strlen(pdt_desc_name(d));

		p->event_width = len > p->event_width ? len : p->event_width;
	}
}

void printer_expect_text(const struct printer *p, const struct held_coming *c)
{
	const struct where *w = p->last;
	struct pdt_stack k;

	if (w && c->place != PDT_NONE)
		where_expect(w, where_frame_of(w, c->place));
	if (!w || c->place != PDT_NONE)
		return;
	k = pdt_stack_at(p->session, c->stack);
	for (uint32_t i = 0; i < k.depth; i++)
		where_expect(w, where_frame_of(w, k.locations[i]));
}

void printer_release(struct printer *p)
{
	for (size_t i = 0; i < SCRIPT_TYPES; i++)
		where_release(&p->where[i]);
	for (size_t i = 0; i < SCRIPT_TYPES; i++)
		where_release(&p->ends[i]);
	for (size_t i = 0; i < p->comm_count; i++)
		free(p->comms[i].text);
	free(p->comms);
	for (size_t i = 0; i < p->plan_count; i++)
		free(p->plans[i].name.text);
	free(p->plans);
	free(p->heads);
	memset(p, 0, sizeof(*p));
}

/* What stands behind the address. */
static inline void put_rest(struct printer *p, const struct held_row *row, uint64_t fields,
			    struct buf *out)
{
	const struct pdt_event *e = &row->event;

	if (fields & FIELDS_OF_REGISTERS)
		put_registers(p, row, fields, out);
	if (fields & FIELDS_OF_BRANCHES)
		put_branches(p, row, fields, out);
	if (fields & FIELD_BPF_OUTPUT && is_bpf_output(e->desc))
		bpf_output_put(e->raw, e->raw_size, out);
	put_insn(p, e, fields, out);
	if (fields & FIELDS_OF_VALUES)
		put_behind(row, fields, out);
}

/* What stands behind FROM without blanks and ends of lines around it. */
static void trim(struct buf *b, size_t from)
{
	size_t n = strspn(b->data + from, " \t\n");

	while (b->len > from + n && strchr(" \t\n", b->data[b->len - 1]))
		b->len--;
	memmove(b->data + from, b->data + from + n, b->len - from - n);
	b->len -= n;
	b->data[b->len] = '\0';
}

void printer_put_field(struct printer *p, const struct held_row *row, uint64_t field,
		       struct buf *out)
{
	const struct pdt_event *e = &row->event;
	size_t from = out->len;
	char *name;

	buf_str(out, "");
	if (!field)
		flow_put(e->flow, out);
	if (field & FIELD_MISC)
		misc_put(e, out);
	if (field & FIELD_TOD)
		put_tod(p, e, out);
	if (field & FIELDS_OF_VALUES)
		put_before(p, row, field, out);
	put_rest(p, row, field, out);
	name = field & (FIELD_INSN | FIELD_INSNLEN) ? strstr(out->data + from, ": ") : NULL;
	if (name)
		memset(out->data + from, ' ', (size_t)(name + 1 - (out->data + from)));
	trim(out, from);
}

static void put_sample(struct printer *p, const struct held_row *row, uint64_t fields,
		       struct buf *out)
{
	const struct pdt_event *e = &row->event;

	if (fields & FIELD_TRACE)
		texts_put(p->texts, e, p->session, out);
	if (fields & FIELDS_OF_VALUES)
		put_before(p, row, fields, out);
	if (fields & FIELD_IP)
		put_ip(p, e, fields, out);
	put_rest(p, row, fields, out);
	buf_char(out, '\n');
}

/* The function that is entered or left, indented by how many calls are open. As perf has it, the
 * column is as wide as a long one before needed it. */
static void put_callindent(struct printer *p, const struct held_row *row, uint64_t fields,
			   struct buf *b)
{
	const struct pdt_event *e = &row->event;
	uint32_t sampled = where_sampled(p->session, e);
	bool enters = e->flow & (PDT_FLOW_CALL | PDT_FLOW_BEGIN);
	bool shows = enters || e->flow & (PDT_FLOW_RETURN | PDT_FLOW_END);
	uint32_t place = enters ? row->more.place : sampled;
	size_t n = pdt_function_count(p->session, place), len;
	const char *name = n ? pdt_function_at(p->session, place, n - 1).name : NULL;
	uint64_t address = enters ? values_of(row)->addr : e->ip;

	if (fields & FIELD_DSO && !(fields & (FIELD_IP | FIELD_ADDR))) {
		buf_char(b, '(');
		put_safe(b, pdt_location_module(p->session, sampled) ?: "[unknown]");
		buf_str(b, ")\t");
	}
	len = b->len;
	if (shows && (name || address))
		buf_fill(b, ' ', (size_t)row->more.depth * 4);
	if (shows && name)
		put_safe(b, name);
	else if (shows && address)
		put_address(b, address);
	len = b->len - len;
	if (len > p->indent_width || (len && len + 52 < p->indent_width))
		p->indent_width = (len + 4 + 31) / 32 * 32;
	buf_fill(b, ' ', p->indent_width > len ? p->indent_width - len : 0);
}

/* A branch, from its ip to its address. */
static void put_branch(struct printer *p, const struct held_row *row, uint64_t fields,
		       struct buf *out)
{
	const struct pdt_event *e = &row->event;
	const struct where *w = where_for(p, e->desc, fields);

	if (fields & FIELD_CALLINDENT)
		put_callindent(p, row, fields, out);
	if (fields & FIELD_IP)
		put_ip(p, e, fields, out);
	if (shows_target(p->fields, e->desc)) {
		buf_str(out, " => ");
		put_address(out, values_of(row)->addr);
		put_place(w, row->more.place, out);
	}
	if (fields & FIELD_IPC)
		put_ipc(values_of(row), out);
	put_insn(p, e, fields, out);
	buf_char(out, '\n');
}

/* False: its line is not that simple. */
static bool put_simple(struct printer *p, const struct line_plan *plan, const struct pdt_event *e,
		       struct buf *out)
{
	const struct line_head *h = find_head(p, plan, e);
	struct where *w = made(&p->where[plan->type], p, plan->fields);
	char *from, *to;

	if (!h)
		return false;
	p->last = w;
	from = to = buf_reserve(out, SIMPLE_ROOM);
	memcpy(to, h->text, sizeof(h->text));
	to += h->len;
	if (plan->fields & FIELD_TIME)
		to = time_at(p, e, to);
	if (plan->fields & FIELD_PERIOD) {
		find_period(p, plan, e);
		memcpy(to, p->period_text, sizeof(p->period_text));
		to += p->period_len;
	}
	out->len += (size_t)(to - from);
	if (plan->fields & FIELD_EVENT)
		buf_add_short(out, plan->name.text, plan->name.len);
	/* what follows is the line of a frame, but for the tab before it */
	to = where_put_line(w, where_frame_of(w, where_sampled(p->session, e)), e->ip, out);
	*to = ' ';
	return true;
}

void printer_put(struct printer *p, const struct held_row *row, struct buf *out)
{
	const struct pdt_event *e = &row->event;
	const struct line_plan *plan = plan_of(p, e->desc);
	uint64_t fields = plan->fields;
	struct pdt_record record;

	if (e->kind == PDT_SAMPLE && plan->simple && put_simple(p, plan, e, out))
		return;
	if (pdt_event_record(e, &record)) {
		put_start(p, plan, e, out);
		record_put(&record, out);
		return;
	}
	if (!fields)
		return;
	put_start(p, plan, e, out);
	if (fields & FIELD_PERIOD) {
		find_period(p, plan, e);
		buf_add_short(out, p->period_text, p->period_len);
	}
	if (fields & FIELD_EVENT)
		buf_add_short(out, plan->name.text, plan->name.len);
	if (p->fields->flags)
		flow_put(e->flow, out);
	if (is_branch_event(e->desc)) {
		put_branch(p, row, fields, out);
	} else {
		put_sample(p, row, fields, out);
	}
	if (fields & FIELD_SRCCODE)
		srccode_put(p->srccode, e, p->session, out);
}
