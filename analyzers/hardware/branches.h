/* The ends of branches. */
#ifndef PDTOOL_HARDWARE_BRANCHES_H
#define PDTOOL_HARDWARE_BRANCHES_H

#include "parser/pdtool_module.h"
#include "parser/pdtool_record.h"

/* The kernel's own addresses are in the upper half on all machines that record branches. */
static inline int branch_mode(uint64_t address)
{
	return (int64_t)address < 0 ? PDT_KERNEL : PDT_USER;
}

/* The location of ADDRESS, an end of a branch of E, the event that came last. PDT_NONE: there are
 * names already. */
static inline uint32_t branch_locate(const struct pdt_session *s, const struct pdt_event *e,
				     uint64_t address)
{
	uint32_t loc;

	if (pdt_locate(s, e, address, branch_mode(address), &loc) < 0)
		return PDT_NONE;
	return loc;
}

#endif
