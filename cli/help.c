/* Help: the commands by what they answer, the options of one from its rows, and its manual page. */
#include "cli/help.h"
#include "cli/man/pages.h"
#include "cli/options.h"
#include "cli/registry.h"
#include "cli/terminal.h"
#include "cli/values.h"
#include "parser/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPTION_COLUMNS	36
#define COMMAND_COLUMNS 17
#define COLUMNS		100 /* where there is no terminal */
#define PAGE_COLUMNS	80  /* the same, of the manual: as man(1) */

static unsigned width_of(FILE *to, unsigned otherwise)
{
	unsigned width, height;

	return terminal_size(fileno(to), &width, &height) ? width : otherwise;
}

/* TEXT stands right of LEFT, below it where that is too long, in as many lines as it needs. */
static void print_text(FILE *to, int columns, const char *left, const char *text)
{
	int at = fprintf(to, "  %s", left), width = (int)width_of(to, COLUMNS);

	if (at > columns) {
		putc('\n', to);
		at = 0;
	}
	while (*text) {
		int len = (int)strcspn(text, " ");

		if (at > columns && at + 1 + len > width) {
			putc('\n', to);
			at = 0;
		}
		at += fprintf(to, "%*s%.*s", at < columns ? columns + 1 - at : 1, "", len, text);
		text += len + (text[len] == ' ');
	}
	putc('\n', to);
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

static void print_row(const struct option *o)
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
	print_text(stdout, OPTION_COLUMNS, left.data, right.data);
	buf_release(&left);
	buf_release(&right);
}

static void print_shown(const struct rows *r, const struct option *o)
{
	struct option shown = with_letter(r, o);

	print_row(&shown);
}

const char *options_usage(const struct analyzer *a, size_t i)
{
	if (i >= ARRAY_SIZE(a->usage))
		return NULL;
	return i || a->usage[i] ? a->usage[i] : a->single ? "[FILE]" : "[FILE...]";
}

void help_options(const struct analyzer *a)
{
	struct rows *r = xcalloc(1, sizeof(*r));

	rows_init(r, a, NULL, NULL);
	for (size_t i = 0; options_usage(a, i); i++)
		printf("%s pdtool %s [OPTION...] %s\n", i ? "      " : "Usage:", a->name,
		       options_usage(a, i));
	printf("%s\n\nOptions:\n", a->summary);
	for (size_t i = 0; i < r->count; i++) {
		const struct row *row = &r->list[i];

		if (row->group == ROWS_FORMAT && (!i || row[-1].format != row->format))
			printf("\nWith --format %s:\n", row->format->name);
		if (row->group == ROWS_COMMON && (!i || row[-1].group != ROWS_COMMON))
			printf("\nCommon options:\n");
		if (!row->option->compat_only && row->group != ROWS_PEER)
			print_shown(r, row->option);
	}
	free(r);
	printf("\nExit status: 0 complete, 1 error, 2 usage, 3 partial with --strict, "
	       "4 a threshold was "
	       "passed,\n141 the reader of the output went away.\n");
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

static void put_question(FILE *to, enum question q)
{
	bool begun = false;

	for (size_t i = 0; analyzers[i]; i++) {
		if (analyzers[i]->question != q)
			continue;
		if (!begun)
			fprintf(to, "\n%s\n", help_questions[q]);
		begun = true;
		print_text(to, COMMAND_COLUMNS, analyzers[i]->name, analyzers[i]->summary);
	}
}

void help_commands(FILE *to)
{
	fprintf(to, "Usage: pdtool COMMAND [OPTION...] [FILE...]\n");
	for (enum question q = QUESTION_MORE + 1; q < QUESTIONS; q++)
		put_question(to, q);
	put_question(to, QUESTION_MORE);
	fprintf(to,
		"\nAbout pdtool\n"
		"  %-15s %s\n  %-15s %s\n"
		"\n  pdtool COMMAND --help   its manual page; -h: its options in short\n"
		"  pdtool help pdtool      what holds for all commands; also: pdtool help config\n"
		"  pdtool help peers       the options of perf, FlameGraph and others\n"
		"  pdtool --version -vv    what it was built with\n",
		"list", "the commands and the formats", "help", "this, or a manual page");
}

/* ---- the manual ---- */

bool help_page(const char *name)
{
	struct buf text = { 0 };
	size_t len;
	const char *page = page_find(name, &len), *term = getenv("TERM");
	bool terminal = isatty(STDOUT_FILENO);

	if (!page)
		return false;
	page_put(page, len, width_of(stdout, PAGE_COLUMNS),
		 terminal && !(term && !strcmp(term, "dumb")), &text);
	if (terminal)
		pager_start();
	fwrite(text.data, 1, text.len, stdout);
	if (fflush(stdout) && pager_runs())
		clearerr(stdout); /* somebody has seen enough */
	pager_end();
	buf_release(&text);
	return true;
}
