/* The unwind tables of just-in-time compiled code: one for each function of a jitdump, made when a
 * frame is first in it. Compilers write the same information for one function after the other
 * (CPython: for all): those share a table. */
#ifndef PDTOOL_UNWIND_JITTABLES_H
#define PDTOOL_UNWIND_JITTABLES_H

#include "parser/unwind/regs.h"

struct jit_tables;
struct jitdump;
struct tables;

/* For samples of ARCH. DUMP must outlive the result. */
struct jit_tables *jit_tables_new(const struct jitdump *dump, const struct unwind_arch *arch);
void jit_tables_free(struct jit_tables *j);
/* The tables of the function whose code is at OFFSET in the dump; NULL: it has none. They stay
 * where they are until jit_tables_free(). */
struct tables *jit_tables_at(struct jit_tables *j, uint64_t offset);
/* The address that those give to what is at OFFSET. */
int jit_tables_addr(const struct jit_tables *j, uint64_t offset, uint64_t *addr) CHECKED;
/* What finding them takes; what they take, as it was counted in each; entries left out of them, as
 * they make no sense or past the most. */
size_t jit_tables_index_bytes(const struct jit_tables *j);
size_t jit_tables_part_bytes(const struct jit_tables *j);
uint64_t jit_tables_bad(const struct jit_tables *j);
uint64_t jit_tables_over(const struct jit_tables *j);

#endif
