/* Names that are too long for a terminal. */
#ifndef PDTOOL_SHORTEN_H
#define PDTOOL_SHORTEN_H

#include "parser/base/buf.h"

/* TEXT in at most WIDTH columns. What tells names apart stays as long as it can: arguments of
 * templates and functions go first, the innermost before the others, then the middle of a path or
 * of a stack, then the middle. TEXT itself, or made in B, which is emptied before. */
const char *shorten(const char *text, size_t width, struct buf *b);

#endif
