/* Which tracepoints count, by their fields: the expression of perf record's --filter (kernel:
 * Documentation/trace/events.rst, "Event filtering").
 *
 *   prev_pid == 0 && (next_comm ~ "kworker*" || !(next_prio < 100))
 *
 * Numbers have == != < <= > >= and & (a bit of the mask is set); texts == != ~ and !~ (shell
 * patterns). Where an event has no such field, pid, tid, cpu and comm are the sample's. What a
 * field is, an event tells; of one without that field the comparison is not known, and an
 * expression that is not known does not hold. So the two events of a pair can answer for each
 * other. */
#ifndef PDTOOL_FIELDFILTER_H
#define PDTOOL_FIELDFILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/base/buf.h"
#include "parser/base/err.h"
#include "parser/filter.h"
#include "parser/pdtool.h"

struct field_filter;

/* ERR_USAGE, and in WHY what was expected where, when TEXT is no such expression. */
CHECKED int field_filter_new(struct field_filter **out, const char *text, struct buf *why);
void field_filter_free(struct field_filter *f);
/* What E tells of each comparison; COMM is the sample's, NULL: not told. */
struct field_answer field_filter_ask(struct field_filter *f, const struct pdt_event *e,
				     const char *comm);
bool field_filter_holds(struct field_filter *f, struct field_answer a);
/* How often it held. */
uint64_t field_filter_passed(const struct field_filter *f);
/* What is wrong with it, for a message, or NULL: a field that cannot be compared so; one that no
 * event had which was asked. */
const char *field_filter_unfit(const struct field_filter *f);
const char *field_filter_lacking(struct field_filter *f);

#endif
