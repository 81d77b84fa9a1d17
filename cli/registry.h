/* The analyzers and formats that exist: one row each. */
#ifndef PDTOOL_REGISTRY_H
#define PDTOOL_REGISTRY_H

#include "analyzers/analyzer.h"
#include "formats/format.h"

extern const struct analyzer *const analyzers[]; /* ends with NULL */
extern const struct format *const formats[];	 /* ends with NULL */

/* The analyzer that the first word at ARGV names, or the first two; *USED is how many. NULL: none.
 */
const struct analyzer *analyzer_find(char **argv, int *used);
const struct format *format_find(const char *name);

#endif
