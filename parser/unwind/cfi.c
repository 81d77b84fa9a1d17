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

#define BAD_SHARED (IDMAP_NONE - 1)
#define BAD_PLACE  UINT32_MAX

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
			if (!cfi_value(t, &c, cursor_u8(&c), &ignored))
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
static uint32_t intern_shared(struct cfi *t, const struct cfi_shared *s)
{
	uint32_t *slot = idmap_put(&t->shared_by_hash, hash_bytes(s, sizeof(*s)));

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

/* What is at OFFSET: 0, 1 for a terminator, negative when it makes no sense. */
static int read_entry(const struct cfi *t, uint64_t offset, uint64_t *next, Dwarf_CFI_Entry *out)
{
	Elf_Data data = { .d_buf = (void *)t->section.data, /* libdw only reads it */
			  .d_size = t->section.size,
			  .d_type = ELF_T_BYTE,
			  .d_version = EV_CURRENT };
	Dwarf_Off after = offset;
	int rc = dwarf_next_cfi(t->ident, &data, t->eh, offset, &after, out);

	*next = after;
	return rc;
}

static uint32_t shared_at(struct cfi *t, uint64_t offset)
{
	uint32_t *slot = idmap_put(&t->shared_by_offset, offset);
	Dwarf_CFI_Entry entry;
	struct cfi_shared s;
	uint64_t next;

	if (*slot != IDMAP_NONE)
		return *slot;
	*slot = BAD_SHARED;
	if (offset < t->section.size && read_entry(t, offset, &next, &entry) == 0 &&
	    dwarf_cfi_cie_p(&entry) && read_shared(t, &entry.cie, &s))
		*slot = intern_shared(t, &s);
	return *slot;
}

/* ---- entries ---- */

/* The addresses of an entry; C is left where its program begins. */
static bool read_range(const struct cfi *t, const struct cfi_shared *s, struct cursor *c,
		       uint64_t range[2])
{
	if (!cfi_address(t, c, s->encoding, &range[0]) ||
	    !cfi_value(t, c, s->encoding & 0x0f, &range[1]))
		return false;
	if (s->sized) {
		uint64_t bytes = cursor_uleb(c);

		cursor_skip(c, bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX);
	}
	return !c->bad;
}

static bool add_entry(struct cfi *t, const Dwarf_FDE *fde, uint64_t offset)
{
	struct cursor c = cursor_make(fde->start, (size_t)(fde->end - fde->start), t->swap);
	uint32_t shared = shared_at(t, fde->CIE_pointer);
	uint64_t range[2];

	if (shared == BAD_SHARED || !read_range(t, &t->shared[shared], &c, range))
		return false;
	if (!range[1])
		return true;
	if (range[0] < t->base || range[0] - t->base > UINT32_MAX ||
	    range[1] > UINT32_MAX - (range[0] - t->base))
		return false;
	if (t->entry_count == ENTRIES_MAX) {
		t->over++;
		return true;
	}
	t->entries = xgrow(t->entries, &t->entry_cap, t->entry_count + 1, sizeof(*t->entries));
	t->entries[t->entry_count++] = (struct cfi_entry){ .start = (uint32_t)(range[0] - t->base),
							   .bytes = (uint32_t)range[1],
							   .offset = (uint32_t)offset,
							   .first_row = CFI_NOT_RUN,
							   .shared = (uint16_t)shared };
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

static void walk_section(struct cfi *t)
{
	uint64_t offset = 0, next;

	while (offset < t->section.size) {
		Dwarf_CFI_Entry entry;
		int rc = read_entry(t, offset, &next, &entry);

		if (rc > 0) { /* a terminator; what was linked after it counts too */
			offset += 4;
			continue;
		}
		if (rc < 0 || (!dwarf_cfi_cie_p(&entry) && !add_entry(t, &entry.fde, offset)))
			t->bad++;
		if (next <= offset)
			break;
		offset = next;
	}
	sort_entries(t);
}

/* ---- .eh_frame_hdr ---- */

/* One of the two numbers of place I in the list: an address relative to the header. */
static uint64_t listed(const struct cfi *t, size_t i, unsigned which)
{
	struct cursor c = cursor_make(t->listed + i * 8 + which * 4ul, 4, t->swap);
	uint64_t addr = t->header.addr + (uint64_t)(int64_t)(int32_t)cursor_u32(&c);

	return t->is_64 ? addr : (uint32_t)addr;
}

/* The list, as all linkers make it: after OFFSET 0 u8 version (1), 1 u8 encoding of the section's
 * address, 2 u8 of the count, 3 u8 of the list, 4 the address, the count; LSB 5 chapter 10.6.2. It
 * is used only if it is in order and about this section. */
static bool read_list(struct cfi *t)
{
	struct cursor c = cursor_make(t->header.data, t->header.size, t->swap);
	uint8_t head[4];
	uint64_t at, count;

	for (unsigned i = 0; i < 4; i++)
		head[i] = cursor_u8(&c);
	if (head[0] != 1 || head[3] != (DW_EH_PE_datarel | DW_EH_PE_sdata4) ||
	    head[1] != (DW_EH_PE_pcrel | DW_EH_PE_sdata4))
		return false;
	at = t->header.addr + 4 + (uint64_t)(int64_t)(int32_t)cursor_u32(&c);
	if ((t->is_64 ? at : (uint32_t)at) != t->section.addr ||
	    !cfi_value(t, &c, head[2], &count) || count > cursor_left(&c) / 8 ||
	    count > ENTRIES_MAX)
		return false;
	t->listed = c.pos;
	for (size_t i = 1; i < count; i++) {
		if (listed(t, i, 0) < listed(t, i - 1, 0))
			return false;
	}
	t->listed_count = (size_t)count;
	t->places = xcalloc(t->listed_count, sizeof(*t->places));
	return true;
}

/* The last place in the list at or before ADDR, counted from 1; 0: it lies before the first. The
 * list is long and cold, but code is spread evenly: the search begins where ADDR should be. */
static size_t place_of(const struct cfi *t, uint64_t addr)
{
	uint64_t first = listed(t, 0, 0), span = listed(t, t->listed_count - 1, 0) - first;
	size_t lo = 0, hi = t->listed_count, mid, step = 8;

	if (addr < first)
		return 0;
	mid = addr - first >= span ? hi - 1
				   : (size_t)((double)(addr - first) / (double)span * (double)hi);
	for (; lo < hi; step *= 2) {
		if (listed(t, mid, 0) <= addr) {
			lo = mid + 1;
			mid = hi - lo > 2 * step ? lo + step : lo + (hi - lo) / 2;
		} else {
			hi = mid;
			mid = hi - lo > 2 * step ? hi - step : lo + (hi - lo) / 2;
		}
	}
	return lo;
}

/* The entry for ADDR, which may turn out not to reach that far, or NULL. */
static struct cfi_entry *listed_entry(struct cfi *t, uint64_t addr)
{
	size_t place = t->listed_count ? place_of(t, addr) : 0;
	Dwarf_CFI_Entry entry;
	uint64_t offset, next;
	uint32_t *slot;

	if (!place)
		return NULL;
	slot = &t->places[place - 1];
	if (!*slot) {
		size_t count = t->entry_count;

		offset = listed(t, place - 1, 1) - t->section.addr;
		if (offset >= t->section.size || read_entry(t, offset, &next, &entry) ||
		    dwarf_cfi_cie_p(&entry) || !add_entry(t, &entry.fde, offset))
			t->bad++;
		*slot = t->entry_count > count ? (uint32_t)t->entry_count : BAD_PLACE;
	}
	return *slot == BAD_PLACE ? NULL : &t->entries[*slot - 1];
}

void cfi_index(struct cfi *t)
{
	if (t->section.size > UINT32_MAX || (t->header.size && read_list(t)))
		return;
	t->listed = NULL;
	walk_section(t);
}

void cfi_release(struct cfi *t)
{
	free(t->entries);
	free(t->shared);
	free(t->rows);
	free(t->places);
	idmap_release(&t->shared_by_offset);
	idmap_release(&t->shared_by_hash);
	rules_release(&t->rules);
	memset(t, 0, sizeof(*t));
}

size_t cfi_bytes(const struct cfi *t)
{
	return t->entry_cap * sizeof(*t->entries) + t->shared_cap * sizeof(*t->shared) +
	       t->row_cap * sizeof(*t->rows) + rules_bytes(&t->rules) +
	       t->listed_count * sizeof(*t->places) + idmap_bytes(&t->shared_by_offset) +
	       idmap_bytes(&t->shared_by_hash);
}

static void run_entry(struct cfi *t, struct cfi_entry *e)
{
	Dwarf_CFI_Entry entry;
	struct cursor c;
	uint64_t range[2], next;

	e->first_row = 0;
	if (read_entry(t, e->offset, &next, &entry) || dwarf_cfi_cie_p(&entry))
		return;
	c = cursor_make(entry.fde.start, (size_t)(entry.fde.end - entry.fde.start), t->swap);
	if (read_range(t, &t->shared[e->shared], &c, range))
		cfi_run(t, e, c);
}

static struct cfi_entry *find_entry(struct cfi *t, uint32_t at)
{
	size_t lo = 0, hi = t->entry_count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->entries[mid].start <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &t->entries[lo - 1] : NULL;
}

uint32_t cfi_find(struct cfi *t, uint64_t addr)
{
	uint32_t at = (uint32_t)(addr - t->base);
	const struct cfi_row *rows;
	struct cfi_entry *e;
	size_t lo, hi;

	if (addr < t->base || addr - t->base > UINT32_MAX)
		return RULE_NONE;
	e = t->listed ? listed_entry(t, addr) : find_entry(t, at);
	if (!e || at < e->start || at - e->start >= e->bytes)
		return RULE_NONE;
	if (e->first_row == CFI_NOT_RUN)
		run_entry(t, e);
	if (!e->row_count)
		return RULE_NONE;
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
