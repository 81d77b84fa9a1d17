/* The text of a table's cells. */
#ifndef PDTOOL_CELL_H
#define PDTOOL_CELL_H

#include "formats/model/result.h"

#define CELL_TEXT_MAX 352 /* the longest number that "%.*f" can make, with few decimals */

/* CELL as text: its own, or a number written into BUF; for PEOPLE differences with a plus, times in
 * ms or s. "" when it is empty. */
const char *cell_text(const struct column *column, const struct cell *cell, bool people,
		      char buf[CELL_TEXT_MAX]);

#endif
