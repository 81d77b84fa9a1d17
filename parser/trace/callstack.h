/* How deep in calls the threads of a trace are, by its calls and returns alone: what perf script
 * indents by (callindent).
 *
 * Source: perf 6.12, tools/perf/util/thread-stack.c, thread_stack__event(). */
#ifndef PDTOOL_TRACE_CALLSTACK_H
#define PDTOOL_TRACE_CALLSTACK_H

#include "parser/base/idmap.h"
#include "parser/trace/trace.h"

#define CALL_DEPTH_MAX 65536 /* calls above one another; more are not counted */

struct call_stack;

/* All zero is empty. */
struct call_stacks {
	struct idmap by_thread;
	struct call_stack *list;
	size_t count, cap;
};

void call_stacks_release(struct call_stacks *c);
/* E, a branch, is the next one of its thread: its depth. A call's is that of what it calls, a
 * return's that of what returns. */
uint32_t call_stacks_next(struct call_stacks *c, const struct trace_event *e);

#endif
