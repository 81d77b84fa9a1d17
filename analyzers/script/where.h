/* What stands behind an address: symbol, offset, module, source line. Made once for each location,
 * so that a frame of a chain is an address and a copy. */
#ifndef PDTOOL_SCRIPT_WHERE_H
#define PDTOOL_SCRIPT_WHERE_H

#include "parser/base/buf.h"
#include "parser/filter.h"
#include "parser/pdtool_module.h"

struct where_options {
	uint64_t fields;	      /* FIELD_SYM ... */
	const struct name_list *stop; /* chains end at these functions; empty: none */
	bool full_path;		      /* of source files */
};

/* One function at a location. */
struct where_text {
	uint32_t at, len; /* in the text */
	bool stops;
};

struct where {
	struct buf text;
	uint32_t *first; /* by location: index in list; one more at the end. NULL: not made yet */
	struct where_text
		*list; /* the innermost first; the last one is what the symbol table says */
	size_t count, cap;
	struct where_text nowhere; /* no location */
};

/* All zero is empty. */
void where_make(struct where *w, const struct where_options *o, const struct pdt_session *s);
void where_release(struct where *w);

#endif
