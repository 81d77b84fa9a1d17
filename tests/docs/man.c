/* SYNOPSIS and OPTIONS of the manual. An option stands there with its name and value as its row has
 * them; the text below is the page's own if there is one, else the row's help.
 *
 * In a page, '.\" rows: WHAT' and '.\" rows end' enclose a list of options: "own", "common" or a
 * format's. Each entry begins with '.\" --name', or with several names that it describes together;
 * what follows its headings up to the next such line is kept. */
#include "tests/docs/docs.h"
#include "cli/help.h"
#include "cli/registry.h"
#include "cli/values.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define BEGIN	 ".\\\" rows: "
#define END	 ".\\\" rows end\n"
#define SETTINGS ".\\\" settings"
#define COMMANDS ".\\\" commands"
#define ENTRY	 ".\\\" --"

/* Text of ours in roff. */
static void put_text(struct buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '-')
			buf_str(out, "\\-");
		else if (text[i] == '\\')
			buf_str(out, "\\e");
		else
			buf_char(out, text[i]);
	}
}

static void put_font(struct buf *out, char font, const char *text, size_t len)
{
	buf_printf(out, "\\f%c", font);
	put_text(out, text, len);
	buf_str(out, "\\fR");
}

/* The value of O: its name in italics, or its words in bold. */
static void put_value(const struct option *o, struct buf *out)
{
	struct buf name = { 0 };
	const char *p;

	value_name(o, &name);
	p = name.data;
	if (name.len && o->type == OPT_MAYBE)
		buf_str(out, "[=");
	else if (name.len)
		buf_char(out, ' ');
	if (name.len && o->arg)
		put_font(out, 'I', p, name.len);
	while (p && !o->arg && *p) {
		size_t len = strcspn(p, "|");

		put_font(out, 'B', p, len);
		buf_str(out, p[len] ? "|" : "");
		p += len + (p[len] == '|');
	}
	buf_str(out, name.len && o->type == OPT_MAYBE ? "]\n" : "\n");
	buf_release(&name);
}

static void put_heading(const struct option *o, bool first, struct buf *out)
{
	char letter[3] = { '-', o->letter, 0 };

	buf_str(out, first ? ".TP\n" : ".TQ\n");
	if (o->letter) {
		put_font(out, 'B', letter, 2);
		buf_str(out, ", ");
	}
	buf_str(out, "\\fB\\-\\-");
	put_text(out, o->name, strlen(o->name));
	buf_str(out, "\\fR");
	put_value(o, out);
}

/* The row's help, as a sentence. */
static void put_help(const struct option *o, struct buf *out)
{
	struct buf help = { 0 };

	value_help(o, &help);
	if (help.len) {
		help.data[0] = (char)toupper((unsigned char)help.data[0]);
		buf_str(out, strchr(".'", help.data[0]) ? "\\&" : "");
		put_text(out, help.data, help.len);
		buf_str(out, ".\n");
	}
	buf_release(&help);
}

/* ---- entries ---- */

static const char *next_line(const char *p)
{
	p += strcspn(p, "\n");
	return *p ? p + 1 : p;
}

static bool begins(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

/* Does the line at ENTRY, ".\" --a --b", name NAME? */
static bool entry_has(const char *entry, const char *name)
{
	size_t len = strlen(name);
	const char *end = entry + strcspn(entry, "\n");

	for (const char *p = entry; (p = strstr(p, " --")) && p < end; p += 3) {
		if (!strncmp(p + 3, name, len) && strchr(" \n", p[3 + len]))
			return true;
	}
	return false;
}

/* The entry of NAME in the list that begins at P; NULL: it has none. */
static const char *find_entry(const char *p, const char *name)
{
	for (; *p && !begins(p, END); p = next_line(p)) {
		if (begins(p, ENTRY) && entry_has(p, name))
			return p;
	}
	return NULL;
}

static void keep_text(const char *entry, struct buf *out)
{
	const char *p = next_line(entry), *end;

	while (begins(p, ".TP\n") || begins(p, ".TQ\n"))
		p = next_line(next_line(p));
	for (end = p; *end && !begins(end, ENTRY) && !begins(end, END);)
		end = next_line(end);
	buf_add(out, p, (size_t)(end - p));
}

/* Row FIRST, and those that the page describes together with it, which are done then. */
static void put_entry(struct rows *rows, size_t first, const char *old, struct buf *out)
{
	const char *entry = find_entry(old, rows->list[first].option->name);
	struct buf headings = { 0 };

	buf_str(out, ".\\\"");
	for (size_t i = first; i < rows->count; i++) {
		struct row *r = &rows->list[i];

		if (r->group != rows->list[first].group || r->given ||
		    (i > first && (!entry || !entry_has(entry, r->option->name))))
			continue;
		r->given = true;
		buf_printf(out, " --%s", r->option->name);
		put_heading(r->option, i == first, &headings);
	}
	buf_char(out, '\n');
	buf_add(out, headings.data, headings.len);
	buf_release(&headings);
	if (entry)
		keep_text(entry, out);
	else
		put_help(rows->list[first].option, out);
}

/* Is ROW one of what the list is of? */
static bool is_of(const struct row *row, const char *what, size_t len)
{
	const char *name = row->group == ROWS_OWN      ? "own"
			   : row->group == ROWS_FORMAT ? row->format->name
						       : "common";

	return row->group != ROWS_PEER && strlen(name) == len && !strncmp(name, what, len);
}

/* The list that begins behind the line at BEGIN. Returns what is behind it. */
static const char *put_list(const struct analyzer *a, const char *begin, struct buf *out)
{
	const char *what = begin + strlen(BEGIN), *old = next_line(begin), *end = old;
	struct rows *rows = xcalloc(1, sizeof(*rows));

	rows_init(rows, a, NULL, NULL);
	buf_add(out, begin, (size_t)(old - begin));
	for (size_t i = 0; i < rows->count; i++) {
		if (!rows->list[i].given && is_of(&rows->list[i], what, strcspn(what, "\n")))
			put_entry(rows, i, old, out);
	}
	free(rows);
	while (*end && !begins(end, END))
		end = next_line(end);
	return end;
}

/* ---- settings ---- */

static void put_setting(const struct option *o, struct buf *out)
{
	struct buf variable = { 0 };

	option_variable(o, &variable);
	buf_str(out, ".TP\n");
	put_font(out, 'B', o->name, strlen(o->name));
	buf_str(out, ", ");
	put_font(out, 'B', variable.data, variable.len);
	buf_char(out, '\n');
	put_help(o, out);
	buf_release(&variable);
}

/* The settings that all commands have, behind the line at BEGIN. Returns what is behind them. */
static const char *put_settings(const char *begin, struct buf *out)
{
	const char *end = next_line(begin);

	buf_add(out, begin, (size_t)(end - begin));
	for (const struct option *o = common_table; o->name; o++) {
		if (option_is_setting(o))
			put_setting(o, out);
	}
	while (*end && !begins(end, SETTINGS))
		end = next_line(end);
	return end;
}

/* ---- commands ---- */

static void put_command(const struct analyzer *a, struct buf *out)
{
	struct buf page = { 0 };

	buf_str(out, ".TP\n");
	put_font(out, 'B', a->name, strlen(a->name));
	buf_char(out, '\n');
	for (size_t i = 0; a->summary[i]; i++)
		put_text(out, &(char){ i ? a->summary[i] : (char)toupper(a->summary[i]) }, 1);
	buf_printf(&page, "pdtool-%s", a->name);
	for (size_t i = 0; i < page.len; i++)
		page.data[i] = page.data[i] == ' ' ? '-' : page.data[i];
	buf_str(out, ".\nSee\n.BR ");
	put_text(out, page.data, page.len);
	buf_str(out, " (1).\n");
	buf_release(&page);
}

/* The commands by what they answer, behind the line at BEGIN. Returns what is behind them. */
static const char *put_commands(const char *begin, struct buf *out)
{
	const char *end = next_line(begin);

	buf_add(out, begin, (size_t)(end - begin));
	for (unsigned q = 1; q <= QUESTIONS; q++) {
		bool begun = false;

		for (size_t i = 0; analyzers[i]; i++) {
			if (analyzers[i]->question != q % QUESTIONS)
				continue;
			if (!begun)
				buf_printf(out, ".SS %s\n", help_questions[q % QUESTIONS]);
			begun = true;
			put_command(analyzers[i], out);
		}
	}
	while (*end && !begins(end, COMMANDS))
		end = next_line(end);
	return end;
}

/* ---- pages ---- */

/* "[FILE...]", "--before FILE": capitals are what the user puts there. */
static void put_operands(const char *text, struct buf *out)
{
	while (*text) {
		size_t len = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

		if (len) {
			buf_str(out, "\\fI");
			for (; len; len--)
				buf_char(out, (char)tolower((unsigned char)*text++));
			buf_str(out, "\\fR");
		} else if (begins(text, "--")) {
			len = strcspn(text, " ");
			put_font(out, 'B', text, len);
			text += len;
		} else {
			buf_char(out, *text++);
		}
	}
	buf_char(out, '\n');
}

static void put_synopsis(const struct analyzer *a, struct buf *out)
{
	for (size_t i = 0; options_usage(a, i); i++) {
		buf_str(out, i ? ".br\n.B pdtool " : ".SH SYNOPSIS\n.B pdtool ");
		put_text(out, a->name, strlen(a->name));
		buf_str(out, "\n[\\fIoption\\fR...] ");
		put_operands(options_usage(a, i), out);
	}
}

bool man_page(const struct analyzer *a, const char *old, struct buf *out)
{
	bool listed = false;

	for (const char *p = old; *p;) {
		const char *next = next_line(p);

		if (a && begins(p, ".SH SYNOPSIS\n")) {
			put_synopsis(a, out);
			while (*next && !begins(next, ".SH"))
				next = next_line(next);
		} else if (begins(p, BEGIN)) {
			listed |= begins(p, a ? BEGIN "own\n" : BEGIN "common\n");
			next = put_list(a ?: analyzers[0], p, out);
		} else if (begins(p, COMMANDS "\n")) {
			next = put_commands(p, out);
		} else if (begins(p, SETTINGS "\n")) {
			next = put_settings(p, out);
			listed = true;
		} else {
			buf_add(out, p, (size_t)(next - p));
		}
		p = next;
	}
	return listed;
}

void man_skeleton(const struct analyzer *a, struct buf *out)
{
	struct buf name = { 0 };

	buf_printf(&name, "pdtool-%s", a->name);
	for (size_t i = 0; i < name.len; i++)
		name.data[i] = name.data[i] == ' ' ? '-' : name.data[i];
	buf_str(out, ".TH ");
	for (size_t i = 0; i < name.len; i++)
		put_text(out, &(char){ (char)toupper((unsigned char)name.data[i]) }, 1);
	buf_str(out, " 1 \"\" pdtool \"User Commands\"\n.SH NAME\n");
	put_text(out, name.data, name.len);
	buf_str(out, " \\- ");
	put_text(out, a->summary, strlen(a->summary));
	buf_str(out, "\n.SH SYNOPSIS\n.SH OPTIONS\nSee also\n.B COMMON OPTIONS\nin\n"
		     ".BR pdtool (1).\n" BEGIN "own\n" END ".SH SEE ALSO\n.BR pdtool (1)\n");
	buf_release(&name);
}
