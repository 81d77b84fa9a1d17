/* Name all locations: module by module, each loaded once, several at a time. */
#ifndef PDTOOL_SYMBOLS_RESOLVE_H
#define PDTOOL_SYMBOLS_RESOLVE_H

#include "parser/names/names.h"
#include "parser/names/symtab.h"
#include "parser/state/machine.h"

struct jitdump;
struct recorded_sink;

struct resolve_options {
	const struct symbol_options *symbols;
	const struct build_id_entry *build_ids; /* what the capture recorded */
	size_t build_id_count;
	const struct build_id_paths *build_id_paths;
	unsigned jobs;
	const bool *after_call; /* by location: it follows a call, its line is the call's; or NULL
				 */
	/* The jitdump that a module stands for. */
	const struct jitdump *(*jit_dump)(void *jit, uint32_t module);
	void *jit;
	/* Tell SINK the symbols that the capture itself holds; NULL: it holds none. */
	void (*read_recorded)(void *recorded, const struct recorded_sink *sink, struct warnings *w);
	void *recorded;
	const char *capture_path; /* must outlive the names */
	struct warnings *warnings;
};

/* Name the COUNT locations at LOCS, which stay the caller's and must outlive N, as the machine had
 * them. */
void names_resolve(struct names *n, const struct loc *locs, size_t count,
		   const struct machine *machine, const struct resolve_options *o);
/* Location LOC, which is in no module, is called NAME, which must outlive N. */
void names_call(struct names *n, uint32_t loc, const char *name);
void names_release(struct names *n);
/* How many, of all modules. */
uint64_t names_left_out(const struct names *n, enum names_bound what);

/* A symbol of module MODULE, in the addresses that locations have. */
struct symbol_range {
	const char *symbol; /* raw (mangled) name */
	uint64_t start, end;
};

/* S, which in these addresses begins at START. */
static inline struct symbol_range symbol_range(const struct symbol *s, uint64_t start)
{
	return (struct symbol_range){ s->name, start, start + (s->end - s->start) };
}

/* The one at ADDR; false: there is none. */
bool names_range(const struct names *n, uint32_t module, uint64_t addr, struct symbol_range *out);
#endif
