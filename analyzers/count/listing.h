/* A list of many rows, as much of it as was asked for: --sort, --min, --limit. */
#ifndef PDTOOL_LISTING_H
#define PDTOOL_LISTING_H

#include "analyzers/count/answer.h"
#include "formats/model/option.h"

struct listing {
	struct word_list order; /* --sort, a row of the analyzer's own: which words there are */
	bool ordered;		/* it was given, or is to be taken as given */
	uint64_t min_ns, limit; /* 0: none */
	const char *none;	/* after listing_apply(): why no row is left, if --min is why */
};

/* --min and --limit, of a struct listing. */
extern const struct option listing_options[];

/* Was any of it asked for? */
bool listing_given(const struct listing *l);
/* Order the rows of A, which have COLUMNS, and let go those that are not asked for; a fact tells
 * how many. KEYS are the columns that the words of --sort mean, up to a NULL: points in time rise,
 * all else falls, and rows without the value come last. The first of them is what --min is about,
 * unless rows are sorted by another time that passed. */
void listing_apply(struct listing *l, const char *const *keys, const struct column *columns,
		   struct answer *a);

/* What listing_apply() says of rows, for who kept only those that are shown: LEFT of ROWS, of which
 * the longest took LONGEST_NS. */
void listing_tell(struct listing *l, struct answer *a, uint64_t rows, uint64_t left,
		  uint64_t longest_ns);

#endif
