/* Skeletons by their ranges. One that tells no range may hold anything. */
#include "parser/names/dwarf/splits.h"
#include "parser/base/compare.h"

#include <dwarf.h>

static bool holds_any(const struct splits_query *q, Dwarf_Die *skeleton)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;
	bool any = false;

	while ((at = dwarf_ranges(skeleton, at, &base, &low, &high)) > 0) {
		size_t i = first_number(q->addrs, q->count, low);

		if (i < q->count && q->addrs[i] < high)
			return true;
		any = true;
	}
	return !any;
}

static bool take(const struct splits_query *q, struct dwarfs *d, const Dwarf_Die *skeleton)
{
	struct split split;
	bool more = !split_open(&split, d, skeleton) || q->take(q->ctx, &split);

	split_close(&split);
	return more;
}

void splits_each(const struct splits_query *q)
{
	const struct dwarf_finder finder = { .symbols = q->symbols, .recorded = q->recorded };
	struct debug_missing missing = { 0 };
	struct arena arena;
	struct dwarfs d = { .missing = &missing, .arena = &arena, .lines = true };
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint8_t type;

	arena_init(&arena);
	if (dwarfs_open(&d, q->path, &finder) == 0) {
		while (!dwarf_get_units(d.dbg, cu, &cu, NULL, &type, &unit, NULL)) {
			if (type == DW_UT_skeleton && unit.addr && holds_any(q, &unit) &&
			    !take(q, &d, &unit))
				break;
		}
	}
	dwarfs_close(&d);
	arena_release(&arena);
}
