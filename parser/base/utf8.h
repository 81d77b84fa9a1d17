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

/* Is CODE a character that nobody sees, or that changes how others are shown? Those that change the
 * direction of what follows, joiners and blanks without width, fillers, separators of lines, tags:
 * names with them look like others, or make the text behind them another. As data they stay; to
 * people they are shown as utf8_escape() writes them. */
bool utf8_is_hidden(uint32_t code);
/* The same of the character at TEXT, of LEN bytes as utf8_shown() says. */
static inline bool utf8_hides(const char *text, size_t len)
{
	return len > 1 && utf8_is_hidden(utf8_code(text, len));
}

/* "\u202e", "\U000e0001", as in C. Returns its length, which is also its columns. */
#define UTF8_ESCAPE_MAX 11
size_t utf8_escape(uint32_t code, char as[UTF8_ESCAPE_MAX]);
/* As utf8_shown(), but 0 also for a character that is hidden. */
static inline size_t utf8_visible(const char *text, size_t left)
{
	size_t n = utf8_shown(text, left);

	return utf8_hides(text, n) ? 0 : n;
}

struct buf;

/* What B holds from FROM on becomes safe to show: what is no character that may be shown becomes a
 * blank. */
void make_safe(struct buf *b, size_t from);
/* Append TEXT, made safe. */
void put_safe(struct buf *b, const char *text);

#endif
