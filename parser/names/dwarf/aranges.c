/* One pass over .debug_aranges. Lengths and counts are claims: what does not fit ends the pass. */
#include "parser/names/dwarf/aranges.h"
#include "parser/base/compare.h"
#include "parser/base/err.h"
#include "parser/base/mem.h"

#include <stdlib.h>

/* What is said of one unit. */
struct set {
	uint64_t unit;
	uint8_t size; /* of an address */
	struct cursor ranges;
};

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

/* Take the next set off C, whose ranges RANGES becomes. 0: there is none; negative: it cannot be
 * read. */
static int next_set(struct cursor *c, struct set *s)
{
	uint64_t length = cursor_left(c) ? cursor_u32(c) : 0;
	bool wide = length == UINT32_MAX;
	size_t head = (wide ? 12 : 4) + 2 + (wide ? 8 : 4) + 2;
	uint16_t version;
	uint8_t segment;

	if (!length)
		return cursor_left(c) || c->bad ? ERR_FORMAT : 0;
	length = wide ? cursor_u64(c) : length;
	if (c->bad || length > cursor_left(c))
		return ERR_FORMAT;
	s->ranges = cursor_sub(c, (size_t)length);
	version = cursor_u16(&s->ranges);
	s->unit = wide ? cursor_u64(&s->ranges) : cursor_u32(&s->ranges);
	s->size = cursor_u8(&s->ranges);
	segment = cursor_u8(&s->ranges);
	if (s->ranges.bad || version != 2 || (s->size != 4 && s->size != 8) || segment)
		return ERR_FORMAT;
	cursor_skip(&s->ranges, (2u * s->size - head % (2u * s->size)) % (2u * s->size));
	return s->ranges.bad ? ERR_FORMAT : 1;
}

static void take_set(struct search *s, struct set *set)
{
	struct cursor *c = &set->ranges;

	while (cursor_left(c) >= 2u * set->size) {
		uint64_t start = set->size == 8 ? cursor_u64(c) : cursor_u32(c);
		uint64_t length = set->size == 8 ? cursor_u64(c) : cursor_u32(c);

		if (!start && !length)
			break;
		take_range(s, set->unit, start, length);
	}
}

static bool take_all(struct search *s, struct cursor c)
{
	struct set set;
	int rc = 0;

	while (s->work && (rc = next_set(&c, &set)) > 0)
		take_set(s, &set);
	return rc == 0 && s->work && !s->left;
}

bool aranges_find(struct aranges *a, struct cursor section, const uint64_t *addrs, size_t count)
{
	struct search s = { a, addrs, count, NULL, count, 0 };
	bool all;

	s.work = cursor_left(&section) + 2 * count;
	s.found = xcalloc(count + 1, sizeof(*s.found));
	all = take_all(&s, section);
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

uint64_t aranges_end(const struct aranges *a, struct cursor section)
{
	uint64_t end = UINT64_MAX, last = a->count ? a->units[a->count - 1] : 0;
	struct set set;

	while (next_set(&section, &set) > 0) {
		if (set.unit > last && set.unit < end)
			end = set.unit;
	}
	return end;
}
