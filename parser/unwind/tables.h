/* The unwind tables of modules: read when a module is first met, given up least recently used first
 * when all of them together take too much memory. */
#ifndef PDTOOL_UNWIND_TABLES_H
#define PDTOOL_UNWIND_TABLES_H

#include "parser/unwind/cfi.h"
#include "parser/unwind/exidx.h"
#include "parser/unwind/unwind.h"

struct tables {
	const struct unwind_arch *arch; /* NULL: the files are not of the sample's architecture */
	struct unwind_files files;
	struct cfi eh, debug;
	struct exidx exidx;
	size_t bytes; /* as counted in the set */
	uint64_t last_use;
	bool has_rules; /* any at all */
};

struct table_set {
	struct tables **list; /* by module; NULL: not read, or given up */
	size_t count;
	size_t bytes, bytes_max;
	uint64_t clock;
	uint64_t evicted, bad_entries;
};

void table_set_release(struct table_set *s);
/* The tables of MODULE for samples of ARCH; valid until the next call. *EVICTED becomes true when
 * those of another module had to go. */
struct tables *table_set_get(struct table_set *s, const struct unwind_source *source,
			     uint32_t module, const struct unwind_arch *arch, bool *evicted);
/* T may have grown since: count it anew. */
void table_set_grown(struct table_set *s, struct tables *t);
/* The address that T's files give to what is at OFFSET. */
int tables_addr(const struct tables *t, uint64_t offset, uint64_t *addr) CHECKED;

#endif
