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
/* ARGV, behind "store query", is "STORE top", "STORE flame" or "STORE diff A B", perhaps behind
 * options without values: it becomes the operands of the command that is returned. NULL: it is
 * another question, and stays. */
const struct analyzer *question_command(char **argv);
const struct format *format_find(const char *name);

#endif
