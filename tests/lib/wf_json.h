/* Is a text well-formed JSON, or fit for a terminal? Strict and small, so that the tests need no
 * other program; loops, no recursion. Each returns NULL, or the place where it is not. */
#ifndef PDTOOL_TESTS_WF_JSON_H
#define PDTOOL_TESTS_WF_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One character of UTF-8 (RFC 3629); 0 bytes when it is none. */
static inline size_t wf_utf8(const unsigned char *p, uint32_t *code)
{
	size_t n = *p < 0x80 ? 1 : *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : *p >= 0xc0 ? 2 : 0;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };

	*code = n == 1 ? *p : n ? *p & (0x7fu >> n) : 0;
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (p[i] & 0x3f);
	}
	if (*code < least[n] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return n;
}

/* ---- JSON ---- */

static inline const char *wf_json_blank(const char *p)
{
	return p + strspn(p, " \t\r\n");
}

/* P is behind the quote; returns what follows the closing one, or NULL. */
static inline const char *wf_json_string(const char *p)
{
	uint32_t code;
	size_t n;

	for (; *p != '"'; p += n) {
		n = wf_utf8((const unsigned char *)p, &code);
		if (!n || code < 0x20)
			return NULL;
		if (*p != '\\')
			continue;
		if (p[1] == 'u' && strspn(p + 2, "0123456789abcdefABCDEF") >= 4)
			n = 6;
		else if (p[1] && strchr("\"\\/bfnrt", p[1]))
			n = 2;
		else
			return NULL;
	}
	return p + 1;
}

static inline const char *wf_digits(const char *p)
{
	size_t n = strspn(p, "0123456789");

	return n ? p + n : NULL;
}

static inline const char *wf_json_number(const char *p)
{
	p += *p == '-';
	p = *p == '0' ? p + 1 : wf_digits(p);
	if (p && *p == '.')
		p = wf_digits(p + 1);
	if (p && (*p == 'e' || *p == 'E'))
		p = wf_digits(p + 1 + (p[1] == '-' || p[1] == '+'));
	return p;
}

/* A value that holds no others. */
static inline const char *wf_json_scalar(const char *p)
{
	static const char *const words[] = { "null", "true", "false" };

	if (*p == '"')
		return wf_json_string(p + 1);
	for (size_t i = 0; i < 3; i++) {
		if (!strncmp(p, words[i], strlen(words[i])))
			return p + strlen(words[i]);
	}
	return wf_json_number(p);
}

/* P is before a key: returns where its value begins. */
static inline const char *wf_json_key(const char *p)
{
	p = wf_json_blank(p);
	p = *p == '"' ? wf_json_string(p + 1) : NULL;
	p = p ? wf_json_blank(p) : NULL;
	return p && *p == ':' ? wf_json_blank(p + 1) : NULL;
}

static inline const char *wf_json(const char *text)
{
	const char *p = wf_json_blank(text), *q;
	char open[32]; /* the closing bracket of each level */
	size_t depth = 0;

	for (;;) {
		if (*p == '[' || *p == '{') {
			if (depth == sizeof(open))
				return p;
			open[depth++] = *p == '[' ? ']' : '}';
			q = wf_json_blank(p + 1);
			if (*q != open[depth - 1]) {
				p = *p == '[' ? q : wf_json_key(q);
				if (!p)
					return q;
				continue;
			}
			p = q;
		} else {
			q = wf_json_scalar(p);
			if (!q)
				return p;
			p = wf_json_blank(q);
		}
		while (depth && *p == open[depth - 1]) {
			depth--;
			p = wf_json_blank(p + 1);
		}
		if (!depth)
			return *p ? p : NULL;
		if (*p != ',')
			return p;
		q = wf_json_blank(p + 1);
		p = open[depth - 1] == ']' ? q : wf_json_key(q);
		if (!p)
			return q;
	}
}

/* ---- a terminal ---- */

/* Lines of UTF-8; no control character but, with COLOUR, ESC [ digits and ; m. */
static inline const char *wf_terminal(const char *p, bool colour)
{
	uint32_t code;
	size_t n;

	for (; *p; p += n) {
		n = wf_utf8((const unsigned char *)p, &code);
		if (!n)
			return p;
		if (code == 0x1b && colour && p[1] == '[') {
			n = 2 + strspn(p + 2, "0123456789;");
			if (p[n] != 'm')
				return p;
			n++;
		} else if ((code < 0x20 && code != '\n') || (code >= 0x7f && code < 0xa0)) {
			return p;
		}
	}
	return NULL;
}

#endif
