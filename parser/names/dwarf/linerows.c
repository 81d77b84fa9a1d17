/* Collects the addresses of all rows of the line tables that lie in a range, up to a bound.
 * Opens the file for this question alone. */
#include "parser/names/dwarf/linerows.h"
#include "parser/base/mem.h"
#include "parser/names/dwarf/dwarfs.h"

#include <dwarf.h>
#include <stdlib.h>

/* More rows than code that is listed has bytes. */
#define ROWS_MAX (1u << 20)

static void add_rows(struct linerows *r, Dwarf_Die *unit, uint64_t start, uint64_t end)
{
	Dwarf_Lines *lines;
	Dwarf_Addr at;
	size_t count;

	if (dwarf_getsrclines(unit, &lines, &count))
		return;
	for (size_t i = 0; i < count && r->count < ROWS_MAX; i++) {
		if (dwarf_lineaddr(dwarf_onesrcline(lines, i), &at) || at < start || at >= end)
			continue;
		r->addrs = xgrow(r->addrs, &r->cap, r->count + 1, sizeof(*r->addrs));
		r->addrs[r->count++] = at;
	}
}

void linerows_read(struct linerows *r, const char *path, const struct symbol_options *o,
		   uint64_t start, uint64_t end)
{
	const struct dwarf_finder finder = { .symbols = o };
	struct debug_missing missing = { 0 };
	struct arena arena;
	struct dwarfs d = { .missing = &missing, .arena = &arena, .lines = true };
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint8_t type;

	arena_init(&arena);
	if (dwarfs_open(&d, path, &finder) == 0) {
		while (!dwarf_get_units(d.dbg, cu, &cu, NULL, &type, &unit, NULL)) {
			if (!unit.addr || (type != DW_UT_compile && type != DW_UT_skeleton) ||
			    dwarf_haspc(&unit, start) != 1)
				continue;
			add_rows(r, &unit, start, end);
			break;
		}
	}
	dwarfs_close(&d);
	arena_release(&arena);
}

void linerows_release(struct linerows *r)
{
	free(r->addrs);
}
