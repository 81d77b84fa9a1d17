/* Number the directories of each file name, in the order in which they come. */
#include "parser/pack/paths.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

void paths_release(struct paths *p)
{
	intern_release(&p->names);
	intern_release(&p->bases);
	free(p->number);
	free(p->count);
	*p = (struct paths){ 0 };
}

static bool begins(const char *s, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && !memcmp(s, with, n);
}

static bool is(const char *s, size_t len, const char *text)
{
	return len == strlen(text) && !memcmp(s, text, len);
}

/* Names that perf or the kernel makes; there is nothing of a directory in them. */
static bool is_made(const char *path, size_t len)
{
	static const char *const whole[] = { "//anon", "//toolong", "//enomem" };
	static const char *const prefixes[] = { "/anon_hugepage", "/dev/zero", "/SYSV",
						"/tmp/perf-" };

	for (size_t i = 0; i < ARRAY_SIZE(whole); i++) {
		if (is(path, len, whole[i]))
			return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		size_t n = strlen(prefixes[i]);

		if (begins(path, len, prefixes[i]) && !memchr(path + n, '/', len - n))
			return true;
	}
	return false;
}

static size_t without(const char *s, size_t len, const char *suffix)
{
	size_t n = strlen(suffix);

	return len >= n && !memcmp(s + len - n, suffix, n) ? len - n : len;
}

/* Which one of those with this base PATH is, from 1 on. Both without " (deleted)". */
static uint32_t number_of(struct paths *p, const char *path, size_t len, size_t base)
{
	size_t names = p->names.count, bases = p->bases.count;
	uint32_t id = intern_add(&p->names, path, len), of;

	if (id < names)
		return p->number[id];
	of = intern_add(&p->bases, path + base, len - base);
	p->number = xgrow(p->number, &p->number_cap, id + (size_t)1, sizeof(*p->number));
	p->count = xgrow(p->count, &p->count_cap, of + (size_t)1, sizeof(*p->count));
	if (of >= bases)
		p->count[of] = 0;
	return p->number[id] = ++p->count[of];
}

static size_t behind_last_slash(const char *s, size_t len)
{
	const char *slash = memrchr(s, '/', len);

	return slash ? (size_t)(slash + 1 - s) : 0;
}

/* Where a package's own names begin: at "!/". */
static size_t outer_len(const char *path, size_t len)
{
	const char *at = memmem(path, len, "!/", 2);

	return at ? (size_t)(at - path) : len;
}

void paths_strip(struct paths *p, const char *path, size_t len, struct buf *out)
{
	static const char memory[] = "/memfd:";
	size_t outer = outer_len(path, len), base = behind_last_slash(path, outer);
	bool absolute = len && path[0] == '/';
	uint32_t number;

	if (len && path[0] == '[') {
		paths_strip_within(path, len, out);
	} else if (is_made(path, len) || base <= absolute) {
		buf_add(out, path, len);
	} else if (begins(path, len, memory)) {
		base = behind_last_slash(path + 1, len - 1) + 1;
		buf_str(out, memory);
		base = base > strlen(memory) ? base : strlen(memory);
		buf_add(out, path + base, len - base);
	} else {
		number = number_of(p, path, without(path, outer, " (deleted)"), base);
		buf_str(out, absolute ? "/..." : "...");
		if (number > 1)
			buf_printf(out, "%u", number);
		buf_char(out, '/');
		buf_add(out, path + base, len - base);
	}
}

/* ---- texts ---- */

static bool is_between_words(char c)
{
	return (unsigned char)c <= ' ' || strchr("\"'`,;:=()[]{}<>|&@", c);
}

void paths_strip_words(const char *text, size_t len, struct buf *out)
{
	for (size_t at = 0, end; at < len; at = end) {
		size_t last;

		end = at;
		if (is_between_words(text[at])) {
			buf_char(out, text[end++]);
			continue;
		}
		while (end < len && !is_between_words(text[end]))
			end++;
		last = end;
		while (last > at && text[last - 1] == '/')
			last--;
		last = at + behind_last_slash(text + at, last - at);
		buf_add(out, text + last, end - last);
	}
}

/* Does a path begin at AT, of LEN? */
static bool begins_path(const char *text, size_t at, size_t len)
{
	if (text[at] != '/' || at + 1 == len || is_between_words(text[at + 1]))
		return false;
	return !at || text[at - 1] == '-' || is_between_words(text[at - 1]);
}

void paths_strip_within(const char *text, size_t len, struct buf *out)
{
	size_t first = 0, last = behind_last_slash(text, len);

	while (first < last && !begins_path(text, first, len))
		first++;
	if (first + 1 >= last) /* no directory */
		first = last;
	buf_add(out, text, first);
	buf_add(out, text + last, len - last);
}
