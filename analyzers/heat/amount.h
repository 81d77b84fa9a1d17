/* Numbers as people and trace2heatmap.pl's inputs write them. */
#ifndef PDTOOL_AMOUNT_H
#define PDTOOL_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

/* Nanoseconds in "ns", "us", "ms" or "s"; 0 for any other text. */
uint64_t amount_unit(const char *name);
/* The decimal number at *TEXT times UNIT, what is below 1 cut off. *TEXT ends up behind it. False
 * when there is none, it is negative, or does not fit. */
bool amount_decimal(const char **text, const char *end, uint64_t unit, uint64_t *out);
/* All of TEXT: a number and perhaps a unit of time, "1.5ms"; UNIT where there is none. */
bool amount_parse(const char *text, uint64_t unit, uint64_t *out);

#endif
