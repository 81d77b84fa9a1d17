/* The one file that a profile for compilers is of, and what its symbols are called there. */
#ifndef PDTOOL_EXPORT_BINARY_H
#define PDTOOL_EXPORT_BINARY_H

#include "parser/pdtool.h"
#include "parser/base/arena.h"
#include "parser/base/err.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"

/* How much lies in each module. */
struct binary_weights {
	uint64_t *of; /* by module */
	size_t count;
	uint64_t kernel, nowhere; /* what touches no module else */
	uint64_t all;
	const char *what; /* "branches" */
};

void binary_weights_init(struct binary_weights *b, const struct pdt_session *s, const char *what);
void binary_weights_release(struct binary_weights *b);
/* COUNT of them from location FROM to TO, which may be the same. */
void binary_weigh(struct binary_weights *b, const struct pdt_session *s, const uint32_t ends[2],
		  uint64_t count);
/* The module called NAME, or by NULL the one that has most of what lies in files. PDT_NONE: none
 * has that name, or there is no such one, and W says so. */
uint32_t binary_choose(const struct binary_weights *b, const struct pdt_session *s,
		       const char *name, struct warnings *w);
/* Tell W how much is in MODULE, and where else there is some: of a branch from one to the other
 * both. */
void binary_tell(const struct binary_weights *b, const struct pdt_session *s, uint32_t module,
		 struct warnings *w);

/* Of the file, not "puts@plt" or ".plt". NULL: no symbol. */
bool binary_is_function(const char *symbol);

/* Symbols as BOLT calls them: of local ones there may be several. All zero is empty. */
struct binary_symbols {
	struct idmap numbers; /* of local ones by their offset: the first of its name is 1 */
	struct arena text;
};

void binary_symbols_make(struct binary_symbols *b, const struct pdt_session *s, uint32_t module);
void binary_symbols_release(struct binary_symbols *b);
/* SYMBOL at OFFSET, until the release; NULL: it cannot be told in a line of text. */
const char *binary_symbol(struct binary_symbols *b, const char *symbol, uint64_t offset);

#endif
