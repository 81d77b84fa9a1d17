/* Spans of time in option text. */
#ifndef PDTOOL_DURATION_H
#define PDTOOL_DURATION_H

#include <stdint.h>

#include "parser/base/err.h"

/* "10ms", "1.5s", "200us", "5ns"; a number alone is seconds. ERR_USAGE when it is none, or no whole
 * number of ns. */
CHECKED int duration_parse(const char *text, uint64_t *ns);

#endif
