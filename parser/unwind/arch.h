/* Which architecture was recorded, where the capture does not tell: perf writes it behind the
 * records, at the end, which a recorder that is killed does not see.
 *
 * The registers that an event asks for of each sample are numbered by architecture, and recorders
 * ask for all that there are (tools/perf/arch, perf_regs.h: PERF_REGS_MASK;
 * simpleperf/perf_regs.cpp of AOSP). Where a mask fits several architectures, none is taken. */
#ifndef PDTOOL_UNWIND_ARCH_H
#define PDTOOL_UNWIND_ARCH_H

#include "parser/names/elf/elffile.h"

struct capture;
struct warnings;

/* Once: where C does not tell its architecture, ASKED, what the user says it is, may be NULL; else
 * what the registers say. */
void arch_find(struct capture *c, const char *asked);
/* What runs F, as uname -m calls it; NULL: no machine whose stacks are unwound. */
const char *arch_by_file(const struct elf_file *f);
/* Is NAME, which may be NULL, one that the user may ask for? ERR_USAGE is said in W. */
int arch_check(const char *name, struct warnings *w) CHECKED;

#endif
