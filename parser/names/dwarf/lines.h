/* Source lines and inline chains of the addresses of one ELF file, all of them in one sweep: each
 * compile unit that holds wanted addresses is read once, the others not at all; what one unit
 * needed is forgotten before the next.
 *
 * Which unit holds an address is told by the units' own ranges; .debug_aranges would say the same,
 * but clang leaves it out. Lines are those that addr2line shows: of the last row at or before the
 * address. A chain goes from the entry with the least range around the address, as addr2line's. */
#ifndef PDTOOL_SYMBOLS_LINES_H
#define PDTOOL_SYMBOLS_LINES_H

#include "parser/base/intern.h"
#include "parser/names/dwarf/dwarfs.h"
#include "parser/names/names.h"

/* Longer chains are cut at their outer end. */
#define INLINES_MAX 256

struct lines_query {
	const char *path;      /* the file with debug information */
	const uint64_t *addrs; /* as the file counts them (not file offsets), ascending */
	size_t count;
	bool lines;   /* of addresses and of calls */
	bool inlines; /* inline chains; without lines their names alone, which costs less */
	bool no_demangle;
	bool by_cxa;		    /* names as by quirks.demangles_by_cxa */
	bool whole_chains;	    /* chains as by quirks.names_by_addr2line */
	struct dwarf_finder finder; /* for its alternate file */
};

/* By address: what struct loc_name says of it. */
struct line_answer {
	const char *file;
	const struct source_frame *inlines;
	uint32_t line, inline_count;
};

struct lines {
	struct line_answer *answers; /* as many as addresses; NULL when there is no DWARF */
	struct debug_missing missing;
	uint64_t left_out[NAMES_BOUNDS];
	struct intern texts; /* what the answers point into */
	struct arena arena;
};

void lines_init(struct lines *l);
void lines_release(struct lines *l);
/* Fill L, initialised and empty. ERR_ABSENT: the file has no DWARF; ERR_FORMAT: it cannot be read;
 * then there are no answers. What only parts of the answers suffer from is in L->missing. */
int lines_load(struct lines *l, const struct lines_query *q) CHECKED;

#endif
