/* The functions in which an idle CPU waits. */
#ifndef PDTOOL_IDLE_H
#define PDTOOL_IDLE_H

#include <stdbool.h>

/* NAME may be NULL: an unnamed leaf is not known to be idle. */
bool is_idle_function(const char *name);

#endif
