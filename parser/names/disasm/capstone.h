/* capstone, loaded when it is first asked for: linking it would cost every command 1 ms of
 * relocations. */
#ifndef PDTOOL_CAPSTONE_H
#define PDTOOL_CAPSTONE_H

#include <stdbool.h>
#include <stdint.h>

#include <capstone/capstone.h>

/* The functions of the library. */
struct capstone_calls {
	__typeof__(cs_open) *open;
	__typeof__(cs_close) *close;
	__typeof__(cs_option) *option;
	__typeof__(cs_malloc) *malloc;
	__typeof__(cs_free) *free;
	__typeof__(cs_disasm_iter) *iter;
	__typeof__(cs_insn_group) *group;
};

/* One opened machine of it. */
struct capstone {
	struct capstone_calls calls;
	csh cs;
	cs_insn *insn;
};

/* The soname of the library. */
extern const char capstone_library[];

/* Load it now; where it is not here, that is found out when it is opened. */
void capstone_library_load(void);
/* Opens it into C, which is zero, with details of instructions. Returns C; NULL: with *INSTALLED
 * the library lacks ARCH, else it is not here. capstone_end() gives back what C holds. */
struct capstone *capstone_open(struct capstone *c, cs_arch arch, cs_mode mode, bool *installed);
int capstone_end(struct capstone *c);

#endif
