/* Text of others on its way out: in the quotes of the format, with escapes for what must not stand
 * there. Whatever the bytes are, no control character gets out as it is, and nothing that is no
 * UTF-8: each such byte becomes U+FFFD, or an escape where the format has one. What is hidden
 * (utf8_is_hidden()) is an escape wherever people read it; in CSV it is data, unless that goes to a
 * terminal. */
#ifndef PDTOOL_SHOWN_H
#define PDTOOL_SHOWN_H

#include <stdbool.h>

#include "formats/out.h"

/* LEN bytes of TEXT as O's quoting says. */
void shown_put(struct out *o, const char *text, size_t len);

/* Lines for other programs, which are data: LEN bytes of TEXT as they are, unless they go to a
 * terminal. */
void shown_put_lines(struct out *o, const char *text, size_t len);

/* The bytes of the first character of TEXT, which has LEFT of them (at least 1), and the columns
 * that it takes as it is shown. */
size_t shown_first(const char *text, size_t left, size_t *columns);
/* How many columns of a terminal TEXT takes. */
size_t shown_width(const char *text);
/* How many bytes TEXT begins with that are a column each and stand for themselves on a terminal. */
size_t shown_plain(const char *text);
/* How many bytes of TEXT fit in WIDTH columns, with the marks upon the last character. */
size_t shown_bytes(const char *text, size_t width);
/* The same; then WIDTH is how many columns they take: fewer where a wide character is next. */
size_t shown_fit(const char *text, size_t *width);

#endif
