/* Ends a command at any moment of the making of its files, and looks at what is there then.
 *
 *   moments random SEED COUNT FILE... -- COMMAND...   a signal at COUNT moments of its run
 *   moments calls FILE... -- COMMAND...               at each call of shim.c: signals before and
 *                                                     behind it, and errors
 *
 * The FILEs are all that is in the current directory. Before each run they hold OLD; they may hold
 * that behind it, or what the command makes when it is let alone, and nothing else is there. Where
 * the command failed, the first of them holds OLD. What is wrong is printed, then what happened how
 * often; exit status 1 when anything was wrong, or nothing happened. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OLD	  "old->rgb(1,2,3)\n" /* a palette, for who reads it */
#define FILES_MAX 4
#define CALLS_MAX 10000

static struct {
	char **files, **command;
	size_t count;
	char *made[FILES_MAX]; /* their new contents */
	size_t len[FILES_MAX];
	unsigned runs, wrong, killed, failed, old, new;
} all;

static const char *shim_do, *shim_at; /* of the next run; NULL: none */
static int told[2];		      /* where shim.c says that it happened */

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static void put_old(void)
{
	for (size_t i = 0; i < all.count; i++) {
		FILE *f;

		unlink(all.files[i]);
		f = fopen(all.files[i], "we");
		if (!f || fputs(OLD, f) < 0 || fclose(f))
			die(all.files[i]);
	}
}

static char *contents(const char *path, size_t *len)
{
	FILE *f = fopen(path, "re");
	struct stat st;
	char *text;

	if (!f || fstat(fileno(f), &st) < 0)
		die(path);
	text = malloc((size_t)st.st_size + 1);
	*len = text ? fread(text, 1, (size_t)st.st_size + 1, f) : 0;
	fclose(f);
	return text;
}

/* In front of a message: what was done. */
static void wrong(const char *done, const char *why, const char *which)
{
	printf("%s: %s %s\n", done, which, why);
	all.wrong++;
}

static pid_t start(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	if (shim_do) {
		char fd[16];

		snprintf(fd, sizeof(fd), "%d", told[1]);
		setenv("SHIM_DO", shim_do, 1);
		setenv("SHIM_AT", shim_at, 1);
		setenv("SHIM_TOLD", fd, 1);
		setenv("LD_PRELOAD", getenv("SHIM"), 1);
	}
	execvp(all.command[0], all.command);
	die(all.command[0]);
	return -1;
}

static void check_names(const char *done)
{
	DIR *dir = opendir(".");
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		bool known = !strcmp(d->d_name, ".") || !strcmp(d->d_name, "..");

		for (size_t i = 0; i < all.count; i++)
			known |= !strcmp(d->d_name, all.files[i]);
		if (known)
			continue;
		wrong(done, "is left", d->d_name);
		unlink(d->d_name);
	}
	if (dir)
		closedir(dir);
}

static void check_file(const char *done, size_t i, bool ok)
{
	size_t len;
	char *text = contents(all.files[i], &len);
	bool old = len == strlen(OLD) && !memcmp(text, OLD, len);
	bool new = len == all.len[i] && !memcmp(text, all.made[i], len);

	all.old += i == 0 && old;
	all.new += i == 0 && new;
	if (!old && !new)
		wrong(done, "is neither the old nor the new one", all.files[i]);
	if (old && ok)
		wrong(done, "is the old one, with status 0", all.files[i]);
	free(text);
}

static void check(const char *done, int status, int number)
{
	bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
	unsigned new = all.new;

	all.runs++;
	all.killed += WIFSIGNALED(status);
	all.failed += WIFEXITED(status) && !ok;
	if (WIFSIGNALED(status) && WTERMSIG(status) != number)
		wrong(done, "ended it", strsignal(WTERMSIG(status)));
	if (WIFEXITED(status) && !ok && WEXITSTATUS(status) != 1)
		wrong(done, "is not 1", "its exit status");
	for (size_t i = 0; i < all.count; i++)
		check_file(done, i, ok);
	if (WIFEXITED(status) && !ok && all.new > new)
		wrong(done, "is the new one, but it failed", all.files[0]);
	check_names(done);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Let alone: what it makes, and how long it takes. */
static double learn(void)
{
	double start_s;
	int status;

	put_old();
	start_s = seconds();
	if (waitpid(start(), &status, 0) < 0 || status)
		die("moments: the command fails");
	start_s = seconds() - start_s;
	for (size_t i = 0; i < all.count; i++)
		all.made[i] = contents(all.files[i], &all.len[i]);
	return start_s;
}

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
#define SIGNALS (sizeof(signals) / sizeof(*signals))

static void at_random(unsigned seed, unsigned count)
{
	double whole = learn();

	srandom(seed);
	for (unsigned i = 0; i < count; i++) {
		double at = whole * 1.1 * (double)random() / RAND_MAX;
		struct timespec t = { 0, (long)(at * 1e9) };
		int number = signals[i % SIGNALS], status;
		char done[64];
		pid_t pid;

		t.tv_sec = (time_t)at;
		t.tv_nsec = (long)((at - (double)t.tv_sec) * 1e9);
		snprintf(done, sizeof(done), "signal %d after %.4f s", number, at);
		put_old();
		pid = start();
		nanosleep(&t, NULL);
		kill(pid, number);
		waitpid(pid, &status, 0);
		check(done, status, number);
		if (WIFSIGNALED(status) && at > whole * 0.9) /* the machine has become slower */
			whole *= 1.3;
	}
}

/* One call, and what happens there. False: there are not so many calls. */
static bool at_call(unsigned call, char what, int number)
{
	char action[16], at[16], done[64], byte;
	int status;

	snprintf(action, sizeof(action), "%c%d", what, number);
	snprintf(at, sizeof(at), "%u", call);
	snprintf(done, sizeof(done), "call %u, %s", call, action);
	shim_do = action;
	shim_at = at;
	put_old();
	waitpid(start(), &status, 0);
	shim_do = NULL;
	check(done, status, number);
	return read(told[0], &byte, 1) == 1;
}

static void at_calls(void)
{
	static const int errors[] = { 28 /* ENOSPC */, 5 /* EIO */, 122 /* EDQUOT */ };
	bool more = true, failing = true;

	if (pipe2(told, O_NONBLOCK) < 0)
		die("pipe");
	(void)learn();
	for (unsigned call = 1; more && call < CALLS_MAX; call++) {
		more = false;
		for (size_t i = 0; i < SIGNALS; i++) {
			more |= at_call(call, 'b', signals[i]);
			more |= at_call(call, 'a', signals[i]);
		}
		for (size_t i = 0; failing && i < sizeof(errors) / sizeof(*errors); i++)
			failing = at_call(call, 'e', errors[i]);
	}
}

/* The arguments FILE... -- COMMAND.... */
static void take(char **argv)
{
	all.files = argv;
	while (argv[all.count] && strcmp(argv[all.count], "--"))
		all.count++;
	if (!argv[all.count] || !all.count || all.count > FILES_MAX)
		die("moments: FILE... -- COMMAND...");
	all.command = argv + all.count + 1;
}

int main(int argc, char **argv)
{
	bool random = argc > 4 && !strcmp(argv[1], "random");

	if (argc < 5)
		return 2;
	take(argv + (random ? 4 : 2));
	if (random)
		at_random((unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]));
	else
		at_calls();
	printf("%u runs: %u ended by a signal, %u failed; %u times the old file, %u times the new "
	       "one\n",
	       all.runs, all.killed, all.failed, all.old, all.new);
	return all.wrong || !all.killed || !all.old || !all.new || (!random && !all.failed);
}
