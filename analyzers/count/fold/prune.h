/* Which stacks take part, and which of their frames: by the names of frames, after all that looks
 * at samples. Each row is looked at once, when it is whole and before it is counted. */
#ifndef PDTOOL_PRUNE_H
#define PDTOOL_PRUNE_H

#include <regex.h>

#include "analyzers/count/stackset.h"
#include "formats/model/option.h"
#include "parser/base/buf.h"
#include "parser/base/err.h"
#include "parser/filter.h"

struct prune_options {
	struct name_list include, exclude; /* regular expressions; each excluded one suffices, one
					      included one has to match */
	struct name_list base;		   /* functions that stacks are to begin with */
	uint64_t skip;			   /* leave out so many frames, from the root */
	bool recursion;			   /* a function that calls itself directly is one frame */
};

/* Of a struct prune_options. */
extern const struct option prune_option_rows[];

struct prune {
	regex_t *regexes; /* of include, then of exclude */
	size_t regex_count;
	unsigned char *known; /* by frame of the set: what it matches */
	size_t known_cap;
	double seen, left_out; /* weight of all rows, and of those that do not take part */
};

bool prune_any(const struct prune_options *o);
/* Put what leaves out stacks into OUT, which is empty: "--include a, --base f". */
void prune_asked(const struct prune_options *o, struct buf *out);
/* Negative, with a message in W, where a regular expression is none. */
CHECKED int prune_begin(struct prune *p, const struct prune_options *o, struct warnings *w);
/* Leave of the row that was begun in S what is to take part of it. False: nothing, and it has no
 * frames then. */
bool prune_row(struct prune *p, const struct prune_options *o, struct stackset *s, double weight);
/* Ids of frames are others. */
void prune_renumber(struct prune *p);
/* Other frames come, as the set is another one. */
void prune_forget(struct prune *p);
void prune_release(struct prune *p);

#endif
