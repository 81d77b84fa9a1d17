/* The terminal that somebody looks at, and the pager between. */
#ifndef PDTOOL_TERMINAL_H
#define PDTOOL_TERMINAL_H

#include <stdbool.h>

/* The columns and lines of the terminal that FD is: of COLUMNS and LINES, else as it says itself;
 * less than 20 columns is no room for anything, and called 20. False: it is none. */
bool terminal_size(int fd, unsigned *width, unsigned *height);

/* How wide messages on standard error may be, also when they go into the pager; 0: no terminal. */
unsigned terminal_message_width(void);

/* Have a pager wait for pager_start(), which then needs to make no process. */
void pager_prepare(void);
/* Give what is written to standard output from now on, and to standard error, as far as it is a
 * terminal, to a pager, as git does: PDTOOL_PAGER, PERF_PAGER, PAGER, or less. Does nothing where
 * there is none to be had, or it is cat. */
void pager_start(void);
/* Was it started, so that a closed pipe means that somebody has seen enough? */
bool pager_runs(void);
/* Wait until it ends. */
void pager_end(void);

#endif
