/* The text that perf script prints for a tracepoint's fields. For --compat stackcollapse only. */
#ifndef PDTOOL_PERF_FIELDS_H
#define PDTOOL_PERF_FIELDS_H

#include "parser/base/buf.h"
#include "parser/pdtool_capture.h"

/* Append what the event's own print format makes of E's fields, as libtraceevent does without
 * plugins: up to where the format asks for more than expressions of numbers, texts and lists of
 * flags. Nothing where E has no fields or no format. */
void perf_fields_text(const struct pdt_event *e, struct buf *out);

#endif
