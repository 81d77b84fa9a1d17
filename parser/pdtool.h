/* libpdtool: read Linux perf.data files. See pdtool(3) for an example.
 *
 *   pdt_new -> pdt_set ... -> pdt_open -> pdt_next ... -> pdt_resolve -> names -> pdt_close
 *
 * Everything that a pointer returned here points to belongs to the session and lives until
 * pdt_close(), but for a struct pdt_event: that lives until the next call of pdt_next(). Text is
 * NUL-terminated, in the bytes of the capture: it may hold anything but a NUL.
 *
 * Times are nanoseconds of the capture's clock. Processes, threads, CPUs, addresses, byte order and
 * clock are those of the recorded machine, whatever this one is.
 *
 * Errors: a function that can fail returns an int, 0 (or more, where it says so) or a negative enum
 * pdt_error; pdt_message() tells more of the last one. The library prints nothing and ends nothing,
 * also when memory runs out: that is PDT_ERR_MEMORY, after which the session answers nothing else
 * and can only be closed. (Not so where memory runs out inside libarchive or libdw: see BUGS in
 * pdtool(3).) It reads no environment variables but TMPDIR, and connects to nothing.
 *
 * Threads: sessions share nothing; each may have a thread of its own. One session is for one thread
 * at a time; after pdt_resolve(), all that takes a const struct pdt_session may run in many.
 *
 * ABI: structures are opaque and have no size; options are set one by one. So all of them can grow
 * in later versions, and constants are only added; the soname changes if ever one must go.
 *
 * Sources of facts: the record formats are those of linux/perf_event.h and of the kernel's
 * tools/perf/Documentation/perf.data-file-format.txt. */
#ifndef PDTOOL_H
#define PDTOOL_H

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
struct pdt_event;   /* a sample, or another record that was asked for */
struct pdt_desc;    /* what was recorded: "cycles", "sched:sched_switch" */
struct pdt_field;   /* where one field of a tracepoint lies */

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
	PDT_PERF_MAP_DIR = 6, /* where perf-PID.map files are; none by default */
	PDT_NO_HOST = 7,      /* "1": no file of this machine but those that are named here */
	PDT_UNVERIFIED = 8,   /* "1": also symbol files that no build-id vouches for */
	PDT_RAW_NAMES = 9,    /* "1": C++, Rust and D names as the compiler made them */
	PDT_JOBS = 10,	      /* threads for unwinding and pdt_resolve(); "1" by default */
};

/* For pdt_open(), or-ed: the rest is not done. */
enum pdt_want {
	PDT_WANT_STACKS = 1,	/* pdt_event_stack(), pdt_event_ip() */
	PDT_WANT_COMMS = 2,	/* pdt_event_comm() */
	PDT_WANT_FIELDS = 4,	/* pdt_event_field() */
	PDT_WANT_SWITCHES = 8,	/* PDT_SWITCH_IN, PDT_SWITCH_OUT */
	PDT_WANT_TASKS = 16,	/* PDT_FORK, PDT_EXIT, PDT_COMM */
	PDT_WANT_LOST = 32,	/* PDT_LOST */
	PDT_WANT_LINES = 256,	/* pdt_function_file(), pdt_function_line(); costs much */
	PDT_WANT_INLINES = 512, /* inlined functions; costs much */
};

enum pdt_kind {
	PDT_SAMPLE = 0,
	PDT_SWITCH_IN = 1, /* the thread got a CPU */
	PDT_SWITCH_OUT = 2,
	PDT_FORK = 3, /* the thread was made by pdt_event_other_tid() */
	PDT_EXIT = 4,
	PDT_COMM = 5, /* the thread has the new name pdt_event_comm() */
	PDT_LOST = 6, /* pdt_event_weight() records of this CPU were lost before now */
};

/* Of the library at hand; PDT_VERSION is that of this header. */
PDT_API const char *pdt_version(void);
/* What a negative enum pdt_error means, in a few words. */
PDT_API const char *pdt_error_text(int error);

/* NULL: there is no memory. To be closed also when pdt_open() failed. */
PDT_API struct pdt_session *pdt_new(void);
PDT_API void pdt_close(struct pdt_session *s);
/* Before pdt_open(). VALUE is copied. */
PDT_CHECKED int pdt_set(struct pdt_session *s, int option, const char *value);
/* PATH: a file, "-" for standard input, or a directory made by perf record --threads. Once. */
PDT_CHECKED int pdt_open(struct pdt_session *s, const char *path, unsigned wants);
/* 1: *E is the next event, in order of time; 0: the end, *E is NULL; else an error. */
PDT_CHECKED int pdt_next(struct pdt_session *s, const struct pdt_event **e);
/* After the last event, once: find the names of all that was in a stack. That some are not found is
 * no error. */
PDT_CHECKED int pdt_resolve(struct pdt_session *s);

/* Of the last error: what, in which file, where in it. */
PDT_API const char *pdt_message(const struct pdt_session *s);
/* What was skipped, cut or not found and is no error: the I-th kind, and how often; NULL: there is
 * no I-th. COUNT may be NULL. */
PDT_API const char *pdt_warning(const struct pdt_session *s, size_t i, uint64_t *count);
/* Records read so far, by type (PERF_RECORD_*): 1, or 0 when there is no I-th type. */
PDT_API int pdt_record_count(const struct pdt_session *s, size_t i, uint32_t *type,
			     uint64_t *count);
/* "MMAP2"; NULL: no known type. */
PDT_API const char *pdt_record_name(uint32_t type);

/* The I-th of what the capture recorded, as far as it is known by now; NULL: there is no I-th. */
PDT_API const struct pdt_desc *pdt_desc(const struct pdt_session *s, size_t i);
PDT_API const char *pdt_desc_name(const struct pdt_desc *d);
/* perf_event_attr's type and config. */
PDT_API uint32_t pdt_desc_type(const struct pdt_desc *d);
PDT_API uint64_t pdt_desc_config(const struct pdt_desc *d);
/* How many samples of it were read so far. */
PDT_API uint64_t pdt_desc_samples(const struct pdt_session *s, const struct pdt_desc *d);

PDT_API int pdt_event_kind(const struct pdt_event *e);		/* enum pdt_kind */
PDT_API uint64_t pdt_event_time_ns(const struct pdt_event *e);	/* 0: not recorded */
PDT_API int32_t pdt_event_cpu(const struct pdt_event *e);	/* -1: not recorded */
PDT_API int32_t pdt_event_pid(const struct pdt_event *e);	/* -1: not recorded */
PDT_API int32_t pdt_event_tid(const struct pdt_event *e);	/* -1: not recorded */
PDT_API int32_t pdt_event_other_tid(const struct pdt_event *e); /* see enum pdt_kind; or -1 */
PDT_API const char *pdt_event_comm(const struct pdt_event *e);	/* NULL: not told */
PDT_API const struct pdt_desc *pdt_event_desc(const struct pdt_event *e); /* NULL: no sample */
/* What it stands for, in the unit of what was recorded: cycles, nanoseconds, 1. */
PDT_API uint64_t pdt_event_weight(const struct pdt_event *e);
/* The sampled address; 0: not recorded. */
PDT_API uint64_t pdt_event_ip(const struct pdt_event *e);
/* The id of its stack, equal for equal stacks, below UINT32_MAX; UINT32_MAX: it has none. */
PDT_API uint32_t pdt_event_stack(const struct pdt_event *e);

/* The field NAME of a tracepoint: good for all events of this pdt_event_desc(). NULL: there is
 * none, and the functions below take that, too. */
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
 * processes. 0 and UINT32_MAX for what is out of range. */
PDT_API size_t pdt_stack_depth(const struct pdt_session *s, uint32_t stack);
PDT_API uint32_t pdt_stack_location(const struct pdt_session *s, uint32_t stack, size_t i);
/* That of the sampled address: mostly the first of the stack, but not under PEBS, where the stack
 * begins at the interrupt. UINT32_MAX: not recorded. */
PDT_API uint32_t pdt_stack_ip(const struct pdt_session *s, uint32_t stack);
/* A path, "[kernel.kallsyms]", "[module]"; NULL: no mapping held it. After pdt_resolve(). */
PDT_API const char *pdt_location_module(const struct pdt_session *s, uint32_t location);
/* In the module's file where it is one, else the address itself. */
PDT_API uint64_t pdt_location_offset(const struct pdt_session *s, uint32_t location);

/* The functions at a location: the last is that of the symbol table, those before it were inlined
 * into it, the innermost first. At least 1, also where nothing has a name. After pdt_resolve(); 0
 * before. */
PDT_API size_t pdt_function_count(const struct pdt_session *s, uint32_t location);
PDT_API const char *pdt_function_name(const struct pdt_session *s, uint32_t location, size_t i);
PDT_API const char *pdt_function_file(const struct pdt_session *s, uint32_t location, size_t i);
/* 0: not known; as is NULL above. */
PDT_API uint32_t pdt_function_line(const struct pdt_session *s, uint32_t location, size_t i);

#ifdef __cplusplus
}
#endif

#endif
