/* What a capture says of itself beyond its events: its machine and its recording, what was counted
 * while reading, its modules and where their names came from, the formats of tracepoints. Part of
 * libpdtool; pdtool.h has the rules. Counts are whole once pdt_next() came to the end; what is said
 * of modules and names, after pdt_resolve(). */
#ifndef PDTOOL_CAPTURE_H
#define PDTOOL_CAPTURE_H

#include "pdtool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the capture ---- */

enum pdt_text_key {
	PDT_PATH,	 /* what it was opened as */
	PDT_COMPRESSION, /* how it is compressed as a whole: "zstd" */
	/* its header's features, as the recorder wrote them */
	PDT_HOSTNAME,
	PDT_OSRELEASE,
	PDT_RECORDER, /* its version */
	PDT_ARCH,
	PDT_CPUDESC,
	PDT_CPUID,
	PDT_CMDLINE,
	PDT_TOPOLOGY, /* "cores: 0-3; threads: 0-1,2-3" */
	PDT_NUMA,     /* "node 0: cpus 0-3, 16384 MiB; ..." */
	PDT_PMU_CAPS,
	PDT_GROUPS, /* "{a,b}" */
	/* how PDT_ARCH is known where no feature tells: a file's path, or in words */
	PDT_ARCH_BY,
	PDT_PRODUCT, /* a phone: "Google Pixel 5 redfin, Android 12L" */
};

/* NULL: not told. */
PDT_API const char *pdt_text(const struct pdt_session *s, int what);

enum pdt_number_key {
	PDT_IS_PIPE,   /* written to a pipe */
	PDT_IS_LEGACY, /* PERFFILE, perf before 3.1 */
	PDT_IS_BIG_ENDIAN,
	PDT_IS_UNFINISHED, /* perf did not end: the header lacks its features */
	PDT_IS_SIMPLEPERF,
	PDT_IS_HIPERF,
	PDT_IS_SYSTEM_WIDE,  /* the command line has -a or -C */
	PDT_HAS_FORMATS,     /* tracing data is there */
	PDT_HAS_COMPRESSION, /* its records are compressed, with this level and ratio */
	PDT_COMPRESSION_LEVEL,
	PDT_COMPRESSION_RATIO,
	PDT_MTIME,    /* when it was last written, seconds since 1970 */
	PDT_HAS_WALL, /* the next two are the same instant */
	PDT_WALL_NS,  /* since 1970 */
	PDT_CLOCK_NS, /* on the clock PDT_CLOCK_ID, clock_gettime(2) */
	PDT_CLOCK_ID,
	PDT_CPUS_ONLINE,
	PDT_CPUS_AVAILABLE,
	PDT_MEMORY_KB,
	/* samples: all, those handed out, those cut or of no event; the times of the first and last
	 */
	PDT_SAMPLES,
	PDT_SAMPLES_USED,
	PDT_SAMPLES_BAD,
	PDT_FIRST_NS,
	PDT_LAST_NS,
	/* LOST and LOST_SAMPLES mostly tell the same losses: PDT_LOST_ANY is the greater */
	PDT_LOST_ANY,
	PDT_LOST_RECORDS,
	PDT_LOST_SAMPLES,
	PDT_THROTTLES,
	PDT_LATE, /* records that came after newer ones had been used */
	PDT_AUX_RECORDS,
	PDT_AUX_BYTES,
	PDT_AUX_TRUNCATED,
	/* samples with each */
	PDT_CHAINS,
	PDT_CHAINS_EMPTY,
	PDT_USER_STACKS,
	PDT_LBR_STACKS,
	PDT_DEFERRED,	  /* stacks whose user part is not in the capture */
	PDT_JUNK,	  /* values in chains that are neither address nor known marker */
	PDT_RARE_STACKS,  /* that count as "[others]": they made room for more frequent ones */
	PDT_RARE_SAMPLES, /* the same of stacks that came when there was no room left */
	PDT_LEFT_OUT,	  /* by limits: the sum of pdt_left_out() */
	/* how user stacks were unwound */
	PDT_UNWOUND,
	PDT_UNWOUND_FRAMES,
	PDT_UNWOUND_BY_FP,  /* frames found without call frame information */
	PDT_UNWIND_EVICTED, /* modules whose tables had to be given up */
	PDT_UNWIND_BAD,	    /* entries of call frame sections, left out */
	PDT_KEEPS_IDS,	    /* the command line has --buildid-all or --buildid-mmap */
	PDT_ADDRESSES,	    /* different ones: the first locations; others are more uses of them */
	PDT_MODE_SAMPLES,   /* plus enum pdt_mode: samples in that mode */
};

/* 0: not told, or none. */
PDT_API uint64_t pdt_number(const struct pdt_session *s, int what);

/* Records read so far, by type (PERF_RECORD_*): 1, or 0 when there is no I-th type. */
PDT_API int pdt_record_count(const struct pdt_session *s, size_t i, uint32_t *type,
			     uint64_t *count);
/* "MMAP2"; NULL: no known type. */
PDT_API const char *pdt_record_name(uint32_t type);
/* The I-th feature section of the header, its name NULL where it is not known: 1, or 0. */
PDT_API int pdt_feature(const struct pdt_session *s, size_t i, uint32_t *id, const char **name,
			uint64_t *size_bytes);
/* Of the I-th warning: its kind in a word, the bytes passed over; is nothing missing for it? */
PDT_API const char *pdt_warning_kind(const struct pdt_session *s, size_t i, uint64_t *size_bytes);
PDT_API int pdt_warning_is_note(const struct pdt_session *s, size_t i);
/* What was left out as there was too much of it: the I-th kind, "mappings, past ...", and how many,
 * which may be 0; NULL: there is no I-th. */
PDT_API const char *pdt_left_out(const struct pdt_session *s, size_t i, uint64_t *count);
/* Why unwound stacks ended: the I-th reason and how many there are; NULL: there is no I-th. */
PDT_API const char *pdt_unwind_end(const struct pdt_session *s, size_t i, uint64_t *count);

/* The path of a cgroup, of pdt_event.cgroup; NULL: not told. */
PDT_API const char *pdt_cgroup(const struct pdt_session *s, uint64_t cgroup);

/* The I-th time in which samples could not be taken, by cause, then time: 1, or 0. With
 * PDT_WANT_GAPS. */
enum pdt_gap_cause { PDT_GAP_THROTTLED, PDT_GAP_LOST };
PDT_API int pdt_gap(const struct pdt_session *s, size_t i, uint64_t span_ns[2], int *cause);

/* ---- what was recorded ---- */

/* perf_event_attr's type and config. */
PDT_API uint32_t pdt_desc_type(const struct pdt_desc *d);
PDT_API uint64_t pdt_desc_config(const struct pdt_desc *d);
PDT_API size_t pdt_desc_count(const struct pdt_session *s);
/* The I of pdt_desc_at(). */
PDT_API uint32_t pdt_desc_index(const struct pdt_desc *d);
/* 1: a user who says NAME means D: by its name, or a tracepoint's without its subsystem. */
PDT_API int pdt_desc_is(const struct pdt_desc *d, const char *name);
/* 1: its weights are nanoseconds of CPU time (cpu-clock, task-clock). */
PDT_API int pdt_desc_in_ns(const struct pdt_desc *d);
enum pdt_desc_number_key {
	PDT_DESC_PERIOD, /* or frequency */
	PDT_DESC_IS_FREQ,
	PDT_DESC_PRECISE, /* precise_ip */
	PDT_DESC_SAMPLE_TYPE,
	/* counts of this reading: samples and their weight (UINT64_MAX: or more); of those, what
	 * the filters by event, CPU and time let pass */
	PDT_DESC_SAMPLES,
	PDT_DESC_WEIGHT,
	PDT_DESC_SCOPE_SAMPLES,
	PDT_DESC_SCOPE_WEIGHT,
	/* perf stat record: what its counters came to (the same), and how many they are */
	PDT_DESC_COUNTED,
	PDT_DESC_COUNTERS,
	PDT_DESC_READ_FORMAT,
	PDT_DESC_FLAGS, /* perf_event_attr's bits from "disabled" on, the first is the lowest */
	PDT_DESC_BRANCH_TYPE, /* branch_sample_type */
};
/* S may be NULL for what is no count. */
PDT_API uint64_t pdt_desc_number(const struct pdt_session *s, const struct pdt_desc *d, int what);
/* simpleperf's own name for it; NULL: none. */
PDT_API const char *pdt_desc_alias(const struct pdt_desc *d);

/* The format of the tracepoint D, from the first event on (PDT_WANT_FIELDS); NULL: not told. */
PDT_API const struct pdt_format *pdt_desc_format(const struct pdt_session *s,
						 const struct pdt_desc *d);
PDT_API const char *pdt_format_system(const struct pdt_format *f); /* "sched" */
PDT_API const char *pdt_format_name(const struct pdt_format *f);   /* "sched_switch" */
/* How the kernel would print it, a format and expressions, not checked; "": not told. */
PDT_API const char *pdt_format_print(const struct pdt_format *f);
/* The field NAME, and the I-th; NULL: there is none. */
PDT_API const struct pdt_field *pdt_format_field(const struct pdt_format *f, const char *name);
PDT_API const struct pdt_field *pdt_format_field_at(const struct pdt_format *f, size_t i);
PDT_API const char *pdt_field_name(const struct pdt_field *f);
/* As it was declared: "char prev_comm[16]". */
PDT_API const char *pdt_field_type(const struct pdt_field *f);
/* 1: its numbers are in another byte order than this machine's. */
PDT_API int pdt_format_is_swapped(const struct pdt_format *f);

enum pdt_field_kind {
	PDT_FIELD_NUMBER,
	PDT_FIELD_SIGNED,
	PDT_FIELD_TEXT,	   /* char[N] */
	PDT_FIELD_BYTES,   /* any other array or struct */
	PDT_FIELD_DYNAMIC, /* of varying place and length: a __data_loc */
};
PDT_API int pdt_field_kind(const struct pdt_field *f);
/* For who reads many: where F lies in each payload. 0: it is dynamic, or a number in another byte
 * order than this machine's. */
PDT_API int pdt_field_place(const struct pdt_field *f, uint32_t *offset, uint32_t *size_bytes);
/* One flag of a field and what it is called. Stays as it is. */
struct pdt_flag {
	uint64_t value;
	char text[12];
};
/* The list that shows the flags of field NAME, in its order: returns how many of at most MAX; 0:
 * there is no list, or one that is not of plain numbers. */
PDT_API size_t pdt_field_flags(const struct pdt_format *f, const char *name, struct pdt_flag *out,
			       size_t max);

#ifdef __cplusplus
}
#endif

#endif
