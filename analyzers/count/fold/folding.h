/* Captures and folded text to folded stacks of names. Counts (label, stack) pairs while events flow
 * and turns them into text once, at the end of each capture. What collapse, flamegraph, diff and
 * others begin with. */
#ifndef PDTOOL_FOLDING_H
#define PDTOOL_FOLDING_H

#include "analyzers/analyzer.h"
#include "analyzers/count/compat.h"
#include "analyzers/count/answer.h"
#include "analyzers/count/namer.h"
#include "analyzers/count/fold/prune.h"
#include "analyzers/count/fold/weigh.h"
#include "analyzers/count/stackset.h"
#include "analyzers/count/unit.h"
#include "parser/eventname.h"
#include "parser/folded.h"

/* What stands for a location in the stacks. */
enum fold_by {
	FOLD_SYMBOL,
	FOLD_DSO,   /* its module; callers in the same module are one frame with it */
	FOLD_COMM,  /* nothing: a stack is its label alone */
	FOLD_ENTRY, /* a stack is what perf calls an entry: where the sample was, see FOLD_KEY_...
		     */
};

/* What an entry consists of, a frame each, in this order. */
enum fold_key { FOLD_KEY_COMM, FOLD_KEY_DSO, FOLD_KEY_SYMBOL, FOLD_KEYS };

struct folding_options {
	bool label_pid, label_tid, no_label, merge_threads, reverse;
	struct namer_options names; /* beside --compat, --inline shows inlined functions */
	struct weigh_options weigh;
	const struct compat *compat; /* NULL: as pdtool does it */
	const char *event_filter;
	struct name_list skip_after;
	struct prune_options prune;
	enum fold_by by;
	bool keys[FOLD_KEYS]; /* of FOLD_ENTRY */
};

/* The options about names that every command with folded stacks has, of a struct folding_options.
 */
extern const struct option folding_name_options[];
/* The same, and which event counts; for how much its samples do is in weigh.h. */
extern const struct option folding_options[];

/* Of weights, whole, in whatever order they come. */
struct fold_sums {
	unsigned __int128 whole, unnamed, apart;
};

struct folding {
	struct folding_options o; /* set before folding_begin() */
	/* Self weight counts where samples were: frames of an address that lies apart from its
	 * chain come on top of that. Set before folding_finish(). */
	bool by_where;
	struct stackset set; /* what was folded so far */
	struct unit unit;    /* of its weights */
	struct weigh weigh;
	bool special;		     /* what it is for */
	struct fold_sums sums;	     /* of the rows */
	bool in_ns;		     /* the event that counts is a clock: its periods are ns */
	const struct pdt_desc *only; /* the event that counts, the last one seen of that name;
					  valid while its capture is open */
	char *only_name;
	struct event_choice choice; /* of that name, in the capture that is being read */
	bool java;		    /* compat: frames look as below a "java" label */
	struct intern labels;
	size_t others; /* whos that made room, in all captures */
	/* of the capture that is being read */
	struct samples samples;
	uint32_t *by_comm; /* by command id * 2, + 1 for pid 0: whose samples those are */
	size_t by_comm_cap;
	size_t event_width; /* compat: of the longest name of an event; 0: not asked for */
	struct frames frames;
	struct frame_list list; /* of the stack at hand */
	uint32_t root;		/* and of its label: a frame, + 1; 0: the label is text yet */
	unsigned jobs;		/* threads that may name and fold */
	struct prune prune;
};

/* Negative, with a message in W, where options make no sense. */
CHECKED int folding_begin(struct folding *f, struct warnings *w);
void folding_configure(struct folding *f, struct asked *o);
void folding_event(struct folding *f, const struct pdt_event *e, const struct pdt_session *s);
/* A capture is read and named: its counts go into the set. */
CHECKED int folding_finish(struct folding *f, const struct pdt_session *s, struct warnings *w);
/* Take folded text whole. Two columns make a set with two sides. */
CHECKED int folding_text(struct folding *f, struct folded *text, struct warnings *w);
/* Leave of the row that was begun what is to take part of it. False: nothing, it does not count. */
bool folding_complete(struct folding *f, double weight);
/* The same, and end it. */
bool folding_end(struct folding *f, uint64_t weight);
/* How much of the text made room. */
void folding_rare(const struct folding *f, struct answer *a);
/* The same, which event counted, and what of its weight has no name. */
void folding_facts(const struct folding *f, struct answer *a);
/* Did --include and the like let no stack pass? Then OUT gets a sentence about it. */
bool folding_none(const struct folding *f, struct buf *out);
/* Sort the set; the stacks, and the facts about them, go into OUT. */
void folding_result(struct folding *f, struct answer *a, struct result *out);
void folding_release(struct folding *f);

/* For those that count by themselves: the id in F->labels of the root frame of thread PID/TID; COMM
 * may be NULL. */
uint32_t folding_label(struct folding *f, const char *comm, uint32_t pid, uint32_t tid);
/* A capture is named: make the frames that folding_push() needs. */
void folding_name(struct folding *f, const struct pdt_session *s);
/* The frames of STACK that take part: STACKSET_ID of each, and above that its kind. False:
 * --skip-after left out its callers and the label. */
bool folding_frames(const struct folding *f, const struct pdt_session *s, uint32_t stack,
		    struct frame_list *list);
/* Locations of a stack, the innermost is 0. */
struct stack_part {
	uint32_t from, to;
};

/* Push label LABEL, and PART of stack STACK of S, into the row that was begun, root first. */
void folding_push(struct folding *f, const struct pdt_session *s, const char *label, uint32_t stack,
		  struct stack_part part);
/* The rows were taken: the facts about them stay. */
void folding_forget(struct folding *f);
/* Give away what was folded and begin anew, with any event: TO is overwritten. */
void folding_take(struct folding *f, struct stackset *to);

#endif
