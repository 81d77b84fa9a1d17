/* Where the data of a memory access came from (PERF_SAMPLE_DATA_SRC; linux/perf_event.h, union
 * perf_mem_data_src), in perf's words. */
#ifndef PDTOOL_HARDWARE_DATASRC_H
#define PDTOOL_HARDWARE_DATASRC_H

#include "parser/base/buf.h"

#include <stdint.h>

/* Append what SRC says: "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A" */
void datasrc_text(uint64_t src, struct buf *out);

#endif
