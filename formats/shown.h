/* Text of others on its way out: in the quotes of the format, with escapes for what must not stand
 * there. Whatever the bytes are, no control character gets out as it is, and nothing that is no
 * UTF-8: each such byte becomes U+FFFD, or an escape where the format has one. */
#ifndef PDTOOL_SHOWN_H
#define PDTOOL_SHOWN_H

#include <stdbool.h>

#include "formats/out.h"

/* LEN bytes of TEXT as O's quoting says. */
void shown_put(struct out *o, const char *text, size_t len);

/* How many characters of a terminal TEXT is. */
size_t shown_width(const char *text);
/* How many bytes of TEXT are its first WIDTH characters. */
size_t shown_bytes(const char *text, size_t width);
/* The code point of the character at P, of LEN bytes as utf8_shown() says; of 0, the first byte. */
uint32_t shown_code(const unsigned char *p, size_t len);

#endif
