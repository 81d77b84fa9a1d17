/* What is kept of a sample's branches and registers from when it is read until its time has come
 * (PERF_SAMPLE_BRANCH_STACK, _REGS_USER, _REGS_INTR), where they are asked for. */
#ifndef PDTOOL_FEED_EXTRAS_H
#define PDTOOL_FEED_EXTRAS_H

#include <stddef.h>
#include <stdint.h>

#include "parser/record/sample.h"

/* A branch as the kernel writes it: u64 from, to, flags. */
#define BRANCH_BYTES 24
#define BRANCHES_MAX (65536 / BRANCH_BYTES) /* a record has no room for more */

/* Of the bytes that lie behind it, all in the order of its members. */
struct extras {
	uint32_t bytes; /* with this */
	uint16_t branch_count, swap;
	uint64_t user_abi, user_mask, intr_abi, intr_mask; /* mask 0: not recorded */
	const uint8_t *branches, *user_regs, *intr_regs;   /* set by extras_read() */
};

/* The size of what WANTS, PDT_WANT_BRANCHES and PDT_WANT_REGISTERS, leave of S; 0: nothing. */
size_t extras_bytes(const struct sample *s, unsigned wants);
void extras_write(const struct sample *s, unsigned wants, uint8_t *out);
/* What lies at KEPT, which OUT points into. */
void extras_read(struct extras *out, const uint8_t *kept);

#endif
