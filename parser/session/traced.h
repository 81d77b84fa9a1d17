/* A trace of instructions as events of the session, among those that were recorded. */
#ifndef PDTOOL_SESSION_TRACED_H
#define PDTOOL_SESSION_TRACED_H

#include <stdbool.h>

#include "parser/base/err.h"

struct pdt_event;
struct pending;
struct record;
struct session;

/* Load what traces are decoded by, if it is WANTED. */
void traced_library(bool wanted);
/* Open the readers of S for PATH, and if a trace is wanted look for it first: S->traced is what was
 * found. Negative with a message; to be closed also then. */
CHECKED int traced_open(struct session *s, const char *path);
void traced_free(struct session *s);
/* R is about to be applied: where there is a trace it may tell who runs. */
void traced_record(struct session *s, const struct record *r);
#define TRACED_EVENT 2

/* As readers_next(), but TRACED_EVENT: *OUT is an event of the trace that comes before. */
CHECKED int traced_pending(struct session *s, const struct pending **p, struct pdt_event *out);

#endif
