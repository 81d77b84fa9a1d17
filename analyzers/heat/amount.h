/* Numbers as people and trace2heatmap.pl's inputs write them. */
#ifndef PDTOOL_AMOUNT_H
#define PDTOOL_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

/* The decimal number at *TEXT times UNIT, what is below 1 cut off. *TEXT ends up behind it. False
 * when there is none, it is negative, or does not fit. */
bool amount_decimal(const char **text, const char *end, uint64_t unit, uint64_t *out);
#endif
