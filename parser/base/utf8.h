/* Text that may be shown: well-formed UTF-8 without control characters. */
#ifndef PDTOOL_BASE_UTF8_H
#define PDTOOL_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many bytes at P, of LEFT (at least 1), make one character that a terminal may get; 0 when the
 * first byte must be written another way: C0 and C1 controls, DEL, and whatever is not UTF-8 (RFC
 * 3629: also longer forms than needed, surrogates, and what is above U+10FFFF). */
static inline size_t utf8_shown(const char *text, size_t left)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t n = *p < 0x80   ? 1
		   : *p < 0xc2 ? 0
		   : *p < 0xe0 ? 2
		   : *p < 0xf0 ? 3
		   : *p < 0xf5 ? 4
			       : 0;

	if (n > left || *p < 0x20 || *p == 0x7f)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	}
	if ((*p == 0xc2 && p[1] < 0xa0) || (*p == 0xe0 && p[1] < 0xa0) ||
	    (*p == 0xed && p[1] > 0x9f) || (*p == 0xf0 && p[1] < 0x90) ||
	    (*p == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

/* The code point of the character at TEXT, of LEN bytes as utf8_shown() says; of 0, the first byte.
 */
uint32_t utf8_code(const char *text, size_t len);
/* How many columns of a terminal the character CODE takes: 0, 1 or 2. */
unsigned utf8_columns(uint32_t code);

#endif
