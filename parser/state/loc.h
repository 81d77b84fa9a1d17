/* Locations: what an address of a call chain lies in, the same for every process that maps the
 * module. */
#ifndef PDTOOL_STATE_LOC_H
#define PDTOOL_STATE_LOC_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/pdtool_module.h"

struct loc {
	uint64_t addr; /* file offset in a PDT_MODULE_FILE, VDSO or JITDUMP, else the address itself
			*/
	uint32_t module; /* PDT_NONE: no mapping held the address */
	uint8_t mode;	 /* enum pdt_mode */
	bool alone;	 /* it was looked up by itself: it is no return address then */
	bool twin;	 /* of an address that another location has: it is not counted again */
};

#endif
