/* What happened, in the order of time: samples, and what the tracepoints of the scheduler and of
 * the block layer tell, as it was recorded. It waits in a temporary file until there are names. */
#ifndef PDTOOL_EXPORT_MOMENTS_H
#define PDTOOL_EXPORT_MOMENTS_H

#include "formats/model/profile.h"
#include "parser/base/idmap.h"
#include "parser/base/tempfile.h"
#include "parser/pdtool.h"

#define MOMENT_FIELDS 7

/* What an event is, found out once. */
struct moment_binding {
	bool bound;
	enum profile_kind kind;
	const struct pdt_field *fields[MOMENT_FIELDS]; /* NULL: there is none */
};

/* Who they tell of; pid: PROFILE_NONE: not known; comm: that it had last. */
struct moment_task {
	uint32_t pid, tid;
	char comm[PROFILE_COMM];
};

struct moments {
	struct temp_stream rows;
	struct moment_binding *bindings; /* by desc */
	size_t binding_count, binding_cap;
	uint64_t count;
	struct idmap task_ids; /* by tid */
	struct moment_task *tasks;
	size_t task_count, task_cap, last_task;
	bool tasks_later;	    /* not each that is added passes: set before the first one */
	uint64_t first_ns, last_ns; /* of those that are no samples */
	/* what of the scheduler is recorded: by its tracepoint, or else by the kernel's own records
	 */
	enum { SWITCHES_UNKNOWN, SWITCHES_TRACED, SWITCHES_RECORDS } switches;
	bool by_cpu; /* records of no CPU are left out; how many: */
	uint64_t left_out;
};

/* All zero is empty. */
void moments_release(struct moments *m);
void moments_add(struct moments *m, const struct pdt_event *e, const struct pdt_session *s);
/* Who M, which passes, tells of is among the tasks. */
void moments_task(struct moments *m, const struct profile_moment *of);
/* The next one, behind temp_stream_rewind() the first; as temp_stream_next(). What its kind does
 * not have is not set. */
bool moments_next(struct moments *m, struct profile_moment *out);

#endif
