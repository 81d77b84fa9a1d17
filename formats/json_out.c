/* Writes JSON value by value; commas and indentation follow from the nesting. Bytes that are
 * no UTF-8 never get out. */
#include "formats/json_out.h"
#include "parser/base/utf8.h"

#include <stdio.h>
#include <string.h>

static void escaped(struct out *o, unsigned code)
{
	char text[8];

	snprintf(text, sizeof(text), "\\u%04x", code & 0xffff);
	out_str(o, text);
}

/* A character that utf8_shown() refuses. How many bytes were used. */
static size_t odd_char(struct out *o, const unsigned char *p, size_t left)
{
	if (*p < 0x20 || *p == 0x7f) {
		escaped(o, *p);
	} else if (*p == 0xc2 && left > 1 && p[1] >= 0x80 && p[1] < 0xa0) {
		escaped(o, p[1]);
		return 2;
	} else {
		out_str(o, "\xef\xbf\xbd");
	}
	return 1;
}

static size_t one_char(struct out *o, const char *p, size_t left)
{
	size_t n = utf8_shown(p, left);

	if (!n)
		return odd_char(o, (const unsigned char *)p, left);
	if (*p == '"' || *p == '\\')
		out_write(o, "\\", 1);
	if (n == 3 && (!memcmp(p, "\xe2\x80\xa8", 3) || !memcmp(p, "\xe2\x80\xa9", 3)))
		escaped(o, (unsigned char)p[2] == 0xa8 ? 0x2028 : 0x2029);
	else if (*p == '<' && left > 1 && p[1] == '/')
		out_str(o, "\\u003c");
	else
		out_write(o, p, n);
	return n;
}

void json_text(struct out *o, const char *text)
{
	size_t len = text ? strlen(text) : 0;

	if (!text) {
		out_str(o, "null");
		return;
	}
	out_write(o, "\"", 1);
	for (size_t i = 0; i < len;)
		i += one_char(o, text + i, len - i);
	out_write(o, "\"", 1);
}

void json_key(struct out *o, const char *name)
{
	json_text(o, name);
	out_write(o, ":", 1);
}
