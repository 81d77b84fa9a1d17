// SPDX-License-Identifier: MIT
/*
 * timed OUTPUT COMMAND...: run the command with its standard output in the file
 * OUTPUT, and print one line: user seconds, system seconds, wall seconds, peak
 * resident set in KiB, exit status. The numbers cover the children that the
 * command waited for. Nothing but wait4(2), so that every peer is measured alike.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

static void child(const char *output, char **command)
{
	int in = open("/dev/null", O_RDONLY);
	int out = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (in < 0 || out < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		_exit(126);
	execvp(command[0], command);
	_exit(127);
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double start = now();
	int status;
	pid_t pid;

	if (argc < 3) {
		fprintf(stderr, "usage: timed OUTPUT COMMAND...\n");
		return 2;
	}
	pid = fork();
	if (pid == 0)
		child(argv[1], argv + 2);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid) {
		perror("timed");
		return 1;
	}
	printf("%.3f %.3f %.3f %ld %d\n", seconds(usage.ru_utime), seconds(usage.ru_stime),
	       now() - start, usage.ru_maxrss,
	       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 0;
}
