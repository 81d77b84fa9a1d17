/* Opening an ELF file and reading what identifies it.
 *
 * Every offset and index in the file is a claim: it is used only through libelf calls that check
 * it, and what they return may be NULL. Section and segment counts are bounded by the size of the
 * file (libelf sees to it); nothing here loops over one inside a loop over the other. */
#include "parser/names/elf/elffile.h"
#include "parser/base/mem.h"
#include "parser/names/elf/zip.h"
#include "parser/names/reach.h"
#include "parser/names/sources/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gelf.h>
#include <libelf.h>

/* More loadable segments than any linker makes; the rest is ignored, so that a mapping stays cheap.
 */
#define LOADS_MAX 64

struct load {
	uint64_t vaddr;
	uint64_t offset;
	uint64_t size; /* the larger of memory and file size */
	uint64_t file_size;
	bool writable;
	bool code;
};

#define NOTE_MAX  65536 /* bytes of a note section that are looked at */
#define NOTES_MAX 16	/* and how many of them */

struct elf_file {
	unsigned int note_count;
	bool limited; /* a section was not decompressed for its size */
	Elf *elf;
	int fd;	     /* -1: from memory */
	char *image; /* what was decompressed; NULL: nothing was */
	void *map;   /* what was mapped for it, or NULL */
	size_t map_size;
	struct elf_info info;
	size_t load_count;
	struct load loads[LOADS_MAX];
};

static bool note_is_build_id(const GElf_Nhdr *n, const char *name)
{
	return n->n_type == NT_GNU_BUILD_ID && n->n_namesz == sizeof("GNU") &&
	       !memcmp(name, "GNU", sizeof("GNU")) && n->n_descsz > 0 &&
	       n->n_descsz <= ELF_BUILD_ID_MAX;
}

static bool build_id_from_notes(struct elf_info *info, Elf_Data *data)
{
	size_t pos = 0, next, name, desc;
	GElf_Nhdr n;

	if (!data || !data->d_buf)
		return false;
	while ((next = gelf_getnote(data, pos, &n, &name, &desc)) > 0) {
		const char *base = data->d_buf;

		if (note_is_build_id(&n, base + name)) {
			memcpy(info->build_id, base + desc, n.n_descsz);
			info->build_id_len = n.n_descsz;
			return true;
		}
		pos = next;
	}
	return false;
}

/* Notes by segment: all that is left when the section headers were stripped. */
static void read_build_id_segments(struct elf_file *f)
{
	size_t count, notes = 0;

	if (elf_getphdrnum(f->elf, &count))
		return;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr p;
		Elf_Data *data;

		if (!gelf_getphdr(f->elf, (int)i, &p) || p.p_type != PT_NOTE ||
		    p.p_filesz > NOTE_MAX)
			continue;
		if (++notes > NOTES_MAX)
			return;
		data = elf_getdata_rawchunk(f->elf, (int64_t)p.p_offset, p.p_filesz,
					    p.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
		if (build_id_from_notes(&f->info, data))
			return;
	}
}

/* The name is a NUL-terminated string, padded to 4 bytes, then a CRC in the file's byte order. A
 * path would let the file choose what else is opened: only a plain name is taken. */
static void read_debuglink(struct elf_file *f, Elf_Scn *scn)
{
	Elf_Data *data = elf_rawdata(scn, NULL);
	const uint8_t *crc;
	size_t len, at;

	if (!data || !data->d_buf)
		return;
	len = strnlen(data->d_buf, data->d_size);
	at = (len + 4) & ~(size_t)3;
	if (!len || at > data->d_size || data->d_size - at < 4 || memchr(data->d_buf, '/', len))
		return;
	crc = (const uint8_t *)data->d_buf + at;
	f->info.debuglink = data->d_buf;
	f->info.debuglink_crc = f->info.big_endian
					? (uint32_t)crc[0] << 24 | (uint32_t)crc[1] << 16 |
						  (uint32_t)crc[2] << 8 | crc[3]
					: (uint32_t)crc[3] << 24 | (uint32_t)crc[2] << 16 |
						  (uint32_t)crc[1] << 8 | crc[0];
}

static void read_section(struct elf_file *f, Elf_Scn *scn, const GElf_Shdr *sh, const char *name)
{
	struct elf_info *info = &f->info;

	if (sh->sh_type == SHT_SYMTAB && !strcmp(name, ".symtab"))
		info->has_symtab = sh->sh_size > 0;
	else if (sh->sh_type == SHT_DYNSYM && !strcmp(name, ".dynsym"))
		info->has_dynsym = sh->sh_size > 0;
	else if (sh->sh_type == SHT_PROGBITS && !strcmp(name, ".opd"))
		info->has_opd = true;
	else if (sh->sh_type == SHT_PROGBITS &&
		 (!strcmp(name, ".gopclntab") || !strcmp(name, ".data.rel.ro.gopclntab")))
		info->has_gopclntab = true;
	else if (sh->sh_type == SHT_PROGBITS && !strcmp(name, ".gnu_debuglink"))
		read_debuglink(f, scn);
	else if (sh->sh_type == SHT_PROGBITS && !strcmp(name, ".gnu_debugdata"))
		info->has_mini = sh->sh_size > 0;
	else if (sh->sh_type != SHT_NOBITS && sh->sh_size > 0 &&
		 (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info")))
		info->has_dwarf = true;
	else if (sh->sh_type == SHT_NOTE && !info->build_id_len && sh->sh_size <= NOTE_MAX &&
		 f->note_count++ < NOTES_MAX)
		build_id_from_notes(info, elf_getdata(scn, NULL));
}

static void read_sections(struct elf_file *f)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(f->elf, &names))
		return;
	while ((scn = elf_nextscn(f->elf, scn))) {
		GElf_Shdr sh;
		const char *name;

		if (!gelf_getshdr(scn, &sh))
			continue;
		name = elf_strptr(f->elf, names, sh.sh_name);
		if (name)
			read_section(f, scn, &sh, name);
	}
}

static void read_loads(struct elf_file *f)
{
	size_t count;

	if (elf_getphdrnum(f->elf, &count))
		return;
	for (size_t i = 0; i < count && f->load_count < LOADS_MAX; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(f->elf, (int)i, &p) || p.p_type != PT_LOAD)
			continue;
		f->loads[f->load_count++] =
			(struct load){ .vaddr = p.p_vaddr,
				       .offset = p.p_offset,
				       .size = p.p_memsz > p.p_filesz ? p.p_memsz : p.p_filesz,
				       .file_size = p.p_filesz,
				       .writable = p.p_flags & PF_W,
				       .code = p.p_flags & PF_X };
	}
}

struct elf_strings elf_file_strings(const struct elf_file *f, size_t index)
{
	Elf_Scn *scn = elf_getscn(f->elf, index);
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;
	const char *end = data && data->d_buf ? memrchr(data->d_buf, 0, data->d_size) : NULL;

	if (!end)
		return (struct elf_strings){ NULL, 0 };
	return (struct elf_strings){ data->d_buf, (size_t)(end + 1 - (const char *)data->d_buf) };
}

/* The names of the sections, which libdw looks at too, must all end: see elf_strings. */
static bool section_names_end(struct elf_file *f)
{
	Elf_Data *data;
	size_t index;

	if (elf_getshdrstrndx(f->elf, &index) || !index)
		return true;
	data = elf_rawdata(elf_getscn(f->elf, index), NULL);
	return !data || !data->d_buf || !data->d_size ||
	       !((const char *)data->d_buf)[data->d_size - 1];
}

static int read_identity(struct elf_file *f)
{
	GElf_Ehdr eh;

	if (!f->elf || elf_kind(f->elf) != ELF_K_ELF || !gelf_getehdr(f->elf, &eh) ||
	    !section_names_end(f))
		return ERR_FORMAT;
	f->info.machine = eh.e_machine;
	f->info.type = eh.e_type;
	f->info.is_64 = eh.e_ident[EI_CLASS] == ELFCLASS64;
	f->info.big_endian = eh.e_ident[EI_DATA] == ELFDATA2MSB;
	read_loads(f);
	read_sections(f);
	if (!f->info.build_id_len)
		read_build_id_segments(f);
	return 0;
}

static struct elf_file *finish_open(struct elf_file *f, int *err)
{
	int e = read_identity(f);

	if (err)
		*err = e;
	if (!e)
		return f;
	elf_file_free(f);
	return NULL;
}

/* The ELF file whose SIZE packed bytes are at DATA. */
static struct elf_file *open_packed(const void *data, size_t size, int *err)
{
	struct buf image = { 0 };
	struct elf_file *f;
	int rc = unpack(data, size, &image);

	if (rc < 0) {
		if (err)
			*err = rc;
		return NULL;
	}
	elf_version(EV_CURRENT);
	f = xcalloc(1, sizeof(*f));
	f->fd = -1;
	f->image = xrealloc(image.data, image.len + 1);
	f->elf = elf_memory(f->image, image.len);
	return finish_open(f, err);
}

static bool is_packed(int fd)
{
	uint8_t magic[UNPACK_MAGIC_MAX];
	ssize_t n = pread(fd, magic, sizeof(magic), 0);

	return n > 0 && unpack_is_packed(magic, (size_t)n);
}

/* The same in a file. */
static struct elf_file *open_packed_file(int fd, int *err)
{
	struct elf_file *f = NULL;
	struct stat st;
	size_t size;
	void *data;

	if (err)
		*err = ERR_IO;
	if (fstat(fd, &st) || st.st_size <= 0)
		return NULL;
	size = (size_t)st.st_size;
	data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return NULL;
	f = open_packed(data, size, err);
	munmap(data, size);
	return f;
}

struct elf_file *elf_file_member(struct reach *r, const char *archive, const struct zip_member *m,
				 int *err)
{
	int fd = reach_open(r, archive, REACH_PROGRAM);
	struct elf_file *f;

	if (fd < 0 || m->size_bytes > SIZE_MAX) {
		if (err)
			*err = fd < 0 ? fd : ERR_FORMAT;
		return NULL;
	}
	f = elf_file_map(fd, m->offset, (size_t)m->size_bytes, err);
	close(fd);
	return f;
}

/* "base.apk!/lib/arm64-v8a/lib.so": a member of a package. */
struct elf_file *elf_file_packed(struct reach *r, const char *path, int *err)
{
	const char *bang = strstr(path, "!/");
	struct zip_member m;
	struct elf_file *f = NULL;
	char *package;
	int rc;

	package = strndup(path, (size_t)(bang - path));
	rc = zip_find(r, package, bang + 2, &m);
	if (rc == 0)
		f = elf_file_member(r, package, &m, err);
	else if (err)
		*err = rc;
	free(package);
	return f;
}

struct elf_file *elf_file_of(int fd, bool private, int *err)
{
	struct elf_file *f;

	if (fd < 0) {
		if (err)
			*err = fd;
		return NULL;
	}
	if (is_packed(fd)) {
		f = open_packed_file(fd, err);
		close(fd);
		return f;
	}
	elf_version(EV_CURRENT);
	f = xcalloc(1, sizeof(*f));
	f->fd = fd;
	f->elf = elf_begin(fd, private ? ELF_C_READ_MMAP_PRIVATE : ELF_C_READ_MMAP, NULL);
	f = finish_open(f, err);
	/* the bytes are mapped: a session with a thousand modules need not hold as many descriptors
	 */
	if (f && elf_cntl(f->elf, ELF_C_FDREAD) == 0) {
		(void)elf_cntl(f->elf, ELF_C_FDDONE);
		close(fd);
		f->fd = -1;
	}
	return f;
}

struct elf_file *elf_file_open(struct reach *r, const char *path, int *err)
{
	int fd = reach_open(r, path, REACH_PROGRAM), rc;
	struct elf_file *f;

	if (fd == ERR_ABSENT && strstr(path, "!/"))
		return elf_file_packed(r, path, err);
	f = elf_file_of(fd, false, &rc);
	if (rc == ERR_LIMIT)
		reach_limit(r, path, ELF_UNPACKED_WHY);
	if (err)
		*err = rc;
	return f;
}

struct elf_file *elf_file_memory(void *image, size_t size, int *err)
{
	struct elf_file *f = xcalloc(1, sizeof(*f));

	elf_version(EV_CURRENT);
	f->fd = -1;
	f->elf = elf_memory(image, size);
	return finish_open(f, err);
}

struct elf_file *elf_file_mini(struct elf_file *f, int *err)
{
	struct elf_section packed;
	int rc = elf_file_contents(f, ".gnu_debugdata", &packed);

	if (rc == 0)
		return open_packed(packed.data, packed.size, err);
	if (err)
		*err = rc;
	return NULL;
}

struct elf_file *elf_file_mapped(void *map, size_t size, int *err)
{
	struct elf_file *f = elf_file_memory(map, size, err);

	if (!f) {
		munmap(map, size);
		return NULL;
	}
	f->map = map;
	f->map_size = size;
	return f;
}

struct elf_file *elf_file_map(int fd, uint64_t offset, size_t size, int *err)
{
	void *map = size ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, (off_t)offset)
			 : MAP_FAILED;
	struct elf_file *f;

	if (map == MAP_FAILED) {
		if (err)
			*err = size ? ERR_IO : ERR_FORMAT;
		return NULL;
	}
	if (unpack_is_packed(map, size)) {
		f = open_packed(map, size, err);
		munmap(map, size);
		return f;
	}
	return elf_file_mapped(map, size, err);
}

void elf_file_free(struct elf_file *f)
{
	if (!f)
		return;
	elf_end(f->elf);
	free(f->image);
	if (f->map)
		munmap(f->map, f->map_size);
	if (f->fd >= 0)
		close(f->fd);
	free(f);
}

const struct elf_info *elf_file_info(const struct elf_file *f)
{
	return &f->info;
}

Elf *elf_file_elf(const struct elf_file *f)
{
	return f->elf;
}

int elf_file_offset(const struct elf_file *f, uint64_t vaddr, uint64_t *offset)
{
	for (size_t i = 0; i < f->load_count; i++) {
		const struct load *l = &f->loads[i];

		if (vaddr >= l->vaddr && vaddr - l->vaddr < l->size) {
			*offset = vaddr - l->vaddr + l->offset;
			return 0;
		}
	}
	return ERR_ABSENT;
}

int elf_file_vaddr(const struct elf_file *f, uint64_t offset, uint64_t *vaddr)
{
	for (size_t i = 0; i < f->load_count; i++) {
		const struct load *l = &f->loads[i];

		if (offset >= l->offset && offset - l->offset < l->size) {
			*vaddr = offset - l->offset + l->vaddr;
			return 0;
		}
	}
	return ERR_ABSENT;
}

bool elf_file_code(const struct elf_file *f, size_t i, struct elf_code *out)
{
	for (size_t k = 0; k < f->load_count; k++) {
		const struct load *l = &f->loads[k];

		if (!l->code || i--)
			continue;
		*out = (struct elf_code){ l->vaddr, l->offset, l->file_size };
		return true;
	}
	return false;
}

size_t elf_file_section(const struct elf_file *f, const char *name)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(f->elf, &names))
		return 0;
	while ((scn = elf_nextscn(f->elf, scn))) {
		GElf_Shdr sh;
		const char *s;

		if (!gelf_getshdr(scn, &sh))
			continue;
		s = elf_strptr(f->elf, names, sh.sh_name);
		if (s && !strcmp(s, name))
			return elf_ndxscn(scn);
	}
	return 0;
}

/* Decompressing takes memory that the section's header claims: look at the claim first. */
static bool inflate_section(struct elf_file *f, Elf_Scn *scn, const GElf_Shdr *sh)
{
	GElf_Chdr ch;

	if (!(sh->sh_flags & SHF_COMPRESSED))
		return true;
	if (!gelf_getchdr(scn, &ch))
		return false;
	f->limited |= ch.ch_size > ELF_INFLATED_MAX;
	return ch.ch_size <= ELF_INFLATED_MAX && elf_compress(scn, 0, 0) >= 0;
}

bool elf_file_limited(const struct elf_file *f)
{
	return f->limited;
}

int elf_file_contents(struct elf_file *f, const char *name, struct elf_section *out)
{
	size_t index = elf_file_section(f, name);
	Elf_Scn *scn = index ? elf_getscn(f->elf, index) : NULL;
	Elf_Data *data;
	GElf_Shdr sh;

	if (!scn || !gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS)
		return ERR_ABSENT;
	if (!inflate_section(f, scn, &sh))
		return ERR_FORMAT;
	data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf || !data->d_size)
		return data ? ERR_ABSENT : ERR_FORMAT;
	*out = (struct elf_section){ data->d_buf, data->d_size, sh.sh_addr };
	return 0;
}

bool elf_file_has(struct elf_file *f, const char *name)
{
	struct elf_section ignored;

	return elf_file_contents(f, name, &ignored) == 0;
}

const uint8_t *elf_file_constant(const struct elf_file *f, uint64_t vaddr, size_t size)
{
	size_t file_bytes;
	const char *file = elf_rawfile(f->elf, &file_bytes);

	for (size_t i = 0; file && i < f->load_count; i++) {
		const struct load *l = &f->loads[i];

		if (l->writable || vaddr < l->vaddr || vaddr - l->vaddr >= l->file_size)
			continue;
		vaddr -= l->vaddr;
		if (size > l->file_size - vaddr || l->offset > file_bytes ||
		    vaddr > file_bytes - l->offset || size > file_bytes - l->offset - vaddr)
			return NULL;
		return (const uint8_t *)file + l->offset + vaddr;
	}
	return NULL;
}

uint64_t elf_file_base(const struct elf_file *f)
{
	uint64_t base = f->load_count ? UINT64_MAX : 0;

	for (size_t i = 0; i < f->load_count; i++) {
		if (f->loads[i].vaddr < base)
			base = f->loads[i].vaddr;
	}
	return base;
}

const unsigned char *elf_file_ident(const struct elf_file *f)
{
	return (const unsigned char *)elf_getident(f->elf, NULL);
}
