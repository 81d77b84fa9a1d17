/* Records that are no samples, as perf script shows them: --show-task-events and such. */
#ifndef PDTOOL_SCRIPT_RECORDS_H
#define PDTOOL_SCRIPT_RECORDS_H

#include "parser/base/buf.h"
#include "parser/pdtool_record.h"

#define MISC_MMAP_DATA (1 << 13) /* of MMAP: no code is in it */

struct record_options {
	bool task, mmap, switches, namespaces, cgroup, lost, bpf;
};

/* Does O ask for records of this TYPE? */
bool records_ask(const struct record_options *o, uint32_t type);
/* The thread that R is about, of those that name one; else OTHERWISE. */
uint32_t record_tid(const struct pdt_record *r, uint32_t otherwise);
/* Append "PERF_RECORD_COMM: ..." and an end of line, safe to show. */
void record_put(const struct pdt_record *r, struct buf *out);

#endif
