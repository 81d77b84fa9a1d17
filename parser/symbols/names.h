/* The names of locations: const answers after session_resolve(). */
#ifndef PDTOOL_SYMBOLS_NAMES_H
#define PDTOOL_SYMBOLS_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/arena.h"
#include "parser/base/err.h"
#include "parser/base/build_id.h"
#include "parser/state/loc.h"
#include "parser/state/module.h"

/* Where symbols may come from. Text is the caller's and must outlive the session. */
struct symbol_options {
	const char *buildid_dir; /* build-id cache; NULL: none */
	const char *symfs;	 /* root directory of a copy of the recorded machine's files */
	const char *kallsyms;	 /* file in the form of /proc/kallsyms, of the recorded kernel */
	const char *vmlinux;
	const char *perf_map_dir; /* directory with perf-PID.map files */
	bool allow_unverified;	  /* also files that no build-id vouches for */
	bool no_demangle;
	bool as_perf; /* where symbols nest, the answer of perf's tree instead of the better one */
};

/* What became of one module. */
struct module_names {
	const struct module *module;
	size_t locs, named;	  /* locations seen in it, and how many got a name */
	const char *source;	  /* the file that the names came from; NULL: none */
	struct build_id recorded; /* the build-id that the capture holds for it */
	bool unverified;	  /* the capture recorded no build-id: the file is taken on trust */
	const char *refused;	  /* a file that was there but has another build-id; NULL: none */
	struct build_id refused_id;
};

struct loc_name {
	const char *symbol; /* raw (mangled) name; NULL: not known */
	const char *name;   /* readable; NULL: not known */
	const char *module; /* perf's DSO name: a path, "[kernel.kallsyms]", "[mod]"; NULL: no
			       mapping */
	uint64_t offset;    /* of the address from the start of the symbol */
};

struct names {
	struct loc_name *locs;	      /* by location id */
	struct module_names *modules; /* by module id */
	size_t module_count;
	struct arena arena;
	struct symbol_files *files; /* kept open: names point into them */
};

#endif
