/* The child, its orders and its answers. */
#include "tests/fuzz/runner.h"
#include "cli/registry.h"
#include "cli/run.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "tests/fuzz/library.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS_MAX 5	/* of CPU: how loaded the machine is does not matter */
#define WAIT_MAX    120 /* seconds, for what takes no CPU */
#define RUNS_MAX    100 /* of one child: more is more memory that nothing uses any more */
#define WORDS_MAX   32
#define INPUT_FD    100 /* links lead to it by this number */

/* What was run is written down (`make fuzz-coverage`) before the child ends. */
#ifdef COVERAGE
void __gcov_dump(void);
#else
#define __gcov_dump() ((void)0)
#endif

#if SANITIZED
__attribute__((visibility("default"))) const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__ubsan_default_options(void);
/* The sanitizers look for them by name. Leaks are looked for by the tests that run the program
 * itself: here it would take too long. */
const char *__asan_default_options(void)
{
	return "exitcode=99:detect_leaks=0:abort_on_error=0:allocator_may_return_null=1";
}
const char *__ubsan_default_options(void)
{
	return "exitcode=99:print_stacktrace=1";
}
#endif

_Noreturn void die(const char *what)
{
	perror(what);
	exit(2);
}

/* Standard input is a pipe with the damaged input in it. */
static void fill_pipe(const struct runner *r)
{
	struct stat st;
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) < 0 || fcntl(fd[1], F_SETPIPE_SZ, 1 << 20) < 0 ||
	    fstat(r->input, &st) < 0 ||
	    sendfile(fd[1], r->input, &(off_t){ 0 }, (size_t)st.st_size) != st.st_size ||
	    dup2(fd[0], STDIN_FILENO) < 0)
		die("sweep: pipe");
	close(fd[0]);
	close(fd[1]);
}

/* COMMAND into words: @ is PATH, also in "OPTION=@". TEXT is where the words are kept. */
static void split(const char *command, const char *path, struct buf *text, char **words, size_t max)
{
	size_t n = 0;

	for (; *command; command++) {
		if (*command == '@')
			buf_str(text, path);
		else
			buf_char(text, *command);
	}
	buf_str(text, " --no-host --no-sandbox"); /* which would hold for the next one, too */
	buf_char(text, '\0');
	for (char *p = strtok(text->data, " "); p && n + 1 < max; p = strtok(NULL, " "))
		words[n++] = p;
	words[n] = NULL;
}

int runner_here(const struct runner *r, const char *command)
{
	char path[32] = "-";
	char *words[WORDS_MAX];
	struct buf text = { 0 };
	const struct analyzer *analyzer;
	int used, status;

	if (r->pipe)
		fill_pipe(r);
	else
		snprintf(path, sizeof(path), "/proc/self/fd/%d", r->input);
	if (!strncmp(command, "library ", 8))
		return library_read(path, !strncmp(command + 8, "columns ", 8));
	split(command, path, &text, words, ARRAY_SIZE(words));
	analyzer = analyzer_find(words, &used); /* sets USED */
	status = run_analyzer(analyzer, words + used);
	fflush(stdout);
	buf_release(&text);
	return status;
}

static int run_case(const struct runner *r, const char *command)
{
	const struct itimerval cpu = { .it_value.tv_sec = SECONDS_MAX }, none = { 0 };
	int status;

	setitimer(ITIMER_PROF, &cpu, NULL);
	alarm(WAIT_MAX);
	status = runner_here(r, command);
	setitimer(ITIMER_PROF, &none, NULL);
	alarm(0);
	return status;
}

static double cpu_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void child(const struct runner *r, int orders, int answers)
{
	const char *command; /* at the same address here as there */

	if (dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO) < 0 ||
	    dup2(r->out, STDOUT_FILENO) < 0 || dup2(r->err, STDERR_FILENO) < 0)
		_exit(126);
	signal(SIGPIPE, SIG_IGN);
	while (read(orders, &command, sizeof(command)) == sizeof(command)) {
		double before = cpu_seconds();
		struct ending e = { .status = W_EXITCODE(run_case(r, command), 0) };
		struct rusage u;

		e.cpu_seconds = cpu_seconds() - before;
		getrusage(RUSAGE_SELF, &u);
		e.rss_kb = u.ru_maxrss;
		if (write(answers, &e, sizeof(e)) != sizeof(e))
			_exit(126);
	}
	__gcov_dump();
	_exit(0);
}

static void start(struct runner *r)
{
	int orders[2], answers[2];

	if (pipe2(orders, O_CLOEXEC) < 0 || pipe2(answers, O_CLOEXEC) < 0)
		die("sweep: pipe");
	r->runs = 0;
	r->pid = fork();
	if (r->pid < 0)
		die("sweep: fork");
	if (r->pid == 0) {
		close(orders[1]);
		close(answers[0]);
		child(r, orders[0], answers[1]);
	}
	close(orders[0]);
	close(answers[1]);
	r->order = orders[1];
	r->answer = answers[0];
}

/* It ends as soon as there are no more orders, or has done so. */
static struct ending end(struct runner *r)
{
	struct ending e = { 0 };
	struct rusage u;

	close(r->order);
	close(r->answer);
	if (wait4(r->pid, &e.status, 0, &u) != r->pid)
		die("sweep: wait");
	e.rss_kb = u.ru_maxrss;
	r->pid = 0;
	return e;
}

void runner_end(struct runner *r)
{
	if (r->pid)
		end(r);
}

static void empty(int fd)
{
	if (ftruncate(fd, 0) < 0 || lseek(fd, 0, SEEK_SET) < 0)
		die("sweep: truncate");
}

/* The file that holds the damaged input, under the number that the links lead to; those for what is
 * written. */
void runner_init(struct runner *r, bool pipe)
{
	const char *path = getenv("FUZZ_INPUT");
	int fd = path ? open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)
		      : memfd_create("capture", MFD_CLOEXEC);

	*r = (struct runner){ .pipe = pipe };
	r->input = fcntl(fd, F_DUPFD_CLOEXEC, INPUT_FD);
	close(fd);
	r->out = memfd_create("out", MFD_CLOEXEC);
	r->err = memfd_create("err", MFD_CLOEXEC);
	if (r->input < 0 || r->out < 0 || r->err < 0)
		die("sweep: memory files");
}

void runner_input(struct runner *r, const void *bytes, size_t size)
{
	empty(r->input);
	if (pwrite(r->input, bytes, size, 0) != (ssize_t)size)
		die("sweep: write");
}

struct ending runner_run(struct runner *r, const char *command)
{
	struct ending e;

	empty(r->out);
	empty(r->err);
	if (r->runs == RUNS_MAX)
		runner_end(r);
	if (!r->pid)
		start(r);
	r->runs++;
	if (write(r->order, &command, sizeof(command)) == sizeof(command) &&
	    read(r->answer, &e, sizeof(e)) == sizeof(e))
		return e;
	return end(r);
}
