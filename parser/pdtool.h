/* libpdtool: read Linux perf.data files; an example is in pdtool(3). Beside it: pdtool_capture.h
 * (what a capture says of itself), pdtool_module.h (code), pdtool_columns.h, _record.h, _cut.h.
 *
 *   pdt_new -> pdt_set ... -> pdt_open -> pdt_next ... -> pdt_resolve -> names -> pdt_close
 *
 * Everything that a pointer returned here points to belongs to the session and lives until
 * pdt_close(), but for a struct pdt_event: that lives until the next pdt_next(). Text is
 * NUL-terminated, in the bytes of the capture: it may hold anything but a NUL. Times are
 * nanoseconds of the capture's clock; processes, threads, CPUs, addresses and clock are the
 * recorded machine's.
 *
 * Errors: a function that can fail returns an int, 0 (or more, where it says so) or a negative enum
 * pdt_error; pdt_message() tells more of the last one. The library prints nothing and ends nothing,
 * also when memory runs out: that is PDT_ERR_MEMORY, after which the session answers nothing else
 * and can only be closed (BUGS in pdtool(3) has what two other libraries do then). It reads no
 * environment variables but TMPDIR, and connects to nothing.
 *
 * Threads: one session is for one thread at a time; after pdt_resolve(), all that takes a const
 * struct pdt_session may run in many. Sessions share nothing.
 *
 * ABI: structures are opaque and have no size, but for struct pdt_event, of which loops read much:
 * the library makes it, and fields are only added at its end. Constants are only added. Structures
 * that are handed out by value stay as they are. The soname changes if ever something must go.
 *
 * Formats: linux/perf_event.h; tools/perf/Documentation/perf.data-file-format.txt. */
#ifndef PDTOOL_H
#define PDTOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PDT_VERSION	  "0.1"
#define PDT_VERSION_MAJOR 0
#define PDT_VERSION_MINOR 1

#define PDT_API	    __attribute__((visibility("default")))
#define PDT_CHECKED PDT_API __attribute__((warn_unused_result))

struct pdt_session; /* one capture being read */
struct pdt_desc;    /* what was recorded: "cycles", "sched:sched_switch" */
struct pdt_format;  /* the fields of a tracepoint */
struct pdt_field;   /* where one of them lies */
struct pdt_values;

#define PDT_NONE UINT32_MAX /* for an id: there is none */

enum pdt_error {
	PDT_ERR_IO = -1,     /* the system refused: open, read */
	PDT_ERR_FORMAT = -2, /* no capture, or too damaged; nothing more can be read */
	PDT_ERR_ABSENT = -3, /* what was asked for is not there */
	PDT_ERR_USAGE = -4,  /* an invalid value, or calls in the wrong order */
	PDT_ERR_MEMORY = -5, /* memory ran out */
};

/* For pdt_set(). Symbol files are taken by build-id only, unless said otherwise here. */
enum pdt_option {
	PDT_SYMBOLS = 1,      /* an archive, directory or file to look for symbols in; may repeat */
	PDT_SYMFS = 2,	      /* a copy of the recorded machine's root directory */
	PDT_BUILDID_DIR = 3,  /* a build-id cache like perf's ~/.debug; none by default */
	PDT_KALLSYMS = 4,     /* the recorded kernel's /proc/kallsyms */
	PDT_VMLINUX = 5,      /* the recorded kernel */
	PDT_PERF_MAP_DIR = 6, /* where perf-PID.map files are; none by default; may repeat */
	PDT_NO_HOST = 7,      /* "1": no file of this machine but those that are named here */
	PDT_UNVERIFIED = 8,   /* "1": also symbol files that no build-id vouches for */
	PDT_RAW_NAMES = 9,    /* "1": names as the compiler made them, mangled */
	PDT_JOBS = 10,	      /* threads for unwinding and pdt_resolve(); "1" by default */
	PDT_ARCHITECTURE = 11, /* as uname -m says it, where the capture does not tell */
};

/* For pdt_open(), or-ed: the rest is not done. */
enum pdt_want {
	PDT_WANT_STACKS = 1,	   /* pdt_event.stack, .ip, .apart */
	PDT_WANT_COMMS = 2,	   /* pdt_event.comm */
	PDT_WANT_FIELDS = 4,	   /* pdt_event.raw, .format */
	PDT_WANT_SWITCHES = 8,	   /* PDT_SWITCH_IN, PDT_SWITCH_OUT */
	PDT_WANT_TASKS = 16,	   /* PDT_FORK, PDT_EXIT, PDT_COMM */
	PDT_WANT_LOST = 32,	   /* PDT_LOST */
	PDT_WANT_ALL = 64,	   /* also what filters by pid, tid, CPU, comm and time take out */
	PDT_WANT_GAPS = 128,	   /* pdt_gap() */
	PDT_WANT_IP = 256,	   /* pdt_event.ip, without stacks */
	PDT_WANT_LINES = 512,	   /* pdt_function.file, .line; costs much */
	PDT_WANT_INLINES = 1024,   /* inlined functions; costs much */
	PDT_WANT_UNSAMPLED = 2048, /* names of addresses in no stack: pdt_code_new() */
	PDT_WANT_DETAILS = 4096,   /* pdt_event.cgroup, .sample_weight */
	PDT_WANT_PROGRAM = 8192,   /* pdt_event.program_bits */
};

enum pdt_kind {
	PDT_SAMPLE = 0,
	PDT_SWITCH_IN = 1, /* the thread got a CPU */
	PDT_SWITCH_OUT = 2,
	PDT_FORK = 3, /* the thread was made by other_pid/other_tid */
	PDT_EXIT = 4,
	PDT_COMM = 5, /* the thread has the new name comm */
	PDT_LOST = 6, /* weight records of this CPU's buffer were lost before now */
};

struct pdt_event {
	uint64_t time_ns; /* 0 when it records no time: see has_time */
	uint64_t weight;  /* what it stands for, in the unit of what was recorded: cycles, ns, 1 */
	/* Where the instruction was (PERF_SAMPLE_IP); 0: not recorded. Under PEBS the leaf of the
	 * stack is another: where the interrupt came (arch/x86/events/intel/ds.c). */
	uint64_t ip;
	const struct pdt_desc *desc; /* NULL: no sample */
	/* The payload of a tracepoint: raw_size bytes. NULL: none; format NULL: not told. */
	const uint8_t *raw;
	const struct pdt_format *format;
	uint32_t raw_size;
	uint32_t pid, tid, cpu; /* UINT32_MAX: not recorded; of cpu see has_cpu */
	uint32_t comm;		/* for pdt_comm(); PDT_NONE: not told */
	uint32_t stack; /* id of the stack, the same for the same stack; PDT_NONE: it has none */
	uint32_t other_pid, other_tid; /* who ran before, runs next, or made it; or UINT32_MAX */
	uint8_t kind, mode;	       /* enum pdt_kind; enum pdt_mode of pdtool_module.h */
	bool has_cpu, has_time;
	bool preempted, exec; /* PDT_SWITCH_OUT: it could have run on (since 4.17); PDT_COMM */
	bool exact;	      /* ip is that of the instruction itself: MISC_EXACT_IP */
	bool apart;	      /* ip is not the leaf of the stack, as far as that is known by now */
	uint64_t cgroup, sample_weight;	 /* for pdt_cgroup(); PERF_SAMPLE_WEIGHT; 0: not recorded */
	uint8_t program_bits;		 /* 32 or 64, by its mappings; 0: not known */
	const struct pdt_values *values; /* of pdtool_record.h; NULL: not asked for */
	uint32_t chain, flow, place, depth; /* of pdt_addresses() or PDT_NONE; PDT_FLOW_*; own */
};

/* Of the library at hand; PDT_VERSION is that of this header. */
PDT_API const char *pdt_version(void);
/* What a negative enum pdt_error means, in a few words. */
PDT_API const char *pdt_error_text(int error);

/* NULL: no memory. To be closed also when pdt_open() failed. */
PDT_API struct pdt_session *pdt_new(void);
PDT_API void pdt_close(struct pdt_session *s);
/* Before pdt_open(). VALUE is copied. */
PDT_CHECKED int pdt_set(struct pdt_session *s, int option, const char *value);
/* PATH: a file, "-" for standard input, or a directory made by perf record --threads. Once. */
PDT_CHECKED int pdt_open(struct pdt_session *s, const char *path, unsigned wants);
/* 1: *E is the next event, in order of time; 0: the end, *E is NULL; else an error. */
PDT_CHECKED int pdt_next(struct pdt_session *s, const struct pdt_event **e);
/* After the last event, once: find the names of what was in stacks; not found is no error. */
PDT_CHECKED int pdt_resolve(struct pdt_session *s);

/* Of the last error: what, in which file, where in it. */
PDT_API const char *pdt_message(const struct pdt_session *s);
/* What was skipped, cut or not found and is no error: the I-th kind, and how often; NULL: there is
 * no I-th. COUNT may be NULL. */
PDT_API const char *pdt_warning(const struct pdt_session *s, size_t i, uint64_t *count);
/* The I-th of what the capture recorded, as far as it is known by now; NULL: there is no I-th. */
PDT_API const struct pdt_desc *pdt_desc_at(const struct pdt_session *s, size_t i);
PDT_API const char *pdt_desc_name(const struct pdt_desc *d);
/* How many samples of it were read so far. */
PDT_API uint64_t pdt_desc_samples(const struct pdt_session *s, const struct pdt_desc *d);
/* The name of a command, of pdt_event.comm; NULL: there is none. */
PDT_API const char *pdt_comm(const struct pdt_session *s, uint32_t comm);

/* The field NAME of a tracepoint, for all events of its desc; NULL: none, which is read as such. */
PDT_API const struct pdt_field *pdt_event_field(const struct pdt_event *e, const char *name);
/* A signed number is widened with its sign. PDT_ERR_ABSENT, and 0, when it is not there or is no
 * number. */
PDT_API int pdt_event_number(const struct pdt_event *e, const struct pdt_field *f, uint64_t *out);
/* LEN bytes without a NUL at their end, in the event; NULL: not there. */
PDT_API const char *pdt_event_text(const struct pdt_event *e, const struct pdt_field *f,
				   size_t *len);
PDT_API const void *pdt_event_bytes(const struct pdt_event *e, const struct pdt_field *f,
				    size_t *len);

/* A stack is a row of locations, the innermost first; what it holds is settled when the last event
 * was read. A location is an id, too: the same place in the same file is the same one in all
 * processes. Ids count from 0; those out of range are answered by 0, NULL or PDT_NONE. */
struct pdt_stack {
	const uint32_t *locations; /* depth of them; until another stack is asked for */
	uint32_t depth;
	uint32_t flags; /* enum pdt_stack_flag of pdtool_module.h */
	/* Of the sampled address: mostly the first, but not under PEBS; PDT_NONE: not recorded. */
	uint32_t ip;
};
PDT_API struct pdt_stack pdt_stack_at(const struct pdt_session *s, uint32_t stack);
/* A path, "[kernel.kallsyms]", "[module]"; NULL: no mapping held it. After pdt_resolve(). */
PDT_API const char *pdt_location_module(const struct pdt_session *s, uint32_t location);

/* The functions at a location: that of the symbol table comes last, those that were inlined into it
 * before, the innermost first. At least 1, without a name perhaps; 0 before pdt_resolve(). */
PDT_API size_t pdt_function_count(const struct pdt_session *s, uint32_t location);
struct pdt_function {
	const char *name; /* readable; NULL: not known */
	const char *file; /* where it was in the source; NULL: not known */
	uint32_t line;	  /* 0: not known */
	bool inlined;
};
PDT_API struct pdt_function pdt_function_at(const struct pdt_session *s, uint32_t location,
					    size_t i);

#ifdef __cplusplus
}
#endif

#endif
