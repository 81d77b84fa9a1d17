/* What a processor wrote down of what was run (Intel PT), as events in the order of time.
 *
 * Each buffer is decoded no further than to the time of the record that comes next, so that code
 * and thread are those of that moment: the caller applies records in between. A buffer is of a
 * thread, or of a CPU, which records of context switches tell the threads of. */
#ifndef PDTOOL_TRACE_TRACE_H
#define PDTOOL_TRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/base/err.h"
#include "parser/file/feature.h"
#include "parser/names/names.h"
#include "parser/state/machine.h"
#include "parser/trace/ptflow.h"

struct trace;
struct source;

/* What it points to must outlive the trace. */
struct trace_options {
	struct capture *capture;
	struct machine *machine;
	const struct symbol_options *symbols;
	struct warnings *warnings;
	bool cycles; /* are those of events wanted? */
};

struct trace_event {
	struct flow_event flow;
	uint32_t pid, tid, cpu; /* UINT32_MAX: not known */
	uint32_t buffer;	/* below trace_buffers() */
	uint64_t time_ns;	/* 0: not known */
};

/* SOURCE can seek; it is looked at as a whole, and is at its beginning again then. *OUT is NULL on
 * failure, and the reason in W: there is no such trace, no library for it, the system refuses. */
CHECKED int trace_open(struct trace **out, struct source *source, struct warnings *w);
/* The capture is opened: from now on trace_next() may be called. */
void trace_begin(struct trace *t, const struct trace_options *o);
/* Are its buffers those of CPUs? */
bool trace_is_per_cpu(const struct trace *t);
uint32_t trace_buffers(const struct trace *t);
void trace_free(struct trace *t);
/* 1: *OUT is the next event up to UNTIL_NS; 0: there is none. Negative with a message. */
CHECKED int trace_next(struct trace *t, uint64_t until_ns, struct trace_event *out);
/* From now on CPU runs TID of PID. */
void trace_runs(struct trace *t, uint32_t cpu, uint32_t pid, uint32_t tid);

#endif
