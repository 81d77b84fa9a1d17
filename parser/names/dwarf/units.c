/* Units by their ranges, then what they refer to. Each unit is stepped through once at most. */
#include "parser/names/dwarf/units.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/names/dwarf/dies.h"
#include "parser/names/dwarf/linehead.h"

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
	struct texts {
		const char *section;
		const uint8_t *at;
		size_t bytes;
	} texts[4]; /* sections that have them: find_texts() */
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

/* Which one TEXT is in; NULL: none. */
static const struct texts *texts_of(const struct selection *s, const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(s->texts); i++) {
		const struct texts *t = &s->texts[i];

		if (text && t->at && (uintptr_t)text - (uintptr_t)t->at < t->bytes)
			return t;
	}
	return NULL;
}

static bool is_alternate(const Dwarf_Attribute *a)
{
	return a->form == DW_FORM_GNU_strp_alt || a->form == DW_FORM_strp_sup;
}

static void take_string(struct selection *s, Dwarf_Attribute *a)
{
	const char *text = is_alternate(a) ? NULL : dwarf_formstring(a);
	const struct texts *t = texts_of(s, text);
	uint64_t at = t ? (uint64_t)((const uint8_t *)text - t->at) : 0;

	/* an entry's own text is taken with it, .debug_line_str as a whole or by its paths */
	if (t == &s->texts[0] || (t == &s->texts[1] && s->q->directory))
		s->q->take(s->q->ctx, t->section, at, at + strlen(text) + 1);
}

/* TEXT is a path; only of a file's the last part is needed. */
static void take_path(void *ctx, const char *text, size_t len, bool is_file)
{
	const struct selection *s = ctx;
	const struct texts *t = texts_of(s, text);
	const char *slash = is_file ? memrchr(text, '/', len) : NULL;
	size_t base = !is_file ? len : slash ? (size_t)(slash + 1 - text) : 0;
	uint64_t at;

	if (!t)
		return;
	at = (uint64_t)((const uint8_t *)text - t->at);
	s->q->directory(s->q->ctx, t->section, at, at + base);
	if (is_file && t < &s->texts[2]) /* the other two are taken with what is around it */
		s->q->take(s->q->ctx, t->section, at + base, at + len + 1);
}

/* Of a unit's own entry: its texts are paths, or such as need not be there. */
static int step_unit(Dwarf_Attribute *a, void *ctx)
{
	const char *text = is_alternate(a) ? NULL : dwarf_formstring(a);

	if (text && (a->form == DW_FORM_string || a->code == DW_AT_comp_dir ||
		     a->code == DW_AT_dwo_name || a->code == DW_AT_GNU_dwo_name))
		take_path(ctx, text, strlen(text),
			  a->code == DW_AT_dwo_name || a->code == DW_AT_GNU_dwo_name);
	return DWARF_CB_OK;
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

static bool is_unit(unsigned tag)
{
	return tag == DW_TAG_compile_unit || tag == DW_TAG_partial_unit ||
	       tag == DW_TAG_skeleton_unit || tag == DW_TAG_type_unit;
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

/* The paths at the head of the table at C. */
static int take_paths(struct selection *s, struct cursor c)
{
	const struct line_sink sink = { take_path, s };
	struct line_texts texts = { .line_str = s->texts[1].at,
				    .line_str_bytes = s->texts[1].bytes,
				    .str = s->texts[0].at,
				    .str_bytes = s->texts[0].bytes };

	return s->q->directory ? linehead_texts(c, &texts, &sink) : 0;
}

static int take_lines(struct selection *s, Dwarf_Die *unit)
{
	Dwarf_Attribute a;
	Dwarf_Word at;
	size_t size;
	const uint8_t *section = dwarf_section(s->dbg, ".debug_line", &size);
	struct cursor c;
	uint64_t length;

	if (!section || !dwarf_attr(unit, DW_AT_stmt_list, &a) || dwarf_formudata(&a, &at) ||
	    at >= size)
		return 0;
	c = cursor_make(section + at, size - at, dwarf_swapped(s->dbg));
	length = cursor_u32(&c);
	length = length == UINT32_MAX ? cursor_u64(&c) + 12 : length + 4;
	length = length < size - at ? length : size - at;
	s->q->take(s->q->ctx, ".debug_line", at, at + length);
	return take_paths(s, cursor_make(section + at, (size_t)length, dwarf_swapped(s->dbg)));
}

static int step_through(struct selection *s, struct dies *d, const struct unit *u)
{
	Dwarf_Die die;
	struct die entry;

	if (!dwarf_offdie(s->dbg, u->entry, &die))
		return ERR_FORMAT;
	if (take_lines(s, &die) < 0 || dies_begin(d, &die) < 0)
		return ERR_FORMAT;
	while (dies_next(d, &entry)) {
		Dwarf_Die at = dies_handle(d, entry.at);

		if (++s->entries > ENTRIES_MAX)
			return ERR_FORMAT;
		if (is_named(entry.tag) && !(s->q->directory && is_unit(entry.tag)))
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
		Dwarf_Die die;

		if (s->q->directory && dwarf_offdie(s->dbg, u->entry, &die))
			(void)dwarf_getattrs(&die, step_unit, s, 0);
		s->q->take(s->q->ctx, ".debug_info", u->start, u->kept ? u->end : u->entry_end);
	}
	dies_release(&d);
	return rc;
}

static void find_texts(struct selection *s)
{
	static const char *const names[] = { ".debug_str", ".debug_line_str", ".debug_info",
					     ".debug_line" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		s->texts[i].section = names[i];
		s->texts[i].at = dwarf_section(s->dbg, names[i], &s->texts[i].bytes);
	}
}

static int select_all(struct selection *s)
{
	int rc = ERR_FORMAT;

	find_texts(s);
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
