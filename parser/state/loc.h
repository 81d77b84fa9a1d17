/* Locations: what an address of a call chain lies in, the same for every process that maps the
 * module. */
#ifndef PDTOOL_STATE_LOC_H
#define PDTOOL_STATE_LOC_H

#include <stdint.h>

enum cpu_mode { MODE_USER, MODE_KERNEL, MODE_HV, MODE_GUEST_USER, MODE_GUEST_KERNEL, MODE_COUNT };

struct loc {
	uint64_t addr; /* file offset in a MODULE_FILE, VDSO or JITDUMP, else the address itself */
	uint32_t module; /* MODULE_NONE: no mapping held the address */
	uint8_t mode;	 /* enum cpu_mode */
};

#endif
