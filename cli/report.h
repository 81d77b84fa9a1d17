/* What is said on stderr: warnings, losses, and what the symbols came to. Text from captures and
 * from the command line is made safe for a terminal. */
#ifndef PDTOOL_REPORT_H
#define PDTOOL_REPORT_H

#include <stdbool.h>

#include "parser/base/buf.h"
#include "parser/base/err.h"
#include "parser/session.h"

/* One line, now. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Why nothing could be done: one line, now. */
void report_failure(const struct warnings *w);

/* All warnings, now: when the result is written, as nothing is wanted when the reader of the output
 * is gone. */
void report_warnings(const struct warnings *w);
/* Losses; with SYMBOLS also the share of addresses without a name, and the reasons: lines added to
 * OUT, for report_print() when the result is written. */
void report_session(const struct session *s, bool symbols, bool verbose, struct buf *out);
void report_print(struct buf *lines);

/* Was anything skipped, cut or damaged? */
bool report_is_partial(const struct warnings *w);
/* The system did not give a file that would have been used. */
bool report_is_fault(const struct warnings *w);

#endif
