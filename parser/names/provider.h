/* Where the symbols of one module may come from: an ordered, additive list of candidates.
 *
 * A provider only proposes files; whether one is accepted is decided in one place, by build-id. */
#ifndef PDTOOL_SYMBOLS_PROVIDER_H
#define PDTOOL_SYMBOLS_PROVIDER_H

#include <stdbool.h>

#include "parser/base/buf.h"
#include "parser/names/trust.h"
#include "parser/state/module.h"

struct elf_file;
struct search;

/* Where files of a kind of module lie. */
struct module_places {
	/* Propose what a root directory has; NULL: nothing. */
	bool (*below_root)(const struct search *s, enum trust trust, const char *root);
	/* Is E of the capture's build-id table the module's? NULL: there is none, or BY_PATH. */
	bool (*is_entry)(const struct build_id_entry *e);
	bool by_path;	       /* the entry of the module's path */
	bool in_parts;	       /* symbols, segments and DWARF in one file or in three */
	bool kernel_image;     /* made by the kernel: without a path, and this process has one */
	const char *cached[4]; /* below its build-id in perf's cache, to a NULL */
	const char *filed[5];  /* and in any directory that the user named */
};

const struct module_places *module_places(const struct module *m);

struct search {
	const struct module *module;
	const struct build_id *build_id; /* len 0: not recorded */
	const char *host_root; /* of this host's files: "", or where a container has them */
	const struct symbol_options *options;
	/* Offer the file at PATH. Returns true when the search may end. */
	bool (*offer)(void *ctx, const char *path, enum trust trust);
	/* The same, where it is open already: F is the offer's from then on. */
	bool (*offer_opened)(void *ctx, struct elf_file *f, const char *path, enum trust trust);
	void *ctx;
};

struct provider {
	const char *name;
	/* Propose candidates in order; true as soon as an offer ended the search. */
	bool (*propose)(const struct search *s);
};

/* Best first. */
extern const struct provider *const providers[];

/* One of them: where debuginfod's client puts what it gets. */
extern const struct provider client_cache;
#endif
