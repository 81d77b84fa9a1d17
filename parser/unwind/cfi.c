/* Index the entries of a call frame section and look addresses up. libdw takes the section apart
 * (dwarf_next_cfi); what its fields mean is decoded here. */
#include "parser/unwind/cfi.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#define SHARED_MAX	 4096 /* different ones; a linked file has a few dozen */
#define SHARED_BYTES_MAX 4096 /* of the program of one */
#define ENTRIES_MAX	 (2u << 20)

/* What is only needed while the section is walked. */
struct walk {
	struct cfi *t;
	Elf_Data data;
	struct idmap by_offset; /* of CIEs: index of the shared part, or BAD_SHARED */
	struct idmap by_hash;
	uint64_t last_offset; /* the CIE of the entry before: mostly the same */
	uint32_t last;
};

#define BAD_SHARED (IDMAP_NONE - 1)

/* The value itself, before what it is relative to is added. */
static bool read_value(const struct cfi *t, struct cursor *c, uint8_t encoding, uint64_t *out)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
		*out = t->is_64 ? cursor_u64(c) : cursor_u32(c);
		break;
	case DW_EH_PE_uleb128:
		*out = cursor_uleb(c);
		break;
	case DW_EH_PE_sleb128:
		*out = (uint64_t)cursor_sleb(c);
		break;
	case DW_EH_PE_udata2:
		*out = cursor_u16(c);
		break;
	case DW_EH_PE_sdata2:
		*out = (uint64_t)(int16_t)cursor_u16(c);
		break;
	case DW_EH_PE_udata4:
		*out = cursor_u32(c);
		break;
	case DW_EH_PE_sdata4:
		*out = (uint64_t)(int32_t)cursor_u32(c);
		break;
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		*out = cursor_u64(c);
		break;
	default:
		return false;
	}
	return !c->bad;
}

bool cfi_address(const struct cfi *t, struct cursor *c, uint8_t encoding, uint64_t *out)
{
	uint64_t here = t->section.addr + (uint64_t)(c->pos - t->section.data);

	if (!read_value(t, c, encoding, out))
		return false;
	switch (encoding & 0xf0) {
	case DW_EH_PE_absptr:
		break;
	case DW_EH_PE_pcrel:
		*out += here;
		break;
	default: /* relative to what linked files do not use, or an address of an address */
		return false;
	}
	if (!t->is_64)
		*out = (uint32_t)*out;
	return true;
}

/* ---- shared parts ---- */

/* The letters of the augmentation string that tell how to read the rest. */
static bool read_augmentation(const struct cfi *t, const Dwarf_CIE *cie, struct cfi_shared *s)
{
	struct cursor c = cursor_make(cie->augmentation_data, cie->augmentation_data_size, t->swap);
	uint64_t ignored;

	s->encoding = DW_EH_PE_absptr;
	s->sized = cie->augmentation[0] == 'z';
	if (cie->augmentation[0] && !s->sized)
		return false;
	for (const char *a = cie->augmentation; *a; a++) {
		switch (*a) {
		case 'z':
			break;
		case 'R':
			s->encoding = cursor_u8(&c);
			break;
		case 'L':
			cursor_skip(&c, 1);
			break;
		case 'P':
			if (!read_value(t, &c, cursor_u8(&c), &ignored))
				return false;
			break;
		case 'S':
			s->signal = true;
			break;
		case 'B': /* AArch64: the other key signs */
		case 'G': /* AArch64: the frame's memory is tagged */
			break;
		default:
			return false;
		}
	}
	return !c.bad;
}

static bool read_shared(const struct cfi *t, const Dwarf_CIE *cie, struct cfi_shared *s)
{
	size_t bytes = (size_t)(cie->initial_instructions_end - cie->initial_instructions);
	struct cursor c = cursor_make(cie->initial_instructions, bytes, t->swap);

	memset(s, 0, sizeof(*s));
	s->code_align = cie->code_alignment_factor;
	s->data_align = cie->data_alignment_factor;
	s->ra_slot = unwind_slot(t->arch, cie->return_address_register);
	return s->ra_slot != NO_SLOT && bytes <= SHARED_BYTES_MAX && read_augmentation(t, cie, s) &&
	       cfi_run_shared(t, s, c, &s->initial);
}

/* Each object file brings its own, but few differ. */
static uint32_t intern_shared(struct walk *w, const struct cfi_shared *s)
{
	struct cfi *t = w->t;
	uint32_t *slot = idmap_put(&w->by_hash, hash_bytes(s, sizeof(*s)));

	if (*slot != IDMAP_NONE && !memcmp(&t->shared[*slot], s, sizeof(*s)))
		return *slot;
	if (t->shared_count == SHARED_MAX) {
		if (*slot == IDMAP_NONE)
			*slot = 0;
		return BAD_SHARED;
	}
	t->shared = xgrow(t->shared, &t->shared_cap, t->shared_count + 1, sizeof(*t->shared));
	t->shared[t->shared_count] = *s;
	return *slot = (uint32_t)t->shared_count++;
}

static uint32_t shared_at(struct walk *w, uint64_t offset)
{
	uint32_t *slot = idmap_put(&w->by_offset, offset);
	Dwarf_CFI_Entry entry;
	struct cfi_shared s;
	Dwarf_Off next;

	if (*slot != IDMAP_NONE)
		return *slot;
	*slot = BAD_SHARED;
	if (offset < w->t->section.size &&
	    dwarf_next_cfi(w->t->ident, &w->data, w->t->eh, offset, &next, &entry) == 0 &&
	    dwarf_cfi_cie_p(&entry) && read_shared(w->t, &entry.cie, &s))
		*slot = intern_shared(w, &s);
	return *slot;
}

/* ---- entries ---- */

/* The addresses of an entry; C is left where its program begins. */
static bool read_range(const struct cfi *t, const struct cfi_shared *s, struct cursor *c,
		       uint64_t range[2])
{
	if (!cfi_address(t, c, s->encoding, &range[0]) ||
	    !read_value(t, c, s->encoding & 0x0f, &range[1]))
		return false;
	if (s->sized) {
		uint64_t bytes = cursor_uleb(c);

		cursor_skip(c, bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX);
	}
	return !c->bad;
}

static bool add_entry(struct walk *w, const Dwarf_FDE *fde, uint64_t offset)
{
	struct cfi *t = w->t;
	struct cursor c = cursor_make(fde->start, (size_t)(fde->end - fde->start), t->swap);
	uint64_t range[2];

	if (!w->last_offset || fde->CIE_pointer + 1 != w->last_offset) {
		w->last = shared_at(w, fde->CIE_pointer);
		w->last_offset = fde->CIE_pointer + 1;
	}
	if (w->last == BAD_SHARED || !read_range(t, &t->shared[w->last], &c, range))
		return false;
	if (!range[1])
		return true;
	if (range[0] < t->base || range[0] - t->base > UINT32_MAX ||
	    range[1] > UINT32_MAX - (range[0] - t->base) || t->entry_count == ENTRIES_MAX)
		return false;
	t->entries = xgrow(t->entries, &t->entry_cap, t->entry_count + 1, sizeof(*t->entries));
	t->entries[t->entry_count++] = (struct cfi_entry){ .start = (uint32_t)(range[0] - t->base),
							   .bytes = (uint32_t)range[1],
							   .offset = (uint32_t)offset,
							   .first_row = CFI_NOT_RUN,
							   .shared = (uint16_t)w->last };
	return true;
}

/* Three passes of 11 bits: qsort takes longer than all the rest. Stable. */
static void sort_entries(struct cfi *t)
{
	struct cfi_entry *from = t->entries, *to, *spare;
	bool sorted = true;

	for (size_t i = 1; i < t->entry_count && sorted; i++)
		sorted = from[i - 1].start <= from[i].start;
	if (sorted)
		return;
	spare = to = xmalloc(t->entry_cap * sizeof(*to));
	for (unsigned shift = 0; shift < 33; shift += 11) {
		size_t at[2049] = { 0 };
		struct cfi_entry *swap = from;

		for (size_t i = 0; i < t->entry_count; i++)
			at[(from[i].start >> shift & 2047) + 1]++;
		for (unsigned i = 0; i < 2048; i++)
			at[i + 1] += at[i];
		for (size_t i = 0; i < t->entry_count; i++)
			to[at[from[i].start >> shift & 2047]++] = from[i];
		from = to;
		to = swap;
	}
	t->entries = from;
	free(from == spare ? to : spare);
}

void cfi_index(struct cfi *t)
{
	struct walk w = { .t = t };
	Dwarf_Off offset = 0, next;

	if (t->section.size > UINT32_MAX)
		return;
	w.data.d_buf = (void *)t->section.data; /* libdw only reads it */
	w.data.d_size = t->section.size;
	w.data.d_type = ELF_T_BYTE;
	w.data.d_version = EV_CURRENT;
	while (offset < t->section.size) {
		Dwarf_CFI_Entry entry;
		int rc;

		next = offset;
		rc = dwarf_next_cfi(t->ident, &w.data, t->eh, offset, &next, &entry);
		if (rc > 0) { /* a terminator; what was linked after it counts too */
			offset += 4;
			continue;
		}
		if (rc < 0 || (!dwarf_cfi_cie_p(&entry) && !add_entry(&w, &entry.fde, offset)))
			t->bad++;
		if (next <= offset)
			break;
		offset = next;
	}
	idmap_release(&w.by_offset);
	idmap_release(&w.by_hash);
	sort_entries(t);
}

void cfi_release(struct cfi *t)
{
	free(t->entries);
	free(t->shared);
	free(t->rows);
	rules_release(&t->rules);
	memset(t, 0, sizeof(*t));
}

size_t cfi_bytes(const struct cfi *t)
{
	return t->entry_cap * sizeof(*t->entries) + t->shared_cap * sizeof(*t->shared) +
	       t->row_cap * sizeof(*t->rows) + rules_bytes(&t->rules);
}

static void run_entry(struct cfi *t, struct cfi_entry *e)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;
	Elf_Data data = { .d_buf = (void *)t->section.data,
			  .d_size = t->section.size,
			  .d_type = ELF_T_BYTE,
			  .d_version = EV_CURRENT };
	struct cursor c;
	uint64_t range[2];

	e->first_row = 0;
	if (dwarf_next_cfi(t->ident, &data, t->eh, e->offset, &next, &entry) ||
	    dwarf_cfi_cie_p(&entry))
		return;
	c = cursor_make(entry.fde.start, (size_t)(entry.fde.end - entry.fde.start), t->swap);
	if (read_range(t, &t->shared[e->shared], &c, range))
		cfi_run(t, e, c);
}

uint32_t cfi_find(struct cfi *t, uint64_t addr)
{
	size_t lo = 0, hi = t->entry_count;
	uint32_t at = (uint32_t)(addr - t->base);
	const struct cfi_row *rows;
	struct cfi_entry *e;

	if (addr < t->base || addr - t->base > UINT32_MAX)
		return RULE_NONE;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->entries[mid].start <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || at - t->entries[lo - 1].start >= t->entries[lo - 1].bytes)
		return RULE_NONE;
	e = &t->entries[lo - 1];
	if (e->first_row == CFI_NOT_RUN)
		run_entry(t, e);
	rows = &t->rows[e->first_row];
	for (lo = 0, hi = e->row_count; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;

		if (rows[mid].start <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? rows[lo - 1].rule : RULE_NONE;
}
