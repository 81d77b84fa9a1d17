/* Which fields a line shows, by type of event: what perf script's -F says, or its default.
 *
 * Source: perf script 6.12, tools/perf/Documentation/perf-script.txt; builtin-script.c, read for
 * what it does: output[], parse_output_fields(), perf_session__check_output_opt(). */
#ifndef PDTOOL_SCRIPT_FIELDS_H
#define PDTOOL_SCRIPT_FIELDS_H

#include "analyzers/analyzer.h"

/* Bits, in the order of a line. */
#define FIELD_COMM	     (1ull << 0)
#define FIELD_PID	     (1ull << 1)
#define FIELD_TID	     (1ull << 2)
#define FIELD_CPU	     (1ull << 3)
#define FIELD_MISC	     (1ull << 4)
#define FIELD_TOD	     (1ull << 5)
#define FIELD_TIME	     (1ull << 6)
#define FIELD_PERIOD	     (1ull << 7)
#define FIELD_EVENT	     (1ull << 8)
#define FIELD_TRACE	     (1ull << 10)
#define FIELD_ADDR	     (1ull << 11)
#define FIELD_DATA_SRC	     (1ull << 12)
#define FIELD_WEIGHT	     (1ull << 13)
#define FIELD_INS_LAT	     (1ull << 14)
#define FIELD_RETIRE_LAT     (1ull << 15)
#define FIELD_CGROUP	     (1ull << 16)
#define FIELD_IP	     (1ull << 17)
#define FIELD_SYM	     (1ull << 18)
#define FIELD_SYMOFF	     (1ull << 19)
#define FIELD_DSO	     (1ull << 20)
#define FIELD_DSOFF	     (1ull << 21)
#define FIELD_SRCLINE	     (1ull << 22)
#define FIELD_IREGS	     (1ull << 23)
#define FIELD_UREGS	     (1ull << 24)
#define FIELD_BRSTACK	     (1ull << 25)
#define FIELD_BRSTACKSYM     (1ull << 26)
#define FIELD_BRSTACKOFF     (1ull << 27)
#define FIELD_PHYS_ADDR	     (1ull << 29)
#define FIELD_DATA_PAGE_SIZE (1ull << 30)
#define FIELD_CODE_PAGE_SIZE (1ull << 31)
#define FIELD_BPF_OUTPUT     (1ull << 32)
#define FIELD_INSNLEN	     (1ull << 33)
#define FIELD_INSN	     (1ull << 34)
#define FIELD_DISASM	     (1ull << 35)
#define FIELD_CALLINDENT     (1ull << 36)
#define FIELD_IPC	     (1ull << 37)
#define FIELD_SRCCODE	     (1ull << 38)

/* Of struct pdt_values. */
#define FIELDS_OF_VALUES                                                                 \
	(FIELD_ADDR | FIELD_DATA_SRC | FIELD_WEIGHT | FIELD_INS_LAT | FIELD_RETIRE_LAT | \
	 FIELD_CGROUP | FIELD_PHYS_ADDR | FIELD_DATA_PAGE_SIZE | FIELD_CODE_PAGE_SIZE | FIELD_IPC)

#define FIELDS_OF_BRANCHES  (FIELD_BRSTACK | FIELD_BRSTACKSYM | FIELD_BRSTACKOFF)
#define FIELDS_OF_REGISTERS (FIELD_IREGS | FIELD_UREGS)
#define FIELDS_OF_CODE	    (FIELD_INSNLEN | FIELD_INSN | FIELD_DISASM)

/* That need nothing but the event. */
#define FIELDS_OF_EVENTS                                                                        \
	(FIELD_COMM | FIELD_PID | FIELD_TID | FIELD_CPU | FIELD_MISC | FIELD_TOD | FIELD_TIME | \
	 FIELD_PERIOD | FIELD_EVENT | FIELD_TRACE)

/* perf_event_attr.type, and one for all others. */
enum script_type {
	TYPE_HARDWARE,
	TYPE_SOFTWARE,
	TYPE_TRACEPOINT,
	TYPE_CACHE,
	TYPE_RAW,
	TYPE_BREAKPOINT,
	TYPE_SYNTH,
	TYPE_OTHER,
	SCRIPT_TYPES
};

struct type_fields {
	uint64_t shown;
	uint64_t asked; /* by name */
	bool given;	/* the user says what is shown */
	bool exists;	/* the user says that there are events of this type */
};

struct script_fields {
	struct type_fields types[SCRIPT_TYPES];
	bool flags; /* of branches that a trace of the processor tells of */
};

/* Is each of D's samples a branch, from its ip to its address? */
bool is_branch_event(const struct pdt_desc *d);
/* Is the address that D records, where that does, one in the process that has a name? */
bool addr_is_named(const struct pdt_desc *d);
/* Is the address of the samples of D, a branch event, shown? By default it is. */
bool shows_target(const struct script_fields *f, const struct pdt_desc *d);
/* Does D record what struct pdt_values, pdt_branches() or pdt_registers() have? */
bool records_more(const struct pdt_desc *d);
/* Does D bring what BPF programs write? */
bool is_bpf_output(const struct pdt_desc *d);
enum script_type script_type_of(const struct pdt_desc *d);
void fields_init(struct script_fields *f);
/* One value of -F: "comm,ip", "+addr,-period", "trace:comm,trace". ERR_USAGE with a message in W.
 */
CHECKED int fields_parse(struct script_fields *f, const char *text, struct warnings *w);
/* What lines may show, of all types. */
uint64_t fields_all(const struct script_fields *f);
/* The capture is known: drop what its events do not record, unless the user named it: ERR_USAGE
 * with a message in W. CHAINS: chains are shown. */
CHECKED int fields_check(struct script_fields *f, const struct pdt_session *s, bool chains,
			 struct warnings *w);

#endif
