/* PROFILE: samples one by one, with all that is known of where they were, for the programs of
 * others. Ids count from 0; PROFILE_NONE: not known. */
#ifndef PDTOOL_MODEL_PROFILE_H
#define PDTOOL_MODEL_PROFILE_H

#include "formats/model/marks.h"
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
	/* The same of MOST at a time: how many; 0 where there are none. */
	size_t (*next_rows)(void *ctx, struct profile_row *rows, size_t most, int *error);
	/* For readers of moments: all of them in the order of time; as begin() and next(). */
	void (*begin_moments)(void *ctx);
	bool (*next_moment)(void *ctx, struct profile_moment *m, int *error);
	uint64_t moment_count;
	const struct profile_who *whos; /* that they tell of, whatever is told; and by thread */
	size_t who_count;
	const struct profile_thread *tasks;
	size_t task_count;
	/* By lane what a thread did, those of one kind in the order of their ends. Lane L is of
	 * threads[lanes[L]]. */
	const uint32_t *lanes;
	size_t lane_count;
	struct marks_part marks;
	void *ctx;
	uint64_t first_ns, last_ns; /* of the capture's clock */
	bool has_time, monotonic;   /* monotonic: the clock is CLOCK_MONOTONIC */
	int64_t wall_ns;	    /* of the clock's 0, since 1970 */
	bool has_wall;
	const char *path, *host, *os, *arch, *command; /* NULL: not known */
};

#endif
