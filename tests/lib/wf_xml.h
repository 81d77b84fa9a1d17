/* Is a text well-formed XML, as far as our drawings use it? NULL, or the place where it is not. */
#ifndef PDTOOL_TESTS_WF_XML_H
#define PDTOOL_TESTS_WF_XML_H

#include "tests/lib/wf_json.h"

static inline bool wf_xml_char(uint32_t code)
{
	return code == 9 || code == 10 || code == 13 ||
	       (code >= 0x20 && code != 0xfffe && code != 0xffff);
}

/* Text up to one of the characters of END; entities are known ones. */
static inline const char *wf_xml_text(const char *p, const char *end)
{
	static const char *const entities[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };
	uint32_t code;
	size_t n, i;

	for (; *p && !strchr(end, *p); p += n) {
		n = wf_utf8((const unsigned char *)p, &code);
		if (!n || !wf_xml_char(code) || *p == '<')
			return NULL;
		for (i = 0; *p == '&' && i < 5; i++) {
			if (!strncmp(p, entities[i], strlen(entities[i])))
				break;
		}
		if (*p == '&' && i == 5)
			return NULL;
	}
	return p;
}

static inline size_t wf_name(const char *p)
{
	return strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_:");
}

/* The attributes of a start tag, up to its > or />. */
static inline const char *wf_xml_attributes(const char *p)
{
	for (;;) {
		size_t blank = strspn(p, " \n\t"), n;

		p += blank;
		if (*p == '>' || *p == '/' || *p == '?')
			return p;
		n = wf_name(p);
		if (!n || !blank || p[n] != '=' || p[n + 1] != '"')
			return NULL;
		p = wf_xml_text(p + n + 2, "\"");
		if (!p || *p != '"')
			return NULL;
		p++;
	}
}

struct wf_open {
	const char *name;
	size_t len;
};

/* A tag at P; returns what follows it. CDATA and the declaration are skipped. */
static inline const char *wf_xml_tag(const char *p, struct wf_open *open, size_t *depth)
{
	const char *end;
	size_t n;

	if (!strncmp(p, "<![CDATA[", 9)) {
		end = strstr(p, "]]>");
		return end && *depth ? end + 3 : NULL;
	}
	if (p[1] == '/') {
		n = wf_name(p + 2);
		if (!*depth || open[*depth - 1].len != n ||
		    strncmp(open[*depth - 1].name, p + 2, n) || p[n + 2] != '>')
			return NULL;
		(*depth)--;
		return p + n + 3;
	}
	n = wf_name(p + 1 + (p[1] == '?'));
	end = n ? wf_xml_attributes(p + 1 + (p[1] == '?') + n) : NULL;
	if (!end || *depth == 16)
		return NULL;
	if (*end == '/' || *end == '?')
		return end[1] == '>' && (*end == '?') == (p[1] == '?') ? end + 2 : NULL;
	open[(*depth)++] = (struct wf_open){ p + 1, n };
	return end + 1;
}

static inline const char *wf_xml(const char *text)
{
	struct wf_open open[16];
	const char *p = text, *q;
	size_t depth = 0, roots = 0;

	while (*p) {
		if (*p == '<') {
			roots += !depth && p[1] != '?';
			q = wf_xml_tag(p, open, &depth);
		} else {
			q = depth ? wf_xml_text(p, "<") : *p == '\n' ? p + 1 : NULL;
		}
		if (!q)
			return p;
		p = q;
	}
	return depth || roots != 1 ? p : NULL;
}

#endif
