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

/* What perf c2c counts of an access (tools/perf/util/mem-events.c, c2c_decode_stats()): more than
 * one of these, mostly. */
enum tally {
	TALLY_SAMPLES,
	TALLY_LOCKED,
	TALLY_BLOCKED_DATA,
	TALLY_BLOCKED_ADDRESS,
	TALLY_LOADS,
	TALLY_LOAD_NO_ADDRESS,
	TALLY_LOAD_UNCACHED,
	TALLY_LOAD_IO,
	TALLY_LOAD_MISS,
	TALLY_LOAD_FILL_BUFFER,
	TALLY_LOAD_L1,
	TALLY_LOAD_L2,
	TALLY_LOAD_LLC, /* the last level, unless another core had changed the line: */
	TALLY_HITM_LOCAL,
	TALLY_HITM_REMOTE,
	TALLY_PEER_LOCAL, /* another core's cache had the line */
	TALLY_PEER_REMOTE,
	TALLY_REMOTE_HIT, /* unchanged in another node's cache */
	TALLY_DRAM_LOCAL,
	TALLY_DRAM_REMOTE,
	TALLY_DRAM_EXCLUSIVE, /* of memory: no other cache had the line, or one had */
	TALLY_DRAM_SHARED,
	TALLY_STORES,
	TALLY_STORE_NO_ADDRESS,
	TALLY_STORE_UNCACHED,
	TALLY_STORE_L1_HIT,
	TALLY_STORE_L1_MISS,
	TALLY_STORE_NA,	  /* where is not told */
	TALLY_UNREADABLE, /* neither load nor store */
	TALLIES
};

/* An access that is none may be a store, or what the processor fetched ahead. */
bool datasrc_is_load(uint64_t src);
/* Count in TALLY an access to ADDRESS. False: perf goes no further than where it has no address, or
 * is neither load nor store. */
bool datasrc_tally(uint64_t src, uint64_t address, uint32_t tally[TALLIES]);

/* Append what SRC says: "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A" */
void datasrc_text(uint64_t src, struct buf *out);

#endif
