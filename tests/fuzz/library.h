/* The front door, gone through as a program would that links libpdtool. For runner.c. */
#ifndef PDTOOL_FUZZ_LIBRARY_H
#define PDTOOL_FUZZ_LIBRARY_H

#include <stdbool.h>

/* Read the capture at PATH to its end and ask about all that is in it; the session's error.
 * COLUMNS: events many at a time. */
int library_read(const char *path, bool columns);

#endif
