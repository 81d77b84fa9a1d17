/* DWARF expressions, as far as call frame information uses them. Bounded in steps and in depth. */
#ifndef PDTOOL_UNWIND_EXPR_H
#define PDTOOL_UNWIND_EXPR_H

#include "parser/base/cursor.h"
#include "parser/unwind/memory.h"
#include "parser/unwind/regs.h"

struct expr_context {
	const struct unwind_arch *arch;
	const struct unwind_regs *regs;
	const struct unwind_memory *memory;
	uint64_t bias; /* run-time address - address in the file */
};

/* Evaluate CODE on a stack that holds *VALUE when HAS_VALUE; the top at the end is *VALUE.
 * MEMORY_UNKNOWN also for an expression that makes no sense. */
enum memory_result expr_evaluate(const struct expr_context *x, struct cursor code, bool has_value,
				 uint64_t *value);

#endif
