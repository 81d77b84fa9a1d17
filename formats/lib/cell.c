#include "formats/lib/cell.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

const char *cell_text(const struct column *column, const struct cell *cell, bool plus,
		      char buf[CELL_TEXT_MAX])
{
	if (column->type == COLUMN_TEXT || cell->empty)
		return cell->text ? cell->text : "";
	if (column->type == COLUMN_REAL && !isfinite(cell->real))
		return "";
	if (column->type == COLUMN_REAL)
		snprintf(buf, CELL_TEXT_MAX, "%.*f", (int)column->decimals, cell->real);
	else if (column->type == COLUMN_DELTA)
		snprintf(buf, CELL_TEXT_MAX, plus ? "%+" PRId64 : "%" PRId64, cell->delta);
	else
		snprintf(buf, CELL_TEXT_MAX, "%" PRIu64, cell->count);
	return buf;
}
