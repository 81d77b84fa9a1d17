/* The tables of shell completions: commands, the options of each, and what their values may be. */
#include "tests/docs/docs.h"
#include "cli/registry.h"
#include "cli/values.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Where words that a shell completes come from. */
enum value_source {
	FROM_NOTHING,
	FROM_TEXT,
	FROM_WORDS,
	FROM_LIST,
	FROM_FILES,
	FROM_DIRS,
	FROM_CAPTURE
};

static enum value_source source_of(const struct option *o)
{
	if (o->choices)
		return FROM_CAPTURE;
	switch (o->type) {
	case OPT_FLAG:
	case OPT_SAME:
		return FROM_NOTHING;
	case OPT_WORDS:
		return FROM_LIST;
	case OPT_NAMES:
		return o->words ? FROM_LIST : FROM_TEXT;
	case OPT_FILE:
	case OPT_FILES:
	case OPT_INPUTS:
	case OPT_SYMBOLS:
		return FROM_FILES;
	case OPT_DIR:
	case OPT_DIRS:
		return FROM_DIRS;
	default:
		return (o->words && o->type != OPT_PATTERNS) || o->type == OPT_FORMAT ? FROM_WORDS
										      : FROM_TEXT;
	}
}

/* What a capture is asked for, and for a list the comma between: "events ,". */
static void put_choices(const struct option *o, struct buf *out)
{
	buf_printf(out, "%s%s", o->choices,
		   o->type == OPT_NAMES || o->type == OPT_EVENTS ? " ," : "");
}

/* The words of O, with blanks between. */
static void put_words(const struct option *o, struct buf *out)
{
	const char *word, *before = "";
	size_t len;

	for (size_t i = 0; o->type == OPT_FORMAT && formats[i]; i++)
		buf_printf(out, "%s%s", i ? " " : "", formats[i]->name);
	for (size_t i = 0; (word = value_word(o, i, &len)); i++) {
		if (!len)
			continue;
		buf_printf(out, "%s%.*s", before, (int)len, word);
		before = " ";
	}
}

/* "sched latency" where a name without blanks is needed. */
static void put_name(const char *name, struct buf *out)
{
	for (; *name; name++)
		buf_char(out, *name == ' ' || *name == '-' ? '_' : *name);
}

/* TEXT between single quotes. zsh takes brackets for the end of a help. */
static void put_quoted(enum shell shell, const char *text, struct buf *out)
{
	for (; *text; text++) {
		if (*text == '\'')
			buf_str(out, shell == SHELL_FISH ? "\\'" : "'\\''");
		else if (shell == SHELL_ZSH && strchr("[]", *text))
			buf_printf(out, "\\%c", *text);
		else
			buf_char(out, *text);
	}
}

/* ---- a list of options in each shell's words ---- */

static void bash_option(const char *list, const struct option *o, struct buf *out)
{
	static const char *const marks[] = {
		[FROM_TEXT] = "@text",	[FROM_WORDS] = "",    [FROM_LIST] = ",",
		[FROM_FILES] = "@file", [FROM_DIRS] = "@dir", [FROM_CAPTURE] = "@list "
	};
	enum value_source from = source_of(o);

	buf_printf(out, "_pdtool_options[%s]+=' --%s%s'\n", list, o->name,
		   from && o->type != OPT_MAYBE ? "=" : "");
	if (!from)
		return;
	buf_printf(out, "_pdtool_values[%s--%s]='%s", list, o->name, marks[from]);
	if (from == FROM_WORDS || from == FROM_LIST)
		put_words(o, out);
	else if (from == FROM_CAPTURE)
		put_choices(o, out);
	buf_str(out, "'\n");
	if (o->letter)
		buf_printf(out, "_pdtool_values[%s-%c]=${_pdtool_values[%s--%s]}\n", list,
			   o->letter, list, o->name);
}

static void zsh_option(const char *list, const struct option *o, struct buf *out)
{
	enum value_source from = source_of(o);
	struct buf name = { 0 };

	buf_printf(out, "_pdtool_%s+=(", list);
	if (o->letter)
		buf_printf(out, "'(-%c --%s)'{-%c%s,--%s%s}", o->letter, o->name, o->letter,
			   from ? "+" : "", o->name, from ? "=" : "");
	else
		buf_printf(out, "'*'--%s%s", o->name,
			   !from		  ? ""
			   : o->type == OPT_MAYBE ? "=-"
						  : "=");
	buf_str(out, "'[");
	put_quoted(SHELL_ZSH, o->help, out);
	buf_char(out, ']');
	if (from) {
		put_name(o->name, &name);
		buf_printf(out, "%s%s:", o->type == OPT_MAYBE ? "::" : ":", name.data);
	}
	if (from == FROM_WORDS)
		buf_char(out, '(');
	else if (from == FROM_CAPTURE)
		buf_str(out, " _pdtool_choices ");
	else if (from == FROM_LIST)
		buf_printf(out, "_values -s , %s ", name.data);
	if (from == FROM_WORDS || from == FROM_LIST)
		put_words(o, out);
	else if (from == FROM_CAPTURE)
		put_choices(o, out);
	buf_str(out, from == FROM_WORDS	  ? ")"
		     : from == FROM_FILES ? "_files"
		     : from == FROM_DIRS  ? "_files -/"
		     : from == FROM_TEXT  ? " "
					  : "");
	buf_str(out, "')\n");
	buf_release(&name);
}

static void fish_option(const char *list, const struct option *o, struct buf *out)
{
	static const char *const marks[] = { [FROM_NOTHING] = "",
					     [FROM_TEXT] = " -x",
					     [FROM_WORDS] = " -x -a '",
					     [FROM_LIST] = " -x -a '(__pdtool_list ",
					     [FROM_FILES] = " -r -F",
					     [FROM_DIRS] = " -x -a '(__fish_complete_directories)'",
					     [FROM_CAPTURE] = " -x -a '(__pdtool_choices " };
	enum value_source from = o->type == OPT_MAYBE ? FROM_NOTHING : source_of(o);

	buf_printf(out, "complete -c pdtool -n '__pdtool_has %s' -l %s", list, o->name);
	if (o->letter)
		buf_printf(out, " -s %c", o->letter);
	buf_str(out, marks[from]);
	if (from == FROM_WORDS || from == FROM_LIST)
		put_words(o, out);
	else if (from == FROM_CAPTURE)
		put_choices(o, out);
	buf_str(out, from == FROM_WORDS				 ? "'"
		     : from == FROM_LIST || from == FROM_CAPTURE ? ")'"
								 : "");
	buf_str(out, " -d '");
	put_quoted(SHELL_FISH, o->help, out);
	buf_str(out, "'\n");
}

static void (*const put_option[])(const char *list, const struct option *o, struct buf *out) = {
	[SHELL_BASH] = bash_option, [SHELL_ZSH] = zsh_option, [SHELL_FISH] = fish_option
};

/* ---- commands ---- */

/* The row NAME of TABLE; NULL: there is none that takes a value itself. */
static const struct option *find_row(const struct option *table, const char *name)
{
	for (; table->name || table->type == OPT_TABLE; table++) {
		if (table->type != OPT_TABLE && table->type != OPT_SAME &&
		    !strcmp(table->name, name))
			return table;
	}
	return NULL;
}

/* O as a shell sees it: what means another option, of its table or a common one, takes that one's
 * values. */
static struct option shown(const struct option *o, const struct option *table)
{
	struct option as = *o;
	const struct option *other;

	if (o->type != OPT_SAME)
		return as;
	other = find_row(table, o->arg + 2) ?: find_row(common_table, o->arg + 2);
	if (other)
		as = *other;
	as.name = o->name;
	as.letter = o->letter;
	as.help = o->help ?: other ? other->help : o->arg;
	return as;
}

/* The rows of TABLE become the list NAME. */
static void put_list(enum shell shell, const char *name, const struct option *table,
		     struct buf *out)
{
	struct buf list = { 0 };

	put_name(name, &list);
	for (const struct option *o = table; o->name || o->type == OPT_TABLE; o++) {
		struct option as = shown(o, table);

		if (o->type == OPT_TABLE)
			put_list(shell, name, o->table, out);
		else if (!o->compat_only)
			put_option[shell](list.data, &as, out);
	}
	buf_release(&list);
}

/* The list of those options of F that mean something in results of SHAPES alone; 0: in all. */
static void put_format_name(const struct format *f, unsigned shapes, struct buf *out)
{
	put_name(f->name, out);
	if (shapes)
		buf_printf(out, "_%u", shapes);
}

/* The options of F, which have lists by the shapes that they are for. */
static void put_format(enum shell shell, const struct format *f, struct buf *out)
{
	struct buf list = { 0 };

	for (const struct option *o = f->options; o && o->name; o++) {
		list.len = 0;
		put_format_name(f, o->shapes, &list);
		put_option[shell](list.data, o, out);
	}
	buf_release(&list);
}

/* The lists of F that hold for A. */
static void put_format_lists(const struct format *f, const struct analyzer *a, struct buf *out)
{
	uint64_t had = 0; /* 1 << shapes */

	if (!f->options || !(f->option_shapes & a->shapes))
		return;
	for (const struct option *o = f->options; o->name; o++) {
		if ((o->shapes && !(o->shapes & a->shapes)) || had & 1ull << o->shapes)
			continue;
		had |= 1ull << o->shapes;
		buf_char(out, ' ');
		put_format_name(f, o->shapes, out);
	}
}

/* Which lists hold for A: "report csv common". */
static void put_lists(enum shell shell, const struct analyzer *a, struct buf *out)
{
	static const char *const begin[] = { [SHELL_BASH] = "_pdtool_lists['%s']='",
					     [SHELL_ZSH] = "_pdtool_lists+=('%s' '",
					     [SHELL_FISH] =
						     "set -g __pdtool_lists $__pdtool_lists '%s:" };

	buf_printf(out, begin[shell], a->name);
	put_name(a->name, out);
	for (size_t i = 0; formats[i]; i++)
		put_format_lists(formats[i], a, out);
	buf_str(out, shell == SHELL_ZSH ? " common')\n" : " common'\n");
}

/* A word of the command line and what it is, below FIRST, which is NULL for the first word. */
static void put_command(enum shell shell, const char *first, const char *word, const char *summary,
			struct buf *out)
{
	struct buf text = { 0 };

	put_quoted(shell, summary, &text);
	if (shell == SHELL_BASH)
		buf_printf(out, "_pdtool_words[%s]+=' %s'\n", first ?: "pdtool", word);
	else if (shell == SHELL_ZSH)
		buf_printf(out, "_pdtool_words_%s+=('%s:%s')\n", first ?: "pdtool", word,
			   text.data);
	else
		buf_printf(out, "complete -c pdtool -n '__pdtool_after %s' -f -a %s -d '%s'\n",
			   first ?: "", word, text.data);
	buf_release(&text);
}

/* What pdtool list prints of a capture. */
static const char *const held[] = { "events", "comms", "symbols" };

/* Commands of two words stand below the first one, which is named once. */
static void put_commands(enum shell shell, struct buf *out)
{
	const char *before = NULL;
	size_t before_len = 0;

	for (size_t i = 0; analyzers[i]; i++) {
		const struct analyzer *a = analyzers[i];
		size_t len = strcspn(a->name, " ");
		char *first;

		if (!a->name[len]) {
			put_command(shell, NULL, a->name, a->summary, out);
			continue;
		}
		first = strndup(a->name, len);
		if (len != before_len || strncmp(before, a->name, len))
			put_command(shell, NULL, first, "more commands", out);
		put_command(shell, first, a->name + len + 1, a->summary, out);
		before = a->name;
		before_len = len;
		free(first);
	}
	put_command(shell, NULL, "list", "the commands and formats, or what a capture holds", out);
	for (size_t i = 0; i < ARRAY_SIZE(held); i++)
		put_command(shell, "list", held[i], "of a capture", out);
	put_command(shell, NULL, "help", "the manual page of a command", out);
}

void shell_tables(enum shell shell, struct buf *out)
{
	put_commands(shell, out);
	for (size_t i = 0; analyzers[i]; i++) {
		put_lists(shell, analyzers[i], out);
		put_list(shell, analyzers[i]->name, analyzers[i]->options, out);
	}
	for (size_t i = 0; formats[i]; i++)
		put_format(shell, formats[i], out);
	put_list(shell, "common", common_table, out);
}
