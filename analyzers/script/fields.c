/* The table of fields: their names, what a sample must record for them, which type shows them. */
#include "analyzers/script/fields.h"
#include "parser/base/abi.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/base/nearest.h"
#include "parser/eventname.h"

#include <string.h>

/* linux/perf_event.h, PERF_COUNT_SW_PAGE_FAULTS and so on */
#define SW_PAGE_FAULTS	   2
#define SW_PAGE_FAULTS_MIN 5
#define SW_PAGE_FAULTS_MAJ 6
#define SW_BPF_OUTPUT	   10
#define HW_BRANCHES	   4
#define WEIGHTS		   (SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT)

static const struct field {
	const char *name;
	uint64_t bit;
	uint32_t needs;	      /* one of these bits of sample_type; 0: none */
	const char *recorded; /* what these are called */
} fields[] = {
	{ "comm", FIELD_COMM, 0, NULL },
	{ "pid", FIELD_PID, SAMPLE_TID, "TID" },
	{ "tid", FIELD_TID, SAMPLE_TID, "TID" },
	{ "cpu", FIELD_CPU, SAMPLE_CPU, "CPU" },
	{ "misc", FIELD_MISC, 0, NULL },
	{ "tod", FIELD_TOD, 0, NULL },
	{ "time", FIELD_TIME, SAMPLE_TIME, "TIME" },
	{ "period", FIELD_PERIOD, 0, NULL },
	{ "event", FIELD_EVENT, 0, NULL },
	{ "trace", FIELD_TRACE, 0, NULL },
	{ "addr", FIELD_ADDR, SAMPLE_ADDR, "ADDR" },
	{ "data_src", FIELD_DATA_SRC, SAMPLE_DATA_SRC, "DATA_SRC" },
	{ "weight", FIELD_WEIGHT, WEIGHTS, "WEIGHT" },
	{ "ins_lat", FIELD_INS_LAT, SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
	{ "retire_lat", FIELD_RETIRE_LAT, SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
	{ "cgroup", FIELD_CGROUP, SAMPLE_CGROUP, "CGROUP" },
	{ "ip", FIELD_IP, SAMPLE_IP, "IP" },
	{ "sym", FIELD_SYM, 0, NULL },
	{ "symoff", FIELD_SYMOFF, 0, NULL },
	{ "dso", FIELD_DSO, 0, NULL },
	{ "dsoff", FIELD_DSOFF, 0, NULL },
	{ "srcline", FIELD_SRCLINE, 0, NULL },
	{ "srccode", FIELD_SRCCODE, 0, NULL },
	{ "iregs", FIELD_IREGS, SAMPLE_REGS_INTR, "IREGS" },
	{ "uregs", FIELD_UREGS, SAMPLE_REGS_USER, "UREGS" },
	{ "brstack", FIELD_BRSTACK, 0, NULL },
	{ "brstacksym", FIELD_BRSTACKSYM, 0, NULL },
	{ "brstackoff", FIELD_BRSTACKOFF, 0, NULL },
	{ "bpf-output", FIELD_BPF_OUTPUT, 0, NULL },
	{ "insnlen", FIELD_INSNLEN, 0, NULL },
	{ "insn", FIELD_INSN, 0, NULL },
	{ "disasm", FIELD_DISASM, 0, NULL },
	{ "callindent", FIELD_CALLINDENT, 0, NULL },
	{ "ipc", FIELD_IPC, 0, NULL },
	{ "phys_addr", FIELD_PHYS_ADDR, SAMPLE_PHYS_ADDR, "PHYS_ADDR" },
	{ "data_page_size", FIELD_DATA_PAGE_SIZE, SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE" },
	{ "code_page_size", FIELD_CODE_PAGE_SIZE, SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE" },
};

#define WHO    (FIELD_COMM | FIELD_TID | FIELD_CPU | FIELD_TIME | FIELD_EVENT)
#define WHERE  (FIELD_IP | FIELD_SYM | FIELD_SYMOFF | FIELD_DSO)
#define COUNTS (WHO | WHERE | FIELD_PERIOD)
#define MEMORY                                                                                 \
	(FIELD_ADDR | FIELD_DATA_SRC | FIELD_WEIGHT | FIELD_PHYS_ADDR | FIELD_DATA_PAGE_SIZE | \
	 FIELD_CODE_PAGE_SIZE | FIELD_INS_LAT | FIELD_RETIRE_LAT)
#define NO_COUNT (FIELD_TRACE | FIELD_BPF_OUTPUT)

/* perf's that are not there, and why. */
static const struct {
	const char *name, *why;
} left_out[] = {
	{ "metric", "perf 6.12 itself crashes on it; `pdtool stat` has the metrics of counters" },
	{ "synth", "events that perf makes of a processor's trace are not read" },
	{ "brstackinsn", "`pdtool branches` shows the instructions between branches" },
	{ "brstackinsnlen", "`pdtool branches` shows the instructions between branches" },
	{ "brstackdisasm", "`pdtool branches` shows the instructions between branches" },
	{ "brcntr", "counters of branches are not read" },
	{ "machine_pid", "guests are not told apart" },
	{ "vcpu", "guests are not told apart" },
};

static const struct type {
	const char *name;  /* in front of a colon; NULL: it has none */
	const char *title; /* in messages */
	uint64_t shown;	   /* by default */
	uint64_t invalid;  /* never */
} types[SCRIPT_TYPES] = {
	[TYPE_HARDWARE] = { "hw", "hardware", COUNTS, NO_COUNT },
	[TYPE_SOFTWARE] = { "sw", "software", COUNTS | FIELD_BPF_OUTPUT, FIELD_TRACE },
	[TYPE_TRACEPOINT] = { "trace", "tracepoint", WHO | FIELD_TRACE, 0 },
	[TYPE_CACHE] = { NULL, "hardware-cache", COUNTS, NO_COUNT },
	[TYPE_RAW] = { "raw", "raw", COUNTS | MEMORY, NO_COUNT },
	[TYPE_BREAKPOINT] = { "break", "breakpoint", COUNTS, NO_COUNT },
	[TYPE_SYNTH] = { "synth", "synthesized", WHO | WHERE, NO_COUNT },
	[TYPE_OTHER] = { NULL, "other", COUNTS, NO_COUNT },
};

/* As perf knows those of BTS. */
bool is_branch_event(const struct pdt_desc *d)
{
	return pdt_desc_type(d) == TYPE_HARDWARE && pdt_desc_config(d) & HW_BRANCHES &&
	       pdt_desc_number(NULL, d, PDT_DESC_PERIOD) == 1;
}

bool addr_is_named(const struct pdt_desc *d)
{
	uint64_t config = pdt_desc_config(d);

	return is_branch_event(d) || (pdt_desc_type(d) == TYPE_SOFTWARE &&
				      (config == SW_PAGE_FAULTS || config == SW_PAGE_FAULTS_MIN ||
				       config == SW_PAGE_FAULTS_MAJ));
}

bool shows_target(const struct script_fields *f, const struct pdt_desc *d)
{
	const struct type_fields *t = &f->types[TYPE_HARDWARE];

	return t->shown & FIELD_ADDR ||
	       (!t->given && pdt_desc_number(NULL, d, PDT_DESC_SAMPLE_TYPE) & SAMPLE_ADDR);
}

bool records_more(const struct pdt_desc *d)
{
	const uint64_t more = SAMPLE_ADDR | WEIGHTS | SAMPLE_DATA_SRC | SAMPLE_PHYS_ADDR |
			      SAMPLE_CGROUP | SAMPLE_DATA_PAGE_SIZE | SAMPLE_CODE_PAGE_SIZE |
			      SAMPLE_BRANCH_STACK | SAMPLE_REGS_USER | SAMPLE_REGS_INTR;

	return pdt_desc_number(NULL, d, PDT_DESC_SAMPLE_TYPE) & more;
}

bool is_bpf_output(const struct pdt_desc *d)
{
	return pdt_desc_type(d) == TYPE_SOFTWARE && pdt_desc_config(d) == SW_BPF_OUTPUT;
}

enum script_type script_type_of(const struct pdt_desc *d)
{
	uint32_t type = pdt_desc_type(d);

	if (type == INT32_MAX + 1u) /* PERF_TYPE_SYNTH, made by perf inject */
		return TYPE_SYNTH;
	return type < TYPE_SYNTH ? (enum script_type)type : TYPE_OTHER;
}

void fields_init(struct script_fields *f)
{
	memset(f, 0, sizeof(*f));
	for (size_t i = 0; i < SCRIPT_TYPES; i++)
		f->types[i].shown = types[i].shown;
}

/* ---- -F ---- */

static const struct field *find_field(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		if (strlen(fields[i].name) == len && !strncmp(fields[i].name, name, len))
			return &fields[i];
	}
	return NULL;
}

static int unknown_field(const char *name, size_t len, struct warnings *w)
{
	struct buf all = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(left_out); i++) {
		if (strlen(left_out[i].name) != len || strncmp(left_out[i].name, name, len))
			continue;
		warn_add(w, SEV_FATAL, "fields", "script: --fields: %s is not there: %s",
			 left_out[i].name, left_out[i].why);
		return ERR_USAGE;
	}
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		buf_printf(&all, "%s ", fields[i].name);
	buf_str(&all, "flags");
	warn_add(w, SEV_FATAL, "fields",
		 "script: --fields: there is no field '%.*s'; there are: %s", (int)len, name,
		 all.data);
	buf_release(&all);
	return ERR_USAGE;
}

/* The types that TEXT is about: bits, and *LIST is what follows; 0: there is no such type. */
static unsigned take_types(const char *text, const char **list)
{
	const char *colon = strchr(text, ':');

	*list = colon ? colon + 1 : text;
	for (size_t i = 0; colon && i < SCRIPT_TYPES; i++) {
		if (types[i].name && strlen(types[i].name) == (size_t)(colon - text) &&
		    !strncmp(types[i].name, text, (size_t)(colon - text)))
			return 1u << i;
	}
	return colon ? 0 : (1u << SCRIPT_TYPES) - 1;
}

/* Show FIELD, or not, for those of the types WHICH that may have it. */
static void change(struct script_fields *f, unsigned which, const struct field *field, bool remove)
{
	for (size_t i = 0; i < SCRIPT_TYPES; i++) {
		struct type_fields *t = &f->types[i];

		if (!(which & 1u << i) || types[i].invalid & field->bit)
			continue;
		t->given = true;
		t->shown = remove ? t->shown & ~field->bit : t->shown | field->bit;
		t->asked = remove ? t->asked & ~field->bit : t->asked | field->bit;
	}
}

static void begin_anew(struct script_fields *f, unsigned which, bool named)
{
	for (size_t i = 0; i < SCRIPT_TYPES; i++) {
		if (which & 1u << i)
			f->types[i] = (struct type_fields){ .given = true, .exists = named };
	}
}

static int refuse_list(const char *text, const char *why, struct warnings *w)
{
	warn_add(w, SEV_FATAL, "fields", "script: --fields %s: %s", text, why);
	return ERR_USAGE;
}

/* Does a field in LIST have a sign? "bpf-output" has none. */
static bool has_signs(const char *list)
{
	for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
		if (*at == '+' || *at == '-')
			return true;
	}
	return false;
}

/* LIST is a list of fields, all of them with a sign or none. */
static int parse_list(struct script_fields *f, unsigned which, const char *list, struct warnings *w)
{
	bool one = !(which & (which - 1)), any_sign = has_signs(list);

	for (const char *at = list, *end; *at; at = end + (*end == ',')) {
		char sign = *at == '+' || *at == '-' ? *at : 0;
		const struct field *field;

		at += sign != 0;
		end = at + strcspn(at, ",");
		field = find_field(at, (size_t)(end - at));
		if (end == at && !sign)
			continue;
		if (any_sign && !sign)
			return refuse_list(list, "fields with + or - and without cannot be mixed",
					   w);
		if (end - at == 5 && !strncmp(at, "flags", 5)) { /* of all types, as in perf */
			f->flags = sign != '-';
			continue;
		}
		if (!field)
			return unknown_field(at, (size_t)(end - at), w);
		for (size_t i = 0; one && i < SCRIPT_TYPES; i++) {
			if (which & 1u << i && types[i].invalid & field->bit)
				return refuse_list(list, "events of this type have no such field",
						   w);
		}
		change(f, which, field, sign == '-');
	}
	return 0;
}

int fields_parse(struct script_fields *f, const char *text, struct warnings *w)
{
	const char *list;
	unsigned which = take_types(text, &list);

	if (!which)
		return refuse_list(text, "types of events are hw, sw, trace, raw, break, synth", w);
	if (!*text)
		return refuse_list("''", "expected fields", w);
	if (!has_signs(list))
		begin_anew(f, which, list != text);
	return parse_list(f, which, list, w);
}

uint64_t fields_all(const struct script_fields *f)
{
	uint64_t all = 0;

	for (size_t i = 0; i < SCRIPT_TYPES; i++)
		all |= f->types[i].shown;
	return all;
}

/* ---- what a capture has ---- */

/* As perf does, only the first event of a type is looked at. */
static const struct pdt_desc *first_of(const struct pdt_session *s, enum script_type type)
{
	const struct pdt_desc *d;

	for (size_t i = 0; (d = pdt_desc_at(s, i)); i++) {
		if (!event_is_dummy(d) && script_type_of(d) == type)
			return d;
	}
	return NULL;
}

static int refuse(struct warnings *w, const char *text)
{
	warn_add(w, SEV_FATAL, "fields", "script: %s", text);
	return ERR_USAGE;
}

/* With AUX data these may be made from that. */
#define MADE_OF_AUX \
	(FIELD_ADDR | FIELD_DATA_SRC | FIELD_IREGS | FIELD_WEIGHT | FIELD_CPU | FIELD_PHYS_ADDR)

static bool has_aux(const struct pdt_session *s)
{
	const char *name;
	uint64_t size;
	uint32_t id;

	for (size_t i = 0; pdt_feature(s, i, &id, &name, &size); i++) {
		if (id == FEAT_AUXTRACE)
			return true;
	}
	return false;
}

static int check_field(struct type_fields *t, const struct field *field, const struct pdt_desc *d,
		       bool aux, struct warnings *w)
{
	if (!(t->shown & field->bit) || !field->needs ||
	    pdt_desc_number(NULL, d, PDT_DESC_SAMPLE_TYPE) & field->needs)
		return 0;
	if (!(t->asked & field->bit)) {
		t->shown &= ~field->bit;
		return 0;
	}
	if (aux && field->bit & MADE_OF_AUX)
		return 0;
	warn_add(w, SEV_FATAL, "fields",
		 "script: samples of '%s' have no %s: the field '%s' cannot be shown%s",
		 pdt_desc_name(d), field->recorded, field->name,
		 field->bit == FIELD_CGROUP ? " (perf record --all-cgroups)" : "");
	return ERR_USAGE;
}

/* What is asked for of addresses needs them, and each other. */
static int check_addresses(const struct type_fields *t, const struct pdt_desc *d,
			   struct warnings *w)
{
	bool addresses = pdt_desc_number(NULL, d, PDT_DESC_SAMPLE_TYPE) & (SAMPLE_IP | SAMPLE_ADDR);

	if (t->shown & (FIELD_SYM | FIELD_DSO) && !addresses)
		return refuse(w, "fields sym and dso need addresses, which were not recorded");
	if (t->shown & FIELD_SYMOFF && !(t->shown & FIELD_SYM))
		return refuse(w, "field symoff needs field sym");
	if (t->shown & (FIELD_SRCLINE | FIELD_SRCCODE) && !(t->shown & FIELD_IP))
		return refuse(w, "fields srcline and srccode need field ip");
	return 0;
}

static int check_type(struct type_fields *t, const struct pdt_session *s, const struct pdt_desc *d,
		      struct warnings *w)
{
	bool aux = has_aux(s);
	int rc = 0;

	if (t->shown & FIELD_TRACE && pdt_desc_type(d) == TYPE_TRACEPOINT &&
	    !pdt_number(s, PDT_HAS_FORMATS))
		rc = t->asked & FIELD_TRACE
			     ? refuse(w, "the capture has no formats of tracepoints: cannot print "
					 "field 'trace'")
			     : 0;
	for (size_t i = 0; rc == 0 && i < ARRAY_SIZE(fields); i++)
		rc = check_field(t, &fields[i], d, aux, w);
	if (rc == 0)
		rc = check_addresses(t, d, w);
	if (t->shown & FIELD_DSOFF)
		t->shown |= FIELD_DSO;
	return rc;
}

/* Tracepoints show where they were if one of them has chains. */
static void add_chains(struct script_fields *f, const struct pdt_session *s)
{
	struct type_fields *t = &f->types[TYPE_TRACEPOINT];
	const struct pdt_desc *d;

	for (size_t i = 0; !t->given && (d = pdt_desc_at(s, i)); i++) {
		if (pdt_desc_type(d) == TYPE_TRACEPOINT &&
		    pdt_desc_number(NULL, d, PDT_DESC_SAMPLE_TYPE) & SAMPLE_CALLCHAIN)
			t->shown |= WHERE;
	}
}

int fields_check(struct script_fields *f, const struct pdt_session *s, bool chains,
		 struct warnings *w)
{
	for (size_t i = 0; i < SCRIPT_TYPES; i++) {
		struct type_fields *t = &f->types[i];
		const struct pdt_desc *d = first_of(s, (enum script_type)i);
		int rc;

		if (!d && t->exists) {
			warn_add(w, SEV_FATAL, "fields",
				 "script: --fields: the capture has no %s events", types[i].title);
			return ERR_USAGE;
		}
		rc = d && t->shown ? check_type(t, s, d, w) : 0;
		if (rc < 0)
			return rc;
	}
	if (chains)
		add_chains(f, s);
	if (fields_all(f) & FIELD_TOD && !pdt_number(s, PDT_HAS_WALL))
		return refuse(w, "field tod needs the wall clock (perf record -k CLOCK)");
	return 0;
}
