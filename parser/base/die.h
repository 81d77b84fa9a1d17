/* What happens when memory runs out. The command line tool says so and ends (die.c); the library
 * leaves the call (parser/library/owner.c). */
#ifndef PDTOOL_BASE_DIE_H
#define PDTOOL_BASE_DIE_H

#include <stddef.h>

/* SIZE bytes could not be had. */
void mem_die(size_t size_bytes) __attribute__((noreturn, cold));
/* FN is called before the command line tool ends so: it may do what a signal handler may. Once, and
 * before there are threads. */
void mem_die_first(void (*fn)(void));

#endif
