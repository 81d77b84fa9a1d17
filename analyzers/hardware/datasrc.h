/* Where the data of a memory access came from (PERF_SAMPLE_DATA_SRC; linux/perf_event.h, union
 * perf_mem_data_src), in perf's words. */
#ifndef PDTOOL_HARDWARE_DATASRC_H
#define PDTOOL_HARDWARE_DATASRC_H

#include "parser/base/buf.h"

#include <stdint.h>

/* Append what SRC says of ... */
void datasrc_operation(uint64_t src, struct buf *out); /* "LOAD" */
void datasrc_level(uint64_t src, struct buf *out);     /* "L1 hit" */
void datasrc_snoop(uint64_t src, struct buf *out);     /* "None" */
void datasrc_tlb(uint64_t src, struct buf *out);       /* "L1 or L2 hit" */
void datasrc_lock(uint64_t src, struct buf *out);      /* "No" */
void datasrc_blocked(uint64_t src, struct buf *out);   /* " N/A" */
/* "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A" */
void datasrc_text(uint64_t src, struct buf *out);

#endif
