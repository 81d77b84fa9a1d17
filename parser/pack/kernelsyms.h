/* The lines of a kallsyms file that a capture's addresses need: see kallsyms.h for the form. */
#ifndef PDTOOL_PACK_KERNELSYMS_H
#define PDTOOL_PACK_KERNELSYMS_H

#include <stdbool.h>

#include "parser/base/buf.h"
#include "parser/names/names.h"
#include "parser/stacks/stacks.h"

/* Append them from FD, at its start: for each address of the kernel or of a module of it the
 * symbols that begin at the last place before it and at the first one after it, and the kernel's
 * first symbols, from which it is seen where it was loaded. False: it cannot be read. */
bool kernelsyms_select(struct buf *out, int fd, const struct names *n, const struct stacks *stacks);

#endif
