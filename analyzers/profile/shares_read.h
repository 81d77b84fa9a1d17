/* Captures and folded text into shares. */
#ifndef PDTOOL_SHARES_READ_H
#define PDTOOL_SHARES_READ_H

#include "analyzers/count/namer.h"
#include "analyzers/profile/shares.h"
#include "analyzers/count/unit.h"
#include "analyzers/profile/groups.h"

enum share_by { BY_SYMBOL, BY_DSO, BY_COMM };

/* What becomes a row. */
struct share_rule {
	const struct pattern_list *groups; /* they, with Others after them, if there are any */
	enum share_by by;		   /* else these */
	const struct namer_options *names;
	size_t capture; /* which one it is */
	uint32_t desc;	/* only samples of the events of this one's name; not of folded text */
	/* The sampled functions of all that is in scope, whatever the rows are; NULL: not wanted */
	struct shares *functions;
};

/* Whose a sample of E, in step STEP of time, is. */
struct who share_who(const struct pdt_event *e, const struct pdt_session *s, uint64_t step);
/* The samples of FROM, which is read and named. Its filters of samples and --no-idle say what T
 * covers; --dsos and --symbol choose what is shown of that. */
void shares_add_capture(struct shares *s, const struct share_rule *rule,
			const struct samples *samples, const struct pdt_session *from);
/* Folded text: each line has the frames of a stack, the first is its command. UNIT becomes what its
 * weights are. Negative enum err with a message in W. */
CHECKED int shares_add_text(struct shares *s, const struct share_rule *rule, struct folded *f,
			    struct unit *unit, struct warnings *w);

#endif
