/* Removes unfinished files (parser/base/newfile.h) when a signal ends the process, and lets the
 * signal end it. What they may be called is known before there is one, so that no moment lies
 * between making and knowing it; after that nothing here changes. */
#include "cli/files/scrap.h"
#include "parser/base/die.h"
#include "parser/base/mem.h"
#include "parser/base/newfile.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define SCRAPS_MAX 4

static char scraps[SCRAPS_MAX][PATH_MAX];
static volatile sig_atomic_t scrap_count;
static pid_t owner; /* a child ends without touching them */

void scrap_remove(void)
{
	for (int i = 0; i < scrap_count && getpid() == owner; i++)
		unlink(scraps[i]);
}

/* It is delivered again, and now ends the process, as soon as this returns. */
static void on_signal(int number)
{
	scrap_remove();
	signal(number, SIG_DFL);
	raise(number);
}

/* Those that end a process, as far as nobody else wants to know of them: nohup ignores SIGHUP, the
 * sanitizers report crashes. */
static void watch_signals(void)
{
	static const int numbers[] = { SIGHUP,	SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGALRM, SIGUSR1,
				       SIGUSR2, SIGSYS, SIGABRT, SIGSEGV, SIGILL,  SIGFPE };
	struct sigaction old, new = { .sa_handler = on_signal };

	sigfillset(&new.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			(void)sigaction(numbers[i], &new, NULL);
	}
}

void scrap_watch(const char *path)
{
	if (scrap_count == SCRAPS_MAX || !newfile_scrap(path, scraps[scrap_count]))
		return;
	scrap_count++;
	if (scrap_count > 1)
		return;
	owner = getpid();
	watch_signals();
	mem_die_first(scrap_remove);
	(void)atexit(scrap_remove);
}
