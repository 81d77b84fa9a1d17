/* Records other than samples, decoded: typed, in host byte order, no state.
 *
 * Text points into the record's bytes with its length beside it; it need not end in NUL. */
#ifndef PDTOOL_RECORD_RECORD_H
#define PDTOOL_RECORD_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/base/build_id.h"
#include "parser/file/attr.h"
#include "parser/file/feature.h"
#include "parser/file/stream.h"
#include "parser/pdtool_record.h"

/* The sample_id trailer (when the events have sample_id_all), oldest fields first:
 * TID u32 u32 | TIME u64 | ID u64 | STREAM_ID u64 | CPU u32 u32 | IDENTIFIER u64 */
struct record_id {
	bool has_time, has_cpu, has_tid;
	uint64_t time_ns, id;
	uint32_t pid, tid, cpu;
};

struct text {
	const char *s;
	size_t len;
};

struct record_mmap {
	uint32_t pid, tid;
	uint64_t start, len, pgoff;
	uint32_t prot; /* PROT_*; PROT_EXEC for MMAP without the data bit */
	struct module_ids ids;
	struct text filename;
};

struct record_comm {
	uint32_t pid, tid;
	bool exec;
	struct text comm;
};

/* FORK and EXIT */
struct record_task {
	uint32_t pid, ppid, tid, ptid;
	uint64_t time_ns;
};

struct record_lost {
	uint64_t id, lost;
};

/* SWITCH has no body: who it is about stands in the trailer. */
struct record_switch {
	bool out, preempt;
	bool wide; /* the other side is told */
	uint32_t other_pid, other_tid;
};

struct record_ksymbol {
	uint64_t addr;
	uint32_t len;
	uint16_t type; /* 1 BPF, 2 out of line */
	bool unregister;
	struct text name;
};

/* By the inodes that namespaces have in nsfs; 0: not told. */
struct record_namespaces {
	uint32_t pid, tid;
	uint64_t pid_ns, mnt_ns;
	uint64_t count; /* as it claims, of device and inode of each kind, u64 */
	struct cursor ids;
};

/* The user part of call chains that end in COOKIE. */
struct record_deferred {
	uint64_t cookie;
	struct cursor values;
};

struct record_throttle {
	uint64_t time_ns, id, stream_id;
};

struct record_aux {
	uint64_t offset, size, flags; /* flags: 1 truncated, 4 partial */
};

struct record {
	uint32_t type;
	uint16_t misc;
	uint64_t offset;
	struct record_id sample_id;
	union {
		struct record_mmap mmap; /* MMAP, MMAP2 */
		struct record_comm comm;
		struct record_task task;	 /* FORK, EXIT; ITRACE_START: pid and tid */
		struct record_lost lost;	 /* LOST, LOST_SAMPLES (id 0) */
		struct record_switch sw;	 /* SWITCH, SWITCH_CPU_WIDE */
		struct record_throttle throttle; /* THROTTLE, UNTHROTTLE */
		struct record_ksymbol ksymbol;
		struct record_namespaces namespaces;
		struct record_deferred deferred;
		struct record_aux aux;
	};
};

/* The event that a sample belongs to: by IDENTIFIER or ID; the only one when there is one. */
/* Where that id lies in a sample's record; 0: all samples are the first event's. */
uint16_t sample_id_offset(const struct event_list *events);
/* That which a record of the kernel's ends in tells; the first one where nothing does; NULL: there
 * is none at all. */
const struct pdt_desc *event_of_record(struct event_list *events, const struct raw *raw);
const struct pdt_desc *event_of_sample(struct event_list *events, const struct raw *raw);
/* Bytes that the trailer takes at the end of RAW, which may be too short for it. */
size_t record_trailer_size(const struct raw *raw, struct event_list *events);
/* Decode the trailer of a kernel record; all zero when there is none. */
void record_id_decode(struct record_id *out, const struct raw *raw, struct event_list *events);
/* Decode RAW. ERR_FORMAT: too short for its type; ERR_ABSENT: a type that needs no decoding. */
CHECKED int record_decode(struct record *out, const struct raw *raw, struct event_list *events);
/* HEADER_ATTR: a description with its ids (pipe mode). */
CHECKED int record_attr(struct capture *f, const struct raw *raw);
/* STAT, of perf stat record: what one counter stood at when it was read. */
struct record_stat {
	uint64_t id, value, enabled_ns, running_ns;
	uint32_t cpu, thread; /* the recorder's index of the thread */
};

CHECKED int record_stat_decode(struct record_stat *out, const struct raw *raw);
CHECKED int record_round_decode(struct pdt_round *out, const struct raw *raw);
/* EVENT_UPDATE: a name or unit that arrives later. */
void record_event_update(struct event_list *events, const struct raw *raw);

#endif
