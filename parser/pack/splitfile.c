/* Sections are laid out one behind the other, between the file's header and theirs. */
#include "parser/pack/splitfile.h"
#include "parser/base/mem.h"
#include "parser/names/dwarf/units.h"
#include "parser/pack/elfheads.h"

#include <stdlib.h>
#include <string.h>

#define SPLIT_SUFFIX ".dwo"

static uint64_t add_piece(struct splitfile *f, const void *data, size_t size)
{
	uint64_t at = f->size_bytes;

	f->list = xgrow(f->list, &f->cap, f->count + 1, sizeof(*f->list));
	f->list[f->count++] = (struct splitfile_piece){ at, data, size };
	f->size_bytes += size;
	return at;
}

static bool add_header(struct splitfile *f, const GElf_Shdr *h, Elf *elf)
{
	char *to = buf_reserve(&f->sections, sizeof(*h));

	f->sections.len += gelf_fsize(elf, ELF_T_SHDR, 1, EV_CURRENT);
	return elfheads_put_section(to, h, elf);
}

/* Where the name will be in the table of names. */
static uint32_t add_name(struct splitfile *f, const char *name)
{
	uint32_t at = (uint32_t)f->names.len;

	buf_add(&f->names, name, strlen(name) + 1);
	return at;
}

/* ---- what is needed of the sections ---- */

static const char *const parted[] = { ".debug_info", ".debug_str" };

struct parts {
	struct ranges *keep;
	uint64_t start[ARRAY_SIZE(parted)]; /* in the file; 0: there is none */
};

static int part_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(parted); i++) {
		size_t n = strlen(parted[i]);

		if (!strncmp(name, parted[i], n) && (!name[n] || !strcmp(name + n, SPLIT_SUFFIX)))
			return (int)i;
	}
	return -1;
}

static void take_part(void *ctx, const char *section, uint64_t start, uint64_t end)
{
	struct parts *p = ctx;
	int part = part_of(section);

	if (part >= 0 && p->start[part])
		ranges_add(p->keep, p->start[part] + start, p->start[part] + end);
}

/* What is not told by parts is needed whole. */
static void keep_section(struct splitfile *f, const char *name, const GElf_Shdr *h,
			 struct parts *parts)
{
	int part = part_of(name);

	if (part >= 0)
		parts->start[part] = h->sh_offset;
	else
		ranges_add(&f->keep, h->sh_offset, h->sh_offset + h->sh_size);
}

/* ---- the sections ---- */

/* What the reader has hidden as not needed has no name (dwarfs.h). */
static bool add_section(struct splitfile *f, Elf_Scn *scn, Elf *elf, struct parts *parts)
{
	size_t names;
	GElf_Shdr h;
	const char *name;
	char plain[64];
	Elf_Data *data;

	if (elf_getshdrstrndx(elf, &names) || !gelf_getshdr(scn, &h) || h.sh_type != SHT_PROGBITS ||
	    h.sh_flags & SHF_COMPRESSED)
		return true;
	name = elf_strptr(elf, names, h.sh_name);
	data = name && strlen(name) < sizeof(plain) && strstr(name, "debug_")
		       ? elf_rawdata(scn, NULL)
		       : NULL;
	if (!data || !data->d_buf)
		return true;
	/* .zdebug_* is inflated by now */
	snprintf(plain, sizeof(plain), ".%s", strstr(name, "debug_"));
	h.sh_name = add_name(f, plain);
	h.sh_offset = add_piece(f, data->d_buf, data->d_size);
	h.sh_size = data->d_size;
	h.sh_link = h.sh_info = 0;
	keep_section(f, plain, &h, parts);
	return add_header(f, &h, elf);
}

static bool add_table_of_names(struct splitfile *f, Elf *elf)
{
	GElf_Shdr h = { .sh_name = add_name(f, ".shstrtab"),
			.sh_type = SHT_STRTAB,
			.sh_addralign = 1,
			.sh_size = f->names.len };

	h.sh_offset = add_piece(f, f->names.data, f->names.len);
	ranges_add(&f->keep, h.sh_offset, h.sh_offset + h.sh_size);
	return add_header(f, &h, elf);
}

static bool add_heads(struct splitfile *f, Elf *elf)
{
	size_t one = gelf_fsize(elf, ELF_T_SHDR, 1, EV_CURRENT);
	GElf_Ehdr e;

	if (!gelf_getehdr(elf, &e))
		return false;
	e.e_phoff = e.e_phnum = 0;
	e.e_shnum = (GElf_Half)(f->sections.len / one);
	e.e_shstrndx = (GElf_Half)(e.e_shnum - 1);
	e.e_shoff = add_piece(f, f->sections.data, f->sections.len);
	ranges_add(&f->keep, 0, f->head.len);
	ranges_add(&f->keep, e.e_shoff, f->size_bytes);
	return elfheads_put_file(f->head.data, &e, elf);
}

bool splitfile_make(struct splitfile *out, const struct split *split)
{
	Elf *elf = (Elf *)elf_file_elf(split->file);
	struct parts parts = { .keep = &out->keep };
	const struct units_query q = { .take = take_part, .ctx = &parts };
	Elf_Scn *scn = NULL;
	bool ok;

	*out = (struct splitfile){ 0 };
	(void)buf_reserve(&out->head, sizeof(GElf_Ehdr));
	out->head.len = gelf_fsize(elf, ELF_T_EHDR, 1, EV_CURRENT);
	(void)add_piece(out, out->head.data, out->head.len);
	buf_char(&out->names, '\0');
	ok = add_header(out, &(GElf_Shdr){ 0 }, elf);
	while (ok && (scn = elf_nextscn(elf, scn)))
		ok = add_section(out, scn, elf, &parts);
	ok = ok && add_table_of_names(out, elf) && add_heads(out, elf);
	if (ok && units_select_split(split, &q) < 0)
		ranges_add(&out->keep, 0, out->size_bytes);
	ranges_clean(&out->keep, out->size_bytes);
	return ok;
}

void splitfile_release(struct splitfile *f)
{
	ranges_release(&f->keep);
	free(f->list);
	buf_release(&f->head);
	buf_release(&f->names);
	buf_release(&f->sections);
}

ssize_t splitfile_read(void *ctx, void *buf, size_t len, uint64_t offset)
{
	const struct splitfile *f = ctx;
	size_t done = 0;

	for (size_t i = 0; i < f->count && done < len; i++) {
		const struct splitfile_piece *p = &f->list[i];
		uint64_t at = offset + done;
		size_t n;

		if (at < p->start || at >= p->start + p->size)
			continue;
		n = (size_t)(p->start + p->size - at);
		n = n < len - done ? n : len - done;
		memcpy((char *)buf + done, (const char *)p->data + (at - p->start), n);
		done += n;
	}
	return (ssize_t)done;
}
