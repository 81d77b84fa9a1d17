/* What stands behind an address: symbol, offset, module, source line. Made once for each location,
 * so that a frame of a chain is an address and a copy. */
#ifndef PDTOOL_SCRIPT_WHERE_H
#define PDTOOL_SCRIPT_WHERE_H

#include "parser/base/buf.h"
#include "parser/base/digits.h"
#include "parser/filter.h"
#include "parser/pdtool_module.h"

struct where_options {
	uint64_t fields;	      /* FIELD_SYM ... */
	const struct name_list *stop; /* chains end at these functions; empty: none */
	bool full_path;		      /* of source files */
	bool as_perf; /* what is inlined into a function of its own name is not marked */
};

/* One function at a location. Its text is the line of a frame: a tab, the address in 16 columns,
 * what stands behind an address, and the end of the line; behind it more can be read. Mostly a
 * location lies at one address, so that the line is a copy. */
struct where_frame {
	uint64_t address; /* that the text has now */
	uint32_t at;	  /* in the text */
	uint32_t len   : 31;
	uint32_t stops : 1; /* chains end here */
};

#define WHERE_PIECE 64 /* bytes that are copied at once */

struct where {
	struct buf text;
	struct where_frame *frames; /* by location, then one for none: what the symbol table says.
				       NULL: not made yet */
	struct where_frame *inlined;
	uint32_t *first; /* by location, one more at the end: in INLINED, the innermost first.
			    NULL: there are none */
	size_t locations, count, cap;
};

/* All zero is empty. */
void where_make(struct where *w, const struct where_options *o, const struct pdt_session *s);
void where_release(struct where *w);

/* The location of E's own address; PDT_NONE: not recorded. */
static inline uint32_t where_sampled(const struct pdt_session *s, const struct pdt_event *e)
{
	return e->place != PDT_NONE ? e->place : pdt_stack_at(s, e->stack).ip;
}

/* A location's, or PDT_NONE's. */
static inline struct where_frame *where_frame_of(const struct where *w, uint32_t loc)
{
	return &w->frames[loc < w->locations ? loc : w->locations];
}

/* What stands behind an address of F: *LEN bytes. */
static inline const char *where_behind(const struct where *w, const struct where_frame *f,
				       size_t *len)
{
	*len = f->len - 1 - HEX_WIDE - 1;
	return w->text.data + f->at + 1 + HEX_WIDE;
}

/* The text of F will be needed soon. */
static inline void where_expect(const struct where *w, const struct where_frame *f)
{
	__builtin_prefetch(w->text.data + f->at);
	__builtin_prefetch(w->text.data + f->at + 64);
}

/* Append the line of F at ADDRESS; where it begins. */
static inline char *where_put_line(struct where *w, struct where_frame *f, uint64_t address,
				   struct buf *out)
{
	char *text = w->text.data + f->at, *to = buf_reserve(out, f->len + WHERE_PIECE);

	if (f->address != address) {
		f->address = address;
		hex_wide(text + 1, address);
	}
	for (size_t i = 0; i < f->len; i += WHERE_PIECE)
		memcpy(to + i, text + i, WHERE_PIECE);
	to[f->len] = '\0';
	out->len += f->len;
	return to;
}

#endif
