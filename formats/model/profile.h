/* PROFILE: samples one by one, with all that is known of where they were, for the programs of
 * others. Ids count from 0; PROFILE_NONE: not known. */
#ifndef PDTOOL_MODEL_PROFILE_H
#define PDTOOL_MODEL_PROFILE_H

#include "formats/model/moment.h"

#include <stdbool.h>
#include <stddef.h>

/* Programs that read it. */
enum profile_reader {
	READER_PPROF,
	READER_SPEEDSCOPE,
	READER_FIREFOX,
	READER_CHROME,
	READER_PERFETTO,
	READER_BOLT,
	READER_PROFGEN,
	READER_AUTOFDO,
	PROFILE_READERS
};

struct profile_event {
	const char *name;
	bool in_ns;	 /* weights are nanoseconds, else as many events */
	uint64_t period; /* from one sample to the next; 0: it varies, or is not known */
};

struct profile_thread {
	const char *comm;
	uint32_t pid, tid; /* PROFILE_NONE: not recorded */
};

struct profile_module {
	const char *path;
	const char *build_id; /* in hexadecimal; "": not known */
};

/* One for each name in a file of a module. */
struct profile_function {
	const char *name, *symbol; /* as people read it; as the linker has it, "": the same */
	const char *file;	   /* of the source; "": not known */
	uint32_t module;
	uint8_t kind; /* enum frame_kind */
	bool idle;    /* an idle CPU waits there */
};

struct profile_line {
	uint32_t function, line; /* line 0: not known */
};

struct profile_location {
	uint64_t address; /* in the module's file where it is one */
	uint32_t module;
	uint32_t first, count; /* in lines[]: the innermost inlined function first, at least one */
};

/* What one thread did, as far as one event tells. A thread that changes its name is another one. */
struct profile_series {
	uint32_t event, thread;
};

struct profile_row {
	uint64_t time_ns; /* 0 where samples are together, or no time was recorded */
	uint64_t weight, samples;
	uint32_t stack, cpu, cgroup; /* cgroup: in cgroups[] */
};

enum profile_mark_kind {
	MARK_RUNNING,
	MARK_RUNNABLE, /* it waits for a CPU */
	MARK_BLOCKED,
	MARK_WAKES, /* it wakes another thread up */
	MARK_IO,    /* of its own, from when the device got it until it was done */
	MARK_EVENT, /* a tracepoint that is none of these */
	PROFILE_MARKS
};

/* Of MARK_IO. */
struct mark_io {
	uint64_t sector, bytes, queue_ns; /* queue_ns: until the device got it */
	uint32_t dev;
	int32_t error;
	char rwbs[PROFILE_COMM];
};

/* What a thread did, for a while or at one moment. */
struct profile_mark {
	uint64_t start_ns, end_ns; /* the same: a moment */
	uint32_t cpu;	/* where it runs, gets to run, has the other one run; PROFILE_NONE */
	uint32_t stack; /* where it left the CPU, woke, was; PROFILE_NONE: not known */
	uint32_t other; /* BLOCKED: who woke it up; WAKES: whom; PROFILE_NONE: not known; EVENT:
			   which one, in events[] */
	uint8_t kind;	/* enum profile_mark_kind */
	char letter;	/* BLOCKED: its state, as ps shows it */
	bool interrupt; /* BLOCKED: one woke it up */
	bool preempted; /* RUNNABLE: it could have run on */
	union {		/* until the next mark is read */
		uint64_t place; /* of whoever keeps it */
		const struct mark_io *io;
		const char *text; /* EVENT: its fields */
	};
};

/* What is read of them: all but stacks and what the union holds, stacks too, all. */
enum marks_read { MARKS_BARE, MARKS_STACKS, MARKS_WHOLE };

struct code_part;

struct profile_part {
	enum profile_reader reader;
	const struct code_part *code; /* for compilers: there is nothing else then; or NULL */
	const struct profile_event *events;
	size_t event_count;
	const struct profile_thread *threads;
	size_t thread_count;
	const struct profile_module *modules;
	size_t module_count;
	const struct profile_function *functions;
	size_t function_count;
	const struct profile_location *locations;
	size_t location_count;
	const struct profile_line *lines;
	const char *const *cgroups;
	const struct profile_series *series; /* by event, then as threads were seen first */
	size_t series_count;
	/* Of stack STACK the locations, the innermost first, until the next call; returns how many.
	 */
	size_t (*stack)(void *ctx, uint32_t stack, const uint32_t **locations);
	/* Begin with series I. */
	void (*begin)(void *ctx, size_t i);
	/* Its next row. False: there are no more, or *ERROR, an errno, says why they cannot be had.
	 */
	bool (*next)(void *ctx, struct profile_row *row, int *error);
	/* For readers of moments: all of them in the order of time; as begin() and next(). */
	void (*begin_moments)(void *ctx);
	bool (*next_moment)(void *ctx, struct profile_moment *m, int *error);
	uint64_t moment_count;
	const struct profile_who *whos; /* that they tell of, whatever is told; and by thread */
	size_t who_count;
	const struct profile_thread *tasks;
	size_t task_count;
	/* By lane what a thread did; as begin() and next(), those of one kind in the order of
	 * their ends. Lane L is of threads[lanes[L]]. */
	const uint32_t *lanes;
	size_t lane_count;
	void (*begin_marks)(void *ctx, size_t lane, enum marks_read what);
	bool (*next_mark)(void *ctx, struct profile_mark *m, int *error);
	void *ctx;
	uint64_t first_ns, last_ns; /* of the capture's clock */
	bool has_time, monotonic;   /* monotonic: the clock is CLOCK_MONOTONIC */
	int64_t wall_ns;	    /* of the clock's 0, since 1970 */
	bool has_wall;
	const char *path, *host, *os, *arch, *command; /* NULL: not known */
};

#endif
