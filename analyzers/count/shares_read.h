/* Captures and folded text into shares. */
#ifndef PDTOOL_SHARES_READ_H
#define PDTOOL_SHARES_READ_H

#include "analyzers/profile/groups.h"
#include "analyzers/count/shares.h"
#include "analyzers/count/counts.h"
#include "parser/folded.h"
#include "parser/session.h"

enum share_by { BY_SYMBOL, BY_DSO, BY_COMM };

/* What becomes a row. */
struct share_rule {
	const struct pattern_list *groups; /* they, with Others after them, if there are any */
	enum share_by by;		   /* else these */
	unsigned side;			   /* which of the captures it is */
	const char *event;		   /* captures: only samples of this one */
};

struct share_source {
	const struct session *session; /* read and named */
	/* The filters of samples, which are done, and --no-idle say what T covers; --dsos and
	 * --symbol choose what is shown of it. */
	const struct filter *filter;
};

void shares_add_capture(struct shares *s, const struct share_rule *rule,
			const struct counts *counts, const struct share_source *from);
/* The greatest common divisor of the weights goes into *UNIT: a sample, as far as text can tell.
 * Negative enum err with a message in W. */
CHECKED int shares_add_text(struct shares *s, const struct share_rule *rule, struct folded *f,
			    double *unit, struct warnings *w);

#endif
