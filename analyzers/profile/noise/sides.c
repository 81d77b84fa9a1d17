/* The options of a comparison. */
#include "analyzers/profile/noise/sides.h"

#include <string.h>

#define AT(member) offsetof(struct sides, member)

const struct option sides_options[] = {
	{ "before", 0, OPT_INPUTS, AT(before_count), "FILE...", "the captures before" },
	{ "after", 0, OPT_INPUTS, AT(after_count), "FILE...", "the captures after" },
	{ "between-runs", 0, OPT_PERCENT, AT(between_functions), "PERCENT",
	  "take functions to scatter at least so much between runs" },
	{ "between-runs-total", 0, OPT_PERCENT, AT(between_runs), "PERCENT",
	  "take totals to scatter so much between runs (default: 20%)",
	  .given = AT(has_between_runs) },
	{ 0 },
};

bool sides_is_after(const struct inputs *in, size_t i)
{
	const char *option = in->options ? in->options[i] : NULL;

	return option ? !strcmp(option, "after") : i == 1;
}

bool sides_complete(const struct sides *s, const struct inputs *in, size_t least, size_t most)
{
	size_t plain = in->count - s->before_count - s->after_count;

	if (s->before_count || s->after_count)
		return !plain && s->before_count && s->after_count;
	return plain >= least && plain <= most;
}

struct noise_asked sides_noise(const struct sides *s, double limit)
{
	return (struct noise_asked){ s->between_functions / 100,
				     s->has_between_runs ? s->between_runs / 100
							 : NOISE_BETWEEN_RUNS,
				     limit / 100 };
}
