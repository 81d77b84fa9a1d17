/* Run many commands of pdtool in one process, as starting one takes longer than most of them.
 *
 *   many <LIST      each line: FILE COMMAND WORD..., separated by blanks, without quotes
 *
 * What a command prints goes to FILE, its messages go to standard error, and a line "STATUS FILE"
 * is printed for it. Nothing of this machine is looked at but what the line names. It must not be
 * used where the process itself is what is tested: standard input, signals, leaks, limits. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/registry.h"
#include "cli/run.h"

#define WORDS_MAX 64

/* The words of LINE, with the option that makes them stand alone and a NULL behind them. */
static size_t split(char *line, char *words[WORDS_MAX])
{
	static char no_host[] = "--no-host";
	size_t n = 0;

	for (char *p = strtok(line, " \n"); p && n + 2 < WORDS_MAX; p = strtok(NULL, " \n"))
		words[n++] = p;
	if (n)
		words[n++] = no_host;
	words[n] = NULL;
	return n;
}

static void set_output(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0) {
		perror(path);
		exit(2);
	}
	close(fd);
}

int main(void)
{
	FILE *told = fdopen(dup(STDOUT_FILENO), "w");
	char *line = NULL, *words[WORDS_MAX];
	size_t room = 0;

	signal(SIGPIPE, SIG_IGN);
	while (told && getline(&line, &room, stdin) > 0) {
		size_t n = split(line, words);
		const struct analyzer *a;
		int used;

		if (n < 3 || !(a = analyzer_find(words + 1, &used))) {
			fprintf(stderr, "many: no command: %s\n", n > 1 ? words[1] : "");
			return 2;
		}
		set_output(words[0]);
		fprintf(told, "%d %s\n", run_analyzer(a, words + 1 + used), words[0]);
		fflush(stdout);
	}
	free(line);
	return !told || fclose(told);
}
