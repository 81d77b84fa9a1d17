/* Help: the commands by what they answer, the options of one from its rows, and its manual page. */
#include "cli/help.h"
#include "cli/man/pages.h"
#include "cli/options.h"
#include "cli/registry.h"
#include "cli/terminal.h"
#include "cli/values.h"
#include "formats/format.h"
#include "parser/base/mem.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPTION_COLUMNS	36
#define COMMAND_COLUMNS 17
#define COLUMNS		100 /* where there is no terminal */
#define PAGE_COLUMNS	80  /* the same, of the manual: as man(1) */

/* What is about to be shown. */
struct page {
	struct buf text;
	unsigned width;
};

static unsigned width_of(FILE *to, unsigned otherwise)
{
	unsigned width, height;

	return terminal_size(fileno(to), &width, &height) ? width : otherwise;
}

/* On a terminal with a pager, as it is mostly longer than that. */
static void show(struct page *p, FILE *to)
{
	if (isatty(fileno(to)) && isatty(STDOUT_FILENO))
		pager_start();
	fwrite(p->text.data, 1, p->text.len, to);
	if (fflush(to) && pager_runs())
		clearerr(to); /* somebody has seen enough */
	pager_end();
	buf_release(&p->text);
}

/* TEXT stands right of LEFT, below it where that is too long, in as many lines as it needs. */
static void put_text(struct page *p, size_t columns, const char *left, const char *text)
{
	size_t at = 2 + strlen(left);

	buf_printf(&p->text, "  %s", left);
	if (at > columns) {
		buf_char(&p->text, '\n');
		at = 0;
	}
	while (*text) {
		size_t len = strcspn(text, " "), blanks;

		if (at > columns && at + 1 + len > p->width) {
			buf_char(&p->text, '\n');
			at = 0;
		}
		blanks = at < columns ? columns + 1 - at : 1;
		buf_printf(&p->text, "%*s%.*s", (int)blanks, "", (int)len, text);
		at += blanks + len;
		text += len + (text[len] == ' ');
	}
	buf_char(&p->text, '\n');
}

/* Another letter for an option of all commands: that one, with the letter. */
static struct option with_letter(const struct rows *r, const struct option *same)
{
	struct option o = *same;

	for (size_t i = 0; same->type == OPT_SAME && i < r->count; i++) {
		const struct option *other = r->list[i].option;

		if (other->type == OPT_SAME || strcmp(other->name, same->name) != 0)
			continue;
		o = *other;
		o.letter = same->letter;
	}
	return o;
}

static void put_row(struct page *p, const struct option *o)
{
	struct buf left = { 0 }, right = { 0 };
	char letter[5] = "    ";

	if (o->letter)
		snprintf(letter, sizeof(letter), "-%c, ", o->letter);
	buf_printf(&left, "%s--%s%s", letter, o->name, o->type == OPT_MAYBE ? "[=" : "");
	if (o->type != OPT_MAYBE && (o->arg || o->words) && o->type != OPT_SAME)
		buf_char(&left, ' ');
	value_name(o, &left);
	buf_str(&left, o->type == OPT_MAYBE ? "]" : "");
	value_help(o, &right);
	put_text(p, OPTION_COLUMNS, left.data, right.data);
	buf_release(&left);
	buf_release(&right);
}

static void put_shown(struct page *p, const struct rows *r, const struct option *o)
{
	struct option shown = with_letter(r, o);

	put_row(p, &shown);
}

const char *options_usage(const struct analyzer *a, size_t i)
{
	if (i >= ARRAY_SIZE(a->usage))
		return NULL;
	return i || a->usage[i] ? a->usage[i] : a->single ? "[FILE]" : "[FILE...]";
}

static void put_exit_status(struct page *p)
{
	struct buf lines = { 0 };

	text_wrap("Exit status: 0 complete, 1 error, 2 usage, 3 partial with --strict, 4 a "
		  "threshold was passed, 141 the reader of the output went away.",
		  p->width, 0, &lines);
	buf_printf(&p->text, "\n%s", lines.data);
	buf_release(&lines);
}

void help_options(const struct analyzer *a)
{
	struct page p = { .width = width_of(stdout, COLUMNS) };
	struct rows *r = xcalloc(1, sizeof(*r));

	rows_init(r, a, NULL, NULL);
	for (size_t i = 0; options_usage(a, i); i++)
		buf_printf(&p.text, "%s pdtool %s [OPTION...] %s\n",
			   i ? "      " : "Usage:", a->name, options_usage(a, i));
	buf_printf(&p.text, "%s\n\nOptions:\n", a->summary);
	for (size_t i = 0; i < r->count; i++) {
		const struct row *row = &r->list[i];

		if (row->group == ROWS_FORMAT && (!i || row[-1].format != row->format))
			buf_printf(&p.text, "\nWith --format %s:\n", row->format->name);
		if (row->group == ROWS_COMMON && (!i || row[-1].group != ROWS_COMMON))
			buf_str(&p.text, "\nCommon options:\n");
		if (!row->option->compat_only && row->group != ROWS_PEER)
			put_shown(&p, r, row->option);
	}
	free(r);
	put_exit_status(&p);
	show(&p, stdout);
}

/* ---- the commands ---- */

const char *const help_questions[QUESTIONS] = {
	[QUESTION_CAPTURE] = "What is in this file, and can it be named?",
	[QUESTION_TIME] = "Where does the time go?",
	[QUESTION_CHANGE] = "What changed?",
	[QUESTION_WAIT] = "Who waits, and behind whom?",
	[QUESTION_DISK] = "How long does it take, and when: disks and other latencies?",
	[QUESTION_MORE] = "And more",
};

static void put_question(struct page *p, enum question q)
{
	bool begun = false;

	for (size_t i = 0; analyzers[i]; i++) {
		if (analyzers[i]->question != q)
			continue;
		if (!begun)
			buf_printf(&p->text, "\n%s\n", help_questions[q]);
		begun = true;
		put_text(p, COMMAND_COLUMNS, analyzers[i]->name, analyzers[i]->summary);
	}
}

void help_commands(FILE *to)
{
	struct page p = { .width = width_of(to, COLUMNS) };

	buf_str(&p.text, "Usage: pdtool COMMAND [OPTION...] [FILE...]\n");
	for (enum question q = QUESTION_MORE + 1; q < QUESTIONS; q++)
		put_question(&p, q);
	put_question(&p, QUESTION_MORE);
	buf_str(&p.text, "\nAbout pdtool\n");
	put_text(&p, COMMAND_COLUMNS, "list", "the commands and the formats");
	put_text(&p, COMMAND_COLUMNS, "help", "this, or a manual page");
	buf_str(&p.text,
		"\n  pdtool COMMAND --help   its manual page; -h: its options in short\n"
		"  pdtool help pdtool      what holds for all commands; also: pdtool help config\n"
		"  pdtool help peers       the options of perf, FlameGraph and others\n"
		"  pdtool --version -vv    what it was built with\n");
	show(&p, to);
}

bool help_group(const char *word)
{
	struct page p = { .width = width_of(stdout, COLUMNS) };
	size_t len = strlen(word);

	for (size_t i = 0; analyzers[i]; i++) {
		const char *name = analyzers[i]->name;

		if (strncmp(name, word, len) || name[len] != ' ')
			continue;
		if (!p.text.len)
			buf_printf(&p.text, "Usage: pdtool %s COMMAND [OPTION...] [FILE...]\n\n",
				   word);
		put_text(&p, COMMAND_COLUMNS, name, analyzers[i]->summary);
	}
	if (!p.text.len)
		return false;
	show(&p, stdout);
	return true;
}

/* Into a pipe a line for each. */
void help_list(void)
{
	struct page p = { .width = width_of(stdout, UINT_MAX) };

	buf_str(&p.text, "Analyzers:\n");
	for (size_t i = 0; analyzers[i]; i++)
		put_text(&p, COMMAND_COLUMNS, analyzers[i]->name, analyzers[i]->summary);
	buf_str(&p.text, "\nFormats:\n");
	for (size_t i = 0; formats[i]; i++)
		put_text(&p, COMMAND_COLUMNS, formats[i]->name, formats[i]->summary);
	show(&p, stdout);
}

/* ---- the manual ---- */

bool help_page(const char *name)
{
	struct page p = { .width = width_of(stdout, PAGE_COLUMNS) };
	size_t len;
	const char *page = page_find(name, &len), *term = getenv("TERM");

	if (!page)
		return false;
	page_put(page, len, p.width, isatty(STDOUT_FILENO) && !(term && !strcmp(term, "dumb")),
		 &p.text);
	show(&p, stdout);
	return true;
}
