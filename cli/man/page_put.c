/* A manual page in lines of text: as much of man(7) as the pages use, which are our own and no
 * untrusted input. Text is gathered by paragraph, with marks where its font changes; then it is cut
 * into lines. */
#include "cli/man/pages.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define INDENT	  7 /* as man(1) has it */
#define SUBINDENT 3
#define DEPTH_MAX 4
#define ARGS_MAX  32
#define WIDTH_MIN 40

/* Marks in gathered text: the fonts, and a blank that does not part words. */
enum mark { ROMAN = 1, BOLD, ITALIC, HARD_BLANK };

struct layout {
	struct buf *out;
	unsigned width;
	bool marks;
	struct buf text, tag; /* the paragraph, and what stands left of it */
	bool tag_next;	      /* the next line of text is the tag */
	bool fresh;	      /* nothing since the heading: no gap is wanted */
	bool as_is;	      /* an example: lines stay as they are */
	unsigned left, hang, shift;
	unsigned outer[DEPTH_MAX], depth;
	char font;	   /* of the text that is put */
	char shown;	   /* what the terminal has */
	char read, before; /* of the text that is read, and the one before that (\fP) */
};

/* ---- out ---- */

static void put_char(struct layout *l, char c)
{
	static const char *const codes[] = {
		[ROMAN] = "\033[0m", [BOLD] = "\033[0;1m", [ITALIC] = "\033[0;4m"
	};
	char font = c == ' ' || c == '\n' ? ROMAN : l->font;

	if (l->marks && font != l->shown)
		buf_str(l->out, codes[(int)font]);
	l->shown = font;
	buf_char(l->out, c);
}

static void put_blanks(struct layout *l, unsigned n)
{
	while (n--)
		put_char(l, ' ');
}

/* The columns of LEN bytes of gathered text. */
static unsigned columns(const char *text, size_t len)
{
	unsigned n = 0;

	for (size_t i = 0; i < len; i++)
		n += (unsigned char)text[i] >= HARD_BLANK && (text[i] & 0xc0) != 0x80;
	return n;
}

static void put_word(struct layout *l, const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (word[i] == ROMAN || word[i] == BOLD || word[i] == ITALIC)
			l->font = word[i];
		else
			put_char(l, word[i] == HARD_BLANK ? ' ' : word[i]);
	}
}

/* The words of TEXT from column AT on, in lines that begin at LEFT. */
static void put_words(struct layout *l, const char *text, unsigned left, unsigned at)
{
	bool first = true;

	while (text && *(text += strspn(text, " "))) {
		size_t len = strcspn(text, " ");
		unsigned n = columns(text, len);

		if (l->as_is && left + n > l->width && n <= l->width)
			left = l->width - n; /* less indented, it fits */
		if (!first && at + 1 + n > l->width) {
			put_char(l, '\n');
			at = 0;
		} else if (!first && n) {
			put_char(l, ' ');
			at++;
		}
		if (at < left)
			put_blanks(l, left - at);
		at = (at < left ? left : at) + n;
		put_word(l, text, len);
		first = first && !n;
		text += len;
	}
	put_char(l, '\n');
}

/* The paragraph that was gathered, if any, ends. */
static void flush(struct layout *l)
{
	unsigned left = l->left + l->shift, at = 0;

	l->font = ROMAN;
	if (l->tag.len) {
		put_blanks(l, left);
		put_word(l, l->tag.data, l->tag.len);
		at = left + columns(l->tag.data, l->tag.len);
		l->font = ROMAN;
	}
	if (l->tag.len && (at >= left + l->hang || !l->text.len)) {
		put_char(l, '\n');
		at = 0;
	}
	if (l->text.len)
		put_words(l, l->text.data, left + l->hang, at);
	l->tag.len = l->text.len = 0;
	l->font = l->read = l->before = ROMAN;
}

/* One empty line, but none below a heading. */
static void gap(struct layout *l)
{
	flush(l);
	if (!l->fresh)
		put_char(l, '\n');
	l->fresh = true;
}

/* ---- in ---- */

static void set_font(struct layout *l, struct buf *to, char font)
{
	l->before = l->read;
	l->read = font;
	buf_char(to, font);
}

/* The escape behind a backslash at S. Returns what is behind it. */
static const char *add_escape(struct layout *l, struct buf *to, const char *s, const char *end)
{
	static const struct {
		char name[3];
		const char *text;
	} signs[] = { { "bu", "\xe2\x80\xa2" },
		      { "aq", "'" },
		      { "ti", "~" },
		      { "en", "\xe2\x80\x93" },
		      { "dq", "\"" } };

	if (*s == 'f' && end - s > 1) {
		set_font(l, to,
			 s[1] == 'B'   ? BOLD
			 : s[1] == 'I' ? ITALIC
			 : s[1] == 'P' ? l->before
				       : ROMAN);
		return s + 2;
	}
	for (size_t i = 0; *s == '(' && end - s > 2 && i < ARRAY_SIZE(signs); i++) {
		if (!memcmp(s + 1, signs[i].name, 2))
			buf_str(to, signs[i].text);
	}
	if (*s == '(')
		return end - s > 2 ? s + 3 : end;
	if (*s != '&')
		buf_char(to, *s == 'e' ? '\\' : *s == ' ' ? HARD_BLANK : *s);
	return s + 1;
}

static void add_text(struct layout *l, struct buf *to, const char *s, const char *end)
{
	while (s < end) {
		const char *part = memchr(s, '\\', (size_t)(end - s)) ?: end;

		buf_add(to, s, (size_t)(part - s));
		s = part < end - 1 ? add_escape(l, to, part + 1, end) : end;
	}
}

/* Where the next line of text goes. */
static struct buf *target(struct layout *l)
{
	struct buf *to = l->tag_next ? &l->tag : &l->text;

	l->fresh = false;
	if (to->len)
		buf_char(to, ' ');
	return to;
}

static void end_text_line(struct layout *l, struct buf *to)
{
	buf_char(to, '\0'); /* lines are cut in text that ends */
	to->len--;
	l->tag_next = false;
	if (l->as_is)
		flush(l);
}

/* An example's blanks and backslashes stay. */
static void text_line(struct layout *l, const char *s, const char *end)
{
	struct buf *to = target(l);
	size_t at = to->len;

	add_text(l, to, s, end);
	for (; l->as_is && at < to->len; at++)
		to->data[at] = to->data[at] == ' ' ? HARD_BLANK : to->data[at];
	end_text_line(l, to);
}

struct args {
	const char *at[ARGS_MAX], *end[ARGS_MAX];
	size_t count;
};

/* Words, with blanks in them between quotes. */
static void split(const char *s, const char *end, struct args *a)
{
	for (a->count = 0; a->count < ARGS_MAX; a->count++) {
		char stop = ' ';

		while (s < end && *s == ' ')
			s++;
		if (s == end)
			return;
		if (*s == '"')
			stop = *s++;
		a->at[a->count] = s;
		a->end[a->count] = memchr(s, stop, (size_t)(end - s)) ?: end;
		s = a->end[a->count] + (a->end[a->count] < end);
	}
}

/* .B and .I, or .BR and the like, whose words change their font and stand together. */
static void font_line(struct layout *l, const char *name, const struct args *a)
{
	struct buf *to = target(l);

	for (size_t i = 0; i < a->count; i++) {
		char font = name[name[1] ? i % 2 : 0];

		if (i && !name[1])
			buf_char(to, ' ');
		set_font(l, to, font == 'B' ? BOLD : font == 'I' ? ITALIC : ROMAN);
		add_text(l, to, a->at[i], a->end[i]);
	}
	set_font(l, to, ROMAN);
	end_text_line(l, to);
}

/* ---- requests ---- */

static void title(struct layout *l, const struct args *a)
{
	struct buf name = { 0 };
	unsigned n, middle;

	add_text(l, &name, a->at[0], a->end[0]);
	buf_printf(&name, "(%.*s)", (int)(a->end[1] - a->at[1]), a->at[1]);
	n = (unsigned)name.len;
	middle = (unsigned)(a->end[4] - a->at[4]);
	put_word(l, name.data, name.len);
	if (2 * n + middle + 2 <= l->width) {
		unsigned side = (l->width - middle) / 2 - n;

		put_blanks(l, side);
		put_word(l, a->at[4], middle);
		put_blanks(l, l->width - 2 * n - middle - side);
		put_word(l, name.data, name.len);
	}
	put_char(l, '\n');
	buf_release(&name);
}

static void heading(struct layout *l, unsigned indent, const struct args *a)
{
	gap(l);
	l->depth = 0;
	l->left = indent;
	l->hang = 0;
	set_font(l, &l->text, BOLD);
	for (size_t i = 0; i < a->count; i++) {
		if (i)
			buf_char(&l->text, ' ');
		add_text(l, &l->text, a->at[i], a->end[i]);
	}
	end_text_line(l, &l->text);
	flush(l);
	l->left = INDENT;
	l->fresh = true;
}

/* A paragraph whose first line begins left of the others, with a tag. */
static void hanging(struct layout *l, unsigned hang)
{
	l->hang = hang;
	l->tag_next = true;
}

static void tagged(struct layout *l, const struct args *a)
{
	gap(l);
	if (!a->count)
		return;
	hanging(l, a->count > 1 ? (unsigned)atoi(a->at[1]) : INDENT);
	text_line(l, a->at[0], a->end[0]);
}

static void move_margin(struct layout *l, bool in)
{
	flush(l);
	if (in && l->depth < DEPTH_MAX) {
		l->outer[l->depth++] = l->left;
		l->left += l->hang ?: INDENT;
	} else if (!in && l->depth) {
		l->left = l->outer[--l->depth];
	}
	l->hang = 0;
}

static void as_is(struct layout *l, bool on)
{
	flush(l);
	l->as_is = on;
}

static void paragraph(struct layout *l)
{
	gap(l);
	l->hang = 0;
}

static bool is(const char *name, const char *wanted)
{
	return !strcmp(name, wanted);
}

static void request(struct layout *l, const char *name, const char *s, const char *end)
{
	struct args a;

	split(s, end, &a);
	if (is(name, "TH") && a.count > 4) {
		title(l, &a);
	} else if (is(name, "SH") || is(name, "SS")) {
		heading(l, is(name, "SH") ? 0 : SUBINDENT, &a);
	} else if (is(name, "PP")) {
		paragraph(l);
	} else if (is(name, "TP")) {
		gap(l);
		hanging(l, INDENT);
	} else if (is(name, "TQ")) {
		flush(l);
		hanging(l, INDENT);
	} else if (is(name, "IP")) {
		tagged(l, &a);
	} else if (is(name, "RS") || is(name, "RE")) {
		move_margin(l, is(name, "RS"));
	} else if (is(name, "EX") || is(name, "nf")) {
		as_is(l, true);
	} else if (is(name, "EE") || is(name, "fi")) {
		as_is(l, false);
	} else if (is(name, "br")) {
		flush(l);
	} else if (is(name, "in")) {
		flush(l);
		l->shift = a.count ? (unsigned)atoi(a.at[0]) : 0;
	} else if (strspn(name, "BIR") == strlen(name)) {
		font_line(l, name, &a);
	}
}

static void line(struct layout *l, const char *s, const char *end)
{
	char name[3] = { 0 };
	size_t n = 0;

	if (s == end || *s != '.') {
		text_line(l, s, end);
		return;
	}
	for (s++; n < 2 && s < end && *s != ' '; s++)
		name[n++] = *s;
	if (n && name[0] != '\\')
		request(l, name, s, end);
}

void page_put(const char *page, size_t len, unsigned width, bool marks, struct buf *out)
{
	struct layout l = { .out = out,
			    .width = width > WIDTH_MIN ? width : WIDTH_MIN,
			    .marks = marks,
			    .left = INDENT,
			    .font = ROMAN,
			    .shown = ROMAN,
			    .read = ROMAN,
			    .before = ROMAN };
	const char *end = page + len;

	while (page < end) {
		const char *eol = memchr(page, '\n', (size_t)(end - page)) ?: end;

		line(&l, page, eol);
		page = eol + 1;
	}
	flush(&l);
	buf_release(&l.text);
	buf_release(&l.tag);
}
