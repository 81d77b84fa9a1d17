/* pdtool: choose a command. */
#include "cli/choices.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/registry.h"
#include "cli/run.h"
#include "cli/files/scrap.h"
#include "cli/process/heap.h"
#include "cli/sandbox/sandbox.h"
#include "cli/values.h"
#include "parser/base/mem.h"
#include "parser/base/nearest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PDTOOL_VERSION
#define PDTOOL_VERSION "0.1"
#endif

#ifdef STATIC
#define DEBUGINFOD "no (linked statically)"
#else
#define DEBUGINFOD "yes, where libdebuginfod is installed"
#endif

static int cmd_list(char **argv)
{
	if (argv[0])
		return choices_list(argv[0], argv[1] ?: "perf.data");
	help_list();
	return EXIT_COMPLETE;
}

/* What is in force for a command: this process gets it, too, as a kernel may refuse when asked. */
static void version_sandbox(void)
{
	struct sandbox sandbox;
	struct buf line = { 0 };

	sandbox_begin(&sandbox, false);
	sandbox_allow_common(&sandbox, true);
	(void)!sandbox_enter(&sandbox);
	sandbox_describe(&sandbox, &line);
	printf("  sandbox: %s\n", line.data);
	buf_release(&line);
	sandbox_release(&sandbox);
}

static int cmd_version(char **argv)
{
	bool more = false;

	for (; *argv; argv++)
		more |= !strncmp(*argv, "-v", 2) || !strcmp(*argv, "--verbose");
	printf("pdtool %s\n", PDTOOL_VERSION);
	if (more) {
		printf("  libelf: yes\n  zstd records: yes\n"
		       "  zstd files: yes (libzstd)\n  gzip, xz, bzip2 files: yes (libarchive)\n"
		       "  demangling: yes (libiberty)\n  instructions: yes (libcapstone)\n"
		       "  threads: yes\n"
		       "  debuginfod: " DEBUGINFOD "\n");
		version_sandbox();
	}
	return EXIT_COMPLETE;
}

/* The first word of several commands: which are they? False when it is not. */
static bool say_subcommands(const char *word)
{
	struct buf list = { 0 };
	size_t len = strlen(word);
	bool found;

	for (size_t i = 0; analyzers[i]; i++) {
		const char *name = analyzers[i]->name;

		if (!strncmp(name, word, len) && name[len] == ' ')
			buf_printf(&list, " %s", name + len + 1);
	}
	found = list.len > 0;
	if (found)
		say("%s is followed by one of:%s", word, list.data);
	buf_release(&list);
	return found;
}

/* What is neither a command nor, with PAGES, a page of the manual. */
static int unknown_command(const char *name, bool pages)
{
	static const char *const others[] = { "list", "help", "config", "peers" };
	const char *list[64];
	size_t n = 0;
	const char *near;

	if (say_subcommands(name))
		return EXIT_USAGE;
	for (size_t i = 0; analyzers[i]; i++)
		list[n++] = analyzers[i]->name;
	for (size_t i = 0; i < (pages ? ARRAY_SIZE(others) : 2); i++)
		list[n++] = others[i];
	list[n] = NULL;
	near = nearest(name, list);
	return usage_error("unknown command '%s'%s%s%s", name, near ? "; did you mean " : "",
			   near ?: "", near ? "?" : "");
}

/* A page by its name: "config", "pdtool-sched-latency", or "pdtool" itself. */
static bool named_page(const char *name)
{
	if (!strcmp(name, "pdtool"))
		return help_page("");
	name += strncmp(name, "pdtool-", 7) ? 0 : 7;
	return *name && help_page(name);
}

static int cmd_help(char **argv)
{
	int used;
	const struct analyzer *a = analyzer_find(argv, &used);

	if (a && !help_page(a->name))
		help_options(a);
	if (a)
		return EXIT_COMPLETE;
	if (*argv && strcmp(*argv, "list") && strcmp(*argv, "help"))
		return named_page(*argv) || help_group(*argv) ? EXIT_COMPLETE
							      : unknown_command(*argv, true);
	help_commands(stdout);
	return EXIT_COMPLETE;
}

/* What help and lists print goes through stdio: a full disk shows here. */
static int flushed(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (errno == EPIPE)
		return EXIT_PIPE;
	say("cannot write the output: %s", strerror(errno));
	return EXIT_ERROR;
}

/* Several commands begin with WORD. */
static bool begins_commands(const char *word)
{
	size_t len = strlen(word);

	for (size_t i = 0; analyzers[i]; i++) {
		if (!strncmp(analyzers[i]->name, word, len) && analyzers[i]->name[len] == ' ')
			return true;
	}
	return false;
}

/* WORD, in place of a command, is a file: one that exists, or what can be nothing else. */
static bool is_file(const char *word)
{
	return !strcmp(word, "-") || (word[0] != '-' && strpbrk(word, "./")) ||
	       (access(word, F_OK) == 0 && !begins_commands(word));
}

/* No command, but a file, perhaps behind options. */
static bool is_capture(char **argv)
{
	if (argv[0][0] != '-' || !argv[0][1])
		return is_file(argv[0]);
	for (; *argv; argv++) {
		if (is_file(*argv))
			return true;
	}
	return false;
}

static int run_command(int argc, char **argv)
{
	const struct analyzer *a;
	int used;

	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "version"))
		return cmd_version(argv + 2);
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))
		return cmd_help(argv + argc);
	if (!strcmp(argv[1], "help"))
		return cmd_help(argv + 2);
	if (!strcmp(argv[1], "list"))
		return cmd_list(argv + 2);
	a = analyzer_find(argv + 1, &used);
	if (!a && argv[2] && (!strcmp(argv[2], "-h") || !strcmp(argv[2], "--help")) &&
	    help_group(argv[1]))
		return EXIT_COMPLETE;
	if (!a && is_capture(argv + 1))
		return run_analyzer(analyzer_find((char *[]){ "summary", NULL }, &used), argv + 1);
	if (a && !strcmp(a->name, "store query"))
		a = question_command(argv + 1 + used) ?: a;
	return a ? run_analyzer(a, argv + 1 + used) : unknown_command(argv[1], false);
}

/* A file opened where standard output should be would be overwritten by it. What is missing becomes
 * /dev/null, opened so that using it fails. */
static void fill_standard_files(void)
{
	int fd;

	do
		fd = open("/dev/null", fcntl(STDIN_FILENO, F_GETFD) < 0 ? O_WRONLY : O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* Captures and ELF files are mapped: this comes when one is cut, or its disk fails, meanwhile. */
static void on_bus_error(int number)
{
	static const char text[] =
		"pdtool: a file was cut, or could not be read, while it was in use\n";

	(void)number;
	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	scrap_remove();
	_exit(EXIT_ERROR);
}

int main(int argc, char **argv)
{
	heap_share();
	fill_standard_files();
	signal(SIGPIPE, SIG_IGN); /* a closed pipe is a write error, and a quiet end */
	signal(SIGXFSZ, SIG_IGN); /* so is a file that may not become as large */
	signal(SIGBUS, on_bus_error);
	/* before the command, too, as git and perf have it */
	for (; argc > 1 && !strcmp(argv[1], "--no-pager"); argc--, argv++)
		setenv("PDTOOL_PAGER", "", 1);
	if (argc < 2) {
		help_commands(stderr);
		return EXIT_USAGE;
	}
	return flushed(run_command(argc, argv));
}
