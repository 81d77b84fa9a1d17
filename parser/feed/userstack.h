/* What is kept of a sample's registers and its copy of the user stack (PERF_SAMPLE_REGS_USER,
 * _STACK_USER) from when it is read until its time has come and it can be unwound. */
#ifndef PDTOOL_FEED_USERSTACK_H
#define PDTOOL_FEED_USERSTACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/record/sample.h"

/* What perf record -g asks for on AArch64, and nowhere else: register 30 alone. */
#define USER_STACK_ARM64_LR (1ull << 30)

struct user_stack {
	uint64_t abi, mask;
	const uint8_t *regs;  /* one u64 for each bit of mask, in the capture's byte order */
	const uint8_t *stack; /* stack_bytes bytes from the stack pointer up */
	uint32_t stack_bytes; /* 0: registers only */
	uint32_t swap;	      /* the capture's byte order is not this host's */
};

/* The size of what has to be kept of S for unwinding: of the stack, or of the link register; 0:
 * there is nothing to unwind. LASTS: the bytes of S will still be there, only where they are is to
 * be kept. */
size_t user_stack_bytes(const struct sample *s, bool lasts);
/* Write it to OUT. */
void user_stack_write(const struct sample *s, bool lasts, uint8_t *out);
/* What lies at KEPT, which OUT points into. */
void user_stack_read(struct user_stack *out, const uint8_t *kept);

#endif
