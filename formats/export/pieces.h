/* Short texts and numbers put together in the output's room, for who writes many. */
#ifndef PDTOOL_EXPORT_PIECES_H
#define PDTOOL_EXPORT_PIECES_H

#include "formats/out.h"
#include "parser/base/digits.h"

#define PIECES 160 /* room for four numbers of 10 digits, one of 24, and what stands between them \
		    */

/* A piece at TO: returns where it ends. */
static inline char *piece_text(char *to, const char *literal)
{
	size_t len = strlen(literal);

	memcpy(to, literal, len);
	return to + len;
}

static inline char *piece_u64(char *to, uint64_t v)
{
	return digits_put(to, v);
}

#endif
