/* Which system calls this process may still make, by a filter of seccomp. */
#ifndef PDTOOL_SECCOMP_H
#define PDTOOL_SECCOMP_H

#include <stdbool.h>

/* From now on for this thread and for those that it makes; NETWORK: with what a client of HTTP
 * needs. False: this kernel, or this machine's architecture, has none. */
bool seccomp_enter(bool network);

#endif
