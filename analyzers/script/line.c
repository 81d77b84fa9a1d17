/* The columns of a line, each with its own separator. Source of the forms: perf 6.12,
 * tools/perf/builtin-script.c, process_event() and perf_sample__fprintf_start(). */
#include "analyzers/script/line.h"
#include "analyzers/count/namer.h"
#include "analyzers/hardware/datasrc.h"
#include "analyzers/hardware/itrace.h"
#include "analyzers/script/bpfoutput.h"
#include "analyzers/script/branches.h"
#include "analyzers/script/records.h"
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
#define SOURCE_BYTES 99 /* perf has room for no more */

/* ---- numbers, without printf(): there are many ---- */

/* V with blanks (or zeros) before it, at least WIDTH. */
static void put_padded(struct buf *b, uint64_t v, unsigned width, char pad)
{
	buf_number(b, v, false, width, pad);
}

/* As %d shows it, V -1 where it is not recorded. */
static void put_int(struct buf *b, uint32_t v, unsigned width, char pad)
{
	if ((int32_t)v < 0)
		buf_printf(b, pad == '0' ? "%0*d" : "%*d", (int)width, (int32_t)v);
	else
		put_padded(b, v, width, pad);
}

/* "%16x" */
static void put_address(struct buf *b, uint64_t v)
{
	where_address(buf_reserve(b, WHERE_ADDRESS), v);
	b->len += WHERE_ADDRESS;
	b->data[b->len] = '\0';
}

/* ---- who and when ---- */

static struct kept_text kept(struct buf *made)
{
	memset(buf_reserve(made, BUF_SHORT), 0, BUF_SHORT);
	return (struct kept_text){ made->data, made->len };
}

static const struct kept_text *comm_of(struct printer *p, uint32_t comm)
{
	struct buf b = { 0 };

	if (comm >= p->comm_count)
		p->comms =
			xgrow_to(p->comms, &p->comm_count, &p->comm_cap, comm, sizeof(*p->comms));
	if (!p->comms[comm].text) {
		put_safe(&b, pdt_comm(p->session, comm));
		p->comms[comm] = kept(&b);
	}
	return &p->comms[comm];
}

static void put_comm(struct printer *p, const struct pdt_event *e, bool padded, struct buf *b)
{
	struct buf made = { 0 };
	struct kept_text t;

	if (pdt_comm(p->session, e->comm)) {
		t = *comm_of(p, e->comm);
	} else {
		struct pdt_record r;

		comm_text(NULL, pdt_event_record(e, &r) ? record_tid(&r, e->tid) : e->tid, &made);
		t = (struct kept_text){ made.data, made.len };
	}
	if (p->options->latency)
		buf_printf(b, "%8.8s ", t.text);
	else {
		if (padded && t.len < 16)
			buf_fill(b, ' ', 16 - t.len);
		buf_add(b, t.text, t.len);
		buf_char(b, ' ');
	}
	buf_release(&made);
}

static void put_ids(const struct pdt_event *e, uint64_t fields, struct buf *b)
{
	if (fields & FIELD_PID)
		put_int(b, e->pid, 7, ' ');
	if (fields & FIELD_PID && fields & FIELD_TID) {
		size_t from = b->len;

		buf_char(b, '/');
		put_int(b, e->tid, 1, ' ');
		if (b->len - from < 8)
			buf_fill(b, ' ', 8 - (b->len - from));
	} else if (fields & FIELD_TID) {
		put_int(b, e->tid, 7, ' ');
	}
	buf_char(b, ' ');
}

static void put_cpu(const struct printer *p, const struct pdt_event *e, struct buf *b)
{
	uint32_t cpu = e->has_cpu ? e->cpu : UINT32_MAX;

	if (p->options->latency) {
		put_int(b, cpu, 3, ' ');
	} else {
		buf_char(b, '[');
		put_int(b, cpu, 3, '0');
		buf_char(b, ']');
	}
	buf_char(b, ' ');
}

/* The letters of a mode are of bit patterns that others contain. */
static unsigned put_mode(unsigned misc, struct buf *b)
{
	static const char letters[] = "KUHGg"; /* MISC_KERNEL and so on */
	unsigned n = 0;

	for (unsigned bits = 1; bits < sizeof(letters); bits++) {
		if ((misc & bits) != bits)
			continue;
		buf_char(b, letters[bits - 1]);
		n++;
	}
	return n;
}

static const char *misc_of_record(const struct pdt_record *r)
{
	switch (r->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return r->misc & MISC_MMAP_DATA ? "M" : "";
	case RECORD_COMM:
		return r->misc & MISC_COMM_EXEC ? "E" : "";
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		return !(r->misc & MISC_SWITCH_OUT)	   ? ""
		       : r->misc & MISC_SWITCH_OUT_PREEMPT ? "Sp"
							   : "S";
	default:
		return "";
	}
}

static void put_misc(const struct pdt_event *e, struct buf *b)
{
	static const uint8_t modes[PDT_MODES] = {
		[PDT_USER] = MISC_USER,
		[PDT_KERNEL] = MISC_KERNEL,
		[PDT_HYPERVISOR] = MISC_HYPERVISOR,
		[PDT_GUEST_USER] = MISC_GUEST_USER,
		[PDT_GUEST_KERNEL] = MISC_GUEST_KERNEL,
	};
	struct pdt_record r;
	bool record = pdt_event_record(e, &r);
	unsigned misc = record ? r.misc & MISC_CPUMODE_MASK : modes[e->mode % PDT_MODES];
	const char *more = record ? misc_of_record(&r) : "";
	unsigned n = put_mode(misc, b) + (unsigned)strlen(more);

	buf_str(b, more);
	buf_fill(b, ' ', n < 6 ? 6 - n : 1);
}

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

static void put_time(struct printer *p, const struct pdt_event *e, struct buf *b)
{
	uint64_t ns = shown_time(p, e->has_time ? e->time_ns : UINT64_MAX);

	if (ns - p->second >= NS_PER_SEC || !p->second_len)
		set_second(p, ns - ns % NS_PER_SEC);
	buf_add_short(b, p->second_text, p->second_len);
	if (p->options->ns)
		buf_fixed(b, (uint32_t)(ns - p->second), 9);
	else
		buf_fixed(b, (uint32_t)(ns - p->second) / 1000, 6);
	buf_add(b, ": ", 2);
}

static bool has_chain(const struct printer *p, const struct pdt_desc *d)
{
	return !p->options->no_chain &&
	       pdt_desc_number(NULL, d, PDT_DESC_SAMPLE_TYPE) & SAMPLE_CALLCHAIN;
}

#define HEAD_FIELDS (FIELD_COMM | FIELD_PID | FIELD_TID | FIELD_CPU)

static void make_head(struct printer *p, const struct pdt_event *e, const struct head_of *of,
		      struct buf *b)
{
	if (of->fields & FIELD_COMM)
		put_comm(p, e, of->padded, b);
	if (of->fields & (FIELD_PID | FIELD_TID))
		put_ids(e, of->fields, b);
	if (of->fields & FIELD_CPU)
		put_cpu(p, e, b);
}

static bool is_same_head(const struct head_of *a, const struct head_of *b)
{
	return a->fields == b->fields && a->comm == b->comm && a->pid == b->pid &&
	       a->tid == b->tid && a->cpu == b->cpu && a->padded == b->padded;
}

static void put_head(struct printer *p, const struct pdt_event *e, uint64_t fields, struct buf *b)
{
	const struct head_of of = { .fields = fields & HEAD_FIELDS,
				    .comm = e->comm,
				    .pid = e->pid,
				    .tid = e->tid,
				    .cpu = e->has_cpu ? e->cpu : UINT32_MAX,
				    .padded = !(fields & FIELD_IP && has_chain(p, e->desc)) };
	struct line_head *h = &p->heads[(e->tid ^ e->cpu << 7) % LINE_HEADS];
	size_t from = b->len;

	if (e->kind != PDT_SAMPLE) { /* their commands are those of whom they are about */
		make_head(p, e, &of, b);
		return;
	}
	if (is_same_head(&h->of, &of)) {
		buf_add_part(b, h->text, sizeof(h->text), h->len);
		return;
	}
	make_head(p, e, &of, b);
	if (b->len - from > sizeof(h->text))
		return;
	h->of = of;
	h->len = (uint8_t)(b->len - from);
	memcpy(h->text, b->data + from, h->len);
}

static void put_start(struct printer *p, const struct pdt_event *e, uint64_t fields, struct buf *b)
{
	if (fields & HEAD_FIELDS)
		put_head(p, e, fields, b);
	if (fields & FIELD_MISC)
		put_misc(e, b);
	if (fields & FIELD_TOD)
		put_tod(p, e, b);
	if (fields & FIELD_TIME)
		put_time(p, e, b);
}

/* ---- what ---- */

static void put_event(struct printer *p, const struct pdt_desc *d, struct buf *b)
{
	uint32_t i = pdt_desc_index(d);
	struct buf made = { 0 };

	if (i >= p->event_count)
		p->events =
			xgrow_to(p->events, &p->event_count, &p->event_cap, i, sizeof(*p->events));
	if (!p->events[i].text) {
		size_t len = strlen(pdt_desc_name(d));

		buf_fill(&made, ' ', p->event_width > len ? p->event_width - len : 0);
		put_safe(&made, pdt_desc_name(d));
		buf_str(&made, ": ");
		p->events[i] = kept(&made);
	}
	buf_add_short(b, p->events[i].text, p->events[i].len);
}

static uint64_t period_of(const struct pdt_event *e)
{
	uint64_t type = pdt_desc_number(NULL, e->desc, PDT_DESC_SAMPLE_TYPE);

	return type & (SAMPLE_PERIOD | SAMPLE_READ)
		       ? e->weight
		       : pdt_desc_number(NULL, e->desc, PDT_DESC_PERIOD);
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
	put_place(w, pdt_stack_at(p->session, e->stack).ip, b);
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
		insns_put(p->insns, pdt_stack_at(p->session, e->stack).ip, e->ip, fields, b);
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
}

/* ---- the line ---- */

void printer_expect(const struct printer *p, uint32_t stack)
{
	const struct where *w = p->last;
	struct pdt_stack k = pdt_stack_at(p->session, stack);

	for (uint32_t i = 0; w && i < k.depth; i++)
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

void printer_expect_text(const struct printer *p, uint32_t stack)
{
	const struct where *w = p->last;
	struct pdt_stack k = pdt_stack_at(p->session, stack);

	for (uint32_t i = 0; w && i < k.depth; i++)
		where_expect(w, where_frame_of(w, k.locations[i]));
}

static void kept_release(struct kept_text *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i].text);
	free(list);
}

void printer_release(struct printer *p)
{
	for (size_t i = 0; i < SCRIPT_TYPES; i++)
		where_release(&p->where[i]);
	for (size_t i = 0; i < SCRIPT_TYPES; i++)
		where_release(&p->ends[i]);
	kept_release(p->comms, p->comm_count);
	kept_release(p->events, p->event_count);
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
		put_misc(e, out);
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

/* A branch, from its ip to its address. */
static void put_branch(struct printer *p, const struct held_row *row, uint64_t fields,
		       struct buf *out)
{
	const struct pdt_event *e = &row->event;
	const struct where *w = where_for(p, e->desc, fields);

	if (fields & FIELD_IP)
		put_ip(p, e, fields, out);
	if (shows_target(p->fields, e->desc)) {
		buf_str(out, " => ");
		put_address(out, values_of(row)->addr);
		put_place(w, row->more.place, out);
	}
	put_insn(p, e, fields, out);
	buf_char(out, '\n');
}

void printer_put(struct printer *p, const struct held_row *row, struct buf *out)
{
	const struct pdt_event *e = &row->event;
	uint64_t fields = p->fields->types[script_type_of(e->desc)].shown;
	struct pdt_record record;

	if (pdt_event_record(e, &record)) {
		put_start(p, e, fields, out);
		record_put(&record, out);
		return;
	}
	if (!fields)
		return;
	put_start(p, e, fields, out);
	if (fields & FIELD_PERIOD) {
		put_padded(out, period_of(e), 10, ' ');
		buf_char(out, ' ');
	}
	if (fields & FIELD_EVENT)
		put_event(p, e->desc, out);
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
