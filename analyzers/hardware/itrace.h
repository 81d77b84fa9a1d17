/* --itrace: letters for what is wanted of a trace of instructions, as perf has them. */
#ifndef PDTOOL_HARDWARE_ITRACE_H
#define PDTOOL_HARDWARE_ITRACE_H

#include "parser/base/err.h"
#include "parser/base/itrace.h"

/* What an option of it takes, for its help. */
#define ITRACE_ARG "LETTERS"
#define ITRACE_TEXT                                                                          \
	"events out of a trace of instructions (Intel PT): b branches, c calls, r returns, " \
	"iPERIOD instructions (1000i, 10us, 500t: ticks)"
#define ITRACE_WANTED "letters out of b c r i, and behind i a number with i, t, ns, us or ms"

struct buf;

/* What a branch is, as perf script's field flags shows it, in its columns: pdt_event.flow. */
void flow_put(uint32_t flow, struct buf *b);

/* TEXT is the value of --itrace of COMMAND, "" all branches. ERR_USAGE with a message in W. */
CHECKED int itrace_parse(struct itrace *out, const char *text, const char *command,
			 struct warnings *w);

#endif
