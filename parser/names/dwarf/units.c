/* Units by their ranges, then what they refer to. Each unit is stepped through once at most. */
#include "parser/names/dwarf/units.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/names/dwarf/dies.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define UNITS_MAX   1000000
#define ENTRIES_MAX 100000000 /* of all units together */

struct unit {
	uint64_t start, end;
	uint64_t entry; /* its own, and where that ends */
	uint64_t entry_end;
	bool kept;
};

struct selection {
	const struct units_query *q;
	const struct split *split; /* NULL: what holds the query's addresses is wanted */
	Dwarf *dbg;
	struct unit *list;
	size_t count, cap;
	uint32_t *todo; /* kept, and not stepped through yet */
	size_t todo_count, todo_cap;
	const uint8_t *strings;
	size_t string_bytes;
	uint64_t entries;
};

static void keep(struct selection *s, struct unit *u)
{
	if (u->kept)
		return;
	u->kept = true;
	s->todo = xgrow(s->todo, &s->todo_cap, s->todo_count + 1, sizeof(*s->todo));
	s->todo[s->todo_count++] = (uint32_t)(u - s->list);
}

static struct unit *unit_at(struct selection *s, uint64_t offset)
{
	size_t lo = 0, hi = s->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->list[mid].end <= offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->count && s->list[lo].start <= offset ? &s->list[lo] : NULL;
}

static bool holds_any(const struct units_query *q, uint64_t low, uint64_t high)
{
	size_t i = first_number(q->addrs, q->count, low);

	return i < q->count && q->addrs[i] < high;
}

static bool has_code(Dwarf_Die *die)
{
	return dwarf_haschildren(die) > 0 || dwarf_tag(die) == DW_TAG_skeleton_unit ||
	       dwarf_hasattr(die, DW_AT_GNU_dwo_name);
}

/* A unit that tells no range may hold anything, but for those of types alone. */
static bool is_wanted(const struct selection *s, Dwarf_Die *die)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;
	bool any = false;

	if (s->split)
		return die->addr == s->split->unit.addr;
	if (dwarf_tag(die) == DW_TAG_partial_unit || dwarf_tag(die) == DW_TAG_type_unit)
		return false;
	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		if (holds_any(s->q, low, high))
			return true;
		any = true;
	}
	return !any && at >= 0 && has_code(die);
}

static int find_units(struct selection *s)
{
	Dwarf_Off at = 0, next;
	size_t head;

	for (; dwarf_next_unit(s->dbg, at, &next, &head, NULL, NULL, NULL, NULL, NULL, NULL) == 0;
	     at = next) {
		Dwarf_Die die, child;

		if (next <= at || s->count == UNITS_MAX || !dwarf_offdie(s->dbg, at + head, &die))
			return ERR_FORMAT;
		s->list = xgrow(s->list, &s->cap, s->count + 1, sizeof(*s->list));
		s->list[s->count] = (struct unit){ at, next, at + head, next, false };
		if (dwarf_child(&die, &child) == 0)
			s->list[s->count].entry_end = dwarf_dieoffset(&child);
		s->count++;
	}
	return s->count ? 0 : ERR_FORMAT;
}

/* ---- a unit ---- */

static void take_string(struct selection *s, Dwarf_Attribute *a)
{
	const char *text;
	uint64_t at;

	if (a->form == DW_FORM_GNU_strp_alt || a->form == DW_FORM_strp_sup)
		return; /* of the alternate file */
	text = dwarf_formstring(a);
	at = (uint64_t)((uintptr_t)text - (uintptr_t)s->strings);
	if (text && s->strings && at < s->string_bytes)
		s->q->take(s->q->ctx, ".debug_str", at, at + strlen(text) + 1);
}

static void follow(struct selection *s, Dwarf_Attribute *a)
{
	Dwarf_Die target;
	struct unit *u;

	if (a->form != DW_FORM_ref_addr || !dwarf_formref_die(a, &target))
		return;
	u = unit_at(s, dwarf_dieoffset(&target));
	if (u)
		keep(s, u);
}

/* Entries with names that are shown: functions, and what they lie in. */
static bool is_named(unsigned tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_imported_unit:
	case DW_TAG_compile_unit:
	case DW_TAG_partial_unit:
	case DW_TAG_skeleton_unit:
		return true;
	}
	return false;
}

static int step_entry(Dwarf_Attribute *a, void *ctx)
{
	struct selection *s = ctx;

	switch (a->code) {
	case DW_AT_name:
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
	case DW_AT_comp_dir:
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name:
		take_string(s, a);
		break;
	case DW_AT_abstract_origin:
	case DW_AT_specification:
	case DW_AT_import:
		follow(s, a);
		break;
	}
	return DWARF_CB_OK;
}

static void take_lines(struct selection *s, Dwarf_Die *unit)
{
	Dwarf_Attribute a;
	Dwarf_Word at;
	size_t size;
	const uint8_t *section = dwarf_section(s->dbg, ".debug_line", &size);
	struct cursor c;
	uint64_t length;

	if (!section || !dwarf_attr(unit, DW_AT_stmt_list, &a) || dwarf_formudata(&a, &at) ||
	    at >= size)
		return;
	c = cursor_make(section + at, size - at, dwarf_swapped(s->dbg));
	length = cursor_u32(&c);
	length = length == UINT32_MAX ? cursor_u64(&c) + 12 : length + 4;
	s->q->take(s->q->ctx, ".debug_line", at, length < size - at ? at + length : size);
}

static int step_through(struct selection *s, struct dies *d, const struct unit *u)
{
	Dwarf_Die die;
	struct die entry;

	if (!dwarf_offdie(s->dbg, u->entry, &die))
		return ERR_FORMAT;
	take_lines(s, &die);
	if (dies_begin(d, &die) < 0)
		return ERR_FORMAT;
	while (dies_next(d, &entry)) {
		Dwarf_Die at = dies_handle(d, entry.at);

		if (++s->entries > ENTRIES_MAX)
			return ERR_FORMAT;
		if (is_named(entry.tag))
			(void)dwarf_getattrs(&at, step_entry, s, 0);
	}
	return 0;
}

static int select_units(struct selection *s)
{
	struct dies d = { 0 };
	int rc = find_units(s);

	for (size_t i = 0; rc == 0 && i < s->count; i++) {
		Dwarf_Die die;

		if (dwarf_offdie(s->dbg, s->list[i].entry, &die) && is_wanted(s, &die))
			keep(s, &s->list[i]);
	}
	while (rc == 0 && s->todo_count)
		rc = step_through(s, &d, &s->list[s->todo[--s->todo_count]]);
	for (size_t i = 0; rc == 0 && i < s->count; i++) {
		const struct unit *u = &s->list[i];

		s->q->take(s->q->ctx, ".debug_info", u->start, u->kept ? u->end : u->entry_end);
	}
	dies_release(&d);
	return rc;
}

static int select_all(struct selection *s)
{
	int rc = ERR_FORMAT;

	s->strings = dwarf_section(s->dbg, ".debug_str", &s->string_bytes);
	/* none: it is compressed, and cannot be taken by parts */
	if (dwarf_section(s->dbg, ".debug_info", &(size_t){ 0 }))
		rc = select_units(s);
	free(s->list);
	free(s->todo);
	return rc;
}

int units_select(const struct elf_file *f, const struct units_query *q)
{
	struct selection s = { .q = q };
	int rc;

	s.dbg = dwarf_begin_elf((Elf *)elf_file_elf(f), DWARF_C_READ, NULL);
	rc = s.dbg ? select_all(&s) : ERR_FORMAT;
	dwarf_end(s.dbg);
	return rc;
}

int units_select_split(const struct split *split, const struct units_query *q)
{
	struct selection s = { .q = q, .split = split, .dbg = split->dbg };

	return select_all(&s);
}
