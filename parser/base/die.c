/* The command line tool's way when memory runs out: say so, and abort. */
#include "parser/base/die.h"

#include <stdio.h>
#include <stdlib.h>

void mem_die(size_t size)
{
	fprintf(stderr, "pdtool: out of memory (%zu bytes wanted)\n", size);
	abort();
}
