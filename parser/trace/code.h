/* The code that a process ran at an address, as it was mapped then: bytes of files that are taken
 * by the same rules as for names (names/pick.h). Code of the kernel, and what was compiled just in
 * time, is not at hand. */
#ifndef PDTOOL_TRACE_CODE_H
#define PDTOOL_TRACE_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "parser/file/feature.h"
#include "parser/names/names.h"
#include "parser/state/machine.h"

/* What it points to must outlive it; the rest is zero to begin with. */
struct trace_code {
	const struct capture_meta *meta;
	const struct symbol_options *symbols;
	struct machine *machine;
	struct module_code **modules; /* by module id; NULL: not looked for yet */
	size_t count, cap;
};

/* Up to LEN bytes of what process P has at IP to TO: returns how many there are. */
size_t trace_code_read(struct trace_code *c, const struct process *p, uint64_t ip, uint8_t *to,
		       size_t len);
void trace_code_release(struct trace_code *c);

#endif
