/* One frame, and the ways from it to its caller. */
#ifndef PDTOOL_UNWIND_STEP_H
#define PDTOOL_UNWIND_STEP_H

#include "parser/unwind/cfi.h"
#include "parser/unwind/memory.h"
#include "parser/unwind/unwind.h"

struct frame {
	const struct unwind_arch *arch;
	const struct unwind_memory *memory;
	struct unwind_regs regs;
	/* the address is where the thread was, not a return address: it is looked up as it is, and
	 * the link register may hold its caller */
	bool exact;
	bool cut; /* registers are missing as they were saved above what was copied */
	bool anywhere; /* a return address is taken whatever it is, 0 and no address, too */
};

/* From here up, values stand for errors and, in call chains, for markers: they are no code. */
#define NO_ADDRESS ((uint64_t)-4096)

/* Each makes *F its caller, or says why not and leaves F in any state. */

/* By RULE of the table T, whose file is mapped BIAS above its own addresses. */
enum unwind_end step_by_rule(struct frame *f, const struct cfi *t, const struct rule *rule,
			     uint64_t bias);
/* The same for the commonest kind, a whole frame on the stack (rule->saved) of 64-bit words; false
 * when it is not as simple as that, and F is as it was. */
bool step_by_saved(struct frame *f, const struct rule *rule, enum unwind_end *end);
/* Where there is no rule. CODE_IS(ctx, addr) tells whether ADDR can be code: whatever is found is
 * checked with it. UNWIND_NO_CFI when nothing fits. */
struct step_code {
	bool (*is_code)(void *ctx, uint64_t addr);
	void *ctx;
	const uint8_t *bytes; /* 16 bytes at the address, or NULL */
	bool leaves;  /* this may be a leaf: elsewhere the module has rules, this is hand-written */
	bool guesses; /* as libunwind: the frame pointer's frame, if it lies near enough */
};
enum unwind_end step_without_rule(struct frame *f, const struct step_code *code);
/* Take RA as the caller; SP was the stack pointer until now, and is CALLER_SP in the caller. */
enum unwind_end step_to(struct frame *f, uint64_t ra, uint64_t sp, uint64_t caller_sp);
/* What a failed read means for a frame. */
enum unwind_end step_memory_end(enum memory_result r);

#endif
