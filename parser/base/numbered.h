/* Numbers, each with what it is the number of, to be put in order. */
#ifndef PDTOOL_BASE_NUMBERED_H
#define PDTOOL_BASE_NUMBERED_H

#include <stddef.h>
#include <stdint.h>

struct numbered {
	uint64_t number;
	uint64_t id;
};

/* By number, ascending; equals stay as they are. */
void numbered_sort(struct numbered *list, size_t count);

#endif
