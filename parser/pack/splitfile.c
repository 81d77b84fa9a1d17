/* Sections are laid out one behind the other, between the file's header and theirs. */
#include "parser/pack/splitfile.h"
#include "parser/base/mem.h"
#include "parser/names/elf/elfheads.h"

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

struct making {
	struct reduce_wish wish;
	struct parts *parts;
};

static bool is_by_parts(int part)
{
	return part == UNITS_INFO || part == UNITS_LINE || part >= UNITS_STR;
}

/* What is not told by parts is needed whole, but that other sections may have paths. */
static void keep_section(struct splitfile *f, const char *name, const GElf_Shdr *h,
			 const struct making *m)
{
	size_t len = strlen(name), n = strlen(SPLIT_SUFFIX);
	char plain[64];
	int part;

	snprintf(plain, sizeof(plain), "%s", name);
	if (len > n && !strcmp(plain + len - n, SPLIT_SUFFIX))
		plain[len - n] = '\0';
	part = parts_index(plain);
	if (is_by_parts(part))
		m->parts->offset[part] = m->parts->offset[part] ?: h->sh_offset;
	else if (!m->wish.strip_paths || reduce_is_numbers(plain))
		ranges_add(&f->of.keep, h->sh_offset, h->sh_offset + h->sh_size);
}

/* ---- the sections ---- */

/* What the reader has hidden as not needed has no name (dwarfs.h). */
static bool add_section(struct splitfile *f, Elf_Scn *scn, Elf *elf, const struct making *m)
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
	keep_section(f, plain, &h, m);
	return add_header(f, &h, elf);
}

static bool add_table_of_names(struct splitfile *f, Elf *elf)
{
	GElf_Shdr h = { .sh_name = add_name(f, ".shstrtab"),
			.sh_type = SHT_STRTAB,
			.sh_addralign = 1,
			.sh_size = f->names.len };

	h.sh_offset = add_piece(f, f->names.data, f->names.len);
	ranges_add(&f->of.keep, h.sh_offset, h.sh_offset + h.sh_size);
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
	ranges_add(&f->of.keep, 0, f->head.len);
	ranges_add(&f->of.keep, e.e_shoff, f->size_bytes);
	return elfheads_put_file(f->head.data, &e, elf);
}

static bool add_sections(struct splitfile *f, Elf *elf, const struct making *m)
{
	Elf_Scn *scn = NULL;
	bool ok = add_header(f, &(GElf_Shdr){ 0 }, elf);

	while (ok && (scn = elf_nextscn(elf, scn)))
		ok = add_section(f, scn, elf, m);
	return ok && add_table_of_names(f, elf) && add_heads(f, elf);
}

static bool keep_whole(struct splitfile *f, bool strip_paths)
{
	ranges_add(&f->of.keep, 0, f->size_bytes);
	return !strip_paths;
}

bool splitfile_make(struct splitfile *out, const struct split *split, bool strip_paths)
{
	Elf *elf = (Elf *)elf_file_elf(split->file);
	struct parts parts = { .out = &out->of };
	const struct making m = { .wish = { .strip_paths = strip_paths }, .parts = &parts };
	const struct units_query q = parts_query(&parts, &m.wish);
	bool ok;

	*out = (struct splitfile){ 0 };
	(void)buf_reserve(&out->head, sizeof(GElf_Ehdr));
	out->head.len = gelf_fsize(elf, ELF_T_EHDR, 1, EV_CURRENT);
	(void)add_piece(out, out->head.data, out->head.len);
	buf_char(&out->names, '\0');
	ok = add_sections(out, elf, &m);
	if (ok && units_select_split(split, &q) == 0)
		parts_add(&parts);
	else
		ok = ok && keep_whole(out, strip_paths);
	parts_release(&parts);
	reduced_clean(&out->of, out->size_bytes);
	return ok;
}

void splitfile_release(struct splitfile *f)
{
	reduced_release(&f->of);
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
	reduced_fill(&f->of, buf, done, offset);
	return (ssize_t)done;
}
