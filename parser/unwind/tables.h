/* The unwind tables of modules: read when a module is first met, given up least recently used first
 * when all of them together take too much memory. */
#ifndef PDTOOL_UNWIND_TABLES_H
#define PDTOOL_UNWIND_TABLES_H

#include "parser/unwind/cfi.h"
#include "parser/unwind/exidx.h"
#include "parser/unwind/jittables.h"
#include "parser/unwind/unwind.h"

struct tables {
	const struct unwind_arch *arch; /* NULL: the files are not of the sample's architecture */
	struct unwind_files files;
	struct cfi eh, debug;
	struct exidx exidx;
	struct jit_tables *jit;	     /* of a jitdump: each function has its own */
	const struct jit_tables *in; /* where these are the ones of a function */
	size_t bytes;		     /* as counted in the set */
	uint64_t last_use;	     /* by the set's clock */
	bool has_rules;		     /* any at all */
};

struct table_set {
	struct tables **list; /* by module; NULL: not read, or given up */
	size_t count;
	size_t bytes;
	uint64_t clock;
	uint64_t evicted, bad_entries, over_entries;
};

void table_set_release(struct table_set *s);
/* The tables of MODULE for samples of ARCH; valid until table_set_trim(). */
struct tables *table_set_get(struct table_set *s, const struct unwind_source *source,
			     uint32_t module, const struct unwind_arch *arch);
/* Of T those that hold at OFFSET: T itself, or of a jitdump those of one function, NULL when it has
 * none. */
struct tables *table_set_part(struct table_set *s, struct tables *t, uint64_t offset);
/* T may have grown since: count it anew. */
void table_set_grown(struct table_set *s, struct tables *t);
/* Give tables up until the rest takes at most BYTES_MAX; those used last stay, however large. True
 * when any had to go. */
bool table_set_trim(struct table_set *s, size_t bytes_max);
/* Entries left out so far, of tables that were given up, too: those that make no sense, and those
 * past the most that a module may have. */
uint64_t table_set_bad(const struct table_set *s);
uint64_t table_set_over(const struct table_set *s);
/* The address that T's files give to what is at OFFSET. */
int tables_addr(const struct tables *t, uint64_t offset, uint64_t *addr) CHECKED;

#endif
