/* stepper [-t] PROGRAM [ARGUMENT...]: run it step by step (ptrace) and print the address of each
 * instruction before it runs, in hexadecimal, one in a line. -t: from the first SIGTRAP on, which
 * it raises itself. Exit status 1: it cannot be traced or did not end by itself. x86-64 and
 * AArch64. */
#include <elf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static int address(pid_t pid, uint64_t *at)
{
	struct user_regs_struct regs;
	struct iovec v = { &regs, sizeof(regs) };

	if (ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &v) < 0)
		return -1;
#ifdef __x86_64__
	*at = regs.rip;
#else
	*at = regs.pc;
#endif
	return 0;
}

int main(int argc, char **argv)
{
	bool trap = argc > 1 && strcmp(argv[1], "-t") == 0;
	uint64_t at;
	int status;
	pid_t pid;

	argc -= trap;
	argv += trap;

	if (argc < 2)
		return 2;
	pid = fork();
	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
			execv(argv[1], argv + 1);
		_exit(127);
	}
	if (trap && pid > 0 && waitpid(pid, &status, 0) == pid && WIFSTOPPED(status) &&
	    ptrace(PTRACE_CONT, pid, NULL, NULL) < 0)
		return 1;
	while (pid > 0 && waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		if (address(pid, &at) < 0)
			return 1;
		printf("%" PRIx64 "\n", at);
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) < 0)
			return 1;
	}
	return pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status) == 127;
}
