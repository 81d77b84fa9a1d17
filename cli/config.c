/* Reads the user's settings. The file is the user's own, but it may be anything that lies there by
 * mistake or by malice: it is bounded, and only a regular file is read. */
#include "cli/config.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE_MAX_BYTES (256 * 1024)

void config_release(struct config *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->list[i].section);
		free(c->list[i].key);
		free(c->list[i].value);
	}
	free(c->list);
	buf_release(&c->path);
}

/* ---- the file ---- */

/* Where it is; nothing: nowhere. As perf, one may name another one or, by an empty name, none. */
static void find_path(struct buf *path)
{
	const char *named = getenv("PDTOOL_CONFIG"), *dir = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	if (named)
		buf_str(path, strcmp(named, "/dev/null") ? named : "");
	else if (dir && *dir == '/')
		buf_printf(path, "%s/pdtool/config", dir);
	else if (home && *home)
		buf_printf(path, "%s/.config/pdtool/config", home);
}

/* Why the file at FD is not read; NULL: it is. */
static const char *unfit(int fd, const struct stat *st)
{
	if (fd < 0)
		return strerror(errno);
	if (!S_ISREG(st->st_mode))
		return "not a regular file";
	if (st->st_uid && st->st_uid != geteuid())
		return "neither yours nor root's";
	if (st->st_size > SIZE_MAX_BYTES)
		return "too large for settings";
	return NULL;
}

/* Its bytes; 0: there is no file. */
static int read_file(const struct config *c, struct buf *text, struct buf *why)
{
	int fd = open(c->path.data, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st = { 0 };
	const char *reason;
	ssize_t n = 1;
	bool fault = fd < 0 && (errno == EIO || errno == EMFILE || errno == ENFILE);

	if (fd < 0 && !getenv("PDTOOL_CONFIG") && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (fd >= 0 && fstat(fd, &st) < 0) {
		reason = strerror(errno);
		fault = true;
	} else {
		reason = unfit(fd, &st);
	}
	while (!reason && n > 0 && text->len <= SIZE_MAX_BYTES) {
		n = read(fd, buf_reserve(text, 4096), 4096);
		text->len += n > 0 ? (size_t)n : 0;
	}
	if (!reason && n < 0) {
		reason = strerror(errno);
		fault = true;
	}
	if (!reason && text->len && memchr(text->data, '\0', text->len))
		reason = "not a text";
	if (fd >= 0)
		close(fd);
	if (reason)
		buf_printf(why, "%s: %s (--no-config goes without)", c->path.data, reason);
	return !reason ? 1 : fault ? ERR_IO : ERR_USAGE;
}

/* ---- its text ---- */

struct reader {
	const char *at, *end;
	unsigned line;
};

static int peek(const struct reader *r)
{
	return r->at < r->end ? (unsigned char)*r->at : EOF;
}

static int next(struct reader *r)
{
	int c = peek(r);

	r->line += c == '\n';
	r->at += c != EOF;
	return c;
}

static void skip_blanks(struct reader *r)
{
	while (peek(r) == ' ' || peek(r) == '\t' || peek(r) == '\r')
		next(r);
}

/* A comment, and the end of the line. False: there is something else. */
static bool skip_rest(struct reader *r)
{
	skip_blanks(r);
	if (peek(r) == '#' || peek(r) == ';') {
		while (peek(r) != '\n' && peek(r) != EOF)
			next(r);
	}
	return peek(r) == '\n' || peek(r) == EOF;
}

/* A name of letters, digits and hyphens, in lower case. */
static bool read_name(struct reader *r, struct buf *out)
{
	size_t before = out->len;

	while (isalnum(peek(r)) || peek(r) == '-' || peek(r) == '_')
		buf_printf(out, "%c", tolower(next(r)));
	return out->len > before;
}

/* [report], [sched-latency], or as git has it [sched "latency"]. */
static bool read_section(struct reader *r, struct buf *out)
{
	out->len = 0;
	next(r);
	skip_blanks(r);
	if (!read_name(r, out))
		return false;
	skip_blanks(r);
	if (peek(r) == '"') {
		next(r);
		buf_str(out, "-");
		if (!read_name(r, out) || next(r) != '"')
			return false;
		skip_blanks(r);
	}
	return next(r) == ']';
}

/* Behind a backslash: a sign that would mean something else, or the end of a line that goes on. */
static bool read_escape(struct reader *r, struct buf *out)
{
	int c = next(r);

	if (c == '\r' && peek(r) == '\n')
		c = next(r);
	if (c == '\n')
		return true;
	if (c == EOF || !strchr("nt\"\\", c))
		return false;
	buf_char(out, c == 'n' ? '\n' : c == 't' ? '\t' : (char)c);
	return true;
}

/* The rest of the line, without blanks around it; what stands between quotes stays as it is. */
static bool read_value(struct reader *r, struct buf *out)
{
	bool quoted = false;
	size_t kept = 0;

	skip_blanks(r);
	while (peek(r) != '\n' && peek(r) != EOF && (quoted || !strchr("#;", peek(r)))) {
		int c = next(r);

		if (c == '"')
			quoted = !quoted;
		else if (c != '\\')
			buf_char(out, (char)c);
		else if (!read_escape(r, out))
			return false;
		if (quoted || (c != ' ' && c != '\t' && c != '\r'))
			kept = out->len;
	}
	out->len = kept;
	buf_str(out, "");
	return !quoted && skip_rest(r);
}

/* As in git's files, what is of the terminal may stand together: [color] ui = never, report =
 * always; [pager] report = false. */
static void add_setting(struct config *c, const char *section, const struct buf *key,
			const char *value, unsigned line)
{
	bool by_command = !strcmp(section, "color") || !strcmp(section, "pager");
	bool all = by_command && !strcmp(key->data, "ui");

	c->list = xgrow(c->list, &c->cap, c->count + 1, sizeof(*c->list));
	c->list[c->count++] = (struct setting){ xstrdup(all	     ? "core"
							: by_command ? key->data
								     : section),
						xstrdup(by_command ? section : key->data),
						value ? xstrdup(value) : NULL, line };
}

static bool read_setting(struct reader *r, struct config *c, const char *section)
{
	struct buf key = { 0 }, value = { 0 };
	unsigned line = r->line;
	bool ok = section && isalpha(peek(r)) && read_name(r, &key), alone;

	skip_blanks(r);
	alone = peek(r) != '=';
	if (!alone)
		next(r);
	ok = ok && (alone ? skip_rest(r) : read_value(r, &value));
	if (ok)
		add_setting(c, section, &key, alone ? NULL : value.data, line);
	buf_release(&key);
	buf_release(&value);
	return ok;
}

static int read_text(struct config *c, const struct buf *text, struct buf *why)
{
	struct reader r = { text->data, text->data + text->len, 1 };
	struct buf section = { 0 };
	unsigned line = 1;
	bool ok = true;

	if (text->len >= 3 && !memcmp(text->data, "\xef\xbb\xbf", 3))
		r.at += 3;
	for (; ok && r.at < r.end; next(&r)) {
		line = r.line;
		if (skip_rest(&r))
			continue;
		ok = peek(&r) == '[' ? read_section(&r, &section) && skip_rest(&r)
				     : read_setting(&r, c, section.len ? section.data : NULL);
	}
	buf_release(&section);
	if (!ok)
		buf_printf(why, "%s:%u: expected [section] or name = value", c->path.data, line);
	return ok ? 0 : ERR_USAGE;
}

int config_read(struct config *c, struct buf *why)
{
	struct buf text = { 0 };
	int rc = 0;

	find_path(&c->path);
	if (c->path.len)
		rc = read_file(c, &text, why);
	if (rc > 0 && text.len)
		rc = read_text(c, &text, why);
	buf_release(&text);
	return rc < 0 ? rc : 0;
}
