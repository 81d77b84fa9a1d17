/* Shortening of C++ names, paths and folded stacks. Names are untrusted: brackets may not match,
 * and lie as deep as they like; nothing here takes longer than their length times a few. */
#include "formats/text/shorten.h"
#include "formats/shown.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <stdbool.h>
#include <string.h>

#define ELLIPSIS "\xe2\x80\xa6"
#define DEPTHS	 16 /* of brackets; deeper ones are as this one */

/* Walks over a name and knows how deep in brackets it is. */
struct walk {
	const char *text, *at;
	unsigned depth;
};

/* The "<" of "operator<<" is no bracket, nor are the ">" of "->" and of "operator>=". */
static bool is_operator(const struct walk *w)
{
	const char *p = w->at;

	while (p > w->text && w->at - p < 3 && strchr("<>=-", p[-1]))
		p--;
	return (p - w->text >= 8 && !memcmp(p - 8, "operator", 8)) ||
	       (*w->at == '>' && w->at > w->text && w->at[-1] == '-');
}

/* Does the next character open brackets, or close them? 1, -1, or 0. */
static int bracket(const struct walk *w)
{
	switch (*w->at) {
	case '(':
		return 1;
	case ')':
		return -1;
	case '<':
		return is_operator(w) ? 0 : 1;
	case '>':
		return is_operator(w) ? 0 : -1;
	default:
		return 0;
	}
}

/* Behind the next character, which is *LEN bytes long. Is it in brackets of depth LEVEL, or deeper?
 */
static bool step(struct walk *w, unsigned level, size_t *len)
{
	int change = bracket(w);
	bool inside;

	*len = utf8_shown(w->at, strnlen(w->at, 4));
	*len = *len ? *len : 1;
	if (change < 0 && w->depth)
		w->depth--;
	inside = w->depth >= level;
	w->depth += change > 0;
	w->at += *len;
	return inside;
}

/* The depth of the deepest brackets; 0: there are none, or they do not match. */
static unsigned deepest(const char *text)
{
	struct walk w = { text, text, 0 };
	unsigned most = 0;
	size_t len;

	while (*w.at) {
		if (bracket(&w) < 0 && !w.depth)
			return 0;
		step(&w, 1, &len);
		most = w.depth > most ? w.depth : most;
	}
	return w.depth ? 0 : most < DEPTHS ? most : DEPTHS;
}

/* TEXT without what is in brackets of depth LEVEL. */
static const char *without(const char *text, unsigned level, struct buf *b)
{
	struct walk w = { text, text, 0 };
	bool was_inside = false;

	b->len = 0;
	while (*w.at) {
		const char *at = w.at;
		size_t len;
		bool inside = step(&w, level, &len);

		if (!inside)
			buf_add(b, at, len);
		else if (!was_inside)
			buf_str(b, ELLIPSIS);
		was_inside = inside;
	}
	buf_str(b, "");
	return b->data;
}

/* TEXT without its first columns, so that WIDTH are left. */
static const char *tail(const char *text, size_t width)
{
	size_t over = shown_width(text) - width, skipped = over, columns;

	text += shown_fit(text, &skipped);
	return skipped < over ? text + shown_first(text, strlen(text), &columns) : text;
}

/* More is left of the end, where names differ; of a command or a sentence more of the beginning. */
static void cut_middle(const char *text, size_t width, struct buf *b)
{
	size_t head = strchr(text, ' ') ? (width - 1) * 2 / 3 : (width - 1) / 3;

	buf_add(b, text, shown_fit(text, &head));
	buf_str(b, ELLIPSIS);
	buf_str(b, tail(text, width - 1 - head));
}

/* A path without names in its middle, a stack without frames. */
static bool cut_path(const char *text, char separator, size_t width, struct buf *b)
{
	const char *kept = NULL, *p = text + strlen(text);
	size_t head;

	while ((p = memrchr(text, separator, (size_t)(p - text))) && p > text) {
		if (shown_width(p) >= width - width / 4)
			break;
		kept = p;
	}
	if (!kept)
		return false;
	head = shown_bytes(text, width - 1 - shown_width(kept));
	p = memrchr(text, separator, head);
	buf_add(b, text, p && p > text ? (size_t)(p - text) + 1 : 0);
	buf_str(b, ELLIPSIS);
	buf_str(b, kept);
	return true;
}

const char *shorten(const char *text, size_t width, struct buf *b)
{
	struct buf names = { 0 };

	if (shown_width(text) <= width)
		return text;
	b->len = 0;
	for (unsigned level = deepest(text); level; level--) {
		const char *made = without(text, level, &names);

		if (level == 1 || shown_width(made) <= width) {
			text = made;
			break;
		}
	}
	if (shown_width(text) <= width)
		buf_str(b, text);
	else if (width < 2)
		buf_str(b, width ? ELLIPSIS : "");
	else if (!cut_path(text, ';', width, b) &&
		 (strchr(text, ' ') || !cut_path(text, '/', width, b)))
		cut_middle(text, width, b);
	buf_release(&names);
	return b->data;
}
