/* Names of DWARF entries. References between entries are followed a bounded number of steps. */
#include "parser/names/dwarf/dienames.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/names/demangle.h"

#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#define ORIGINS_MAX 16 /* abstract origins and specifications in a row */
#define SCOPES_MAX  64 /* scopes in a name */

void dienames_init(struct dienames *n, struct intern *texts, bool no_demangle)
{
	memset(n, 0, sizeof(*n));
	n->texts = texts;
	n->no_demangle = no_demangle;
	arena_init(&n->scratch);
}

void dienames_release(struct dienames *n)
{
	free(n->scopes);
	free(n->levels);
	idmap_release(&n->known);
	arena_release(&n->scratch);
}

static bool has_scopes(const Dwarf_Die *unit)
{
	Dwarf_Die die = *unit;

	switch (dwarf_srclang(&die)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		return false;
	default:
		return true;
	}
}

void dienames_begin(struct dienames *n, const Dwarf_Die *unit)
{
	n->scoped = has_scopes(unit);
	n->scope_count = 0;
	idmap_release(&n->known);
	memset(&n->known, 0, sizeof(n->known));
	arena_release(&n->scratch);
	arena_init(&n->scratch);
}

static bool is_scope(unsigned tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_subprogram:
		return true;
	default:
		return false;
	}
}

void dienames_note(struct dienames *n, const struct die *d)
{
	uint32_t outer;

	if (!n->scoped)
		return;
	n->levels = xgrow(n->levels, &n->level_cap, d->depth + 1, sizeof(*n->levels));
	outer = d->depth ? n->levels[d->depth - 1] : SCOPE_NONE;
	n->levels[d->depth] = outer;
	if (!is_scope(d->tag))
		return;
	n->scopes = xgrow(n->scopes, &n->scope_cap, n->scope_count + 1, sizeof(*n->scopes));
	n->levels[d->depth] = (uint32_t)n->scope_count;
	n->scopes[n->scope_count++] = (struct name_scope){ d->at, outer };
}

static uint32_t scope_of(const struct dienames *n, const uint8_t *at)
{
	size_t lo = 0, hi = n->scope_count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (n->scopes[mid].at < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n->scope_count && n->scopes[lo].at == at ? (uint32_t)lo : SCOPE_NONE;
}

static const char *own_text(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute a;

	return dwarf_attr(die, name, &a) ? dwarf_formstring(&a) : NULL;
}

/* The entry that DIE completes or is an instance of. */
static bool origin_of(struct dienames *n, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Die to;

	if (!dwarf_attr(die, DW_AT_abstract_origin, &a) &&
	    !dwarf_attr(die, DW_AT_specification, &a))
		return false;
	if (!dwarf_formref_die(&a, &to)) {
		n->unreached |= a.form == DW_FORM_ref_addr;
		return false;
	}
	*die = to;
	return true;
}

/* The name of what is a scope itself, for the names of what is in it. */
static const char *scope_name(struct dienames *n, Dwarf_Die *die)
{
	const char *name = own_text(die, DW_AT_name);

	for (int i = 0; !name && i < ORIGINS_MAX && origin_of(n, die); i++)
		name = own_text(die, DW_AT_name);
	if (name)
		return name;
	return dwarf_tag(die) == DW_TAG_namespace ? "(anonymous namespace)" : "(anonymous)";
}

static const char *qualified(struct dienames *n, const Dwarf_Die *die, const char *name)
{
	uint32_t path[SCOPES_MAX];
	uint32_t at = scope_of(n, die->addr);
	struct buf b = { 0 };
	unsigned count = 0;
	char *text;

	if (at == SCOPE_NONE)
		return name;
	for (at = n->scopes[at].outer; at != SCOPE_NONE && count < SCOPES_MAX;
	     at = n->scopes[at].outer)
		path[count++] = at;
	while (count--) {
		Dwarf_Die scope = { .addr = (void *)n->scopes[path[count]].at, .cu = die->cu };

		buf_printf(&b, "%s::", scope_name(n, &scope));
	}
	buf_str(&b, name);
	n->limited += b.len > DEMANGLE_OUTPUT_MAX;
	text = arena_strndup(&n->scratch, b.data,
			     b.len < DEMANGLE_OUTPUT_MAX ? b.len : DEMANGLE_OUTPUT_MAX);
	buf_release(&b);
	return text;
}

static const char *own_name(struct dienames *n, const char *name)
{
	unsigned how = n->by_cxa ? DEMANGLE_AS_PERF | DEMANGLE_BY_CXA : 0;

	return n->no_demangle ? name : demangle(name, how, &n->scratch, &n->limited);
}

static const char *find_name(struct dienames *n, Dwarf_Die *die)
{
	const char *name = NULL, *linkage = NULL;
	Dwarf_Die last;

	for (int i = 0; i < ORIGINS_MAX; i++) {
		last = *die;
		linkage =
			own_text(die, DW_AT_linkage_name) ?: own_text(die, DW_AT_MIPS_linkage_name);
		if (linkage)
			return own_name(n, linkage);
		name = name ?: own_text(die, DW_AT_name);
		if (!origin_of(n, die))
			break;
	}
	if (name && n->by_cxa)
		return own_name(n, name);
	return name ? qualified(n, &last, name) : NULL;
}

const char *dienames_own(struct dienames *n, Dwarf_Die *die)
{
	uint32_t *id = idmap_put(&n->known, (uintptr_t)die->addr);
	const char *name;

	if (*id == IDMAP_NONE) {
		name = find_name(n, die);
		*id = name && *name ? intern_add(n->texts, name, strlen(name)) + 1 : 0;
	}
	return *id ? intern_str(n->texts, *id - 1) : NULL;
}

const char *dienames_get(struct dienames *n, Dwarf_Die *die)
{
	return origin_of(n, die) ? dienames_own(n, die) : NULL;
}
