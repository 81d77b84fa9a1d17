/* A capture being read: the front door of the parser.
 *
 *   session_open -> session_next ... -> session_resolve -> names -> session_close
 *
 * State is applied before an event is handed out; names exist only after session_resolve(). */
#ifndef PDTOOL_SESSION_H
#define PDTOOL_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/base/itrace.h"
#include "parser/base/quirks.h"
#include "parser/base/err.h"
#include "parser/pdtool.h"
#include "parser/file/feature.h"
#include "parser/filter.h"
#include "parser/pdtool_columns.h"
#include "parser/feed/gaps.h"
#include "parser/feed/stats.h"
#include "parser/record/tracepoint.h"
#include "parser/names/sources/debuginfod.h"
#include "parser/names/names.h"
#include "parser/names/sources/sources.h"
#include "parser/stacks/stacks.h"
#include "parser/unwind/unwind_stats.h"

struct pdt_frame;
struct seen;
struct session;

struct session_options {
	unsigned needs;
	unsigned jobs;	   /* threads for session_resolve(); 0 or 1: none */
	size_t max_memory; /* of stacks (rare.h), bytes; 0: no bound */
	/* Stacks have new ids: by old id, of COUNT, the new one. For what was handed out before the
	 * call that this comes from. NULL: they must keep them. */
	void (*renumbered)(void *ctx, const uint32_t *now, size_t count);
	void *renumbered_ctx;
	bool no_stacks;	      /* events have none, though locations are wanted: in place of that */
	bool places;	      /* those without a chain mostly have pdt_event.place and no stack */
	struct quirks quirks; /* of perf, where its output is wanted */
	struct itrace itrace;
	struct filter filter; /* owned by the caller, must outlive the session */
	struct symbol_options symbols;
	/* PATH's bytes when they are open already; becomes the session's own, also on failure */
	struct source *source;
};

/* Load the libraries for inputs that are packed, or archives, for machine code and for traces of
 * instructions now, and not when they are needed first. Those that are not here are missed there.
 */
void session_load_libraries(bool packed, bool code, bool traces);
/* Open PATH: a file, "-", or a directory made by perf record --threads. On failure *OUT is NULL and
 * the reason is in the warnings W, which must outlive the session; ERR_USAGE when it is the
 * options. */
CHECKED int session_open(struct session **out, const char *path, const struct session_options *o,
			 struct warnings *w);
void session_close(struct session *s);

/* 1: OUT is the next sample; 0: the end; negative: nothing more can be read. Events come in time
 * order. */
CHECKED int session_next(struct session *s, struct pdt_event *out);
/* In turn with it if that is wanted: *OUT is the next events, valid until the next call. */
CHECKED int session_columns(struct session *s, const struct pdt_columns **out);

/* Name every location that was seen. Call once, after the last event. */
void session_resolve(struct session *s);

const struct names *session_names(const struct session *s);
const struct stacks *session_stacks(const struct session *s);
/* "swapper", or NULL when the capture has none. */
const char *session_comm(const struct session *s, uint32_t comm);
/* How many threads there may be. */
unsigned session_jobs(const struct session *s);
/* The filters, with the range of --time resolved. */
const struct filter *session_filter(const struct session *s);
/* The filter by fields; NULL: there is none. */
struct field_filter *session_fields(const struct session *s);
/* The capture, for the user: its path, or what stands for standard input. */
const char *session_path(const struct session *s);
/* How it is compressed as a whole ("zstd"); NULL: it is not. */
const char *session_compression(const struct session *s);
/* When it was last written, in seconds since 1970; 0: not known. */
int64_t session_mtime(const struct session *s);
const struct capture *session_capture(const struct session *s);
/* Where its names come from. */
const struct symbol_options *session_symbols(const struct session *s);
/* By the id that a location has, which is not PDT_NONE. */
const struct module *session_module(const struct session *s, uint32_t id);
/* The module of the recorded kernel; NULL: its mapping was not seen. */
const struct module *session_kernel(const struct session *s);
/* Where the locations of STACK (an id that there is) lay by CHAIN, until the next call; NULL: there
 * is no such chain, or PDT_WANT_ADDRESSES was not asked for. */
const uint64_t *session_addresses(const struct session *s, uint32_t chain, uint32_t stack);
/* The location of ADDRESS in the process of E, which was handed out last. */
uint32_t session_locate(struct session *s, const struct pdt_event *e, uint64_t address, int mode);
/* And the stack of FRAMES, COUNT of them; PDT_NONE: there are none, or names already. */
uint32_t session_stack(struct session *s, const struct pdt_event *e, const struct pdt_frame *frames,
		       size_t count);
/* What was left out as there was too much of it: the I-th kind, "mappings, past ...", and how many;
 * NULL: there is no I-th. */
const char *session_left_out(const struct session *s, size_t i, uint64_t *count);
/* The path of a cgroup; NULL: not told. */
/* The device and inode of the namespace that TID is in now. */
bool session_namespace(const struct session *s, uint32_t tid, unsigned kind, uint64_t id[2]);
const char *session_cgroup(const struct session *s, uint64_t cgroup);
/* How many mappings process PID has at the event that came last. */
uint32_t session_map_count(const struct session *s, uint32_t pid);
/* The module of the I-th of them, which code may run in; PDT_NONE: that may not. */
uint32_t session_mapped_code(const struct session *s, uint32_t pid, uint32_t i);
/* What it holds of that which filters ask for. */
const struct seen *session_seen(const struct session *s);
const struct session_stats *session_stats(const struct session *s);
/* How user stacks were unwound; all 0 when there were none. */
struct unwind_stats session_unwind_stats(const struct session *s);
/* The format of the tracepoint D, from the first event on (PDT_WANT_FIELDS); NULL: not told. */
const struct pdt_format *session_format(const struct session *s, const struct pdt_desc *d);
/* By event_desc.index. */
const struct event_stats *session_event_stats(const struct session *s, const struct pdt_desc *d);

/* When samples could not be taken; whole once session_next() has come to the end. */
const struct gaps *session_gaps(const struct session *s);

/* Records read so far by type: TYPE of the I-th kind and how many; false when there is no I-th. */
bool session_record_count(const struct session *s, size_t i, uint32_t *type, uint64_t *count);
/* Is a trace of instructions decoded? */
bool session_is_traced(const struct session *s);
/* Bytes read and in all (0 when not known), for progress. */
void session_progress(const struct session *s, uint64_t *done, uint64_t *total);

#endif
