/* Symbols of a just-in-time compiler from its perf-PID.map
 * (tools/perf/Documentation/jit-interface.txt):
 *
 *   START(hex) SPACE SIZE(hex) SPACE NAME to the end of the line, blanks included
 *
 * Addresses are run-time addresses. Lines have no time: where ranges overlap, the later line wins
 * and the earlier one keeps what is left on either side (perf's own answer depends on its tree's
 * shape). */
#ifndef PDTOOL_SYMBOLS_PERFMAP_H
#define PDTOOL_SYMBOLS_PERFMAP_H

#include <stddef.h>

#include "parser/base/err.h"
#include "parser/names/symtab.h"

/* Fill OUT (initialised and empty) from PATH, by the rules of reach.h, and finish it; lines of
 * another form are skipped. 0; ERR_ABSENT no such file; ERR_IO; ERR_FORMAT not a regular file,
 * beyond the size limit (1 GiB), or not a single line of the form. */
int perfmap_load(struct symtab *out, struct reach *r, const char *path) CHECKED;
/* The same from SIZE bytes at TEXT, which are changed in place and must outlive OUT. TEXT[SIZE]
 * must be writable. */
int perfmap_parse(struct symtab *out, char *text, size_t size_bytes) CHECKED;

#endif
