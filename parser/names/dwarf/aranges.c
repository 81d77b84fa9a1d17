/* One pass over .debug_aranges. Lengths and counts are claims: what does not fit ends the pass. */
#include "parser/names/dwarf/aranges.h"
#include "parser/base/compare.h"
#include "parser/base/cursor.h"
#include "parser/base/mem.h"
#include "parser/names/dwarf/dies.h"

#include <stdlib.h>

struct search {
	struct aranges *out;
	const uint64_t *addrs;
	size_t count;
	bool *found; /* by address */
	size_t left;
	uint64_t work; /* addresses that may still be met: honest ranges do not overlap */
};

static void add_unit(struct aranges *a, uint64_t unit)
{
	if (a->count && a->units[a->count - 1] == unit)
		return;
	a->units = xgrow(a->units, &a->cap, a->count + 1, sizeof(*a->units));
	a->units[a->count++] = unit;
}

static void take_range(struct search *s, uint64_t unit, uint64_t start, uint64_t size)
{
	size_t i = first_number(s->addrs, s->count, start);

	if (i == s->count || s->addrs[i] - start >= size)
		return;
	add_unit(s->out, unit);
	for (; s->work && i < s->count && s->addrs[i] - start < size; i++, s->work--) {
		s->left -= !s->found[i];
		s->found[i] = true;
	}
}

/* The ranges of one unit: C is behind the length of its set, which begins AT bytes before. False:
 * they cannot be read. */
static bool take_set(struct search *s, struct cursor c, size_t at, bool wide)
{
	uint16_t version = cursor_u16(&c);
	uint64_t unit = wide ? cursor_u64(&c) : cursor_u32(&c);
	uint8_t size = cursor_u8(&c), segment = cursor_u8(&c);
	size_t head = at + 2 + (wide ? 8 : 4) + 2;

	if (c.bad || version != 2 || (size != 4 && size != 8) || segment)
		return false;
	cursor_skip(&c, (2u * size - head % (2u * size)) % (2u * size));
	while (cursor_left(&c) >= 2u * size) {
		uint64_t start = size == 8 ? cursor_u64(&c) : cursor_u32(&c);
		uint64_t length = size == 8 ? cursor_u64(&c) : cursor_u32(&c);

		if (!start && !length)
			break;
		take_range(s, unit, start, length);
	}
	return !c.bad;
}

static bool take_all(struct search *s, struct cursor c)
{
	while (s->work && cursor_left(&c)) {
		uint64_t length = cursor_u32(&c);
		bool wide = length == UINT32_MAX;

		length = wide ? cursor_u64(&c) : length;
		if (c.bad || length > cursor_left(&c) ||
		    !take_set(s, cursor_sub(&c, (size_t)length), wide ? 12 : 4, wide))
			return false;
	}
	return s->work && !s->left;
}

bool aranges_find(struct aranges *a, Dwarf *dbg, const uint64_t *addrs, size_t count)
{
	size_t size;
	const uint8_t *data = dwarf_section(dbg, ".debug_aranges", &size);
	struct search s = { a, addrs, count, NULL, count, 0 };
	bool all;

	if (!data)
		return false;
	s.work = size + 2 * count;
	s.found = xcalloc(count + 1, sizeof(*s.found));
	all = take_all(&s, cursor_make(data, size, dwarf_swapped(dbg)));
	free(s.found);
	if (all && a->count)
		qsort(a->units, a->count, sizeof(*a->units), compare_numbers);
	return all;
}

void aranges_release(struct aranges *a)
{
	free(a->units);
}

bool aranges_has(const struct aranges *a, uint64_t offset)
{
	size_t i = first_number(a->units, a->count, offset);

	return i < a->count && a->units[i] == offset;
}
