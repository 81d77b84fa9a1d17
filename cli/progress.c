/* Progress: after half a second, five times a second. Stages, for measurements. */
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FIRST_NS   500000000ull
#define EACH_NS	   200000000ull
#define EVENTS	   4096 /* between two looks at the clock */
#define STAGES_MAX 256	/* six for each input */

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t = { 0 };

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

void progress_start(struct progress *p, bool on)
{
	*p = (struct progress){ .on = on, .countdown = EVENTS, .start_ns = now_ns() };
	p->next_ns = p->start_ns + FIRST_NS;
}

void progress_look(struct progress *p, const struct session *s)
{
	uint64_t now, done, total;
	double rate;

	p->countdown = EVENTS;
	now = now_ns();
	if (now < p->next_ns)
		return;
	p->next_ns = now + EACH_NS;
	p->shown = true;
	session_progress(s, &done, &total);
	rate = (double)done / 1e6 / ((double)(now - p->start_ns) / 1e9);
	if (total)
		fprintf(stderr, "\r%3.0f %%  %.0f of %.0f MB, %.0f MB/s ",
			100.0 * (double)done / (double)total, (double)done / 1e6,
			(double)total / 1e6, rate);
	else
		fprintf(stderr, "\r%.0f MB, %.0f MB/s ", (double)done / 1e6, rate);
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
}

/* ---- stages ---- */

struct times {
	uint64_t clock, cpu, first; /* ns */
};

static struct {
	const char *name;
	struct times times;
} stages[STAGES_MAX];
static size_t stage_count;
static struct times since;

static void end_last(void)
{
	struct times now = { clock_ns(CLOCK_MONOTONIC), clock_ns(CLOCK_PROCESS_CPUTIME_ID),
			     clock_ns(CLOCK_THREAD_CPUTIME_ID) };

	if (stage_count)
		stages[stage_count - 1].times =
			(struct times){ now.clock - since.clock, now.cpu - since.cpu,
					now.first - since.first };
	since = now;
}

static void print(void)
{
	end_last();
	for (size_t i = 0; i < stage_count; i++)
		fprintf(stderr, "stage\t%s\t%.6f\t%.6f\t%.6f\n", stages[i].name,
			(double)stages[i].times.clock / 1e9, (double)stages[i].times.cpu / 1e9,
			(double)stages[i].times.first / 1e9);
}

void stage(const char *name)
{
	static bool asked, looked;

	if (!looked) {
		looked = true;
		asked = getenv("PDTOOL_STAGES");
		if (asked)
			atexit(print);
	}
	if (!asked || stage_count == STAGES_MAX)
		return;
	end_last();
	stages[stage_count++].name = name;
}
