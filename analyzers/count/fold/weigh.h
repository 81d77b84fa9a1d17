/* What a sample counts for, where that is not its period and not 1: a field of its tracepoint, or
 * each of the branches that it has; and callers that its branches tell. Such a sample becomes other
 * ones, which are counted as any: none, one, or one for each branch.
 *
 * What branches tell of callers: a call whose return is not among the branches after it is still
 * open, and one whose call is not among those before a return was open before. So a branch has the
 * callers of the calls that are open at it, as far as its sample's other branches tell. */
#ifndef PDTOOL_WEIGH_H
#define PDTOOL_WEIGH_H

#include "formats/model/option.h"
#include "parser/base/err.h"
#include "parser/pdtool_record.h"

struct answer;
struct asked;
struct warnings;

/* Of a damaged sample any number of calls can be open. */
#define BRANCH_CALLERS_MAX 127

enum fold_weight { WEIGHT_USUAL, WEIGHT_PERIOD, WEIGHT_SAMPLES, WEIGHT_BRANCH };

struct weigh_options {
	struct word_or_text weight; /* enum fold_weight, or the name of a field */
	bool branch_callers;
};

/* Of a struct weigh_options: all, and those of who counts periods and samples alone. */
extern const struct option weigh_options[], weigh_plain_options[];

/* Samples that were left out, and what is known of callers. */
struct weigh_counts {
	uint64_t lacking, negative; /* without the field, and with one below 0 */
	uint64_t branchless;	    /* without branches */
	uint64_t typeless;	    /* with branches none of which has a type */
	uint64_t called;	    /* got callers */
};

/* A call that is open. */
struct open_call {
	uint64_t address; /* as that of a caller: behind the call's first byte */
	uint32_t below;	  /* the one that it was called from; PDT_NONE: not known */
	uint32_t depth;	  /* calls, with this one */
};

struct weigh {
	struct weigh_options o;
	char *event, *field; /* of which event (NULL: any) and field; NULL: none */
	/* by pdt_desc_index() of the capture at hand: its field, and whether it was looked for */
	struct weigh_place {
		const struct pdt_field *field;
		bool looked;
	} * places;
	size_t place_count, place_cap;
	bool seen;		      /* the capture at hand has samples */
	bool found;		      /* one of them has it */
	struct weigh_counts now, all; /* of the capture at hand, and of those before */

	struct open_call *calls; /* of one sample */
	size_t call_count, call_cap;
	uint32_t *open; /* by branch of it: those open at it, by what came before */
	size_t open_cap;
	bool branched; /* a sample of the capture at hand has branches */
};

/* Do samples become others? */
bool weigh_special(const struct weigh_options *o);
/* Do branches tell what the stacks are? */
static inline bool weigh_by_branches(const struct weigh_options *o)
{
	return o->weight.word == WEIGHT_BRANCH || o->branch_callers;
}
/* What weights count: "samples", "branches", the name of a field; NULL: as the event does. */
const char *weigh_unit(const struct weigh *w);
/* W is all zero. Negative, with a message in WARNINGS, where the options make no sense; with
 * COMPAT, which no other program has, those that are special. */
CHECKED int weigh_begin(struct weigh *w, const struct weigh_options *o, bool compat,
			struct warnings *warnings);
void weigh_configure(const struct weigh *w, struct asked *asked);
/* TAKE each sample that E becomes. */
typedef void weigh_take(void *ctx, const struct pdt_event *e, const struct pdt_session *s);
void weigh_each(struct weigh *w, const struct pdt_event *e, const struct pdt_session *s,
		weigh_take *take, void *ctx);
/* A capture is read: one that has nothing to weigh by is an error, with a message in WARNINGS. */
CHECKED int weigh_finish(struct weigh *w, const struct pdt_session *s, struct warnings *warnings);
/* What was left out, and what is known of callers. */
void weigh_facts(const struct weigh *w, struct answer *a);
void weigh_release(struct weigh *w);

#endif
