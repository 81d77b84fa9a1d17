/* Events many at a time, as columns: for whoever works on whole arrays, or in several threads. What
 * pdt_next() hands out one by one stands here side by side, under the same names and with the same
 * meaning; where a batch ends means nothing. And tables of events, which fields of tracepoints are
 * columns of, too; which events. Part of libpdtool; pdtool.h has the rules.
 *
 * Batches are a view: inside, samples wait as rows, since time order moves whole rows. */
#ifndef PDTOOL_COLUMNS_H
#define PDTOOL_COLUMNS_H

#include "pdtool.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pdt_event_flag {
	PDT_FLAG_CPU = 1,  /* has_cpu */
	PDT_FLAG_TIME = 2, /* has_time */
	PDT_FLAG_PREEMPTED = 4,
	PDT_FLAG_EXEC = 8,
	PDT_FLAG_EXACT = 16,
	PDT_FLAG_APART = 32,
	PDT_FLAG_32 = 64, /* program_bits */
	PDT_FLAG_64 = 128,
};

/* The library makes it; arrays are only added at the end. */
struct pdt_columns {
	size_t count; /* of each array; at least 1 */
	const uint64_t *time_ns, *weight, *ip;
	const struct pdt_desc *const *desc;
	const uint8_t *const *raw;
	const uint32_t *raw_size;
	const uint32_t *pid, *tid, *cpu, *comm, *stack;
	const uint32_t *other_pid, *other_tid;
	const uint8_t *mode, *kind;
	const uint8_t *flags; /* enum pdt_event_flag */
};

/* As pdt_next(), and in turn with it if that is wanted: 1: *OUT is the next events, valid until the
 * next call; 0: the end, *OUT is NULL; else an error. */
PDT_CHECKED int pdt_next_columns(struct pdt_session *s, const struct pdt_columns **out);

/* ---- tables: events gathered in arrays of their own, fields of tracepoints among them ---- */

/* One value of each event. Of 8 bytes, then of 4, then of 1. */
enum pdt_column {
	PDT_COLUMN_TIME,
	PDT_COLUMN_WEIGHT,
	PDT_COLUMN_IP,
	PDT_COLUMN_ADDR, /* with PDT_WANT_VALUES; so the four that follow */
	PDT_COLUMN_PHYS_ADDR,
	PDT_COLUMN_DATA_SRC,
	PDT_COLUMN_CGROUP,
	PDT_COLUMN_SAMPLE_WEIGHT,
	PDT_COLUMN_PID = 16, /* UINT32_MAX: not recorded; so of all of 4 bytes */
	PDT_COLUMN_TID,
	PDT_COLUMN_CPU,
	PDT_COLUMN_COMM,
	PDT_COLUMN_STACK,
	PDT_COLUMN_EVENT, /* pdt_desc_index(); PDT_NONE: no sample */
	PDT_COLUMN_OTHER_PID,
	PDT_COLUMN_OTHER_TID,
	PDT_COLUMN_KIND = 32,
	PDT_COLUMN_MODE,
	PDT_COLUMN_FLAGS, /* enum pdt_event_flag */
	PDT_COLUMNS,
};

/* A field of a tracepoint as a column. Stays as it is. */
struct pdt_field_column {
	const struct pdt_field *field;
	const uint64_t *numbers; /* PDT_FIELD_NUMBER and _SIGNED; what is not there is 0 */
	const uint32_t *texts;	 /* of all others: ids of the table's texts; PDT_NONE: not there */
	bool is_text;		 /* it ends before its first NUL; else it is any bytes */
};

/* Rows of one event, of one kind of what is no sample, or of all. Fields are only added at the end.
 */
struct pdt_group {
	const struct pdt_desc *desc; /* NULL: of all, or no sample */
	size_t count;
	const void *const *columns; /* by enum pdt_column, count values; NULL: not asked for */
	const struct pdt_field_column *fields;
	size_t field_count;
	uint8_t kind;		/* enum pdt_kind */
	const uint64_t *counts; /* PDT_TABLE_COUNT: how many events each row is; else NULL */
};

/* What is in it is the table's, until it is read on or freed. Fields are only added at the end. */
struct pdt_table {
	size_t count; /* of all groups */
	const struct pdt_group *const *groups;
	size_t group_count;
	const uint32_t *order; /* by row, in order of time: its group; NULL: there is one */
	/* text I begins at texts[text_starts[I]] and ends where the next one begins */
	const char *texts;
	const uint64_t *text_starts; /* one more than there are texts */
	uint32_t text_count;
	uint32_t comm_count, desc_count; /* ids below them are known by now */
	uint64_t left_out;		 /* texts past 256 MiB, and fields past 256 of an event */
};

/* Stays as it is. */
struct pdt_table_query {
	uint64_t columns; /* bits: 1 << enum pdt_column */
	/* A group for each event, with its fields: those of these names, or, where it is NULL, all
	 * but common_*. Else one group without fields. */
	bool by_event;
	const char *const *fields;
	size_t field_count;
};

/* After pdt_open(). Q is copied. */
PDT_CHECKED int pdt_table_new(struct pdt_session *s, const struct pdt_table_query *q,
			      const struct pdt_table **out);
enum pdt_table_keep {
	PDT_TABLE_REPLACE, /* events take the place of those that were there */
	PDT_TABLE_KEEP,	   /* they come behind them */
	/* So do those that no row is equal to, in all that was asked for: others are counted there.
	 * PDT_ERR_USAGE where rows are kept that were not counted, and the other way round. */
	PDT_TABLE_COUNT,
};

/* As pdt_next(), and in turn with it if that is wanted, for up to MAX events: 1: they are in T; 0:
 * the end; else an error. KEEP is enum pdt_table_keep. */
PDT_CHECKED int pdt_table_read(struct pdt_session *s, const struct pdt_table *t, size_t max,
			       int keep);
/* Before pdt_close(), which does it otherwise. NULL is fine. */
PDT_API void pdt_table_free(struct pdt_session *s, const struct pdt_table *t);

/* ---- which events, for pdt_set(): in the words of the options of pdtool(1). What they take out is
 * read for its state, and neither handed out nor given a stack ---- */
enum pdt_filter_option {
	PDT_EVENTS = 64, /* --events: "sched_switch,cycles" */
	PDT_COMMS = 65,
	PDT_PIDS = 66, /* "100-200,7" */
	PDT_TIDS = 67,
	PDT_CPUS = 68,
	PDT_TIME = 69,	 /* --time: "10%-20%", "+1,+2" */
	PDT_FILTER = 70, /* --filter: "prev_pid == 0" */
};

#ifdef __cplusplus
}
#endif

#endif
