/* In which mode an address was run: what a record says of itself (PERF_RECORD_MISC_CPUMODE_MASK),
 * and what the context markers in a call chain say of the addresses behind them (enum
 * perf_callchain_context, both in linux/perf_event.h). */
#ifndef PDTOOL_CONTEXT_H
#define PDTOOL_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/base/abi.h"
#include "parser/state/loc.h"

/* A sample's own address. */
struct chain_ip {
	uint64_t ip;
	uint64_t marker; /* of its mode */
	bool known;	 /* false: the event does not record it */
};

/* By MISC_CPUMODE_MASK; what is not told is taken for user mode, as perf takes it. */
static inline enum pdt_mode mode_of_misc(uint16_t misc)
{
	static const uint8_t modes[MISC_CPUMODE_MASK + 1] = {
		PDT_USER,	  PDT_KERNEL,	  PDT_USER, PDT_HYPERVISOR,
		PDT_GUEST_KERNEL, PDT_GUEST_USER, PDT_USER, PDT_USER,
	};

	return (enum pdt_mode)modes[misc & MISC_CPUMODE_MASK];
}

/* The marker of addresses in that mode. */
static inline uint64_t marker_of_misc(uint16_t misc)
{
	static const uint64_t markers[MISC_CPUMODE_MASK + 1] = {
		CONTEXT_USER,	      CONTEXT_KERNEL,	  CONTEXT_USER, CONTEXT_HV,
		CONTEXT_GUEST_KERNEL, CONTEXT_GUEST_USER, CONTEXT_USER, CONTEXT_USER,
	};

	return markers[misc & MISC_CPUMODE_MASK];
}

/* enum pdt_mode, or -1: no marker that is known. */
int mode_of_marker(uint64_t marker);

#endif
