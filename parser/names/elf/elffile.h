/* One ELF file, opened without trust: what it is, and where its bytes are.
 *
 * An elf_file belongs to one thread at a time (libelf keeps per-file state). It holds the
 * descriptor and the Elf handle until elf_file_free(), so that names read from its string tables
 * stay valid that long. Nothing here prints. Facts: gABI chapters 4 and 5, NT_GNU_BUILD_ID and
 * .gnu_debuglink as binutils writes them. */
#ifndef PDTOOL_SYMBOLS_ELFFILE_H
#define PDTOOL_SYMBOLS_ELFFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/err.h"

struct Elf; /* libelf's handle */
struct elf_file;
struct reach;
struct zip_member;

/* The contents of a section. */
struct elf_section {
	const uint8_t *data;
	size_t size; /* bytes */
	uint64_t addr;
};

/* A table of strings, cut behind the last one that ends. libelf looks for the end of each string
 * anew, which takes hours where a damaged table has none. */
struct elf_strings {
	const char *data;
	size_t size; /* bytes; 0: there are none */
};

static inline const char *elf_string(const struct elf_strings *s, uint64_t offset)
{
	return offset < s->size ? s->data + offset : NULL;
}

#define ELF_INFLATED_MAX (64u << 20) /* bytes that a compressed section may claim to hold */
/* Of ERR_LIMIT, which of a compressed file says that it is more than unpack.h allows. */
#define ELF_UNPACKED_WHY \
	"decompressed, it has more than 512 MiB, or 32 times what it is: it is not used"
#define ELF_INFLATED_WHY "a compressed section of more than 64 MiB is not used"

#define ELF_BUILD_ID_MAX 64

struct elf_info {
	uint8_t build_id[ELF_BUILD_ID_MAX];
	size_t build_id_len;	/* bytes; 0 when the file has none */
	uint16_t machine;	/* e_machine: EM_X86_64, ... */
	uint16_t type;		/* e_type: ET_EXEC, ET_DYN, ET_REL */
	bool is_64;		/* ELFCLASS64 */
	bool big_endian;	/* ELFDATA2MSB */
	bool has_symtab;	/* .symtab of type SHT_SYMTAB with contents */
	bool has_dynsym;	/* .dynsym of type SHT_DYNSYM with contents */
	bool has_opd;		/* .opd of type SHT_PROGBITS: ppc64 function descriptors */
	bool has_gopclntab;	/* .gopclntab or .data.rel.ro.gopclntab: a Go program's functions */
	bool has_mini;		/* .gnu_debugdata with contents */
	bool has_dwarf;		/* .debug_info with contents, perhaps compressed */
	const char *debuglink;	/* file name in .gnu_debuglink, or NULL; never holds a '/' */
	uint32_t debuglink_crc; /* valid when debuglink is set */
};

/* Open PATH by the rules of reach.h, which may be compressed as a whole (unpack.h). NULL on
 * failure, with the enum err in *ERR (may be NULL): ERR_IO the system refused, ERR_ABSENT no such
 * file, ERR_FORMAT not a regular file, or not ELF. A PATH that is not there may be PACKAGE!/MEMBER,
 * of what is stored in a ZIP archive as it is. */
struct elf_file *elf_file_open(struct reach *r, const char *path, int *err) CHECKED;
/* The same for the PATH in a package alone. */
struct elf_file *elf_file_packed(struct reach *r, const char *path, int *err) CHECKED;
/* The same for the file FD, which is the result's, or closed; negative: an enum err, as
 * reach_open() gives them. PRIVATE: for changes in memory: libelf's handle takes them, the file
 * does not. */
struct elf_file *elf_file_of(int fd, bool private, int *err) CHECKED;
/* The same over SIZE bytes at IMAGE (writable for libelf, not changed on disk), which stay the
 * caller's and must outlive the result. */
struct elf_file *elf_file_memory(void *image, size_t size_bytes, int *err) CHECKED;
/* The same over a mapping, which is the result's; it is gone where there is none. */
struct elf_file *elf_file_mapped(void *map, size_t size_bytes, int *err) CHECKED;
/* The ELF file within F's .gnu_debugdata (MiniDebugInfo: the symbols that .dynsym has not), which
 * needs nothing of F any more. ERR_ABSENT when there is none. */
struct elf_file *elf_file_mini(struct elf_file *f, int *err) CHECKED;
/* The same over SIZE bytes of the file FD from OFFSET (at a page) on: a mapping that belongs to the
 * result, FD stays the caller's. Changes in memory do not reach the file. */
struct elf_file *elf_file_map(int fd, uint64_t offset, size_t size_bytes, int *err) CHECKED;
/* The same over the member M of ARCHIVE (at a page, as what is mapped is). */
struct elf_file *elf_file_member(struct reach *r, const char *archive, const struct zip_member *m,
				 int *err) CHECKED;
void elf_file_free(struct elf_file *f);

/* Valid until elf_file_free(). */
const struct elf_info *elf_file_info(const struct elf_file *f);

/* The libelf handle, for libdw and for the other files of parser/symbols. Stays the elf_file's. */
struct Elf *elf_file_elf(const struct elf_file *f);

/* File offset of VADDR by the first PT_LOAD that covers it (memory size or file size, whichever is
 * larger, as perf does). ERR_ABSENT when no segment does. */
int elf_file_offset(const struct elf_file *f, uint64_t vaddr, uint64_t *offset) CHECKED;
/* The inverse: the vaddr that the first PT_LOAD covering file offset OFFSET gives it. */
int elf_file_vaddr(const struct elf_file *f, uint64_t offset, uint64_t *vaddr) CHECKED;
/* The I-th PT_LOAD that may be executed, in the order of the file's headers. False: there is none.
 */
struct elf_code {
	uint64_t vaddr, offset, size; /* size: bytes in the file */
};
bool elf_file_code(const struct elf_file *f, size_t i, struct elf_code *out);

/* Index of the first section called NAME, 0 when there is none. */
size_t elf_file_section(const struct elf_file *f, const char *name);
/* The contents of the first section called NAME, decompressed if need be; they stay the elf_file's.
 * ERR_ABSENT when there is none, or it is empty in this file; ERR_FORMAT when it is damaged. */
int elf_file_contents(struct elf_file *f, const char *name, struct elf_section *out) CHECKED;
/* Was a section asked for that claims more than ELF_INFLATED_MAX? */
bool elf_file_limited(const struct elf_file *f);
/* Is there such a section, with contents that can be read? */
bool elf_file_has(struct elf_file *f, const char *name);
/* The strings in the section of INDEX; they stay the elf_file's. */
struct elf_strings elf_file_strings(const struct elf_file *f, size_t index);
/* SIZE bytes of the file that are mapped at VADDR and never written to by the program, or NULL. */
const uint8_t *elf_file_constant(const struct elf_file *f, uint64_t vaddr, size_t size_bytes);
/* The lowest address of a PT_LOAD, 0 when there is none. */
uint64_t elf_file_base(const struct elf_file *f);
/* e_ident, EI_NIDENT bytes. */
const unsigned char *elf_file_ident(const struct elf_file *f);

#endif
