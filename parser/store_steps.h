/* The samples of a store over time: of the stacks that came out (parser/store.h), what each had of
 * each thread on each CPU in each step. */
#ifndef PDTOOL_STORE_STEPS_H
#define PDTOOL_STORE_STEPS_H

#include "parser/base/intern.h"
#include "parser/store.h"

#define STORE_STEPS_MAX 2000000 /* rows that are usual at most */

struct store_step {
	uint64_t begin_ns; /* a multiple of the length of a step */
	uint64_t weight, samples;
	uint32_t cpu, thread, stack; /* stack: store_rows_place() */
};

struct store_steps {
	struct store_step *list; /* each once, ascending by time */
	size_t count, cap, most;
	uint64_t step_ns;
	struct store_thread *threads; /* ascending by command and numbers */
	size_t thread_count;
	struct intern texts; /* their own */
};

/* After the last of R's stacks. Steps are those of the store, or ten, a hundred and so on of them,
 * so that there are no more than MOST rows; twice as many are kept meanwhile. Times are of the wall
 * clock; of captures that do not tell it, of their own. The same of every engine. Negative, with a
 * message in W. To be released in either case. */
CHECKED int store_steps_read(struct store_steps *out, struct store_rows *r, size_t most,
			     struct warnings *w);
void store_steps_release(struct store_steps *s);

#endif
