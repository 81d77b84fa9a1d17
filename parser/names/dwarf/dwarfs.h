/* The DWARF of one ELF file and of its alternate file: opened by libdw, but nothing is opened
 * behind our back. libdw by itself follows paths that the file holds, whatever stands there: a FIFO
 * would block it, and nobody would ask the alternate file's build-id. So the alternate file (dwz)
 * is found by the caller and vouched for by its build-id; split units are for split.h. What is
 * missing is told by name. */
#ifndef PDTOOL_SYMBOLS_DWARFS_H
#define PDTOOL_SYMBOLS_DWARFS_H

#include <elfutils/libdw.h>

#include "parser/base/arena.h"
#include "parser/base/build_id.h"
#include "parser/base/err.h"
#include "parser/names/dwarf/aranges.h"
#include "parser/names/elf/elffile.h"
#include "parser/names/names.h"

/* How a file with debug information is found by its build-id. */
struct dwarf_finder {
	/* NAME is the path that the file which wants it holds. The caller frees the result. NULL:
	 * there is none. FIND may be NULL for those who need nothing of it: lines, and skeletons,
	 * are all in the file itself. */
	struct elf_file *(*find)(void *ctx, const char *name, const struct build_id *id);
	void *ctx;
	const struct symbol_options *symbols;
	const char *recorded; /* the path that the capture has of the file; NULL: none */
};

struct dwarfs {
	const char *path; /* the caller's */
	struct elf_file *file, *alt_file;
	Dwarf *dbg, *alt;
	/* stands in where there is no alternate file, so that libdw does not look for one */
	struct elf_image *empty_image;
	struct Elf *empty_elf;
	Dwarf *empty;
	const struct symbol_options *symbols; /* the finder's, as is the next */
	const char *recorded;
	char *dir;		       /* of the file, links resolved, ends in '/' */
	uint64_t size_bytes;	       /* of its debug sections, inflated */
	struct debug_missing *missing; /* the caller's */
	struct arena *arena;	       /* the caller's, for the texts of missing */
	bool lines;		       /* line tables are wanted */
	/* the caller's: the addresses that are wanted, ascending */
	const uint64_t *addrs;
	size_t count;
	bool whole; /* all units are wanted, even if others hold these */
	/* what .debug_aranges says of them, if TOLD */
	struct aranges units;
	bool told;
	bool cut; /* .debug_info ends behind them */
};

/* Open the DWARF in the file at PATH. D->missing, D->arena and what else is the caller's is set;
 * ERR_ABSENT the file has none, ERR_FORMAT it cannot be read. To be closed also after a failure. */
int dwarfs_open(struct dwarfs *d, const char *path, const struct dwarf_finder *finder) CHECKED;
void dwarfs_close(struct dwarfs *d);

/* Let go of all that libdw remembers (line tables are never freed otherwise). Everything got from
 * it before is void. */
int dwarfs_renew(struct dwarfs *d) CHECKED;

/* For files that belong to D's: what libdw makes of the DWARF in *F, with sizes checked; NULL when
 * it cannot be read. *F becomes another where sections of it have to be inflated. */
Dwarf *dwarfs_begin(struct dwarfs *d, struct elf_file **f);
/* A copy of TEXT that lives as long as what is missing is told. */
const char *dwarfs_keep(struct dwarfs *d, const char *text);

#endif
