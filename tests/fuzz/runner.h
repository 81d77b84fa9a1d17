/* Commands of pdtool, run one after the other in a child process: starting one takes longer than
 * most of them. The child ends when a command makes it end, and from time to time; the next command
 * gets another. For sweep.c. */
#ifndef PDTOOL_FUZZ_RUNNER_H
#define PDTOOL_FUZZ_RUNNER_H

#include "parser/base/sanitized.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The child is told by one pipe what to run and tells by another how it ended. */
struct runner {
	pid_t pid; /* 0: there is none */
	int order, answer;
	int input;    /* memory files: the input (FUZZ_INPUT: that file), */
	int out, err; /* and what the last command wrote */
	bool pipe;    /* the input comes by standard input */
	unsigned runs;
};

struct ending {
	int status; /* as wait() has it; a signal of SIGALRM or SIGPROF: it took too long */
	long rss_kb;
	double cpu_seconds; /* 0 where the child itself ended */
};

void runner_init(struct runner *r, bool pipe);
void runner_input(struct runner *r, const void *bytes, size_t size);

/* COMMAND: words with blanks between them; @ is the input's path. "library @" and "library columns
 * @" are read through the front door instead. It must outlive the child. */
struct ending runner_run(struct runner *r, const char *command);

/* The same in this very process, without a limit; its exit status. */
int runner_here(const struct runner *r, const char *command);

/* End the child, if there is one. */
void runner_end(struct runner *r);

_Noreturn void die(const char *what);
#endif
