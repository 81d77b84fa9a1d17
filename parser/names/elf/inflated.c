/* The inflated sections lie behind the file; the headers say so. By libdeflate, which takes 0.4 of
 * zlib's time, and libzstd (ELFCOMPRESS_ZLIB, ELFCOMPRESS_ZSTD: gABI, "Section compression"). */
#include "parser/names/elf/inflated.h"
#include "parser/base/cursor.h"
#include "parser/base/mem.h"
#include "parser/names/elf/elfheads.h"

#include <gelf.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <zstd.h>

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2 /* 2022 */
#endif

#define ALIGNED(n) (((n) + 15) & ~UINT64_C(15))

/* So many bytes for each compressed one are got ready: a claim of more may be wrong. */
#define RATIO 16

/* Behind what is wanted of a section: a match, the longest thing that does not fit, is shorter. */
#define CUT_MORE 512

/* Of a section: what it holds, and how much of that is wanted. */
struct extent {
	uint64_t size, wanted;
};

struct image {
	Elf *elf;     /* the file as it is */
	size_t names; /* index of the section with their names */
	const char *raw;
	size_t raw_bytes;
	GElf_Ehdr header;
	uint8_t *bytes; /* the image */
	uint64_t size, used;
	const struct section_cut *cut;
	struct libdeflate_decompressor *zlib;
};

/* The contents of the compressed section SCN, and what they claim. */
static bool is_packed(Elf_Scn *scn, GElf_Shdr *h, GElf_Chdr *c)
{
	return gelf_getshdr(scn, h) && h->sh_type != SHT_NOBITS && h->sh_flags & SHF_COMPRESSED &&
	       gelf_getchdr(scn, c);
}

/* What they claim to hold; 0: there are none, or it is more than MAX. */
static uint64_t claimed(Elf *elf, uint64_t max)
{
	Elf_Scn *scn = NULL;
	uint64_t sum = 0;
	GElf_Shdr h;
	GElf_Chdr c;

	while ((scn = elf_nextscn(elf, scn))) {
		if (!is_packed(scn, &h, &c))
			continue;
		if (c.ch_size > max || sum > max)
			return 0;
		sum += ALIGNED(c.ch_size);
	}
	return sum <= max ? sum : 0;
}

/* What is wanted of what FROM holds, to TO. libdeflate decodes in one go, and so has filled what it
 * was given when it says that there is more. */
static bool unzlib(struct image *i, struct cursor from, uint8_t *to, const struct extent *of)
{
	enum libdeflate_result result;
	size_t size = of->size - of->wanted > CUT_MORE ? of->wanted + CUT_MORE : of->size;

	if (!i->zlib)
		i->zlib = libdeflate_alloc_decompressor();
	if (!i->zlib)
		return false;
	result = libdeflate_zlib_decompress(i->zlib, from.pos, cursor_left(&from), to, size, NULL);
	return result == (size < of->size ? LIBDEFLATE_INSUFFICIENT_SPACE : LIBDEFLATE_SUCCESS);
}

static bool inflate(struct image *i, struct cursor from, const GElf_Chdr *c, uint8_t *to,
		    uint64_t wanted)
{
	size_t head = gelf_getclass(i->elf) == ELFCLASS64 ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);

	cursor_skip(&from, head);
	if (from.bad)
		return false;
	if (c->ch_type == ELFCOMPRESS_ZSTD)
		return ZSTD_decompress(to, c->ch_size, from.pos, cursor_left(&from)) == c->ch_size;
	return c->ch_type == ELFCOMPRESS_ZLIB &&
	       unzlib(i, from, to, &(struct extent){ c->ch_size, wanted });
}

static struct cursor contents(Elf_Scn *scn)
{
	const Elf_Data *data = elf_rawdata(scn, NULL);

	return cursor_make(data ? data->d_buf : NULL, data && data->d_buf ? data->d_size : 0,
			   false);
}

/* How much is wanted of the section called NAME that holds SIZE bytes. */
static uint64_t wanted_of(const struct image *i, const GElf_Shdr *h, uint64_t size)
{
	const char *name = i->cut ? elf_strptr(i->elf, i->names, h->sh_name) : NULL;

	return name && !strcmp(name, i->cut->section) && i->cut->bytes < size ? i->cut->bytes
									      : size;
}

/* The compressed section SCN at its place behind the file: what its header becomes. */
static bool inflate_section(struct image *i, Elf_Scn *scn, GElf_Shdr *h)
{
	GElf_Chdr c;
	uint64_t wanted;

	if (!is_packed(scn, h, &c))
		return false;
	wanted = wanted_of(i, h, c.ch_size);
	mem_fill_soon(i->bytes + i->used,
		      wanted < RATIO * h->sh_size ? wanted : RATIO * h->sh_size);
	if (!inflate(i, contents(scn), &c, i->bytes + i->used, wanted))
		return false;
	h->sh_offset = i->used;
	h->sh_size = wanted;
	h->sh_addralign = c.ch_addralign;
	h->sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
	i->used += ALIGNED(c.ch_size);
	return true;
}

/* Copy the file up to the contents of section H, which nobody asks for, as they would only take
 * memory. *DONE: how far it is copied; mostly sections come one after the other, as they lie. */
static void copy_up_to(struct image *i, const GElf_Shdr *h, size_t *done)
{
	if (h->sh_offset < *done || h->sh_size > i->raw_bytes ||
	    h->sh_offset > i->raw_bytes - h->sh_size)
		return;
	memcpy(i->bytes + *done, i->raw + *done, h->sh_offset - *done);
	*done = h->sh_offset + h->sh_size;
}

/* Inflate what is compressed, which stays as it is where it cannot be, and copy the rest. */
static bool fill(struct image *i, GElf_Shdr *headers, size_t count)
{
	size_t done = i->header.e_ehsize;
	bool any = false;

	if (done > i->raw_bytes)
		return false;
	memcpy(i->bytes, i->raw, done);
	for (size_t k = 1; k < count; k++) {
		Elf_Scn *scn = elf_getscn(i->elf, k);
		GElf_Shdr was;

		if (!gelf_getshdr(scn, &was))
			return false;
		headers[k] = was;
		if (inflate_section(i, scn, &headers[k]))
			any = true;
		else if (was.sh_type != SHT_NOBITS || was.sh_flags & SHF_ALLOC)
			continue;
		copy_up_to(i, &was, &done);
	}
	memcpy(i->bytes + done, i->raw + done, i->raw_bytes - done);
	return any;
}

static bool make(struct image *i)
{
	size_t count, entry = i->header.e_ident[EI_CLASS] == ELFCLASS64 ? sizeof(Elf64_Shdr)
									: sizeof(Elf32_Shdr);
	GElf_Shdr *headers;
	bool ok;

	if (elf_getshdrnum(i->elf, &count) || i->header.e_shentsize != entry ||
	    i->header.e_shoff > i->raw_bytes || count > (i->raw_bytes - i->header.e_shoff) / entry)
		return false;
	headers = xcalloc(count + 1, sizeof(*headers));
	ok = fill(i, headers, count);
	for (size_t k = 1; ok && k < count; k++)
		ok = elfheads_put_section((char *)i->bytes + i->header.e_shoff + k * entry,
					  &headers[k], i->elf);
	free(headers);
	return ok;
}

struct elf_file *elf_file_inflated(const struct elf_file *f, uint64_t max_bytes,
				   const struct section_cut *cut)
{
	struct image i = { .elf = elf_file_elf(f), .cut = cut };
	uint64_t inflated = claimed(i.elf, max_bytes);
	struct elf_file *out = NULL;

	i.raw = elf_rawfile(i.elf, &i.raw_bytes);
	if (!inflated || !i.raw || !gelf_getehdr(i.elf, &i.header) ||
	    elf_getshdrstrndx(i.elf, &i.names))
		return NULL;
	i.used = ALIGNED(i.raw_bytes);
	i.size = i.used + inflated;
	i.bytes = mmap(NULL, i.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (i.bytes == MAP_FAILED)
		return NULL;
	(void)madvise(i.bytes, i.size, MADV_HUGEPAGE);
	if (make(&i))
		out = elf_file_mapped(i.bytes, i.size, NULL);
	else
		munmap(i.bytes, i.size);
	libdeflate_free_decompressor(i.zlib);
	return out;
}

uint8_t *elf_section_copy(const struct elf_file *f, const char *name, size_t *size_bytes)
{
	struct image i = { .elf = elf_file_elf(f) };
	Elf_Scn *scn = elf_getscn(i.elf, elf_file_section(f, name));
	uint8_t *out = NULL;
	struct cursor c;
	GElf_Shdr h;
	GElf_Chdr head;

	if (!scn || !elf_ndxscn(scn) || !gelf_getshdr(scn, &h) || h.sh_type == SHT_NOBITS)
		return NULL;
	c = contents(scn);
	if (!is_packed(scn, &h, &head)) {
		*size_bytes = cursor_left(&c);
		return *size_bytes ? memcpy(xmalloc(*size_bytes), c.pos, *size_bytes) : NULL;
	}
	*size_bytes = head.ch_size;
	if (!head.ch_size || head.ch_size > ELF_INFLATED_MAX)
		return NULL;
	out = xmalloc(head.ch_size);
	if (!inflate(&i, c, &head, out, head.ch_size)) {
		free(out);
		out = NULL;
	}
	libdeflate_free_decompressor(i.zlib);
	return out;
}
