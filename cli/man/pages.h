/* The manual, inside the program: a copy of it on a machine without anything else still explains
 * itself. */
#ifndef PDTOOL_PAGES_H
#define PDTOOL_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "parser/base/buf.h"

/* The page of a command ("sched latency", or "sched-latency"), of pdtool itself (""), of its
 * configuration ("config") or of the options of others ("peers"), *LEN bytes of roff; NULL: there
 * is none. */
const char *page_find(const char *name, size_t *len);

/* What man(1) would show of it, in lines of at most WIDTH columns. MARKS: with bold and underlined
 * words for a terminal. */
void page_put(const char *page, size_t len, unsigned width, bool marks, struct buf *out);

#endif
