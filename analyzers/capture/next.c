/* Quotes the name of the capture, which may be anything, for a shell. */
#include "analyzers/capture/next.h"
#include "analyzers/capture/module_paths.h"
#include "parser/base/utf8.h"

#include <string.h>

const struct column next_columns[] = {
	{ "why", COLUMN_TEXT, 0, "What Next" },
	{ "command", COLUMN_COMMAND, 0, "Command" },
	{ 0 },
};

/* A name that cannot be shown, as a pattern that means it: each byte of that kind is a "?". */
static void add_pattern(const char *path, struct buf *out)
{
	size_t left = strlen(path), n;

	for (const char *p = path; left; p += n ? n : 1, left -= n ? n : 1) {
		char one[8] = { 0 };

		n = utf8_shown(p, left);
		memcpy(one, p, n < sizeof(one) ? n : 0);
		if (!*one || !shell_word(one, out))
			buf_char(out, '?');
	}
}

void next_begin(struct next *n, const struct pdt_session *s)
{
	const char *path = pdt_text(s, PDT_PATH);

	if (!strcmp(path, "(stdin)")) {
		buf_str(&n->file, "-");
		return;
	}
	if (path[0] == '-')
		buf_str(&n->file, "./");
	if (!shell_word(path, &n->file))
		add_pattern(path, &n->file);
}

static bool names_option(const char *args, const char *option)
{
	size_t len = strcspn(option, "=");

	for (const char *p = args; (p = strstr(p, " --")); p++) {
		if (!strncmp(p + 1, option, len) && strchr(" =", p[1 + len]))
			return true;
	}
	return false;
}

/* What cannot be shown is left to the user. */
static void add_shared(const struct next *n, const char *args, struct buf *out)
{
	for (size_t i = 0; i < n->shared_count; i++) {
		size_t len = out->len;

		if (names_option(args, n->shared[i]))
			continue;
		buf_char(out, ' ');
		if (!shell_word(n->shared[i], out))
			out->len = len;
	}
}

void next_add(struct next *n, const char *why, const char *args)
{
	struct buf b = { 0 };
	const char *command;

	buf_printf(&b, "pdtool %s", args);
	add_shared(n, args, &b);
	buf_printf(&b, " %s", n->file.data);
	command = answer_string(&n->answer, b.data);
	buf_release(&b);
	for (size_t i = 0; i < n->count; i++) {
		if (!strcmp(cells_at(&n->answer.cells, 2 * i + 1).text, command))
			return;
	}
	if (n->count == NEXT_COMMANDS)
		return;
	answer_cell_text(&n->answer, why);
	answer_cell_kept(&n->answer, command);
	n->count++;
}

void next_release(struct next *n)
{
	answer_release(&n->answer);
	buf_release(&n->file);
}
