/* Stepping over what is written there (DWARF 5: 7.5.3, 7.28; DWARF 4: 2.17.3). */
#include "parser/names/dwarf/pieces.h"
#include "parser/base/compare.h"

#include <dwarf.h>

static size_t passed(const struct cursor *from, const struct cursor *to)
{
	return (size_t)(to->pos - from->pos);
}

size_t pieces_abbrevs(struct cursor c)
{
	const struct cursor from = c;

	while (cursor_uleb(&c) && !c.bad) {
		uint64_t name, form;

		(void)cursor_uleb(&c); /* tag */
		(void)cursor_u8(&c);   /* children */
		do {
			name = cursor_uleb(&c);
			form = cursor_uleb(&c);
			if (form == DW_FORM_implicit_const)
				(void)cursor_uleb(&c); /* of the same length as if signed */
		} while ((name || form) && !c.bad);
	}
	return passed(&from, &c);
}

size_t pieces_ranges(struct cursor c, unsigned address_size)
{
	const struct cursor from = c;
	uint64_t low, high;

	do {
		low = address_size == 8 ? cursor_u64(&c) : cursor_u32(&c);
		high = address_size == 8 ? cursor_u64(&c) : cursor_u32(&c);
	} while ((low || high) && !c.bad);
	return passed(&from, &c);
}

bool pieces_contributions(struct cursor c, const uint64_t *offsets, size_t count,
			  void (*take)(void *ctx, uint64_t start, uint64_t end), void *ctx)
{
	const struct cursor from = c;

	while (cursor_left(&c)) {
		uint64_t start = passed(&from, &c), length = cursor_u32(&c);
		size_t i = first_number(offsets, count, start);

		if (length == UINT32_MAX)
			length = cursor_u64(&c);
		if (length > cursor_left(&c))
			return false;
		cursor_skip(&c, (size_t)length);
		if (i < count && offsets[i] < passed(&from, &c))
			take(ctx, start, passed(&from, &c));
	}
	return !c.bad;
}
