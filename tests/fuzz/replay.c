/* Run inputs of the guided campaign once each: the corpus as a regression test, and what a fuzzer
 * found, judged.
 *
 *   replay [--list] NAME FILE...
 *     --list   a line for each input: CPU seconds, KiB of memory, the exit status, its file
 *
 * The commands come from FUZZ_COMMANDS, see choice.h. An input fails when the command dies by a
 * signal, a sanitizer reports, or it takes more than 5 s of CPU (2 s without sanitizers), or
 * (without them) more than 256 MiB. One line "ok NAME ..." or "FAIL NAME ..." at the end. */
#include "tests/fuzz/choice.h"
#include "tests/fuzz/runner.h"
#include "parser/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RSS_MAX_KB  (256l << 10)
#define SECONDS_MAX (SANITIZED ? 5.0 : 2.0)
#define STATUS_MAX  16 /* others are a sanitizer's */

struct replay {
	struct choice choice;
	struct runner runner;
	bool list;
	unsigned runs, failures;
	double longest;
	long most_kb;
};

static const char *judge(const struct ending *e, char why[80])
{
	if (WIFSIGNALED(e->status))
		snprintf(why, 80, "signal %d", WTERMSIG(e->status));
	else if (WEXITSTATUS(e->status) > STATUS_MAX)
		snprintf(why, 80, "exit status %d", WEXITSTATUS(e->status));
	else if (e->cpu_seconds > SECONDS_MAX)
		snprintf(why, 80, "%.1f s of CPU", e->cpu_seconds);
	else if (!SANITIZED && e->rss_kb > RSS_MAX_KB)
		snprintf(why, 80, "%ld KiB of memory", e->rss_kb);
	else
		return NULL;
	return why;
}

static uint8_t *read_whole(const char *path, size_t *size)
{
	FILE *f = fopen(path, "re");
	struct stat st;
	uint8_t *bytes;

	if (!f || fstat(fileno(f), &st) < 0)
		die(path);
	bytes = xmalloc((size_t)st.st_size + 1);
	*size = fread(bytes, 1, (size_t)st.st_size, f);
	fclose(f);
	return bytes;
}

static void show_errors(int fd)
{
	char text[3000];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	printf("    %s\n", text);
}

static void run_file(struct replay *p, const char *path)
{
	size_t size;
	uint8_t *bytes = read_whole(path, &size);
	const char *command = choice_of(&p->choice, bytes, size), *bad;
	struct ending e;
	char why[80];

	if (command) {
		runner_input(&p->runner, bytes, size - 1);
		e = runner_run(&p->runner, command);
		bad = judge(&e, why);
		p->runs++;
		p->longest = e.cpu_seconds > p->longest ? e.cpu_seconds : p->longest;
		p->most_kb = e.rss_kb > p->most_kb ? e.rss_kb : p->most_kb;
		if (p->list)
			printf("%.3f %ld %d %s\n", e.cpu_seconds, e.rss_kb, e.status, path);
		if (bad) {
			p->failures++;
			printf("    %s: %s: %s\n", path, command, bad);
			show_errors(p->runner.err);
			runner_end(&p->runner);
		}
	}
	free(bytes);
}

int main(int argc, char **argv)
{
	struct replay p = { 0 };
	const char *name;

	argv++;
	p.list = *argv && !strcmp(*argv, "--list") && argv++;
	name = *argv ? *argv++ : NULL;
	if (!name || !*argv) {
		fprintf(stderr, "usage: replay [--list] NAME FILE...\n");
		return 2;
	}
	choice_init(&p.choice);
	runner_init(&p.runner, false);
	for (; *argv; argv++)
		run_file(&p, *argv);
	runner_end(&p.runner);
	printf("%s %s%s: %u inputs, %u failed; longest %.2f s, most memory %ld MiB\n",
	       p.failures ? "FAIL" : "ok", name, SANITIZED ? ", sanitized" : "", p.runs, p.failures,
	       p.longest, p.most_kb >> 10);
	return p.failures ? 1 : 0;
}
