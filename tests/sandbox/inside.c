/* What a capture that had taken pdtool over would try, from inside its sandbox: a line for each,
 * "NAME: done" or "NAME: why not". Linked with the very objects of pdtool.
 *
 * inside INPUT OUTPUT ELSEWHERE [host] [network] [none]: NONE is without it; ELSEWHERE is a
 * directory with "file" in it. */
#include "cli/sandbox/sandbox.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *input, *output, *elsewhere;
static pid_t parent;

/* 0, or the errno of what did not work. */
static int answer(long result)
{
	return result < 0 ? errno : 0;
}

static int opened(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0600), rc = answer(fd);

	if (fd >= 0)
		close(fd);
	return rc;
}

static const char *other(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/%s", elsewhere, name);
	return path;
}

/* ---- what must go on working ---- */

static int read_input(void)
{
	return opened(input, O_RDONLY);
}

static int write_output(void)
{
	return opened(output, O_WRONLY | O_CREAT | O_TRUNC);
}

static int replace_output(void)
{
	char beside[4096];

	snprintf(beside, sizeof(beside), "%s.new", output);
	return opened(beside, O_WRONLY | O_CREAT | O_EXCL) ?: answer(rename(beside, output));
}

static int temporary(void)
{
	return opened(getenv("TMPDIR") ?: "/tmp", O_TMPFILE | O_RDWR);
}

static int load_library(void)
{
	void *m = MAP_FAILED;
	int fd = open("/usr/bin/env", O_RDONLY);

	if (fd >= 0)
		m = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	return m == MAP_FAILED ? errno : 0;
}

static void *in_thread(void *arg)
{
	*(int *)arg = answer(socket(AF_INET, SOCK_STREAM, 0));
	return NULL;
}

static int make_thread(void)
{
	pthread_t t;
	int result, rc = pthread_create(&t, NULL, in_thread, &result);

	return rc ?: pthread_join(t, NULL);
}

/* ---- what must not ---- */

static int thread_connects(void)
{
	pthread_t t;
	int result = 0;

	if (pthread_create(&t, NULL, in_thread, &result) == 0)
		pthread_join(t, NULL);
	return result;
}

static int read_elsewhere(void)
{
	return opened(other("file"), O_RDONLY);
}

static int read_settings(void)
{
	return opened("/etc/passwd", O_RDONLY);
}

static int read_memory(void)
{
	return opened("/proc/self/mem", O_RDONLY);
}

static int read_environment(void)
{
	char path[48];

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)parent);
	return opened(path, O_RDONLY);
}

static int read_device(void)
{
	return opened("/dev/zero", O_RDONLY);
}

static int write_elsewhere(void)
{
	return opened(other("file"), O_WRONLY);
}

static int truncate_elsewhere(void)
{
	return answer(truncate(other("file"), 0));
}

static int make_elsewhere(void)
{
	return opened(other("new"), O_WRONLY | O_CREAT);
}

static int remove_elsewhere(void)
{
	return answer(unlink(other("file")));
}

static int move_elsewhere(void)
{
	return answer(rename(output, other("moved")));
}

static int connect_inet(void)
{
	return answer(socket(AF_INET, SOCK_STREAM, 0));
}

static int connect_unix(void)
{
	return answer(socket(AF_UNIX, SOCK_STREAM, 0));
}

/* exec fails, or this process is lost: a child would be, but there is none to be had. */
static int run_program(void)
{
	char *argv[] = { (char *)"true", NULL }, *env[] = { NULL };

	return answer(execve("/bin/true", argv, env));
}

static int make_process(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return answer(pid);
}

static int signal_parent(void)
{
	return answer(kill(parent, 0));
}

static int trace_parent(void)
{
	return answer(ptrace(PTRACE_ATTACH, parent, NULL, NULL));
}

static int type_in_terminal(void)
{
	return answer(ioctl(STDIN_FILENO, TIOCSTI, "x"));
}

static int own_code(void)
{
	void *m = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	return m == MAP_FAILED ? errno : 0;
}

static int code_from_data(void)
{
	void *m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return m == MAP_FAILED ? 0 : answer(mprotect(m, 4096, PROT_READ | PROT_EXEC));
}

static int other_program_numbers(void)
{
	return answer(syscall(0x40000000 | SYS_getpid)); /* those of x32 */
}

static int unborn_call(void)
{
	return answer(syscall(4095));
}

static int mount_call(void)
{
	return answer(syscall(SYS_mount, "none", elsewhere, "tmpfs", 0, NULL));
}

static int set_limit(void)
{
	struct rlimit l = { 4, 4 };

	return answer(setrlimit(RLIMIT_NOFILE, &l));
}

static const struct {
	const char *name;
	int (*run)(void);
} attempts[] = {
	{ "read the input", read_input },
	{ "write the output", write_output },
	{ "replace the output", replace_output },
	{ "a temporary file", temporary },
	{ "map a library", load_library },
	{ "a thread", make_thread },
	{ "read another file", read_elsewhere },
	{ "read /etc/passwd", read_settings },
	{ "read /proc/self/mem", read_memory },
	{ "read the parent's environment", read_environment },
	{ "read a device", read_device },
	{ "write another file", write_elsewhere },
	{ "truncate another file", truncate_elsewhere },
	{ "make a file elsewhere", make_elsewhere },
	{ "remove another file", remove_elsewhere },
	{ "move a file elsewhere", move_elsewhere },
	{ "a socket", connect_inet },
	{ "a Unix socket", connect_unix },
	{ "a socket, in a thread", thread_connects },
	{ "run a program", run_program },
	{ "make a process", make_process },
	{ "signal the parent", signal_parent },
	{ "trace the parent", trace_parent },
	{ "type in the terminal", type_in_terminal },
	{ "map memory for code", own_code },
	{ "make code of data", code_from_data },
	{ "x32", other_program_numbers },
	{ "a call to come", unborn_call },
	{ "mount", mount_call },
	{ "set a limit", set_limit },
};

int main(int argc, char **argv)
{
	struct sandbox s;
	bool host = false, network = false, none = false;

	if (argc < 4)
		return 2;
	input = argv[1];
	output = argv[2];
	elsewhere = argv[3];
	parent = getppid();
	for (int i = 4; i < argc; i++) {
		host |= !strcmp(argv[i], "host");
		network |= !strcmp(argv[i], "network");
		none |= !strcmp(argv[i], "none");
	}
	if (!none) {
		sandbox_begin(&s, network);
		sandbox_allow_common(&s, host);
		sandbox_allow_input(&s, input);
		sandbox_allow_output(&s, output);
		if (!sandbox_enter(&s))
			return 3;
	}
	for (size_t i = 0; i < ARRAY_SIZE(attempts); i++) {
		int error;

		/* what would be the end of this process, or of another */
		if (none && attempts[i].run == run_program)
			break;
		fflush(stdout); /* before what may end the process, or copy its buffer */
		error = attempts[i].run();
		printf("%s: %s\n", attempts[i].name, error ? strerror(error) : "done");
	}
	return 0;
}
