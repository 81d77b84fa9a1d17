/* Escapes text for SVG and for scripts, and writes numbers so that every locale gives the same
 * bytes. */
#include "formats/svg/svg_text.h"
#include "formats/xml.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define REPLACEMENT 0xfffd

/* The character at TEXT and its length; what cannot be shown is REPLACEMENT of one byte. */
static uint32_t decode(const char *text, size_t left, size_t *len)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t n = utf8_shown(text, left);
	uint32_t c;

	*len = n ? n : 1;
	if (n < 2)
		return n ? *p : REPLACEMENT;
	c = *p & (0x7fu >> n);
	for (size_t i = 1; i < n; i++)
		c = c << 6 | (p[i] & 0x3fu);
	if ((n == 3 && c < 0x800) || (c >= 0xd800 && c < 0xe000) || (c & 0xfffe) == 0xfffe ||
	    c > 0x10ffff || (n == 4 && c < 0x10000))
		return REPLACEMENT;
	return c;
}

void svg_text_n(struct out *o, const char *text, size_t len, bool ascii)
{
	size_t n;

	if (!ascii) {
		xml_text_n(o, text, len);
		return;
	}
	for (size_t i = 0; i < len; i += n) {
		uint32_t c = decode(text + i, len - i, &n);

		if (c < 0x80) {
			xml_text_n(o, text + i, 1);
			continue;
		}
		out_str(o, "&#");
		out_u64(o, c);
		out_str(o, ";");
	}
}

void svg_text(struct out *o, const char *text, bool ascii)
{
	svg_text_n(o, text, strlen(text), ascii);
}

static void json_unit(struct out *o, uint32_t unit)
{
	char text[8];

	snprintf(text, sizeof(text), "\\u%04" PRIx32, unit & 0xffff);
	out_str(o, text);
}

void svg_json(struct out *o, const char *text)
{
	size_t len = strlen(text), n;

	out_str(o, "\"");
	for (size_t i = 0; i < len; i += n) {
		uint32_t c = decode(text + i, len - i, &n);

		if (c < 0x7f && c >= 0x20 && !strchr("\"'\\<>&]", (int)c)) {
			out_write(o, text + i, 1);
		} else if (c >= 0x10000) {
			json_unit(o, 0xd800 + ((c - 0x10000) >> 10));
			json_unit(o, 0xdc00 + ((c - 0x10000) & 0x3ff));
		} else {
			json_unit(o, c);
		}
	}
	out_str(o, "\"");
}

void svg_int(struct out *o, int64_t n)
{
	if (n < 0)
		out_str(o, "-");
	out_u64(o, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

void svg_px(struct out *o, double px)
{
	char text[24] = ".000";
	int64_t n = fabs(px) < 1e15 ? llround(px * 1000) : 0;
	unsigned part = (unsigned)((n < 0 ? -n : n) % 1000);
	size_t digits = 3;

	if (n < 0 && n > -1000)
		out_str(o, "-");
	svg_int(o, n / 1000);
	if (!part)
		return;
	for (size_t i = 3; i; i--, part /= 10)
		text[i] = (char)('0' + part % 10);
	while (text[digits] == '0')
		digits--;
	out_write(o, text, digits + 1);
}

void svg_pxs(struct out *o, const struct svg_number *list)
{
	for (; list->before; list++) {
		out_str(o, list->before);
		svg_px(o, list->px);
	}
}
