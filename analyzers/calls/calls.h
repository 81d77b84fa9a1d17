/* System calls out of their tracepoints, raw_syscalls or syscalls:*: who made which, how long it
 * took, what it returned.
 *
 * A call is one return (sys_exit), as perf trace counts; its time is that since the thread last
 * entered the kernel. One whose beginning was not recorded has no time; one that did not return is
 * counted apart. A call that makes a thread returns in that, too: it was made once, as strace
 * counts (perf trace counts both). */
#ifndef PDTOOL_CALLS_CALLS_H
#define PDTOOL_CALLS_CALLS_H

#include "parser/base/idmap.h"
#include "parser/pdtool_capture.h"

/* What the fields of one event are. */
struct call_binding {
	enum { CALL_UNASKED, CALL_OTHER, CALL_ENTER, CALL_EXIT } kind;
	const struct pdt_field *number, *result, *args;
};

#define CALL_ARGS 6

/* What came of one event. */
struct call {
	uint64_t number;	   /* with the bits of its program, for call_name() */
	uint64_t start_ns, end_ns; /* has_time: both are known */
	int64_t result;
	uint64_t args[CALL_ARGS];
	uint32_t pid, tid, comm;
	uint32_t stack; /* of its beginning, or of its return; PDT_NONE: none */
	uint8_t bits;
	bool has_time, has_args;
};

struct call_thread {
	uint32_t pid, tid;
	bool open; /* it is in a call */
	struct call call;
};

struct calls {
	struct call_binding *bindings; /* by event_desc.index */
	size_t binding_cap;
	struct idmap ids; /* by pid and tid */
	struct call_thread *threads;
	size_t count, cap;
	bool raw;	       /* the capture has raw_syscalls: the others say the same again */
	uint64_t enters;       /* beginnings */
	uint64_t unfinished;   /* of these, what had not returned when its thread made another */
	uint64_t begun_before; /* returns without a beginning */
	uint64_t children;     /* returns of fork() and its like in the thread that it made */
};

/* All zero is empty. */
void calls_release(struct calls *c);
/* Take E. True: it is the end of a call, *OUT. */
bool calls_event(struct calls *c, const struct pdt_event *e, const struct pdt_session *s,
		 struct call *out);
/* Does S record system calls? */
bool calls_recorded(const struct pdt_session *s);
/* "ENOENT" for -2, on ARCH, as uname -m says it; NULL: no error, or none that has a name. */
const char *call_error(const char *arch, int64_t result);

#endif
