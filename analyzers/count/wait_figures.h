/* What a row about waits says, whichever way they were counted, and the order of such rows. */
#ifndef PDTOOL_WAIT_FIGURES_H
#define PDTOOL_WAIT_FIGURES_H

#include <stddef.h>
#include <stdint.h>

#include "formats/model/option.h"

struct wait_figures {
	uint64_t runtime_ns, count;
	unsigned __int128 total_ns; /* of so many waits as there may be */
	uint64_t max_ns, max_start_ns, max_end_ns;
};

/* How perf names what rows are ordered by. */
extern const char *const wait_keys[];

static inline uint64_t wait_average(const struct wait_figures *f)
{
	return f->count ? (uint64_t)(f->total_ns / f->count) : 0;
}

/* Count one more wait. */
void wait_figures_add(struct wait_figures *f, uint64_t start_ns, uint64_t ns);
void wait_figures_merge(struct wait_figures *to, const struct wait_figures *from);
/* By the places of ORDER in wait_keys, falling: < 0 when A comes first. */
int wait_order_compare(const struct word_list *order, const struct wait_figures *a,
		       const struct wait_figures *b);

#endif
