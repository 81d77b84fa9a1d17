/* Asks the terminal for its size. The pager is a child that reads what this process writes to its
 * standard output: the same variables, rules and defaults as git's, so that nobody has to learn
 * others. */
#include "cli/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE_MOST   10000
#define WIDTH_LEAST 20

/* 0: there is no such variable, or it says nothing. */
static unsigned from_environment(const char *name)
{
	const char *text = getenv(name);
	char *end;
	unsigned long n = text ? strtoul(text, &end, 10) : 0;

	return text && *text >= '0' && *text <= '9' && !*end && n <= SIZE_MOST ? (unsigned)n : 0;
}

bool terminal_size(int fd, unsigned *width, unsigned *height)
{
	struct winsize size = { 0 };

	if (!isatty(fd))
		return false;
	if (ioctl(fd, TIOCGWINSZ, &size) < 0)
		size = (struct winsize){ 0 };
	*width = from_environment("COLUMNS") ?: size.ws_col ?: 80;
	*width = *width < WIDTH_LEAST ? WIDTH_LEAST : *width;
	*height = from_environment("LINES") ?: size.ws_row ?: 24;
	return true;
}

unsigned terminal_message_width(void)
{
	static bool known;
	static unsigned width;
	unsigned height;

	if (!known && !terminal_size(STDERR_FILENO, &width, &height))
		width = 0;
	known = true;
	return width;
}

/* ---- the pager ---- */

static pid_t pager;  /* 0: none */
static int shown[2]; /* the terminal, as standard output and error */

/* The child that becomes the pager when it is told to: this process may not be allowed to make one
 * by then. */
static struct {
	pid_t pid; /* 0: none */
	int input; /* what it will show */
	int failed, go;
} child;

/* NULL: none is wanted. */
static const char *command(void)
{
	static const char *const names[] = { "PDTOOL_PAGER", "PERF_PAGER", "PAGER" };
	const char *text = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !text; i++)
		text = getenv(names[i]);
	text = text ?: "less";
	return *text && strcmp(text, "cat") != 0 ? text : NULL;
}

/* Never returns; what keeps it from being run goes to FAILED. */
static void run(const char *text, int input, int failed)
{
	bool words = text[strcspn(text, "|&;<>()$`\\\"' \t\n*?[#~=%")];
	int why;

	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	dup2(input, STDIN_FILENO);
	if (words)
		execl("/bin/sh", "sh", "-c", text, (char *)NULL);
	else
		execlp(text, text, (char *)NULL);
	why = errno;
	(void)!write(failed, &why, sizeof(why));
	_exit(127);
}

/* Was the child's program started? */
static bool started(int failed)
{
	ssize_t n;
	int why;

	do
		n = read(failed, &why, sizeof(why));
	while (n < 0 && errno == EINTR);
	return n == 0;
}

static void redirect(int fd)
{
	fflush(NULL);
	(void)terminal_message_width(); /* as long as there is one to ask */
	shown[0] = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	shown[1] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (isatty(STDERR_FILENO))
		dup2(fd, STDERR_FILENO);
	dup2(fd, STDOUT_FILENO);
	/* It asks for the keys; this process only waits for it. */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
}

/* Never returns: without a byte from GO nobody wants a pager. */
static void wait_and_run(const char *text, int input, int failed, int go)
{
	ssize_t n;
	char byte;

	do
		n = read(go, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(0);
	run(text, input, failed);
}

/* False: then both ends are -1. */
static bool make_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC) == 0)
		return true;
	ends[0] = ends[1] = -1;
	return false;
}

static void close_all(const int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
}

void pager_prepare(void)
{
	const char *text = command();
	int to[2], failed[2], go[2];
	bool made;

	if (!text || child.pid || pager)
		return;
	made = make_pipe(to); /* each, so that all can be closed */
	made &= make_pipe(failed);
	made &= make_pipe(go);
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	child.pid = made ? fork() : -1;
	if (!child.pid) {
		close_all((int[]){ to[1], failed[0], go[1] }, 3);
		wait_and_run(text, to[0], failed[1], go[0]);
	}
	close_all((int[]){ to[0], failed[1], go[0] }, 3);
	child.input = to[1];
	child.failed = failed[0];
	child.go = go[1];
	if (child.pid < 0) {
		close_all((int[]){ to[1], failed[0], go[1] }, 3);
		child.pid = 0;
	}
}

/* It waits, and is not wanted; or could not be started. */
static void drop_child(void)
{
	while (waitpid(child.pid, NULL, 0) < 0 && errno == EINTR)
		;
	child.pid = 0;
}

void pager_start(void)
{
	bool told;

	pager_prepare();
	if (!child.pid)
		return;
	told = write(child.go, "", 1) == 1;
	close(child.go);
	if (told && started(child.failed)) {
		pager = child.pid;
		child.pid = 0;
		redirect(child.input);
	} else {
		drop_child();
	}
	close(child.failed);
	close(child.input);
}

bool pager_runs(void)
{
	return pager > 0;
}

void pager_end(void)
{
	if (child.pid) {
		close_all((int[]){ child.go, child.failed, child.input }, 3);
		drop_child();
	}
	if (pager <= 0)
		return;
	fflush(NULL);
	/* the end of its input */
	dup2(shown[0], STDOUT_FILENO);
	dup2(shown[1], STDERR_FILENO);
	close(shown[0]);
	close(shown[1]);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
	pager = 0;
}
