/* One loop over the characters, and a function for each format that knows what stands in place of
 * those that must not get out as they are. */
#include "formats/shown.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define REPLACEMENT 0xfffd

struct character {
	const unsigned char *p;
	size_t len;  /* bytes; 0: the first one is no character, or one that nobody may get */
	size_t left; /* to the end of the text */
	char as[16]; /* what stands in its place; at first U+FFFD */
};

/* How many bytes C's AS stands for; 0: the character is written as it is. */
typedef size_t escape(struct character *c);

uint32_t shown_code(const unsigned char *p, size_t len)
{
	uint32_t code = len > 1 ? *p & (0x7fu >> len) : *p;

	for (size_t i = 1; i < len; i++)
		code = code << 6 | (p[i] & 0x3fu);
	return code;
}

/* The last two of a plane are no characters, either. */
static uint32_t allowed_code(const struct character *c)
{
	uint32_t code = shown_code(c->p, c->len);

	return !c->len || (code & 0xfffe) == 0xfffe ? REPLACEMENT : code;
}

static size_t csv(struct character *c)
{
	if (*c->p == '"')
		strcpy(c->as, "\"\"");
	return *c->p == '"';
}

static size_t json(struct character *c)
{
	bool is_c1 = c->left > 1 && *c->p == 0xc2 && (c->p[1] & 0xe0) == 0x80;
	size_t len = is_c1 ? 2 : c->len ? c->len : 1;
	uint32_t code = shown_code(c->p, len);

	if (code == '"' || code == '\\')
		snprintf(c->as, sizeof(c->as), "\\%c", (char)code);
	else if (code < 0x20 || code == 0x7f || is_c1 || code == 0x2028 || code == 0x2029 ||
		 (code == '<' && c->left > 1 && c->p[1] == '/'))
		snprintf(c->as, sizeof(c->as), "\\u%04" PRIx32, code);
	else
		return 0;
	return len;
}

static size_t script(struct character *c)
{
	uint32_t code = allowed_code(c);

	if (code < 0x7f && !strchr("\"'\\<>&]", (int)code))
		return 0;
	if (code < 0x10000)
		snprintf(c->as, sizeof(c->as), "\\u%04" PRIx32, code);
	else
		snprintf(c->as, sizeof(c->as), "\\u%04" PRIx32 "\\u%04" PRIx32,
			 0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff));
	return c->len ? c->len : 1;
}

static size_t xml(struct character *c)
{
	static const char *const escapes[] = {
		['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"
	};

	if (*c->p < ARRAY_SIZE(escapes) && escapes[*c->p]) {
		strcpy(c->as, escapes[*c->p]);
		return 1;
	}
	return c->len == 3 && allowed_code(c) == REPLACEMENT ? 3 : 0;
}

static size_t xml_ascii(struct character *c)
{
	uint32_t code = allowed_code(c);

	if (code < 0x80)
		return xml(c);
	snprintf(c->as, sizeof(c->as), "&#%" PRIu32 ";", code);
	return c->len ? c->len : 1;
}

static const struct {
	escape *escape;
	const char *quote;
} formats[] = {
	[QUOTE_TERMINAL] = { NULL, "" }, [QUOTE_CSV] = { csv, "\"" },
	[QUOTE_JSON] = { json, "\"" },	 [QUOTE_SCRIPT] = { script, "\"" },
	[QUOTE_XML] = { xml, "" },	 [QUOTE_XML_ASCII] = { xml_ascii, "" },
};

static void put(struct out *o, const char *text, size_t len, escape *special)
{
	size_t begin = 0, i = 0;

	while (i < len) {
		size_t n = utf8_shown(text + i, len - i);
		struct character c = { (const unsigned char *)text + i, n, len - i,
				       "\xef\xbf\xbd" };
		size_t used = special ? special(&c) : 0;

		if (used || !n) {
			out_write(o, text + begin, i - begin);
			out_str(o, c.as);
			begin = i + (used ? used : 1);
		}
		i += used ? used : n ? n : 1;
	}
	out_write(o, text + begin, len - begin);
}

void shown_put(struct out *o, const char *text, size_t len)
{
	bool bare = o->quoting == QUOTE_CSV && !memchr(text, ',', len) && !memchr(text, '"', len);
	const char *quote = bare ? "" : formats[o->quoting].quote;

	out_str(o, quote);
	put(o, text, len, formats[o->quoting].escape);
	out_str(o, quote);
}

/* How many bytes of TEXT are its first WIDTH characters, and how many of these there are. */
static size_t measure(const char *text, size_t *width)
{
	size_t len = strlen(text), i = 0, most = *width, n;

	for (*width = 0; i < len && *width < most; i += n ? n : 1, ++*width)
		n = utf8_shown(text + i, len - i);
	return i;
}

size_t shown_bytes(const char *text, size_t width)
{
	return measure(text, &width);
}

size_t shown_width(const char *text)
{
	size_t width = SIZE_MAX;

	measure(text, &width);
	return width;
}
