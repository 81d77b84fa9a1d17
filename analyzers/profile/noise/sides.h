/* Which captures are compared with which, and how much runs are taken to differ: the same options
 * in every command that compares. */
#ifndef PDTOOL_SIDES_H
#define PDTOOL_SIDES_H

#include "analyzers/analyzer.h"
#include "analyzers/profile/noise/noise.h"

struct sides {
	unsigned before_count, after_count;	/* of --before, --after */
	double between_functions, between_runs; /* percent */
	bool has_between_runs;
};

extern const struct option sides_options[];

/* Is input I one of those after? Without a name the second one is. */
bool sides_is_after(const struct inputs *in, size_t i);
/* Are all inputs on sides by name, with some on both, or LEAST to MOST of them and none by name? */
bool sides_complete(const struct sides *s, const struct inputs *in, size_t least, size_t most);
/* LIMIT: of the gate, in percent; 0: there is none. */
struct noise_asked sides_noise(const struct sides *s, double limit);

#endif
