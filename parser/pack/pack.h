/* One file with a capture and all that is needed to name it, made where the symbols are: a tar
 * archive, compressed by zstd, that tar unpacks and --symbols reads:
 *
 *   perf.data                      the capture, as it was; of a directory perf.data/data,
 *                                  perf.data/data.0, ... one after the other
 *   pdtool-pack                    which file a module was that has no build-id in the capture
 *                                  (names/sources/manifest.h)
 *   .build-id/XX/YYYY/elf, debug   files with symbols, code, tables for lines and unwinding
 *   .build-id/XX/YYYY/kallsyms     the kernel's symbols; kallsyms, where it has no build-id
 *   dwo/ID.dwo                     split units, out of .dwo and .dwp files
 *   files/N/NAME                   files without a build-id
 *   tmp/perf-PID.map, jit-PID.dump names of what was compiled at run time
 *
 * Of the ELF files only what the capture's addresses need is there (reduce.h), of kallsyms only
 * their lines. */
#ifndef PDTOOL_PACK_H
#define PDTOOL_PACK_H

#include "parser/base/err.h"
#include "parser/names/names.h"

struct capture;
struct stacks;

struct pack_job {
	const struct capture *capture;
	const struct names *names; /* of all locations */
	const struct stacks *stacks;
	const struct symbol_options *symbols;
	const char *path;  /* of the pack; "-": standard output */
	bool full;	   /* whole files */
	bool only_samples; /* the capture alone */
	unsigned jobs;	   /* threads */
	bool strip_paths;  /* without directories (paths.h, stripped.h) */
	/* Told of each member: what it is called there, for which module (NULL: none), its size in
	 * bytes, and how many of these are kept: the others are zeros, which need no room. */
	void (*tell)(void *ctx, const char *name, const struct module *m, const uint64_t bytes[2]);
	void *ctx;
	struct warnings *warnings;
};

/* ERR_IO, with the message in the job's warnings: there is no pack. */
int pack_write(const struct pack_job *job) CHECKED;

#endif
