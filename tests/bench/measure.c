// SPDX-License-Identifier: MIT
/*
 * measure FEWEST MOST SECONDS [MB] <PLAN: run the commands of a plan in turn, A B
 * C A B C ..., so that what else the machine does falls on all of them alike.
 *
 * A line of the plan is NAME, a tab and a command: words between blanks, or a
 * line for sh where one of |<>;&$'" is in it. Every command runs FEWEST times;
 * after that up to MOST times while its least CPU time is not settled: while the
 * third least is over 5 % above it. No command is begun again after SECONDS of
 * its own.
 *
 * Before each run MB of memory (default 0) are touched and freed: the host of a
 * virtual machine may take back what is free for some seconds, and to get it
 * again costs far more than to clear it. What ran before would decide.
 *
 * Prints for each line, between tabs: NAME, the number of runs, least and median
 * of user, of CPU (user and system) and of wall-clock seconds, the highest peak
 * of the resident set in KiB, the first exit status that is not 0, or 0, and the
 * CPU seconds that a tenth of the runs kept below, which are steadier than the
 * least. The figures are wait4(2)'s and cover the children that a command waited for.
 * Standard output is thrown away; standard error goes to ours if a command fails.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	LINES_MAX = 64,
	RUNS_MAX = 256,
	WORDS_MAX = 64,
};

struct line {
	char *name, *words[WORDS_MAX];
	double user[RUNS_MAX], cpu[RUNS_MAX], wall[RUNS_MAX], spent;
	int runs, status;
	long peak_kib;
};

static void die(const char *what)
{
	fprintf(stderr, "measure: %s\n", what);
	exit(1);
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void warm(size_t bytes)
{
	char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		die("cannot map memory");
	madvise(at, bytes, MADV_HUGEPAGE);
	for (size_t i = 0; i < bytes; i += 4096)
		*(volatile char *)(at + i) = 1;
	munmap(at, bytes);
}

static void child(char **words, int err)
{
	int in = open("/dev/null", O_RDONLY), out = open("/dev/null", O_WRONLY);

	if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
		_exit(126);
	execvp(words[0], words);
	_exit(127);
}

/* What the command had to say, if it failed. */
static void tell(const struct line *l, int err)
{
	char text[1024];
	ssize_t len = pread(err, text, sizeof(text), 0);

	fprintf(stderr, "measure: %s: status %d\n", l->name, l->status);
	if (len > 0)
		fwrite(text, 1, (size_t)len, stderr);
}

static void run(struct line *l, size_t warm_bytes)
{
	int err = memfd_create("stderr", MFD_CLOEXEC), status;
	double start;
	struct rusage usage;
	pid_t pid;

	if (warm_bytes)
		warm(warm_bytes);
	start = now();
	pid = fork();

	if (pid == 0)
		child(l->words, err);
	if (err < 0 || pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		die("cannot run a command");
	l->wall[l->runs] = now() - start;
	l->spent += l->wall[l->runs];
	l->user[l->runs] = seconds(usage.ru_utime);
	l->cpu[l->runs] = l->user[l->runs] + seconds(usage.ru_stime);
	l->runs++;
	if (usage.ru_maxrss > l->peak_kib)
		l->peak_kib = usage.ru_maxrss;
	if (status && !l->status) {
		l->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		tell(l, err);
	}
	close(err);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void sorted(const double *values, int n, double *out)
{
	memcpy(out, values, (size_t)n * sizeof(*values));
	qsort(out, (size_t)n, sizeof(*out), by_value);
}

static bool settled(const struct line *l)
{
	double cpu[RUNS_MAX];

	sorted(l->cpu, l->runs, cpu);
	return l->runs >= 3 && cpu[2] <= cpu[0] * 1.05;
}

static void read_plan(struct line *lines, int *n)
{
	char *text = NULL;
	size_t room = 0;

	for (; getline(&text, &room, stdin) > 0; ++*n) {
		struct line *l = &lines[*n];
		char *command = strchr(text, '\t');
		int words = 0;

		if (!command || *n == LINES_MAX)
			die("a line without a tab, or too many lines");
		*command++ = '\0';
		command[strcspn(command, "\n")] = '\0';
		l->name = text;
		if (command[strcspn(command, "|<>;&$'\"")]) {
			l->words[0] = "sh", l->words[1] = "-c", l->words[2] = command;
		} else {
			for (char *w = strtok(command, " "); w && words + 1 < WORDS_MAX;
			     w = strtok(NULL, " "))
				l->words[words++] = w;
		}
		text = NULL; /* the line keeps it */
	}
}

static void print(const struct line *l)
{
	const double *of[] = { l->user, l->cpu, l->wall };
	double order[RUNS_MAX], low = 0;

	printf("%s\t%d", l->name, l->runs);
	for (int i = 0; i < 3; i++) {
		sorted(of[i], l->runs, order);
		if (of[i] == l->cpu)
			low = order[l->runs / 10];
		printf("\t%.6f\t%.6f", order[0],
		       (order[(l->runs - 1) / 2] + order[l->runs / 2]) / 2);
	}
	printf("\t%ld\t%d\t%.6f\n", l->peak_kib, l->status, low);
}

int main(int argc, char **argv)
{
	static struct line lines[LINES_MAX];
	bool given = argc == 4 || argc == 5;
	int fewest = given ? atoi(argv[1]) : 0, most = given ? atoi(argv[2]) : 0, n = 0;
	size_t warm_bytes = argc == 5 ? strtoul(argv[4], NULL, 10) << 20 : 0;

	if (fewest < 1 || most < fewest || most > RUNS_MAX)
		die("usage: measure FEWEST MOST SECONDS [MB] <PLAN");
	read_plan(lines, &n);
	for (int round = 0; round < most; round++)
		for (int i = 0; i < n; i++)
			if (!round || (lines[i].spent < atof(argv[3]) && !lines[i].status &&
				       (round < fewest || !settled(&lines[i]))))
				run(&lines[i], warm_bytes);
	for (int i = 0; i < n; i++)
		print(&lines[i]);
	return 0;
}
