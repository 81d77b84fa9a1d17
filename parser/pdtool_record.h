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
	PDT_WANT_COUNTERS = 1048576,	  /* PDT_COUNTER, PDT_ROUND */
	PDT_WANT_FLOW = 2097152,	  /* the tool's own: who runs, for a trace */
};

/* What a branch is, of pdt_event.flow: bits (tools/perf/util/event.h, PERF_IP_FLAG_*). */
enum pdt_flow {
	PDT_FLOW_BRANCH = 1, /* of each */
	PDT_FLOW_CALL = 2,
	PDT_FLOW_RETURN = 4,
	PDT_FLOW_CONDITIONAL = 8,
	PDT_FLOW_SYSTEM = 16, /* with the first two: into the kernel, and back */
	PDT_FLOW_ASYNC = 32,  /* no instruction caused it */
	PDT_FLOW_INTERRUPT = 64,
	PDT_FLOW_ABORT = 128,
	PDT_FLOW_BEGIN = 256, /* the trace begins, or goes on, where it goes to */
	PDT_FLOW_END = 512,   /* the trace ends where it comes from */
};

/* What few samples hold; 0: not recorded. Fields are only added at the end. */
struct pdt_values {
	uint64_t addr, phys_addr; /* PERF_SAMPLE_ADDR and so on */
	uint64_t data_src, data_page_size, code_page_size, cgroup;
	uint64_t weight; /* PERF_SAMPLE_WEIGHT_STRUCT: then 16 bits each of two latencies */
	uint64_t insns, cycles; /* of a trace, since its last event that has them */
};

/* A taken branch (linux/perf_event.h, struct perf_branch_entry). Stays as it is. */
struct pdt_branch {
	uint64_t from, to;
	uint16_t cycles;	 /* since the branch before; 0: not recorded */
	uint8_t type;		 /* PERF_BR_*, from 16 on 16 + PERF_BR_NEW_*; 0: not recorded */
	uint8_t spec, privilege; /* PERF_BR_SPEC_*, PERF_BR_PRIV_* */
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

/* Values of pdt_event.kind, of captures of perf stat record: a counter of the event's desc was
 * read, and all were read for an interval, or for the last time. */
enum { PDT_COUNTER = 8, PDT_ROUND = 9 };

/* What a counter grew by since it was read before. Stays as it is. */
struct pdt_counter {
	uint32_t cpu;	 /* UINT32_MAX: all */
	uint32_t thread; /* for pdt_counted_thread() */
	uint64_t value, enabled_ns, running_ns;
	/* what it would have been, had it run all the time that it was enabled; VALUE where perf
	 * was told --no-scale */
	uint64_t scaled;
};

/* Stays as it is. */
struct pdt_round {
	uint64_t time_ns; /* since the beginning */
	bool last;
	uint8_t reserved[7];
};

/* How perf stat record was told to show its counters (enum perf_stat_config_term of perf). */
enum pdt_stat_config {
	PDT_STAT_AGGREGATION,
	PDT_STAT_INTERVAL_MS,
	PDT_STAT_SCALED,
	PDT_STAT_CONFIGS
};

/* Where a CPU is; -1: not told. Stays as it is. */
struct pdt_cpu_place {
	int32_t socket, die, core;
};

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
/* 1: *OUT is of E, a PDT_COUNTER that came last, or a PDT_ROUND; 0: it is none. */
PDT_API int pdt_counter(const struct pdt_session *s, const struct pdt_event *e,
			struct pdt_counter *out);
PDT_API int pdt_round(const struct pdt_session *s, const struct pdt_event *e,
		      struct pdt_round *out);
/* 1: *OUT is what perf stat record was told; 0: the capture does not say. */
PDT_API int pdt_stat_config(const struct pdt_session *s, enum pdt_stat_config what, uint64_t *out);
/* The id and name of a thread that was counted; NULL: there is none, and *TID is PDT_NONE. */
PDT_API const char *pdt_counted_thread(const struct pdt_session *s, uint32_t thread, uint32_t *tid);
/* What the counts of D are shown in, "Joules", and by what they are multiplied for it; NULL, *SCALE
 * is 1: as they are. */
PDT_API const char *pdt_desc_unit(const struct pdt_desc *d, double *scale);
/* 1 + the pdt_desc_index() of the leader of D's group; 0: it is in none. */
PDT_API uint32_t pdt_desc_group(const struct pdt_desc *d);
PDT_API struct pdt_cpu_place pdt_cpu_place(const struct pdt_session *s, uint32_t cpu);
/* The node (NUMA) that a CPU, and the memory at a physical address, are of; -1: not told. */
PDT_API int32_t pdt_cpu_node(const struct pdt_session *s, uint32_t cpu);
PDT_API int32_t pdt_memory_node(const struct pdt_session *s, uint64_t phys_addr);

/* Kinds of namespaces, as the kernel numbers them (perf record --namespaces). */
enum pdt_namespace_kind {
	PDT_NS_NET,
	PDT_NS_UTS,
	PDT_NS_IPC,
	PDT_NS_PID,
	PDT_NS_USER,
	PDT_NS_MNT,
	PDT_NS_CGROUP,
	PDT_NS_KINDS
};
/* 1: *DEVICE and *INODE are the namespace that thread TID is in at the event that came last; 0: it
 * is not told, and both are 0. */
PDT_API int pdt_namespace(const struct pdt_session *s, uint32_t tid, int kind, uint64_t *device,
			  uint64_t *inode);

/* "CALL", as perf calls them; "" for 0 and for what is not known. */
PDT_API const char *pdt_branch_type(const struct pdt_branch *b);

/* The location of ADDRESS, in a stack or not, in the process of E, the event that came last: it
 * gets a name as the others do. MODE: enum pdt_mode. PDT_ERR_USAGE: it is too late, there are
 * names. */
PDT_CHECKED int pdt_locate(const struct pdt_session *s, const struct pdt_event *e, uint64_t address,
			   int mode, uint32_t *location);
/* An address of a stack that is put together, in MODE, enum pdt_mode. Stays as it is. */
struct pdt_frame {
	uint64_t address;
	uint32_t mode, reserved;
};

/* The stack of COUNT frames, at least 1, in the process of E, the event that came last: an id as
 * those of events, whose places get names as theirs do. The first frame is where an instruction
 * was, the others are return addresses. PDT_ERR_USAGE: too late, there are names; or none. */
PDT_CHECKED int pdt_stack_new(const struct pdt_session *s, const struct pdt_event *e,
			      const struct pdt_frame *frames, size_t count, uint32_t *stack);

/* One instruction. Fields are only added at the end. */
struct pdt_instruction {
	const uint8_t *bytes; /* size of them */
	const char *text;     /* as pdt_insn.text; NULL: only the length is known */
	/* Where a jump or call leads that names its target: so far from the instruction, modulo
	 * 2^64, and so far behind the start of SYMBOL; NULL: none is known there. */
	uint64_t target, symbol_offset;
	const char *symbol;
	uint32_t size;
	bool has_target, bare, own; /* bare: no operands; own: capstone has no text for it */
};

/* The instruction at LOCATION, once there are names; what OUT points to stays until the next call.
 * Quick where locations of one module follow each other. With PDT_WANT_UNSAMPLED, as jumps lead
 * anywhere. PDT_ERR_ABSENT: no code is at hand there. */
PDT_CHECKED int pdt_instruction(const struct pdt_session *s, uint32_t location,
				struct pdt_instruction *out);

/* Where the locations of STACK lay in the process of an event that has it, and this CHAIN: as many
 * addresses as it has locations, until the next call. NULL: not asked for (PDT_WANT_ADDRESSES). */
PDT_API const uint64_t *pdt_addresses(const struct pdt_session *s, uint32_t chain, uint32_t stack);

#ifdef __cplusplus
}
#endif

#endif
