/* What a coverage-guided fuzzer calls for each input: libFuzzer, and AFL++, whose driver calls the
 * same function in its persistent mode. The commands come from FUZZ_COMMANDS (choice.h), the files
 * beside the input from the working directory: tests/fuzz/guided.sh makes both.
 *
 * A run that takes more memory than FUZZ_MEMORY_MB (256) counts as a crash; the fuzzer itself looks
 * after the time. */
#include "tests/fuzz/choice.h"
#include "tests/fuzz/runner.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct choice choice;
static struct runner runner;
static long memory_kb = 256l << 10;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *megabytes = getenv("FUZZ_MEMORY_MB");

	(void)argc;
	(void)argv;
	choice_init(&choice);
	runner_init(&runner, false);
	if (megabytes)
		memory_kb = strtol(megabytes, NULL, 10) << 10;
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
	const char *command;
	struct rusage used;

	begin();
	command = choice_of(&choice, bytes, size);
	if (!command)
		return 0;
	runner_input(&runner, bytes, size - 1);
	(void)runner_here(&runner, command);
	getrusage(RUSAGE_SELF, &used);
	if (used.ru_maxrss > memory_kb) {
		fprintf(stderr, "guided: %ld KiB of memory: %s\n", used.ru_maxrss, command);
		abort();
	}
	return 0;
}
