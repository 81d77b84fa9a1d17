/* What a result holds, whatever draws it. */
#include "formats/model/result.h"

static bool has_stacks(const struct stacks_part *p)
{
	for (size_t i = 0; p && i < p->count; i++) {
		if (p->rows[i].weight || (p->before && p->before[i]))
			return true;
	}
	return false;
}

static bool has_cells(const struct grid_part *p)
{
	for (size_t i = 0; p && i < p->rows * p->columns; i++) {
		if (p->cells[i])
			return true;
	}
	return false;
}

static bool has_spans(const struct timeline_part *p)
{
	for (size_t i = 0; p && i < p->lane_count; i++) {
		if (p->lanes[i].count)
			return true;
	}
	return false;
}

bool result_is_empty(const struct result *r)
{
	for (size_t i = 0; i < r->grid_lane_count; i++) {
		if (has_cells(&r->grid_lanes[i]))
			return false;
	}
	for (size_t i = 0; i < r->table_count; i++) {
		if (r->tables[i].row_count)
			return false;
	}
	if ((r->lines && r->lines->count) ||
	    (r->profile &&
	     (r->profile->series_count || r->profile->moment_count || r->profile->lane_count)))
		return false;
	return !has_stacks(r->stacks) && !(r->table && r->table->row_count) &&
	       !has_cells(r->grid) && !has_spans(r->timeline);
}
