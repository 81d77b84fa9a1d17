/* Errors and warnings of the layers below the command line.
 *
 * A function returns 0 or a negative enum err; an iterator returns 1, 0 or a negative enum err.
 * What went wrong is said in a struct warnings where the fact is known; only cli/ prints it. */
#ifndef PDTOOL_BASE_ERR_H
#define PDTOOL_BASE_ERR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHECKED __attribute__((warn_unused_result))

enum err {
	ERR_IO = -1,	 /* the system refused: open, read, write */
	ERR_FORMAT = -2, /* not what it should be; nothing more can be read */
	ERR_ABSENT = -3, /* the thing asked for is not there */
	ERR_USAGE = -4,	 /* the caller's options make no sense for this input */
	ERR_VOID = -5,	 /* the inputs cannot be compared */
	ERR_LIMIT = -6,	 /* larger than a bound */
	ERR_ALONE = -7,	 /* a capture that is read in shares must be read by one (shares.h) */
};

/* Is ERROR, an errno of who looked for a file, a fault? Else it is an answer: there is none, or
 * none for this user. */
bool error_is_fault(int error);

enum severity {
	SEV_NOTE,   /* worth saying, nothing is missing from the result */
	SEV_WARN,   /* a record or section was skipped and counted */
	SEV_FAILED, /* a section or provider is unusable; the rest goes on */
	SEV_FATAL,  /* nothing more can be read */
};

/* One kind of trouble: how often, how much, and the message of the first. */
struct warning {
	const char *kind; /* static, short: "truncated", "unknown-record" */
	enum severity severity;
	uint64_t count;
	uint64_t bytes; /* bytes of the capture that this cost, 0 when that makes no sense */
	char *first;
};

struct warnings {
	struct warning *list;
	size_t count;
	size_t cap;
};

void warnings_release(struct warnings *w);
/* As they are now: to be released, too. */
struct warnings warnings_copy(const struct warnings *w);
/* As if all that FROM has had been added to TO. */
void warnings_add(struct warnings *to, const struct warnings *from);

/* Count one more of KIND (a literal); the message is composed for the first only. */
void warn_add(struct warnings *w, enum severity severity, const char *kind, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Add to the bytes that KIND cost; KIND must have been added. */
void warn_bytes(struct warnings *w, const char *kind, uint64_t bytes);
const struct warning *warn_find(const struct warnings *w, const char *kind);

#endif
