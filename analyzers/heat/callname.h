/* What a system call is called. */
#ifndef PDTOOL_CALLNAME_H
#define PDTOOL_CALLNAME_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/base/buf.h"

/* Append the name of NUMBER on ARCH, as uname -m says it, in a program of 64 bits. False: it is not
 * known. */
bool call_name(const char *arch, uint64_t number, struct buf *out);

#endif
