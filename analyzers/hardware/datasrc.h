/* Where the data of a memory access came from (PERF_SAMPLE_DATA_SRC; linux/perf_event.h, union
 * perf_mem_data_src), in perf's words. */
#ifndef PDTOOL_HARDWARE_DATASRC_H
#define PDTOOL_HARDWARE_DATASRC_H

#include "parser/base/buf.h"

#include <stdbool.h>
#include <stdint.h>

/* What it is made of. */
enum datasrc_part {
	DATASRC_OPERATION,
	DATASRC_LEVEL,
	DATASRC_SNOOP,
	DATASRC_TLB,
	DATASRC_LOCK,
	DATASRC_BLOCKED,
	DATASRC_PARTS
};

/* Append what SRC says of PART: "LOAD", "L1 hit", "None" */
void datasrc_put(uint64_t src, enum datasrc_part part, struct buf *out);
/* Only the bits that tell PART. */
uint64_t datasrc_bits(uint64_t src, enum datasrc_part part);
bool datasrc_is_load(uint64_t src);
bool datasrc_is_store(uint64_t src);
/* It was found changed in another core's cache; REMOTE: of another node. */
bool datasrc_is_hitm(uint64_t src, bool *remote);

/* Append what SRC says: "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A" */
void datasrc_text(uint64_t src, struct buf *out);

#endif
