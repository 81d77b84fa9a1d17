/* Which perf map names the JIT code of a process: the one that the user gave for it, else its
 * perf-PID.map in the directory that the user named, else on the recording machine the one that
 * the process wrote (hostfile.h), else the one map in the user's directory that fits.
 *
 * A process in a container calls its map after the pid that it has there, which no capture tells.
 * So where a process has no map under its own pid, those of other pids are tried on the addresses
 * that were seen: one that covers at least half of them is taken, unless another covers more than
 * a quarter as many, or another process would take the same one. */
#ifndef PDTOOL_SYMBOLS_JITMAPS_H
#define PDTOOL_SYMBOLS_JITMAPS_H

#include "parser/base/err.h"
#include "parser/state/module.h"
#include "parser/names/names.h"
#include "parser/names/symtab.h"

/* The JIT code of one process. */
struct jitmap {
	const struct module *module; /* PDT_MODULE_JIT */
	const uint64_t *addrs;	     /* what was seen of it; the caller's */
	size_t count;
	struct symtab *table; /* initialised and empty; filled when there is a map */
	char *path;	      /* the map, the caller frees it; NULL: there is none */
	bool here;	      /* it was found on this host, and can be no other process's */
};

/* Find and read the maps of all COUNT in LIST, also those of which nothing was seen (count 0):
 * their maps are of no other process. What was guessed, and why a map is not used, is said in W. */
void jitmaps_load(struct jitmap *list, size_t count, const struct symbol_options *o,
		  struct warnings *w);
/* PID and FILE of TEXT, "PID=FILE"; false when it is not of this form. FILE points into TEXT. */
bool jitmap_option(const char *text, uint32_t *pid, const char **file);
/* Are all of O's of this form? ERR_USAGE is said in W. */
int jitmap_options_check(const struct symbol_options *o, struct warnings *w) CHECKED;

#endif
