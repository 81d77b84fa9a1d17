/* Text on its way to a terminal: what a terminal could obey becomes U+FFFD. */
#ifndef PDTOOL_SHOWN_H
#define PDTOOL_SHOWN_H

#include "formats/out.h"

/* TEXT, each control byte and each byte that is no UTF-8 as one U+FFFD. */
void shown_text(struct out *o, const char *text);
/* The same of at most LEN bytes of it. */
void shown_text_n(struct out *o, const char *text, size_t len);
/* How many characters shown_text() writes. */
size_t shown_width(const char *text);
/* How many bytes of TEXT are its first WIDTH characters. */
size_t shown_bytes(const char *text, size_t width);

#endif
