/* Is what perf stat counted what the capture is of? */
#ifndef PDTOOL_SCOPE_H
#define PDTOOL_SCOPE_H

#include "analyzers/profile/cputime/cpu_time.h"
#include "analyzers/profile/cputime/perf_stat.h"
#include "parser/base/buf.h"

/* Only part of the samples that were read counts. */
bool is_filtered(const struct filter *f);
/* Append why S cannot be of M to WHY; false: nothing tells that. */
bool stat_is_of_another(const struct perf_stat *s, const struct cpu_measured *m, struct buf *why);

#endif
