/* Where a guest has its kernel's modules, from a copy of its /proc/modules. */
#ifndef PDTOOL_SYMBOLS_PROCMODULES_H
#define PDTOOL_SYMBOLS_PROCMODULES_H

#include "parser/base/err.h"
#include "parser/state/machine.h"

/* Map them in M's guest. What cannot be read is told in W, and nothing is mapped. */
void procmodules_load(struct machine *m, const char *path, struct warnings *w);

#endif
