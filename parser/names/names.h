/* The names of locations: const answers after session_resolve(). */
#ifndef PDTOOL_SYMBOLS_NAMES_H
#define PDTOOL_SYMBOLS_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/arena.h"
#include "parser/base/quirks.h"
#include "parser/base/err.h"
#include "parser/base/build_id.h"
#include "parser/state/loc.h"
#include "parser/state/module.h"

struct sources;
struct debuginfod;
struct host_files;
struct watched;
struct reach;

/* Where symbols may come from. Text is the caller's and must outlive the session. */
struct symbol_options {
	struct sources *sources;       /* what the user named, see sources.h; NULL: nothing */
	struct debuginfod *debuginfod; /* for what is still missing; NULL: not used */
	const char *debuginfod_cache;  /* of debuginfod's client: BUILD-ID/debuginfo; NULL: none */
	const char *buildid_dir;       /* build-id cache; NULL: none */
	const char *symfs;	   /* root directory of a copy of the recorded machine's files */
	const char *source_prefix; /* source files are below it, not below symfs; NULL: not told */
	size_t source_strip;	   /* without so many directories of their paths */
	const char *kallsyms;	   /* file in the form of /proc/kallsyms, of the recorded kernel */
	const char *vmlinux;
	const char *guest_kallsyms; /* as KALLSYMS, of the guest that was recorded on its host */
	const char *guest_modules;  /* file in the form of /proc/modules, of the guest */
	const char *const *perf_map_dirs; /* directories with perf-PID.map files, in their order */
	size_t perf_map_dir_count;
	const char *const *perf_maps; /* "PID=FILE", PID as recorded */
	size_t perf_map_count;
	struct watched *watch; /* files that the run is to write over */
	size_t watch_count;
	const char *arch;      /* of the recorded machine, where the capture does not tell */
	bool no_host;	       /* no file of this host but those that are named here */
	bool boxed;	       /* in a sandbox: the roots of other processes are not read */
	bool allow_unverified; /* also files of this host that no build-id vouches for */
	bool no_demangle;
	bool ignore_vmlinux;  /* the kernel's names come from kallsyms alone */
	bool demangle_kernel; /* also where names are mostly those of C */
	bool lines;	      /* source lines are wanted; costs much, as does the next */
	bool inlines;	      /* inline chains are wanted */
	bool unsampled; /* names of addresses in no stack will be asked for, too: names_range() */
	struct quirks quirks;	 /* these three are set by the session */
	struct host_files *host; /* NULL: no_host */
	struct reach *reach;	 /* the way to files whose paths the input chose: reach.h */
};

/* Debug information that the file with it calls for and that was not there. */
struct debug_missing {
	const char *alt; /* path of its alternate file (dwz); NULL: it has none, or it was found */
	struct build_id alt_id;
	const char *dwo; /* path of the first missing split file; NULL: none */
	size_t dwo_count;
	const char *unreadable; /* why not all could be read; NULL: no reason */
};

/* What is not all told, for a bound. */
enum names_bound {
	NAMES_LONG,    /* readable names: those that stay mangled, or are cut */
	NAMES_INLINED, /* functions in a chain of inlined ones, past INLINES_MAX */
	NAMES_DEEP,    /* units of debug information, whose entries lie past DIES_DEPTH_MAX */
	NAMES_BOUNDS,
};

#define REFUSED_MAX 4 /* of a module: files that are kept with their build-ids */

/* A file that was there but is not the recorded one. */
struct refused_file {
	const char *path;
	struct build_id id; /* len 0: the file has none */
	const char *why;    /* to be read after its path; NULL: for its build-id */
};

/* What became of one module. */
struct pdt_module {
	const struct module *module;
	size_t locs, named;  /* locations seen in it, and how many got a name */
	size_t from_capture; /* of those, by symbols that the recorder put into the capture */
	/* the file that the names came from, the capture where no other was needed; NULL: none */
	const char *source;
	struct build_id recorded; /* the build-id that the capture holds for it */
	bool unverified; /* neither build-id nor inode vouch for the file: it is taken on trust */
	bool by_inode;	 /* no build-id was recorded: the file was recognised by its inode */
	bool contained;	 /* a process in a container mapped it: its path is one in there */
	const char *why; /* the file at its path here is not taken because of this; or NULL */
	size_t refused_count;		    /* files that were there but are other builds */
	const struct refused_file *refused; /* the first REFUSED_MAX of them */
	unsigned had;			    /* enum pdt_module_had */
	uint16_t machine;  /* e_machine of the first accepted file; 0: there was none */
	const char *debug; /* the file that lines and inlines came from; NULL: none, or not asked */
	struct debug_missing missing;
	uint64_t left_out[NAMES_BOUNDS];
};

/* One function in a call chain, and where in the source it was. */
struct source_frame {
	const char *name; /* readable; NULL: not known */
	const char *file; /* path, as the compiler was told; NULL: not known */
	uint32_t line;	  /* 0: not known */
};

struct loc_name {
	const char *symbol; /* raw (mangled) name; NULL: not known */
	const char *name;   /* readable; NULL: not known */
	const char *module; /* perf's DSO name: a path, "[kernel.kallsyms]", "[mod]"; NULL: no
			       mapping */
	uint64_t offset;    /* of the address from the start of the symbol */
	/* where the function itself was: at the address, or at the call that was inlined */
	const char *file;
	uint32_t line;
	/* the functions that were inlined there, the innermost first */
	uint32_t inline_count;
	const struct source_frame *inlines;
};

struct names {
	struct loc_name *locs; /* by location id */
	size_t loc_count;
	struct pdt_module *modules; /* by module id */
	size_t module_count;
	struct arena arena;
	struct symbol_files *files; /* kept open: names point into them */
};

#endif
