/* What is said on stderr: warnings, losses, and what the symbols came to. */
#ifndef PDTOOL_REPORT_H
#define PDTOOL_REPORT_H

#include <stdbool.h>

#include "parser/base/err.h"
#include "parser/session.h"

/* With FAILED, only the reason why nothing could be done: one line. */
void report_warnings(const struct warnings *w, bool failed, bool quiet);
/* Was anything skipped, cut or damaged? */
bool report_is_partial(const struct warnings *w);
/* How many records the recorder lost: LOST and LOST_SAMPLES mostly tell the same losses twice. */
uint64_t report_lost(const struct session_stats *st);
/* Losses; with SYMBOLS also the share of addresses without a name, and the reasons. */
void report_session(const struct session *s, bool symbols, unsigned verbose);

#endif
