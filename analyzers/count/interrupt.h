/* Was a tracepoint hit in an interrupt? Then the thread that a sample names was only in the way:
 * what happened is not its doing. The flags are common_flags of every tracepoint (kernel:
 * include/linux/trace_events.h). */
#ifndef PDTOOL_INTERRUPT_H
#define PDTOOL_INTERRUPT_H

#include "parser/pdtool_capture.h"

enum interrupt { INTERRUPT_NONE, INTERRUPT_HARD, INTERRUPT_SOFT };

/* What the flags of one event say. */
static inline enum interrupt interrupt_of(uint64_t common_flags)
{
	return common_flags & 0x08   ? INTERRUPT_HARD /* TRACE_FLAG_HARDIRQ, also in softirqs */
	       : common_flags & 0x10 ? INTERRUPT_SOFT /* TRACE_FLAG_SOFTIRQ */
				     : INTERRUPT_NONE;
}

/* The same of E, FLAGS being its field common_flags; NONE where it is not told. */
static inline enum interrupt interrupt_of_event(const struct pdt_event *e,
						const struct pdt_field *flags)
{
	uint64_t v;

	return pdt_event_number(e, flags, &v) == 0 ? interrupt_of(v) : INTERRUPT_NONE;
}

/* What is shown in place of the thread: "[irq]", "[softirq]"; NULL for NONE. */
const char *interrupt_name(enum interrupt i);
/* How many of STACK's innermost frames are the interrupt's; the rest is the thread's that it hit.
 */
uint32_t interrupt_frames(const struct pdt_session *s, uint32_t stack, enum interrupt i);

#endif
