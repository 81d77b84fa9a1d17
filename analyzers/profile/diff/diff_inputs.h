/* The inputs of a comparison: what is known of each, whether they may be compared, and by what. */
#ifndef PDTOOL_DIFF_INPUTS_H
#define PDTOOL_DIFF_INPUTS_H

#include "analyzers/count/fold/folding.h"
#include "analyzers/profile/diff/diff_amounts.h"
#include "parser/base/buf.h"

enum diff_normalize {
	NORMALIZE_CHOSEN,
	NORMALIZE_NONE,
	NORMALIZE_TOTAL,
	NORMALIZE_DURATION,
	NORMALIZE_CPU
};
extern const char *const diff_normalize_words[];

/* What is known of one input once it is read. */
struct diff_input {
	bool after;
	bool is_text; /* folded text ... */
	bool is_told; /* ... that says what its weights are: pdtool wrote it */
	bool is_clock, system_wide;
	char *path, *event, *arch;
	uint64_t sample_rate; /* attr.sample_period, a frequency or a period */
	double duration_ns, cpus;
	double lost;	     /* samples, of those taken and these */
	double samples;	     /* records, not effective ones */
	double total;	     /* of all its rows */
	double whole;	     /* also of what the filters took out; 0: not known */
	double unit_weight;  /* of one sample, for the noise: sum w^2 / sum w; 0: not known */
	struct buf none;     /* why it has no stacks; empty: not known */
	struct stackset set; /* until all are read */
};

struct diff_inputs {
	struct diff_input *list;
	size_t count, read;
	enum diff_normalize normalize;
	bool by_samples; /* each sample counts 1 */
};

/* One more follows the input that was read last, on its side. */
void diff_inputs_another(struct diff_inputs *in);
/* What an amount is divided by before it is compared. */
double diff_basis(enum diff_normalize by, const struct diff_input *i);
/* Chooses how to compare, unless that was said. Returns why. */
const char *diff_normalize(struct diff_inputs *in);
/* Append why a difference says nothing to B; false: there is no reason. */
bool diff_differs(const struct diff_inputs *in, struct buf *b);
bool diff_tells_little(const struct diff_inputs *in, double max_lost, struct buf *b);
/* The names of functions and commands have next to nothing in common. SUMS are by name, self
 * weights and inclusive ones. */
bool diff_is_other_program(const struct diff_inputs *in, const struct stackset *set,
			   const struct diff_sums *sums);
/* The change of the total by each way to compare. */
double diff_total_change(const struct diff_inputs *in, enum diff_normalize by);
bool diff_all_foreign_text(const struct diff_inputs *in);
void diff_inputs_release(struct diff_inputs *in);

#endif
