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
	bool hidden; /* see utf8_is_hidden() */
	char as[16]; /* what stands in its place; at first U+FFFD */
};

/* How many bytes C's AS stands for; 0: the character is written as it is. */
typedef size_t escape(struct character *c);

/* The last two of a plane are no characters, either. */
static uint32_t allowed_code(const struct character *c)
{
	uint32_t code = utf8_code((const char *)c->p, c->len);

	return !c->len || (code & 0xfffe) == 0xfffe ? REPLACEMENT : code;
}

static size_t csv(struct character *c)
{
	if (*c->p != '"')
		return 0;
	strcpy(c->as, "\"\"");
	return 1;
}

/* As strings of JavaScript and JSON have it: in UTF-16. */
static void put_unit(struct character *c, uint32_t code)
{
	if (code < 0x10000)
		snprintf(c->as, sizeof(c->as), "\\u%04" PRIx32, code);
	else
		snprintf(c->as, sizeof(c->as), "\\u%04" PRIx32 "\\u%04" PRIx32,
			 0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff));
}

static size_t json(struct character *c)
{
	bool is_c1 = c->left > 1 && *c->p == 0xc2 && (c->p[1] & 0xe0) == 0x80;
	size_t len = is_c1 ? 2 : c->len ? c->len : 1;
	uint32_t code = utf8_code((const char *)c->p, len);

	if (code == '"' || code == '\\')
		snprintf(c->as, sizeof(c->as), "\\%c", (char)code);
	else if (code < 0x20 || code == 0x7f || is_c1 || c->hidden ||
		 (code == '<' && c->left > 1 && c->p[1] == '/'))
		put_unit(c, code);
	else
		return 0;
	return len;
}

static size_t script(struct character *c)
{
	put_unit(c, allowed_code(c));
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

#define IN(format) 1u << QUOTE_##format

/* The formats in which a byte does not stand for itself: in none do control characters, and what is
 * no ASCII has to be looked at. */
static const uint8_t special[0x100] = {
	[0 ... 0x1f] = 0xff,
	[0x7f ... 0xff] = 0xff,
	['"'] = IN(CSV) | IN(JSON) | IN(SCRIPT) | IN(XML) | IN(XML_ASCII),
	['\\'] = IN(JSON) | IN(SCRIPT),
	['<'] = IN(JSON) | IN(SCRIPT) | IN(XML) | IN(XML_ASCII),
	['>'] = IN(SCRIPT) | IN(XML) | IN(XML_ASCII),
	['&'] = IN(SCRIPT) | IN(XML) | IN(XML_ASCII),
	['\''] = IN(SCRIPT) | IN(XML) | IN(XML_ASCII),
	[']'] = IN(SCRIPT),
	[','] = IN(CSV), /* it stands for itself, but in quotes */
};

static const struct {
	escape *escape;
	const char *quote;
	/* What stands before the backslash of what is hidden; NULL: that is data, and stays what it
	 * is, unless people read it. */
	const char *before;
} formats[] = {
	[QUOTE_TERMINAL] = { NULL, "", "" }, [QUOTE_CSV] = { csv, "\"", NULL },
	[QUOTE_JSON] = { json, "\"", NULL }, [QUOTE_SCRIPT] = { script, "\"", "\\" },
	[QUOTE_XML] = { xml, "", "" },	     [QUOTE_XML_ASCII] = { xml_ascii, "", "" },
};

/* Is the hidden character C to be shown? JSON's own escapes show it. */
static bool is_for_people(const struct out *o, struct character *c)
{
	const char *before = formats[o->quoting].before;
	char as[UTF8_ESCAPE_MAX];

	if (!c->hidden || (!before && !(o->quoting == QUOTE_CSV && o->to_terminal)))
		return false;
	utf8_escape(utf8_code((const char *)c->p, c->len), as);
	snprintf(c->as, sizeof(c->as), "%s%s", before ?: "", as);
	return true;
}

/* Most text is ASCII that stands for itself: such a run is written at once. */
static size_t plain_run(const char *text, size_t len, enum quoting quoting)
{
	size_t n = 0;

	while (n < len && !(special[(unsigned char)text[n]] >> quoting & 1))
		n++;
	return n;
}

static void put(struct out *o, const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t n = plain_run(text + i, len - i, o->quoting), used;
		struct character c = { .as = "\xef\xbf\xbd" };

		out_write(o, text + i, n);
		i += n;
		if (i == len)
			return;
		c.p = (const unsigned char *)text + i;
		c.len = utf8_shown(text + i, len - i);
		c.left = len - i;
		c.hidden = utf8_hides(text + i, c.len);
		if (is_for_people(o, &c))
			used = c.len;
		else
			used = formats[o->quoting].escape ? formats[o->quoting].escape(&c) : 0;
		if (used || !c.len)
			out_str(o, c.as);
		else
			out_write(o, text + i, c.len);
		i += used ? used : c.len ? c.len : 1;
	}
}

void shown_put(struct out *o, const char *text, size_t len)
{
	size_t plain = plain_run(text, len, o->quoting);
	const char *quote = formats[o->quoting].quote;

	if (o->quoting == QUOTE_CSV &&
	    (plain == len || (!memchr(text, ',', len) && !memchr(text, '"', len))))
		quote = "";
	out_str(o, quote);
	out_write(o, text, plain);
	if (plain < len)
		put(o, text + plain, len - plain);
	out_str(o, quote);
}

void shown_put_lines(struct out *o, const char *text, size_t len)
{
	const char *end = text + len;

	if (!o->to_terminal) {
		out_write(o, text, len);
		return;
	}
	while (text < end) {
		const char *p = text;

		while (p < end && *p != '\n' && *p != '\t')
			p++;
		shown_put(o, text, (size_t)(p - text));
		out_write(o, p, p < end);
		text = p < end ? p + 1 : end;
	}
}

size_t shown_first(const char *text, size_t left, size_t *columns)
{
	size_t n = *text >= 0x20 && *text < 0x7f ? 1 : utf8_shown(text, left);
	char as[UTF8_ESCAPE_MAX];
	uint32_t code;

	*columns = 1;
	if (n < 2)
		return 1;
	code = utf8_code(text, n);
	*columns = utf8_is_hidden(code) ? utf8_escape(code, as) : utf8_columns(code);
	return n;
}

size_t shown_fit(const char *text, size_t *width)
{
	size_t len = strlen(text), i = 0, shown = 0, n, columns;

	for (; i < len; i += n) {
		n = shown_first(text + i, len - i, &columns);
		if (columns > *width - shown)
			break;
		shown += columns;
	}
	*width = shown;
	return i;
}

size_t shown_bytes(const char *text, size_t width)
{
	return shown_fit(text, &width);
}

size_t shown_width(const char *text)
{
	size_t plain = shown_plain(text), width = SIZE_MAX;

	if (!text[plain])
		return plain;
	shown_fit(text + plain, &width);
	return plain + width;
}

size_t shown_plain(const char *text)
{
	size_t n = 0;

	while (!(special[(unsigned char)text[n]] >> QUOTE_TERMINAL & 1))
		n++;
	return n;
}
