/* Stepping over the entries of a DWARF unit: the abbreviation table, compiled, and the sizes of the
 * forms. Every length is a claim: what does not fit into the unit ends the walk. */
#include "parser/names/dwarf/dies.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#include <dwarf.h>
#include <gelf.h>

#define CODE_MAX    (1u << 20) /* abbreviation codes are small: they are counted from 1 */
#define FORM_SIZE_0 0x80       /* in form_sizes: the size is known, the rest of the byte */

/* ---- the sections ---- */

static bool is_section(const char *have, const char *name)
{
	size_t n = strlen(name);

	if (!strncmp(have, ".zdebug_", 8) && !strcmp(have + 2, name + 1))
		return true;
	return !strncmp(have, name, n) && (!have[n] || !strcmp(have + n, ".dwo"));
}

const uint8_t *dwarf_section(Dwarf *dbg, const char *name, size_t *size_bytes)
{
	Elf *elf = dwarf_getelf(dbg);
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;
		const char *s;
		Elf_Data *data;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS ||
		    sh.sh_flags & SHF_COMPRESSED)
			continue;
		s = elf_strptr(elf, names, sh.sh_name);
		if (!s || !is_section(s, name))
			continue;
		data = elf_rawdata(scn, NULL);
		if (!data || !data->d_buf)
			return NULL;
		*size_bytes = data->d_size;
		return data->d_buf;
	}
	return NULL;
}

/* ---- numbers ---- */

bool dwarf_swapped(Dwarf *dbg)
{
	const char *ident = elf_getident(dwarf_getelf(dbg), NULL);
	unsigned char ours = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

	return ident && (unsigned char)ident[EI_DATA] != ours;
}

/* ---- forms ---- */

/* Bytes of a form, where that is the same for every unit (DWARF 5, 7.5.6). */
static const uint8_t form_sizes[] = {
	[DW_FORM_data1] = 1,
	[DW_FORM_data2] = 2,
	[DW_FORM_data4] = 4,
	[DW_FORM_data8] = 8,
	[DW_FORM_data16] = 16,
	[DW_FORM_flag] = 1,
	[DW_FORM_ref1] = 1,
	[DW_FORM_ref2] = 2,
	[DW_FORM_ref4] = 4,
	[DW_FORM_ref8] = 8,
	[DW_FORM_ref_sig8] = 8,
	[DW_FORM_ref_sup4] = 4,
	[DW_FORM_ref_sup8] = 8,
	[DW_FORM_strx1] = 1,
	[DW_FORM_strx2] = 2,
	[DW_FORM_strx3] = 3,
	[DW_FORM_strx4] = 4,
	[DW_FORM_addrx1] = 1,
	[DW_FORM_addrx2] = 2,
	[DW_FORM_addrx3] = 3,
	[DW_FORM_addrx4] = 4,
	[DW_FORM_flag_present] = FORM_SIZE_0,
	[DW_FORM_implicit_const] = FORM_SIZE_0,
};

/* Bytes of FORM in a unit of A, or DIE_VARIES. */
static uint32_t form_size(const struct die_abbrevs *a, unsigned form)
{
	switch (form) {
	case DW_FORM_addr:
		return a->address_size;
	case DW_FORM_ref_addr:
		return a->version < 3 ? a->address_size : a->offset_size;
	case DW_FORM_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return a->offset_size;
	default:
		if (form < ARRAY_SIZE(form_sizes) && form_sizes[form])
			return form_sizes[form] & ~FORM_SIZE_0;
		return DIE_VARIES;
	}
}

/* Step over a value whose size varies; bad when the form is not known. */
static void skip_varying(struct cursor *c, unsigned form)
{
	const uint8_t *nul;

	switch (form) {
	case DW_FORM_string:
		nul = memchr(c->pos, 0, cursor_left(c));
		cursor_skip(c, nul ? (size_t)(nul - c->pos) + 1 : SIZE_MAX);
		break;
	case DW_FORM_block1:
		cursor_skip(c, cursor_u8(c));
		break;
	case DW_FORM_block2:
		cursor_skip(c, cursor_u16(c));
		break;
	case DW_FORM_block4:
		cursor_skip(c, cursor_u32(c));
		break;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		cursor_skip(c, cursor_uleb(c));
		break;
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		(void)cursor_uleb(c);
		break;
	default:
		c->bad = true;
	}
}

/* DW_FORM_indirect: the entry itself holds the form. */
static unsigned direct_form(struct cursor *c, unsigned form)
{
	while (form == DW_FORM_indirect && !c->bad)
		form = (unsigned)cursor_uleb(c);
	return form;
}

static void skip_form(const struct die_abbrevs *a, struct cursor *c, unsigned form)
{
	uint32_t size;

	form = direct_form(c, form);
	size = form_size(a, form);
	if (size != DIE_VARIES)
		cursor_skip(c, size);
	else
		skip_varying(c, form);
}

/* ---- abbreviations ---- */

/* The forms of one abbreviation, up to the pair of zeroes. */
static void read_forms(struct die_abbrevs *a, struct die_abbrev *abbrev, struct cursor *c)
{
	abbrev->first = (uint32_t)a->form_count;
	for (;;) {
		uint64_t name = cursor_uleb(c), form = cursor_uleb(c);
		struct die_form f = { (uint16_t)name, (uint16_t)form, NULL };
		uint32_t size;

		if (c->bad || (!name && !form))
			break;
		if (form == DW_FORM_implicit_const) {
			f.constant = c->pos;
			(void)cursor_uleb(c);
		}
		size = form > UINT16_MAX ? DIE_VARIES : form_size(a, (unsigned)form);
		if (form > UINT16_MAX)
			f.form = 0; /* none that is known */
		if (name > UINT16_MAX)
			f.name = 0;
		if (size == DIE_VARIES || abbrev->size_bytes >= CODE_MAX)
			abbrev->size_bytes = DIE_VARIES;
		else
			abbrev->size_bytes += size;
		a->forms = xgrow(a->forms, &a->form_cap, a->form_count + 1, sizeof(*a->forms));
		a->forms[a->form_count++] = f;
		abbrev->count++;
	}
}

static bool is_code(unsigned tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_entry_point;
}

static void add_abbrev(struct die_abbrevs *a, uint64_t code, const struct die_abbrev *abbrev)
{
	if (code >= a->count) {
		a->list = xgrow(a->list, &a->cap, code + 1, sizeof(*a->list));
		memset(a->list + a->count, 0, (code + 1 - a->count) * sizeof(*a->list));
		a->count = code + 1;
	}
	if (!a->list[code].tag) /* of two with the same code libdw takes the first */
		a->list[code] = *abbrev;
}

/* Compile the table at C. Returns its size in bytes. */
static size_t read_abbrevs(struct die_abbrevs *a, struct cursor *c)
{
	const uint8_t *start = c->pos;

	a->count = a->form_count = 0;
	while (!c->bad) {
		uint64_t code = cursor_uleb(c);
		uint64_t tag = code ? cursor_uleb(c) : 0;
		struct die_abbrev abbrev = { .tag = (uint16_t)tag };

		if (!code || !tag || tag > UINT16_MAX || code > CODE_MAX)
			break;
		abbrev.has_children = cursor_u8(c) == DW_CHILDREN_yes;
		abbrev.has_code = is_code(abbrev.tag);
		read_forms(a, &abbrev, c);
		if (!c->bad)
			add_abbrev(a, code, &abbrev);
	}
	return (size_t)(c->pos - start);
}

/* Have the table of D's unit ready; the last one serves again when it is the same. */
static int use_abbrevs(struct dies *d, uint64_t offset, const struct die_abbrevs *shape)
{
	struct die_abbrevs *a = &d->abbrevs;
	Dwarf *dbg = dwarf_cu_getdwarf(d->unit.cu);
	size_t size;
	const uint8_t *section = dwarf_section(dbg, ".debug_abbrev", &size);
	struct cursor c;

	if (!section || offset >= size)
		return ERR_FORMAT;
	if (a->from == section + offset && a->address_size == shape->address_size &&
	    a->offset_size == shape->offset_size && a->version == shape->version)
		return 0;
	c = cursor_make(section + offset, size - offset, d->swap);
	a->from = section + offset;
	a->address_size = shape->address_size;
	a->offset_size = shape->offset_size;
	a->version = shape->version;
	d->size_bytes += read_abbrevs(a, &c);
	return 0;
}

/* ---- entries ---- */

int dies_begin(struct dies *d, const Dwarf_Die *unit)
{
	struct die_abbrevs shape = { 0 };
	Dwarf *dbg = dwarf_cu_getdwarf(unit->cu);
	Dwarf_Die die = *unit;
	Dwarf_Off abbrevs, start, next;
	size_t size;
	const uint8_t *section = dwarf_section(dbg, ".debug_info", &size);
	Dwarf_Half version;

	d->unit = *unit;
	d->depth = 0;
	d->cut = false;
	d->size_bytes = 0;
	d->swap = dwarf_swapped(dbg);
	d->pos = unit->addr;
	start = dwarf_dieoffset(&die) - dwarf_cuoffset(&die);
	if (!section || d->pos < section || d->pos >= section + size ||
	    !dwarf_cu_die(die.cu, &die, &version, &abbrevs, &shape.address_size, &shape.offset_size,
			  NULL, NULL) ||
	    dwarf_next_unit(dbg, start, &next, NULL, NULL, NULL, NULL, NULL, NULL, NULL))
		return ERR_FORMAT;
	d->end = section + (next < size ? next : size);
	if (d->end < d->pos)
		return ERR_FORMAT;
	shape.version = version;
	d->size_bytes += (size_t)(d->end - d->pos);
	return use_abbrevs(d, abbrevs, &shape);
}

/* Step over the attributes of a function, and keep where its code is. */
static void read_code(struct dies *d, const struct die_abbrev *abbrev, struct cursor *c,
		      struct die *out)
{
	const struct die_form *f = d->abbrevs.forms + abbrev->first;

	for (uint32_t i = 0; i < abbrev->count && !c->bad; i++, f++) {
		Dwarf_Attribute *a = f->name == DW_AT_low_pc	? &out->low_pc
				     : f->name == DW_AT_high_pc ? &out->high_pc
				     : f->name == DW_AT_ranges	? &out->ranges
								: NULL;

		if (a) {
			a->code = f->name;
			a->form = direct_form(c, f->form);
			a->valp = (unsigned char *)(f->constant ?: c->pos);
			a->cu = d->unit.cu;
			skip_form(&d->abbrevs, c, a->form);
		} else {
			skip_form(&d->abbrevs, c, f->form);
		}
	}
}

static void skip_attributes(const struct dies *d, const struct die_abbrev *abbrev, struct cursor *c)
{
	const struct die_form *f = d->abbrevs.forms + abbrev->first;

	if (abbrev->size_bytes != DIE_VARIES) {
		cursor_skip(c, abbrev->size_bytes);
		return;
	}
	for (uint32_t i = 0; i < abbrev->count && !c->bad; i++)
		skip_form(&d->abbrevs, c, f[i].form);
}

bool dies_next(struct dies *d, struct die *out)
{
	struct cursor c = { d->pos, d->end, d->swap, false };
	const struct die_abbrev *abbrev;
	uint64_t code;

	do { /* a zero ends a list of children */
		if (!cursor_left(&c))
			return false;
		out->at = c.pos;
		code = cursor_uleb(&c);
		d->depth -= !code && d->depth;
	} while (!code);
	abbrev = code < d->abbrevs.count ? &d->abbrevs.list[code] : NULL;
	if (!abbrev || !abbrev->tag)
		return false;
	d->cut = d->depth > DIES_DEPTH_MAX;
	if (d->cut)
		return false;
	out->tag = abbrev->tag;
	out->depth = d->depth;
	if (abbrev->has_code) {
		out->low_pc.code = out->high_pc.code = out->ranges.code = 0;
		read_code(d, abbrev, &c, out);
	} else {
		skip_attributes(d, abbrev, &c);
	}
	if (c.bad)
		return false;
	d->depth += abbrev->has_children;
	d->pos = c.pos;
	return true;
}

void dies_release(struct dies *d)
{
	free(d->abbrevs.list);
	free(d->abbrevs.forms);
}
