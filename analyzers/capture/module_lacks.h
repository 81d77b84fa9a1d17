/* What is missing of a module's files here, and the commands that get it. Text is for people to
 * run: it holds no word that a shell or a terminal could misunderstand. */
#ifndef PDTOOL_MODULE_LACKS_H
#define PDTOOL_MODULE_LACKS_H

#include "parser/base/buf.h"
#include "parser/pdtool_module.h"

enum lacks {
	LACKS_SYMBOLS = 1, /* no file with symbols */
	LACKS_SYMTAB = 2,  /* only dynamic symbols, which do not name all of its addresses */
	LACKS_KALLSYMS = 4,
	LACKS_PERF_MAP = 8,
	LACKS_UNWIND = 16, /* the capture has user stacks to unwind, and no tables to do it by */
	LACKS_LINES = 32,
	LACKS_ALTERNATE = 64, /* the debug file that it shares with others (dwz) */
	LACKS_SPLIT = 128,    /* .dwo files */
	LACKS_READABLE = 256, /* debug information that could not all be read */
	LACKS_GUEST = 512,    /* the kallsyms of a guest */
};

#define LACKS_NAMES (LACKS_SYMBOLS | LACKS_SYMTAB | LACKS_KALLSYMS | LACKS_PERF_MAP)

/* What every line that packs files for another machine begins with. Links are followed, no
 * directory is entered, what is not there is passed over. */
#define TAR_COMMAND "tar czhf syms.tgz --no-recursion --ignore-failed-read"

/* A set of enum lacks. Debug information must have been asked for (symbols.inlines). */
unsigned module_lacking(const struct pdt_module *m, const struct pdt_session *s);
/* The same in words: "symbols, line info". Nothing where nothing is missing. */
void module_lacks(const struct pdt_module *m, const struct pdt_session *s, struct buf *out);
/* Could the capture hold a build-id for it? */
bool module_has_id(const struct pdt_module *m);
/* "x86_64" ...: of its file, else of the capture; NULL: not known. */
const char *module_arch(const struct pdt_module *m, const struct pdt_session *s);

/* The commands, each for one module; nothing where there is none. On the recording machine: */
void module_tar(const struct pdt_module *m, unsigned lacks, struct buf *out);
/* anywhere: */
void module_debuginfod(const struct pdt_module *m, struct buf *out);
/* where the capture comes from, or another machine with this release of the distribution: */
void module_package(const struct pdt_module *m, const struct pdt_session *s, struct buf *out);

#endif
