/* Modules (perf's DSOs): what an address can lie in. Append-only; an id stays valid for the
 * session. */
#ifndef PDTOOL_STATE_MODULE_H
#define PDTOOL_STATE_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/arena.h"
#include "parser/base/intern.h"
#include "parser/base/build_id.h"
#include "parser/pdtool_module.h"

struct module {
	uint32_t id;
	enum pdt_module_kind kind;
	const char *path; /* as recorded, with " (deleted)" and such */
	struct build_id
		build_id; /* of the mapping (MMAP2), or from the build-id table; len 0: none */
	struct file_id file;
	uint64_t first_ns; /* when it was mapped first; 0: before the recording, or not told */
	uint32_t pid;	   /* of a JIT or JITDUMP module; of a file's: one process that mapped it */
	uint64_t start, end; /* of the kernel, a kernel module or a BPF range, as recorded */
	uint64_t pgoff;	     /* of the kernel: the run-time address of its reference symbol */
	bool symfile;	     /* has symbols of just-in-time compiled code, at its addresses */
	uint64_t code_pgoff; /* of a file: of the first part of it that was mapped as code */
	const char
		*ref_symbol; /* "_text" or "_stext": what pgoff is the address of; NULL: not told */
};

/* Modules and their names, which may be of 64 KB each. */
#define MODULE_BYTES_MAX (64u << 20)

struct modules {
	struct module **list;
	size_t count, cap;
	size_t bytes;	  /* of the modules and their names */
	uint64_t refused; /* times that one had no place and became [others] */
	struct arena arena;
	struct intern keys;
};

void modules_init(struct modules *m);
void modules_release(struct modules *m);
/* The module of PATH with IDS (NULL: nothing is known), made when new; past MODULE_BYTES_MAX the
 * one that stands for all others. */
struct module *modules_get(struct modules *m, enum pdt_module_kind kind, const char *path,
			   size_t len, const struct module_ids *ids);

/* The id of module ID of FROM, another reading of the same capture, made when new. */
uint32_t modules_take(struct modules *m, const struct modules *from, uint32_t id);

#endif
