/* Where an address is among the instructions of a function. */
#ifndef PDTOOL_INSN_INDEX_H
#define PDTOOL_INSN_INDEX_H

#include "parser/pdtool_module.h"

/* The index of the first instruction at or behind ADDR. */
static inline size_t insn_from(const struct pdt_code *c, uint64_t addr)
{
	size_t low = 0, high = pdt_code_number(c, PDT_CODE_INSNS);

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (pdt_insn_at(c, mid)->addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

#endif
