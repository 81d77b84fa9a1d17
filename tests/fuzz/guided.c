/* What a coverage-guided fuzzer calls for each input: libFuzzer, and AFL++, whose driver calls the
 * same function in its persistent mode. The commands come from FUZZ_COMMANDS (choice.h), the files
 * beside the input from the working directory: tests/fuzz/guided.sh makes both.
 *
 * A run that takes more memory than FUZZ_MEMORY_MB (256) or more CPU than FUZZ_CPU_SECONDS (2)
 * counts as a crash. Fuzzers look after time by the clock, which tells more about how loaded the
 * machine is. */
#include "tests/fuzz/choice.h"
#include "tests/fuzz/runner.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct choice choice;
static struct runner runner;
static long memory_kb, cpu_seconds;

static long number(const char *variable, long otherwise)
{
	const char *text = getenv(variable);

	return text ? strtol(text, NULL, 10) : otherwise;
}

/* What libFuzzer would not take for a finding, abort() is. */
static void too_long(int sig)
{
	(void)sig;
	abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	choice_init(&choice);
	runner_init(&runner, false);
	memory_kb = number("FUZZ_MEMORY_MB", 256) << 10;
	cpu_seconds = number("FUZZ_CPU_SECONDS", 2);
	signal(SIGPROF, too_long);
	if (dup2(open("/dev/null", O_RDWR | O_CLOEXEC), STDOUT_FILENO) < 0)
		die("guided: /dev/null");
	return 0;
}

/* Where a fuzzer does not ask for it (AFL++'s driver of some versions). */
static void begin(void)
{
	if (!choice.count)
		LLVMFuzzerInitialize(NULL, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const struct itimerval none = { 0 };
	struct itimerval cpu = { 0 };
	const char *command;
	struct rusage used;

	begin();
	command = choice_of(&choice, bytes, size);
	if (!command)
		return 0;
	runner_input(&runner, bytes, size - 1);
	cpu.it_value.tv_sec = cpu_seconds;
	setitimer(ITIMER_PROF, &cpu, NULL);
	(void)runner_here(&runner, command);
	setitimer(ITIMER_PROF, &none, NULL);
	getrusage(RUSAGE_SELF, &used);
	if (used.ru_maxrss > memory_kb) {
		fprintf(stderr, "guided: %ld KiB of memory: %s\n", used.ru_maxrss, command);
		abort();
	}
	return 0;
}
