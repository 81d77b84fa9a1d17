#include "formats/cell.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* NS as seconds with 6 decimals, or milliseconds with 3: rounded to a microsecond either way. */
static void time_text(uint64_t ns, unsigned decimals, char buf[CELL_TEXT_MAX])
{
	uint64_t us = ns / 1000 + (ns % 1000 >= 500), unit = decimals == 6 ? 1000000 : 1000;

	snprintf(buf, CELL_TEXT_MAX, "%" PRIu64 ".%0*" PRIu64, us / unit, (int)decimals, us % unit);
}

const char *cell_text(const struct column *column, const struct cell *cell, bool people,
		      char buf[CELL_TEXT_MAX])
{
	if (column->type == COLUMN_TEXT || cell->empty)
		return cell->text ? cell->text : "";
	if (column->type == COLUMN_REAL && !isfinite(cell->real))
		return "";
	if (column->type == COLUMN_REAL)
		snprintf(buf, CELL_TEXT_MAX, "%.*f", (int)column->decimals, cell->real);
	else if (column->type == COLUMN_DELTA)
		snprintf(buf, CELL_TEXT_MAX, people ? "%+" PRId64 : "%" PRId64, cell->delta);
	else if (column->type == COLUMN_NS && people)
		time_text(cell->count, column->decimals, buf);
	else
		snprintf(buf, CELL_TEXT_MAX, "%" PRIu64, cell->count);
	return buf;
}
