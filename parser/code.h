/* The code of a function, from the front door: session_code() fills it. */
#ifndef PDTOOL_CODE_H
#define PDTOOL_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/names/disasm/code.h"

struct session;

/* The code of the function at location LOC, after session_resolve(). False: it has no symbol. To be
 * released (code_release()) also then. */
bool session_code(const struct session *s, uint32_t loc, struct code_query *q, struct code *out);

#endif
