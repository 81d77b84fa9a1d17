/* One command: captures in, one result out. */
#ifndef PDTOOL_RUN_H
#define PDTOOL_RUN_H

#include "analyzers/analyzer.h"

/* Returns the exit status. */
int run_analyzer(const struct analyzer *a, char **argv);

#endif
