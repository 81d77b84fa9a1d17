/* The command line tool's way when memory runs out: one line, and the end. */
#include "parser/base/die.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef void at_end(void);

static at_end **what_comes_first(void)
{
	static at_end *fn;

	return &fn;
}

void mem_die_first(void (*fn)(void))
{
	*what_comes_first() = fn;
}

void mem_die(size_t size)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	char line[80];
	int n = snprintf(line, sizeof(line), "pdtool: out of memory (%zu bytes wanted)\n", size);

	while (atomic_flag_test_and_set(&said)) /* another thread ends the process */
		pause();
	/* neither streams nor what is to be done at exit: who asked may hold their locks */
	(void)!write(STDERR_FILENO, line, (size_t)n);
	if (*what_comes_first())
		(*what_comes_first())();
	_exit(EXIT_FAILURE);
}
