/* Runs pdtool again and again, and each time another call of it fails (tests/lib/faultshim.c).
 *
 *   sweep [-e EVERY | -t THIN] [-j JOBS] [-k KIND,...] [-n N] -s SHIM PROGRAM CASES
 *
 * A line of CASES: "NAME|ARGUMENTS", divided by blanks. The first run of a case counts its calls
 * and says what comes out; then each call fails alone, and some with all that follow. EVERY thins
 * out: of the calls for memory the first ones and every EVERYth. THIN is for many cases that have
 * much in common: every THINth call of any kind, beginning elsewhere in each case. A run is right
 * when
 *
 *   - it ends with 0, 1 or 141, and soon;
 *   - with 0: the same output as without the fault, or standard error names the fault;
 *   - with 1: standard error names the fault ("Input/output error"), and says nothing wrong of the
 *     input; of memory it is the one line;
 *   - OUT, which -o OUT of a case writes, is the old file or the new one; there is no other file.
 *
 * It works in a new directory of the current one. Prints a line for each case, and what was not
 * right; exit status 1 when anything was not. */
#include "tests/lib/faultshim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGS_MAX    64
#define TEXT_MAX    (4u << 20)
#define FIRST_CALLS 10 /* of each kind, whatever EVERY is */
#define SECONDS_MAX 20
#define OLD	    "what was there before\n"

/* What one kind of call is made to fail with. */
static const struct {
	const char *name;
	enum fault_kind kind;
	int error;
	bool from_there; /* all later ones, too */
} faults[] = {
	{ "alloc", FAULT_ALLOC, ENOMEM, false },    { "alloc-on", FAULT_ALLOC, ENOMEM, true },
	{ "map", FAULT_MAP, ENOMEM, false },	    { "map-on", FAULT_MAP, ENOMEM, true },
	{ "read", FAULT_READ, EIO, false },	    { "read-on", FAULT_READ, EIO, true },
	{ "write", FAULT_WRITE, ENOSPC, false },    { "write-eio", FAULT_WRITE, EIO, true },
	{ "write-pipe", FAULT_WRITE, EPIPE, true }, { "open", FAULT_OPEN, EIO, false },
	{ "open-full", FAULT_OPEN, EMFILE, true },  { "stat", FAULT_STAT, EIO, false },
	{ "task", FAULT_TASK, EAGAIN, false },	    { "task-on", FAULT_TASK, EAGAIN, true },
	{ "file", FAULT_FILE, EIO, false },
};

struct text {
	char *at;
	size_t len;
};

struct ending {
	int status; /* as waitpid() gives it */
	bool hung;
	struct text out, err, file;
	bool has_file;
	char scrap[300]; /* a file that nobody asked for */
};

struct test {
	char name[40];
	char *argv[ARGS_MAX];
	struct ending plain;
	long calls[FAULT_KINDS];
};

struct sweep {
	const char *program, *shim, *only;
	long every, thin, just;
	long turn; /* of the case */
	struct fault_state *state;
	char dir[200]; /* of this worker, empty but for what a run needs */
};

static void die(const char *what)
{
	fprintf(stderr, "sweep: %s: %s\n", what, strerror(errno));
	exit(2);
}

static struct text slurp(const char *path, bool *there)
{
	struct text t = { malloc(TEXT_MAX), 0 };
	int fd = open(path, O_RDONLY);
	ssize_t n;

	if (!t.at)
		die("memory");
	*there = fd >= 0;
	while (fd >= 0 && t.len < TEXT_MAX - 1 &&
	       (n = read(fd, t.at + t.len, TEXT_MAX - 1 - t.len)) > 0)
		t.len += (size_t)n;
	if (fd >= 0)
		close(fd);
	t.at[t.len] = '\0';
	t.at = realloc(t.at, t.len + 1);
	return t;
}

static bool is_same(const struct text *a, const struct text *b)
{
	return a->len == b->len && !memcmp(a->at, b->at, a->len);
}

static void release(struct ending *e)
{
	free(e->out.at);
	free(e->err.at);
	free(e->file.at);
}

/* ---- one run ---- */

static void put(const char *dir, const char *name, const char *text)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		die(path);
}

/* Whatever lies in DIR but for OUT is removed; the first of it is written to SCRAP. */
static void sweep_up(const char *dir, char *scrap, size_t size)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char path[600];

		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		if (e->d_name[0] == '.' || !strcmp(e->d_name, "out"))
			continue;
		if (!*scrap)
			snprintf(scrap, size, "%s", e->d_name);
		if (unlink(path) < 0)
			die(path);
	}
	if (d)
		closedir(d);
}

static void run_child(const struct sweep *s, const struct test *t, const int *fds)
{
	if (chdir(s->dir) < 0 || dup2(fds[0], STDOUT_FILENO) < 0 || dup2(fds[1], STDERR_FILENO) < 0)
		_exit(125);
	setenv("TMPDIR", ".", 1);
	setenv("LD_PRELOAD", s->shim, 1);
	setenv("FAULT_STATE", "../state", 1);
	alarm(SECONDS_MAX);
	execv(s->program, t->argv);
	_exit(126);
}

static int temporary(void)
{
	int fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		die("temporary file");
	return fd;
}

static struct text taken(int fd)
{
	char path[40];
	bool there;
	struct text t;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	t = slurp(path, &there);
	close(fd);
	return t;
}

static struct ending run(const struct sweep *s, const struct test *t)
{
	int fds[2] = { temporary(), temporary() };
	struct ending e = { 0 };
	char path[300];
	pid_t pid;

	put(s->dir, "out", OLD);
	pid = fork();
	if (pid == 0)
		run_child(s, t, fds);
	if (pid < 0 || waitpid(pid, &e.status, 0) < 0)
		die("child");
	e.hung = WIFSIGNALED(e.status) && WTERMSIG(e.status) == SIGALRM;
	e.out = taken(fds[0]);
	e.err = taken(fds[1]);
	snprintf(path, sizeof(path), "%s/out", s->dir);
	e.file = slurp(path, &e.has_file);
	sweep_up(s->dir, e.scrap, sizeof(e.scrap));
	return e;
}

/* ---- is it right? ---- */

/* Is the fault said? Who has no memory says so in these words; a read error of a compressed stream
 * reaches people by libarchive. */
static bool names(const struct ending *e, int error)
{
	return strstr(e->err.at, strerror(error)) ||
	       (error == ENOMEM && strstr(e->err.at, "out of memory"));
}

static const char *wrong_output(const struct test *t, const struct ending *e)
{
	struct text old = { (char *)OLD, sizeof(OLD) - 1 };

	if (*e->scrap)
		return "a file is left";
	if (!e->has_file || (!is_same(&e->file, &t->plain.file) && !is_same(&e->file, &old)))
		return "OUT is neither the old file nor the new one";
	return NULL;
}

static const char *wrong_success(const struct test *t, const struct ending *e, int error)
{
	if (is_same(&e->out, &t->plain.out) && is_same(&e->file, &t->plain.file))
		return NULL;
	return names(e, error) ? NULL : "another output, and nothing says why";
}

/* Of memory it is one line, the last: what was said before is of the input. */
static bool is_one_line(const struct ending *e)
{
	const char *line = strstr(e->err.at, "pdtool: out of memory"), *end;

	end = line ? strchr(line, '\n') : NULL;
	return end && !end[1] && (line == e->err.at || line[-1] == '\n');
}

static const char *wrong_failure(const struct ending *e, enum fault_kind kind, int error)
{
	if (!e->err.len)
		return "nothing is said";
	if (strstr(e->err.at, "not a perf.data") || !names(e, error))
		return "the wrong message";
	return kind == FAULT_ALLOC && !is_one_line(e) ? "not one line, the last" : NULL;
}

static const char *wrong(const struct test *t, const struct ending *e, size_t fault)
{
	int error = faults[fault].error, status;
	const char *why = wrong_output(t, e);

	if (e->hung)
		return "no end";
	if (!WIFEXITED(e->status))
		return "a signal";
	status = WEXITSTATUS(e->status);
	if (status == 141 && error == EPIPE)
		return *e->scrap ? "a file is left" : NULL;
	if (status > 1)
		return "this exit status";
	if (why && status == 1)
		return why;
	return status ? wrong_failure(e, faults[fault].kind, error)
		      : wrong_success(t, e, error) ?: *e->scrap ? "a file is left" : NULL;
}

static void say_wrong(const struct sweep *s, const struct test *t, const struct ending *e,
		      const char *fault, const char *why)
{
	int st = e->status;

	printf("  %s %s %ld (%s): %s; %s %d: %.*s%s\n", t->name, fault, s->state->at,
	       s->state->what, why, WIFEXITED(st) ? "exit" : "signal",
	       WIFEXITED(st) ? WEXITSTATUS(st) : WTERMSIG(st), (int)strcspn(e->err.at, "\n"),
	       e->err.at, *e->scrap ? e->scrap : "");
}

/* ---- all of them ---- */

/* "map,read": is it one of these? */
static bool is_listed(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = list; *at; at += strspn(at, ",")) {
		if (strcspn(at, ",") == len && !strncmp(at, name, len))
			return true;
		at += strcspn(at, ",");
	}
	return false;
}

static bool is_chosen(const struct sweep *s, size_t fault, long at)
{
	/* when all fail that follow, the first call that does is most of it */
	long every = s->every > 1 && faults[fault].from_there ? 4 * s->every : s->every;

	if (s->only && !is_listed(s->only, faults[fault].name))
		return false;
	if (s->just)
		return at == s->just;
	if (s->thin)
		return (at + s->turn) % (faults[fault].from_there ? 4 * s->thin : s->thin) == 0;
	return faults[fault].kind != FAULT_ALLOC || at <= FIRST_CALLS || at % every == 0;
}

static void arm(struct sweep *s, size_t fault, long at)
{
	struct fault_state *st = s->state;

	memset(st, 0, sizeof(*st));
	st->kind = faults[fault].kind;
	st->error = faults[fault].error;
	st->from_there = faults[fault].from_there;
	st->at = at;
}

static int try(struct sweep *s, const struct test *t, size_t fault, long at)
{
	struct ending e;
	const char *why;

	arm(s, fault, at);
	e = run(s, t);
	why = wrong(t, &e, fault);
	if (s->just && !why)
		printf("%s %s %ld (%s): status %x\n%s", t->name, faults[fault].name, at,
		       s->state->what, (unsigned)e.status, e.err.at);
	if (why)
		say_wrong(s, t, &e, faults[fault].name, why);
	release(&e);
	return why != NULL;
}

/* Worker W of JOBS: its share of the calls. */
static int share(struct sweep *s, const struct test *t, unsigned w, unsigned jobs)
{
	long turn = 0, bad = 0;

	for (size_t f = 0; f < sizeof(faults) / sizeof(*faults); f++) {
		for (long at = 1; at <= t->calls[faults[f].kind]; at++) {
			if (!is_chosen(s, f, at) || turn++ % jobs != w)
				continue;
			bad += try(s, t, f, at);
		}
	}
	fflush(stdout);
	return bad > 0;
}

static void count(struct sweep *s, struct test *t)
{
	memset(s->state, 0, sizeof(*s->state));
	t->plain = run(s, t);
	memcpy(t->calls, s->state->count, sizeof(t->calls));
	if (!WIFEXITED(t->plain.status) || WEXITSTATUS(t->plain.status) || *t->plain.scrap ||
	    !t->calls[FAULT_ALLOC]) {
		printf("  %s: ends with %x without a fault, and leaves %s: %s", t->name,
		       (unsigned)t->plain.status, *t->plain.scrap ? t->plain.scrap : "nothing",
		       t->plain.err.at);
		exit(1);
	}
}

static void prepare(struct sweep *s, const char *base, unsigned w)
{
	char path[260];
	int fd;

	snprintf(s->dir, sizeof(s->dir), "%s/%u", base, w);
	mkdir(s->dir, 0700);
	snprintf(path, sizeof(path), "%s/state", s->dir);
	snprintf(s->dir, sizeof(s->dir), "%s/%u/run", base, w);
	mkdir(s->dir, 0700);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(*s->state)) < 0)
		die(path);
	s->state = mmap(NULL, sizeof(*s->state), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (s->state == MAP_FAILED)
		die(path);
}

static bool sweep_test(struct sweep *s, struct test *t, const char *base, unsigned jobs)
{
	int status, bad = 0;

	prepare(s, base, 0);
	count(s, t);
	fflush(stdout);
	for (unsigned w = 0; w < jobs; w++) {
		pid_t pid = fork();

		if (pid == 0) {
			prepare(s, base, w);
			_exit(share(s, t, w, jobs)); /* not exit(): the place in CASES is shared */
		}
	}
	while (wait(&status) > 0)
		bad |= status;
	printf("%s %s: %ld calls for memory, %ld reads, %ld writes, %ld of other kinds\n",
	       bad ? "FAIL" : "ok", t->name, t->calls[FAULT_ALLOC], t->calls[FAULT_READ],
	       t->calls[FAULT_WRITE],
	       t->calls[FAULT_MAP] + t->calls[FAULT_OPEN] + t->calls[FAULT_STAT] +
		       t->calls[FAULT_TASK] + t->calls[FAULT_FILE]);
	release(&t->plain);
	return !bad;
}

static bool parse(struct test *t, const char *program, char *line)
{
	char *arguments = strchr(line, '|'), *save;
	size_t n = 1;

	if (!arguments)
		return false;
	*arguments++ = '\0';
	snprintf(t->name, sizeof(t->name), "%.39s", line);
	t->argv[0] = (char *)program;
	for (char *word = strtok_r(arguments, " \n", &save); word && n + 1 < ARGS_MAX;
	     word = strtok_r(NULL, " \n", &save))
		t->argv[n++] = word;
	t->argv[n] = NULL;
	return true;
}

int main(int argc, char **argv)
{
	struct sweep s = { .every = 1 };
	unsigned jobs = 1;
	char base[] = "./sweep-XXXXXX", line[4096];
	bool good = true;
	FILE *cases;
	int c;

	while ((c = getopt(argc, argv, "e:j:k:n:s:t:")) != -1) {
		if (c == 'e')
			s.every = atol(optarg);
		else if (c == 'j')
			jobs = (unsigned)atoi(optarg);
		else if (c == 'k')
			s.only = optarg;
		else if (c == 'n')
			s.just = atol(optarg);
		else if (c == 's')
			s.shim = optarg;
		else if (c == 't')
			s.thin = atol(optarg);
		else
			return 2;
	}
	if (argc - optind != 2 || !s.shim || !mkdtemp(base) ||
	    !(cases = fopen(argv[optind + 1], "r")))
		return 2;
	s.program = argv[optind];
	setvbuf(stdout, NULL, _IOLBF, 1 << 16); /* lines of several workers */
	while (fgets(line, sizeof(line), cases)) {
		struct test t = { 0 };

		if (parse(&t, s.program, line))
			good &= sweep_test(&s, &t, base, jobs);
		s.turn += 7;
	}
	fclose(cases);
	return !good;
}
