/* Short texts and numbers put together in the output's room, for who writes many. */
#ifndef PDTOOL_EXPORT_PIECES_H
#define PDTOOL_EXPORT_PIECES_H

#include "formats/out.h"
#include "parser/base/digits.h"

#define PIECES                                                                             \
	160 /* room for four numbers of 10 digits, one of 24, and what stands between them \
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

/* What times begin with stays the same for long: all but their last eight digits. All zero is
 * empty. */
struct piece_high {
	uint64_t value;
	unsigned len;
	char text[DIGITS_ROOM];
};

/* The digits of HIGH, which is not 0. */
static inline char *piece_high(struct piece_high *last, char *to, uint64_t high)
{
	if (high != last->value) {
		last->value = high;
		last->len = (unsigned)(digits_put(last->text, high) - last->text);
	}
	memcpy(to, last->text, DIGITS_MAX);
	return to + last->len;
}

#endif
