/* The files of one module: providers propose, one rule verifies, the caller takes what it needs.
 *
 * A file is accepted by build-id. Where the capture recorded none, the file at the recorded path
 * below a root that the user trusts stands in, and its build-id finds the rest. */
#ifndef PDTOOL_SYMBOLS_PICK_H
#define PDTOOL_SYMBOLS_PICK_H

#include "parser/names/elf/elffile.h"
#include "parser/names/names.h"
#include "parser/names/resolve.h"

struct picker {
	/* F, verified, is the callee's from now on. Returns true when nothing more is needed. */
	bool (*take)(void *ctx, struct elf_file *f, const char *path);
	/* The file at PATH has another build-id or, without INFO, is not opened: WHY. May be NULL.
	 */
	void (*refuse)(void *ctx, const char *path, const struct elf_info *info, const char *why);
	void *ctx;
	/* Where no build-id was recorded: 0 the first file at the recorded path says which it is, 1
	 * the next with another one, and so on. */
	unsigned assumption;
};

/* Offer the files of M, whose recorded build-id is RECORDED (len 0: none), best first. False when
 * there is nothing left to assume. */
bool pick_files(const struct module *m, const struct build_id *recorded,
		const struct symbol_options *o, const struct picker *p);

/* Ask debuginfod for the files that M still lacks, if the user wants that: they will be among those
 * offered. The network is slow, and the order of what goes over it should be the same each time:
 * call it for one module after the other. */
void pick_fetch(const struct module *m, const struct build_id *recorded,
		const struct symbol_options *o);

/* Does a pack, or this host's inode, tell which file M was, of which no build-id was recorded? */
bool pick_is_known(const struct module *m, const struct symbol_options *o);

/* The build-id that the capture holds for M, len 0 when there is none. */
struct build_id module_recorded_id(const struct module *m, const struct resolve_options *o);

#endif
