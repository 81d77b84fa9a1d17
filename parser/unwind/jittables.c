/* Make tables from what a jitdump tells of its functions' frames. */
#include "parser/unwind/jittables.h"
#include "parser/base/hash.h"
#include "parser/base/idmap.h"
#include "parser/base/mem.h"
#include "parser/names/jit/jitframes.h"
#include "parser/unwind/tables.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define NO_PART (IDMAP_NONE - 1)

/* What functions of one length with one text have in common. */
struct part {
	struct tables tables;
	uint8_t bytes[]; /* .eh_frame */
};

struct jit_tables {
	const struct jitdump *dump;
	const struct unwind_arch *arch;
	struct jit_frames *frames; /* NULL: the dump is gone */
	struct part **parts;
	size_t count, cap;
	struct idmap by_function; /* index of the part, or NO_PART */
	struct idmap by_content;
};

struct jit_tables *jit_tables_new(const struct jitdump *dump, const struct unwind_arch *arch)
{
	struct jit_tables *j = xcalloc(1, sizeof(*j));

	*j = (struct jit_tables){ .dump = dump, .arch = arch, .frames = jit_frames_open(dump) };
	return j;
}

void jit_tables_free(struct jit_tables *j)
{
	if (!j)
		return;
	for (size_t i = 0; i < j->count; i++) {
		cfi_release(&j->parts[i]->tables.eh);
		free(j->parts[i]);
	}
	free(j->parts);
	idmap_release(&j->by_function);
	idmap_release(&j->by_content);
	jit_frames_close(j->frames);
	free(j);
}

static bool is_64(const struct jit_tables *j)
{
	return j->arch->word_bytes == 8;
}

static struct part *new_part(struct jit_tables *j, uint64_t addr, const uint8_t *bytes, size_t size)
{
	bool swap = j->dump->swap;
	bool big = swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	struct part *part = xcalloc(1, sizeof(*part) + size);
	struct cfi *t = &part->tables.eh;

	memcpy(part->bytes, bytes, size);
	part->tables.arch = j->arch;
	part->tables.in = j;
	t->arch = j->arch;
	t->section = (struct elf_section){ part->bytes, size, addr };
	t->eh = true;
	t->is_64 = is_64(j);
	t->swap = swap;
	memcpy(t->ident, ELFMAG, SELFMAG);
	t->ident[EI_CLASS] = t->is_64 ? ELFCLASS64 : ELFCLASS32;
	t->ident[EI_DATA] = big ? ELFDATA2MSB : ELFDATA2LSB;
	t->ident[EI_VERSION] = EV_CURRENT;
	cfi_index(t);
	return part;
}

static bool is_of(const struct part *part, uint64_t addr, const uint8_t *bytes, size_t size)
{
	const struct elf_section *s = &part->tables.eh.section;

	return s->addr == addr && s->size == size && !memcmp(s->data, bytes, size);
}

static uint32_t part_of(struct jit_tables *j, const struct jit_function *fn)
{
	uint64_t addr = jit_frames_section(fn, is_64(j));
	size_t size = 0;
	const uint8_t *bytes = j->frames ? jit_frames_read(j->frames, fn, &size) : NULL;
	uint32_t *slot;

	if (!bytes)
		return NO_PART;
	slot = idmap_put(&j->by_content, hash_bytes(bytes, size) ^ hash_u64(addr));
	if (*slot != IDMAP_NONE && is_of(j->parts[*slot], addr, bytes, size))
		return *slot;
	j->parts = xgrow(j->parts, &j->cap, j->count + 1, sizeof(*j->parts));
	j->parts[j->count] = new_part(j, addr, bytes, size);
	return *slot = (uint32_t)j->count++;
}

struct tables *jit_tables_at(struct jit_tables *j, uint64_t offset)
{
	size_t at = jitdump_function_at(j->dump, offset);
	uint32_t *slot;

	if (at == j->dump->function_count || !j->dump->functions[at].unwinding)
		return NULL;
	slot = idmap_put(&j->by_function, at);
	if (*slot == IDMAP_NONE)
		*slot = part_of(j, &j->dump->functions[at]);
	return *slot == NO_PART ? NULL : &j->parts[*slot]->tables;
}

int jit_tables_addr(const struct jit_tables *j, uint64_t offset, uint64_t *addr)
{
	size_t at = jitdump_function_at(j->dump, offset);

	if (at == j->dump->function_count)
		return ERR_ABSENT;
	*addr = jit_frames_code(is_64(j)) + (offset - j->dump->functions[at].offset);
	return 0;
}

size_t jit_tables_index_bytes(const struct jit_tables *j)
{
	return sizeof(*j) + j->cap * sizeof(*j->parts) + idmap_bytes(&j->by_function) +
	       idmap_bytes(&j->by_content);
}

size_t jit_tables_part_bytes(const struct jit_tables *j)
{
	size_t bytes = 0;

	for (size_t i = 0; i < j->count; i++)
		bytes += j->parts[i]->tables.bytes;
	return bytes;
}

uint64_t jit_tables_bad(const struct jit_tables *j)
{
	uint64_t bad = 0;

	for (size_t i = 0; i < j->count; i++)
		bad += j->parts[i]->tables.eh.bad;
	return bad;
}

uint64_t jit_tables_over(const struct jit_tables *j)
{
	uint64_t over = 0;

	for (size_t i = 0; i < j->count; i++)
		over += j->parts[i]->tables.eh.over;
	return over;
}
