/* Units by their ranges, then what they refer to. Each unit is stepped through once at most. */
#include "parser/names/dwarf/units.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/names/dwarf/dies.h"
#include "parser/names/dwarf/linehead.h"
#include "parser/names/dwarf/pieces.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define UNITS_MAX 200000
#define WORK_MAX  1000000000 /* entries, and bytes that are taken, of all units together */
/* Units of fewer bytes are not passed over, as nothing is won, nor of more, as the length of one
 * could not be told. */
#define SKIP_MIN 64
#define SKIP_MAX (UINT64_C(1) << 31)

const char *const units_sections[UNITS_SECTIONS] = {
	[UNITS_INFO] = ".debug_info",	      [UNITS_LINE] = ".debug_line",
	[UNITS_ABBREV] = ".debug_abbrev",     [UNITS_RANGES] = ".debug_ranges",
	[UNITS_RNGLISTS] = ".debug_rnglists", [UNITS_STR] = ".debug_str",
	[UNITS_LINE_STR] = ".debug_line_str",
};

struct unit {
	uint64_t start, end;
	uint64_t entry; /* its own, and where that ends */
	uint64_t entry_end;
	uint64_t abbrevs;
	uint16_t version;
	uint8_t address_size;
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
	struct cursor sections[UNITS_SECTIONS]; /* no bytes: there is none */
	const struct unit *unit;		/* that is stepped through */
	uint64_t *lists;			/* offsets in .debug_rnglists */
	size_t list_count, list_cap;
	uint64_t last_abbrevs; /* that were taken */
	uint64_t work;
	bool in_unit; /* at the entry of a unit itself */
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

	if (s->q->all)
		return true;
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
	Dwarf_Off abbrevs;
	Dwarf_Half version;
	uint8_t address_size;
	size_t head;

	for (; dwarf_next_unit(s->dbg, at, &next, &head, &version, &abbrevs, &address_size, NULL,
			       NULL, NULL) == 0;
	     at = next) {
		Dwarf_Die die, child;

		if (next <= at || s->count == UNITS_MAX || !dwarf_offdie(s->dbg, at + head, &die))
			return ERR_FORMAT;
		s->list = xgrow(s->list, &s->cap, s->count + 1, sizeof(*s->list));
		s->list[s->count] = (struct unit){ .start = at,
						   .end = next,
						   .entry = at + head,
						   .entry_end = next,
						   .abbrevs = abbrevs,
						   .version = version,
						   .address_size = address_size };
		if (dwarf_child(&die, &child) == 0)
			s->list[s->count].entry_end = dwarf_dieoffset(&child);
		s->count++;
	}
	return s->count ? 0 : ERR_FORMAT;
}

/* ---- a unit ---- */

static struct cursor section_from(const struct selection *s, unsigned section, uint64_t at)
{
	struct cursor c = s->sections[section];

	cursor_skip(&c, at);
	return c;
}

/* END may lie behind the section's. */
static void take(struct selection *s, unsigned section, uint64_t start, uint64_t end)
{
	uint64_t size = cursor_left(&s->sections[section]);

	end = end < size ? end : size;
	if (start >= end)
		return;
	s->work += end - start;
	s->q->take(s->q->ctx, units_sections[section], start, end);
}

static void take_abbrevs(struct selection *s, const struct unit *u)
{
	struct cursor c = section_from(s, UNITS_ABBREV, u->abbrevs);

	if (u->abbrevs == s->last_abbrevs) /* units share them */
		return;
	s->last_abbrevs = u->abbrevs;
	take(s, UNITS_ABBREV, u->abbrevs, u->abbrevs + pieces_abbrevs(c));
}

/* ---- texts ---- */

/* The section that TEXT is in, and where; UNITS_SECTIONS: none. */
static unsigned section_of(const struct selection *s, const char *text, uint64_t *at)
{
	static const unsigned with_texts[] = { UNITS_STR, UNITS_LINE_STR, UNITS_INFO, UNITS_LINE };

	for (size_t i = 0; text && i < ARRAY_SIZE(with_texts); i++) {
		const struct cursor *c = &s->sections[with_texts[i]];

		*at = (uint64_t)((uintptr_t)text - (uintptr_t)c->pos);
		if (*at < cursor_left(c))
			return with_texts[i];
	}
	return UNITS_SECTIONS;
}

static bool is_alternate(const Dwarf_Attribute *a)
{
	return a->form == DW_FORM_GNU_strp_alt || a->form == DW_FORM_strp_sup;
}

/* What is no string of its own is taken with what is around it. */
static void take_text(struct selection *s, const char *text, size_t len)
{
	uint64_t at;
	unsigned section = section_of(s, text, &at);

	if (section == UNITS_STR || section == UNITS_LINE_STR)
		take(s, section, at, at + len + 1);
}

static void take_string(struct selection *s, Dwarf_Attribute *a)
{
	const char *text = is_alternate(a) ? NULL : dwarf_formstring(a);

	if (text)
		take_text(s, text, strlen(text));
}

/* TEXT is a path; only of a file's the last part is needed, if directories are not to be there. */
static void take_path(void *ctx, const char *text, size_t len, bool is_file)
{
	struct selection *s = ctx;
	const char *slash = is_file ? memrchr(text, '/', len) : NULL;
	size_t base = !is_file ? len : slash ? (size_t)(slash + 1 - text) : 0;
	uint64_t at;
	unsigned section = section_of(s, text, &at);

	if (!s->q->directory) {
		take_text(s, text, len);
		return;
	}
	if (section == UNITS_SECTIONS)
		return;
	s->q->directory(s->q->ctx, units_sections[section], at, at + base);
	if (is_file)
		take_text(s, text + base, len - base);
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

/* ---- ranges ---- */

static void need_list(struct selection *s, uint64_t at)
{
	s->lists = xgrow(s->lists, &s->list_cap, s->list_count + 1, sizeof(*s->lists));
	s->lists[s->list_count++] = at;
}

static void take_ranges(struct selection *s, Dwarf_Attribute *a)
{
	Dwarf_Word at;

	if (a->form == DW_FORM_rnglistx) /* counted from the unit's base, or from the first one */
		need_list(s, 0);
	else if (dwarf_formudata(a, &at))
		return;
	else if (s->unit->version >= 5)
		need_list(s, at);
	else
		take(s, UNITS_RANGES, at,
		     at + pieces_ranges(section_from(s, UNITS_RANGES, at), s->unit->address_size));
}

/* Where the unit's lists begin, behind the head of its contribution. */
static void take_base(struct selection *s, Dwarf_Attribute *a)
{
	Dwarf_Word at;

	if (!dwarf_formudata(a, &at) && at)
		need_list(s, at - 1);
}

static void take_contribution(void *ctx, uint64_t start, uint64_t end)
{
	take(ctx, UNITS_RNGLISTS, start, end);
}

static void take_contributions(struct selection *s)
{
	if (s->list_count)
		qsort(s->lists, s->list_count, sizeof(*s->lists), compare_numbers);
	if (!pieces_contributions(s->sections[UNITS_RNGLISTS], s->lists, s->list_count,
				  take_contribution, s))
		take(s, UNITS_RNGLISTS, 0, UINT64_MAX);
}

/* ---- entries ---- */

/* Entries with names that are shown: functions, and what they lie in. */
static bool is_named(unsigned tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_entry_point:
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
		/* a unit's own are told by step_unit() */
		if (!s->in_unit || !s->q->directory)
			take_string(s, a);
		break;
	case DW_AT_abstract_origin:
	case DW_AT_specification:
	case DW_AT_import:
		follow(s, a);
		break;
	case DW_AT_ranges:
		take_ranges(s, a);
		break;
	case DW_AT_rnglists_base:
		take_base(s, a);
		break;
	case DW_AT_GNU_ranges_base: /* the lists of a split unit */
		take(s, UNITS_RANGES, 0, UINT64_MAX);
		break;
	}
	return DWARF_CB_OK;
}

/* A split unit's are the first in its file. */
static int take_lines(struct selection *s, Dwarf_Die *unit)
{
	const struct line_sink sink = { take_path, s };
	const struct cursor *str = &s->sections[UNITS_STR], *line = &s->sections[UNITS_LINE_STR];
	const struct line_texts texts = { .line_str = line->pos,
					  .line_str_bytes = cursor_left(line),
					  .str = str->pos,
					  .str_bytes = cursor_left(str) };
	Dwarf_Attribute a;
	Dwarf_Word at = 0;
	struct cursor c;
	uint64_t length, left;

	if (((!dwarf_attr(unit, DW_AT_stmt_list, &a) || dwarf_formudata(&a, &at)) && !s->split) ||
	    at >= cursor_left(&s->sections[UNITS_LINE]))
		return 0;
	c = section_from(s, UNITS_LINE, at);
	left = cursor_left(&c);
	length = cursor_u32(&c);
	length = length == UINT32_MAX ? cursor_u64(&c) + 12 : length + 4;
	length = length < left ? length : left;
	take(s, UNITS_LINE, at, at + length);
	c = section_from(s, UNITS_LINE, at);
	return linehead_texts(cursor_sub(&c, (size_t)length), &texts, &sink);
}

static int step_through(struct selection *s, struct dies *d, const struct unit *u)
{
	Dwarf_Die die;
	struct die entry;

	if (!dwarf_offdie(s->dbg, u->entry, &die))
		return ERR_FORMAT;
	s->unit = u;
	take_abbrevs(s, u);
	if (take_lines(s, &die) < 0 || dies_begin(d, &die) < 0)
		return ERR_FORMAT;
	while (dies_next(d, &entry)) {
		Dwarf_Die at = dies_handle(d, entry.at);

		if (++s->work > WORK_MAX)
			return ERR_FORMAT;
		s->in_unit = is_unit(entry.tag);
		if (is_named(entry.tag))
			(void)dwarf_getattrs(&at, step_entry, s, 0);
	}
	return 0;
}

/* ---- the whole ---- */

/* Its bytes up to END. */
static void take_unit(struct selection *s, const struct unit *u, uint64_t end)
{
	Dwarf_Die die;

	take(s, UNITS_INFO, u->start, end);
	take_abbrevs(s, u);
	if (s->q->directory && dwarf_offdie(s->dbg, u->entry, &die))
		(void)dwarf_getattrs(&die, step_unit, s, 0);
}

/* The units that are not needed from the one at FIRST on; returns the next one. */
static size_t pass_over(struct selection *s, size_t first)
{
	uint64_t start = s->list[first].start, end = start;
	size_t next = first;

	while (s->q->skip && next < s->count && !s->list[next].kept &&
	       s->list[next].end - start < SKIP_MAX)
		end = s->list[next++].end;
	if (end - start >= SKIP_MIN) {
		s->q->skip(s->q->ctx, start, end);
		return next;
	}
	take_unit(s, &s->list[first], s->list[first].entry_end);
	return first + 1;
}

static void take_units(struct selection *s)
{
	for (size_t i = 0; i < s->count;) {
		const struct unit *u = &s->list[i];

		if (u->kept) {
			take_unit(s, u, u->end);
			i++;
		} else {
			i = pass_over(s, i);
		}
	}
	take_contributions(s);
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
	if (rc == 0)
		take_units(s);
	dies_release(&d);
	return rc;
}

static int select_all(struct selection *s)
{
	int rc = ERR_FORMAT;

	s->last_abbrevs = UINT64_MAX;
	for (size_t i = 0; i < UNITS_SECTIONS; i++) {
		size_t size = 0;
		const uint8_t *data = dwarf_section(s->dbg, units_sections[i], &size);

		s->sections[i] = cursor_make(data, data ? size : 0, dwarf_swapped(s->dbg));
	}
	/* none: it is compressed, and cannot be taken by parts */
	if (s->sections[UNITS_INFO].pos)
		rc = select_units(s);
	free(s->list);
	free(s->todo);
	free(s->lists);
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
