/* One name for the same function in different builds. */
#ifndef PDTOOL_MATCH_NAME_H
#define PDTOOL_MATCH_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "parser/base/buf.h"

/* Append NAME (LEN bytes) without what compilers, linkers and loaders add: .isra.N .constprop.N
 * .part.N .cold .llvm.N .lto_priv.N, Rust's ::h<16 hex>, @plt, @@GLIBC_2.17; 0x and what follows
 * becomes "0x...". */
void match_name(const char *name, size_t len, struct buf *out);
/* "[unknown]", an address: what goes by such a name is not one function. */
bool is_no_function(const char *name, size_t len);
/* Only the last: difffolded.pl's -s. */
void strip_hex(const char *name, size_t len, struct buf *out);

#endif
