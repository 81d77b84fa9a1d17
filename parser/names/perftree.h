/* Replaying the tree in which perf 6.1 keeps the symbols of a file, for symtab_find_as_perf().
 *
 * perf descends a red-black tree that is ordered by start alone and takes the first symbol on the
 * way that holds the address. As long as ranges are disjoint that is the only one. Where they nest
 * (`_init`, whose size is 0, is stretched to the end of the next section and so over the PLT, in
 * every ordinary unstripped program), the one nearer to the root wins, and which one that is
 * follows from the history of the tree: the order of insertion, and which aliases were taken out
 * after which insertion.
 *
 * Only `--compat` wants that answer, which is worse: symtab_find() names the innermost. So the
 * history is kept on request only, and the tree is built when the first address is looked up, and
 * not at all when no ranges nest.
 *
 * Internal to symtab.c and to providers; users call symtab_keep_order() and symtab_find_as_perf().
 * Facts: tools/perf/util/symbol.c (symbols__insert, symbols__fixup_duplicate, symbols__find) and
 * lib/rbtree.c of Linux 6.1. */
#ifndef PDTOOL_SYMBOLS_PERFTREE_H
#define PDTOOL_SYMBOLS_PERFTREE_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/names/symtab.h"

struct perftree;

struct perftree *perftree_new(void);
void perftree_free(struct perftree *p);

/* Record that perf inserts a symbol that starts at START. Returns its number, for symbol.order. */
uint32_t perftree_insert(struct perftree *p, uint64_t start);
/* Record that perf takes symbol number ORDER out again. Once at most for each. */
void perftree_erase(struct perftree *p, uint32_t order);

/* Do ranges of T nest, so that perf may name another symbol than symtab_find()? T is the finished
 * table: of the symbols recorded, those that were not erased. The first call builds the tree; T
 * must not change after that. */
bool perftree_nests(struct perftree *p, const struct symtab *t);
/* What perf finds at ADDR where they do, or NULL. */
const struct symbol *perftree_find(const struct perftree *p, const struct symtab *t, uint64_t addr);

#endif
