/* What the recorder's command line says. */
#ifndef PDTOOL_CMDLINE_H
#define PDTOOL_CMDLINE_H

#include <stdbool.h>

/* Whether it recorded CPUs (perf record -a, -C) and not a program or processes. TEXT is its words
 * with a blank between them. */
bool cmdline_is_system_wide(const char *text);
/* Whether it kept the build-ids of all modules, also of those in which no sample was itself. */
bool cmdline_keeps_ids(const char *text);

#endif
