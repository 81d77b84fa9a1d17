/* Escapes bytes for XML. Decides byte by byte what is allowed, so that no input makes the
 * document ill-formed. */
#include "formats/xml.h"
#include "parser/base/utf8.h"

#include <stdbool.h>
#include <string.h>

static const char *escape(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* U+FFFE and U+FFFF are no characters of XML. */
static bool allowed(const unsigned char *p, size_t n)
{
	return n > 0 && !(p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe);
}

void xml_text_n(struct out *o, const char *text, size_t len)
{
	size_t n;

	for (size_t i = 0; i < len; i += n ? n : 1) {
		const char *e = escape(text[i]);

		n = utf8_shown(text + i, len - i);
		if (e)
			out_str(o, e);
		else if (allowed((const unsigned char *)text + i, n))
			out_write(o, text + i, n);
		else
			out_str(o, "\xef\xbf\xbd");
	}
}

void xml_text(struct out *o, const char *text)
{
	xml_text_n(o, text, strlen(text));
}
