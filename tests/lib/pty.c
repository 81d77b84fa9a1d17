/* Run a command on a terminal of its own.
 *   pty COLUMNSxLINES COMMAND...    prints what the terminal got; exit status: the command's
 *   pty COLUMNSxLINES -check FILE   each line of FILE is a command of pdtool, of words between
 *                                   tabs; prints what is wrong, and the command. They run in
 *                                   children that do not load the program anew, which takes longer
 *                                   than most.
 * Wrong is a line that is wider than the terminal, more lines than it has that no pager was given,
 * and a command that ends by a signal. A pager shows that it ran by its first line, PAGER_MARK.
 * Widths are the C library's, not pdtool's. */
#include <errno.h>
#include <locale.h>
#include <pty.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

#define PAGER_MARK "(pager)\n"
#define WORDS_MAX  64

struct screen {
	char *text; /* what came, with line ends as a file has them */
	size_t len, cap;
	bool at_start; /* of the line: a carriage return was the last */
	int status;    /* as of waitpid() */
};

static void add(struct screen *s, const char *bytes, size_t len)
{
	if (s->len + len + 1 > s->cap) {
		s->cap = 2 * (s->len + len + 1);
		s->text = realloc(s->text, s->cap);
		if (!s->text)
			abort();
	}
	for (size_t i = 0; i < len; i++) {
		if (s->at_start && bytes[i] != '\n' && bytes[i] != '\r') {
			/* progress is written over */
			while (s->len && s->text[s->len - 1] != '\n')
				s->len--;
		}
		s->at_start = bytes[i] == '\r';
		if (!s->at_start)
			s->text[s->len++] = bytes[i];
	}
	s->text[s->len] = '\0';
}

/* Without what clears the line of progress, which is empty then. */
static void drop_clears(struct screen *s)
{
	static const char clear[] = "\033[K";
	size_t len = strlen(clear);

	for (char *at = s->text; (at = strstr(at, clear)); s->len -= len)
		memmove(at, at + len, strlen(at + len) + 1);
}

/* That of cli/main.c. */
int pdtool_main(int argc, char **argv);

/* HERE: the program is this one, whatever its name. */
static void run(struct screen *s, const struct winsize *size, char **command, bool here)
{
	char bytes[1 << 16];
	ssize_t n;
	int fd;
	pid_t child = forkpty(&fd, NULL, NULL, size);

	if (child < 0) {
		perror("pty");
		exit(2);
	}
	if (!child && here) {
		int count = 0;

		while (command[count])
			count++;
		exit(pdtool_main(count, command));
	}
	if (!child) {
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	/* EIO: nobody has the terminal any more */
	while ((n = read(fd, bytes, sizeof(bytes))) > 0 || (n < 0 && errno == EINTR))
		add(s, bytes, n > 0 ? (size_t)n : 0);
	close(fd);
	waitpid(child, &s->status, 0);
	add(s, "", 0);
	drop_clears(s);
}

/* The columns of TEXT, of LEN bytes; colours have none. -1: it is no text. */
static int columns(const char *text, size_t len)
{
	mbstate_t state = { 0 };
	int sum = 0;

	for (size_t i = 0, n; i < len; i += n) {
		wchar_t c;
		int width;

		n = text[i] == '\033' ? strspn(text + i + 1, "[0123456789;") + 2 : 0;
		if (n && text[i + n - 1] == 'm')
			continue;
		n = mbrtowc(&c, text + i, len - i, &state);
		if (n == 0 || n > len - i)
			return -1;
		width = wcwidth(c);
		if (width < 0)
			return -1;
		sum += width;
	}
	return sum;
}

static bool check(const struct screen *s, const struct winsize *size)
{
	size_t lines = 0, mark = strlen(PAGER_MARK);
	bool paged = !strncmp(s->text, PAGER_MARK, mark), good = true;
	const char *line = s->text + (paged ? mark : 0), *end;

	for (; *line; line = *end ? end + 1 : end, lines++) {
		int wide;

		end = strchrnul(line, '\n');
		wide = columns(line, (size_t)(end - line));
		if (wide < 0 || wide > size->ws_col) {
			printf("%d columns: %.*s\n", wide, (int)(end - line), line);
			good = false;
		}
	}
	if (lines >= size->ws_row && !paged) {
		printf("%zu lines and no pager\n", lines);
		good = false;
	}
	if (!WIFEXITED(s->status)) {
		printf("status %#x\n", s->status);
		good = false;
	}
	return good;
}

static int check_all(const char *path, const struct winsize *size)
{
	FILE *list = fopen(path, "r");
	char *all = NULL, *rest, *line;
	size_t cap = 0, count = 0;
	bool good = true;

	if (!list || getdelim(&all, &cap, '\0', list) < 0) {
		perror(path);
		return 2;
	}
	fclose(list); /* a child that ends would move the place to read from */
	rest = all;
	while ((line = strsep(&rest, "\n")) && *line) {
		struct screen s = { 0 };
		char *words[WORDS_MAX + 1], *text = strdup(line);
		size_t n = 0;

		while (n < WORDS_MAX && (words[n] = strsep(&line, "\t")))
			n++;
		words[n] = NULL;
		fflush(stdout);
		run(&s, size, words, true);
		if (!check(&s, size)) {
			printf("  that was: %s\n", text);
			good = false;
		}
		count++;
		free(s.text);
		free(text);
	}
	free(all);
	printf("%zu commands\n", count);
	return good && count ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct winsize size = { 0 };
	struct screen s = { 0 };

	if (argc < 3 || sscanf(argv[1], "%hux%hu", &size.ws_col, &size.ws_row) != 2) {
		fprintf(stderr, "usage: pty COLUMNSxLINES COMMAND... | -check FILE\n");
		return 2;
	}
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		fprintf(stderr, "pty: no C.UTF-8\n");
	if (argc == 4 && !strcmp(argv[2], "-check"))
		return check_all(argv[3], &size);
	run(&s, &size, argv + 2, false);
	fwrite(s.text, 1, s.len, stdout);
	return WIFEXITED(s.status) ? WEXITSTATUS(s.status) : 128 + WTERMSIG(s.status);
}
