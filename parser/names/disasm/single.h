/* The instruction at one address, whatever function it is in: for who shows samples one by one.
 * The file of one module stays open, so ask for the addresses of a module one after the other. */
#ifndef PDTOOL_SYMBOLS_SINGLE_H
#define PDTOOL_SYMBOLS_SINGLE_H

#include "parser/base/arena.h"
#include "parser/names/names.h"
#include "parser/pdtool_record.h"

struct single;

/* N and SYMBOLS must outlive it. */
struct single *single_new(const struct names *n, const struct symbol_options *symbols);
void single_free(struct single *s);
/* False: no code is at hand there. What OUT points to stays until the next call. */
bool single_at(struct single *s, struct loc loc, struct pdt_instruction *out);

#endif
