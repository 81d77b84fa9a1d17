/* Source lines of just-in-time compiled code, from the DEBUG_INFO records of a jitdump. They are
 * read when they are asked for: most code is never sampled. */
#ifndef PDTOOL_SYMBOLS_JITLINES_H
#define PDTOOL_SYMBOLS_JITLINES_H

#include "parser/names/jit/jitdump.h"

struct jit_lines;

/* NULL when the dump D cannot be opened again. D must outlive the result. */
struct jit_lines *jit_lines_open(const struct jitdump *d);
void jit_lines_close(struct jit_lines *l);
/* The line of the code at OFFSET in the dump; *FILE is valid until the next call. Cheap when
 * offsets of one function follow one another. False: it is not told. */
bool jit_lines_find(struct jit_lines *l, uint64_t offset, const char **file, uint32_t *line);

#endif
