/* Progress: after half a second, five times a second. */
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>

#define FIRST_NS 500000000ull
#define EACH_NS	 200000000ull
#define EVENTS	 4096 /* between two looks at the clock */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
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
