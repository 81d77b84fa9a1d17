/* The filters by the sampled function: they look at the leaf of a stack, once names are there. */
#ifndef PDTOOL_LEAF_H
#define PDTOOL_LEAF_H

#include "parser/session.h"

/* The name of the innermost location of stack STACK, or NULL when it has none. */
const struct loc_name *leaf_of(const struct session *s, uint32_t stack);
/* Do --dsos, --symbol and --no-idle let samples with this leaf (NULL: none) pass? */
bool leaf_passes(const struct loc_name *leaf, const struct filter *f, bool pid0);
/* Where L is: the last part of its module's path, or what else is known. */
const char *place_of(const struct loc *l, const struct loc_name *n);
/* What follows the last slash. */
const char *base_name(const char *path);
/* What stands in brackets where location L, named N, has no symbol. */
const char *place_of(const struct loc *l, const struct loc_name *n);

#endif
