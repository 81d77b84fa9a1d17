/* What records hold beside what pdtool.h tells of all events: for whoever shows them one by one.
 * Part of libpdtool; pdtool.h has the rules. */
#ifndef PDTOOL_RECORD_H
#define PDTOOL_RECORD_H

#include "pdtool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For pdt_open(), or-ed to enum pdt_want. */
enum pdt_record_want {
	PDT_WANT_ADDRESSES = 16384,	  /* with stacks: pdt_event.chain, for pdt_addresses() */
	PDT_WANT_UNWOUND_INLINES = 32768, /* PDT_WANT_INLINES, where stacks were unwound */
	PDT_WANT_RECORDS = 65536,	  /* PDT_RECORD */
	PDT_WANT_VALUES = 131072,	  /* pdt_event.values */
	PDT_WANT_BRANCHES = 262144,	  /* pdt_branches() */
	PDT_WANT_REGISTERS = 524288,	  /* pdt_registers() */
};

/* What few samples hold; 0: not recorded. Stays as it is. */
struct pdt_values {
	uint64_t addr, phys_addr; /* PERF_SAMPLE_ADDR and so on */
	uint64_t data_src, data_page_size, code_page_size, cgroup;
	/* PERF_SAMPLE_WEIGHT_STRUCT: the weight, then 16 bits each of two latencies */
	uint64_t weight;
};

/* A taken branch (linux/perf_event.h, struct perf_branch_entry). Stays as it is. */
struct pdt_branch {
	uint64_t from, to;
	uint16_t cycles;   /* since the branch before; 0: not recorded */
	uint8_t type;	   /* PERF_BR_*, from 16 on 16 + PERF_BR_NEW_*; 0: not recorded */
	uint8_t spec;	   /* PERF_BR_SPEC_* */
	uint8_t privilege; /* PERF_BR_PRIV_* */
	bool mispredicted, predicted; /* neither: not recorded */
	bool in_transaction, aborted;
	uint8_t reserved[7];
};

/* Registers of a sample (PERF_SAMPLE_REGS_USER, _REGS_INTR). Stays as it is. */
struct pdt_registers {
	uint64_t abi;  /* 0: it has none; 1, 2: of 32 and 64 bits */
	uint64_t mask; /* a bit for each that the event records, by the architecture's numbers */
	const uint64_t *values; /* those, the lowest first */
};

/* A value of pdt_event.kind: a record of the kernel's that is no sample, and no other event. Its
 * desc is the event that recorded it, as far as that is told, its comm that of whom it is about. */
enum { PDT_RECORD = 7 };

struct pdt_record {
	uint32_t type; /* PERF_RECORD_*, for pdt_record_name() */
	uint16_t misc;
	bool swapped; /* its numbers are in another byte order than this machine's */
	const uint8_t *body;
	uint32_t body_size; /* bytes: with what all records of the kernel end in (sample_id) */
};

/* 1: *OUT is the record of E, a PDT_RECORD, in its bytes (pdt_event.raw); 0: it is none. */
PDT_API int pdt_event_record(const struct pdt_event *e, struct pdt_record *out);

/* The branches that led to the event that came last, the newest first: how many, and *LIST until
 * the next call. 0: none, or not asked for. */
PDT_API size_t pdt_branches(const struct pdt_session *s, const struct pdt_branch **list);
/* The registers of the event that came last, USER the program's, else where it was interrupted;
 * their values until the next event. 1; 0: the event records none, or they were not asked for. */
PDT_API int pdt_registers(const struct pdt_session *s, int user, struct pdt_registers *out);
/* "CALL", as perf calls them; "" for 0 and for what is not known. */
PDT_API const char *pdt_branch_type(const struct pdt_branch *b);

/* The location of ADDRESS, in a stack or not, in the process of E, the event that came last: it
 * gets a name as the others do. MODE: enum pdt_mode. PDT_ERR_USAGE: it is too late, there are
 * names. */
PDT_CHECKED int pdt_locate(const struct pdt_session *s, const struct pdt_event *e, uint64_t address,
			   int mode, uint32_t *location);
/* Where the locations of STACK lay in the process of an event that has it, and this CHAIN: as many
 * addresses as it has locations, until the next call. NULL: not asked for (PDT_WANT_ADDRESSES). */
PDT_API const uint64_t *pdt_addresses(const struct pdt_session *s, uint32_t chain, uint32_t stack);

#ifdef __cplusplus
}
#endif

#endif
