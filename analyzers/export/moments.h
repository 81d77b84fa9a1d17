/* What happened, in the order of time: samples, and what the tracepoints of the scheduler and of
 * the block layer tell, as it was recorded. It waits in a temporary file until there are names. */
#ifndef PDTOOL_EXPORT_MOMENTS_H
#define PDTOOL_EXPORT_MOMENTS_H

#include "analyzers/count/field_place.h"
#include "formats/model/profile.h"
#include "parser/base/idmap.h"
#include "parser/base/slots.h"
#include "parser/base/tempfile.h"
#include "parser/pdtool.h"

#define MOMENT_FIELDS 7
#define MOMENT_RECENT 1024

/* What an event is, found out once. */
struct moment_binding {
	bool bound;
	enum profile_kind kind;
	const struct pdt_field *fields[MOMENT_FIELDS]; /* NULL: there is none */
	uint32_t plain; /* payloads of so many bytes have them at these places; 0: none has */
	struct field_place at[MOMENT_FIELDS];
};

/* Who they tell of: who told the process and the name last; PROFILE_NONE: nobody. */
struct moment_task {
	uint32_t tid, process, name;
};

struct moments {
	struct temp_stream rows;
	struct moment_binding *bindings; /* by desc */
	size_t binding_count, binding_cap;
	uint64_t count;
	/* whom moments tell of, each as it is told once; those that were told last, and threads of
	 * events */
	struct profile_who *whos;
	size_t who_count, who_cap;
	struct slots known;
	uint32_t recent[MOMENT_RECENT];
	struct moment_thread {
		uint32_t pid, tid, comm;
		uint32_t who; /* + 1; 0: none */
	} threads[MOMENT_RECENT];
	struct idmap task_ids; /* by tid */
	struct moment_task *tasks;
	size_t task_count, task_cap;
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
