/* How the unwinding of a capture's stacks went. */
#ifndef PDTOOL_UNWIND_STATS_H
#define PDTOOL_UNWIND_STATS_H

#include <stdint.h>

/* Why a stack ended. */
enum unwind_end {
	UNWIND_GOES_ON,	  /* it did not: between steps only */
	UNWIND_COMPLETE,  /* the outermost frame */
	UNWIND_CUT,	  /* the copy of the stack was too short */
	UNWIND_NO_CFI,	  /* code without call frame information, nor a usable frame pointer */
	UNWIND_NO_MAP,	  /* the address lies in no mapping */
	UNWIND_NO_FILE,	  /* the module's file was not found */
	UNWIND_BAD_FRAME, /* a frame that cannot be: damaged memory or wrong information */
	UNWIND_ENDLESS,	  /* an expression of too many steps */
	UNWIND_DEPTH,	  /* as many frames as were asked for */
	UNWIND_NO_REGS,	  /* registers not recorded */
	UNWIND_NO_ARCH,	  /* the architecture is not known */
	UNWIND_BAD_ARCH,  /* or not supported */
	UNWIND_END_COUNT
};

struct unwind_stats {
	uint64_t stacks, frames;
	uint64_t ends[UNWIND_END_COUNT];
	uint64_t by_frame_pointer; /* frames found without call frame information */
	uint64_t evicted;	   /* modules whose tables had to be given up */
	uint64_t bad_entries;	   /* of call frame sections, left out */
	uint64_t over_entries;	   /* of unwind tables, left out past the most of a module */
};

void unwind_stats_add(struct unwind_stats *to, struct unwind_stats from);
/* "complete", "stack copy too short" ... */
const char *unwind_end_text(enum unwind_end end);

#endif
