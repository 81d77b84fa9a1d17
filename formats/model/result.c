/* What a result holds, whatever draws it. */
#include "formats/model/result.h"
#include "formats/model/code.h"

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

static bool has_profile(const struct profile_part *p)
{
	const struct code_part *c = p ? p->code : NULL;

	return p && (p->series_count || p->moment_count || p->lane_count ||
		     (c && (c->branches.count || c->lines.count || c->sample_count)));
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
	if ((r->lines && r->lines->count) || has_profile(r->profile) ||
	    (r->page && r->page->node_count))
		return false;
	return !has_stacks(r->stacks) && !(r->table && r->table->row_count) &&
	       !has_cells(r->grid) && !has_spans(r->timeline);
}
