/* Captures and folded text to folded stacks of names. Counts (label, stack) pairs while events flow
 * and turns them into text once, at the end of each capture. What collapse, flamegraph, diff and
 * others begin with. */
#ifndef PDTOOL_FOLDING_H
#define PDTOOL_FOLDING_H

#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/count/stackset.h"
#include "parser/folded.h"

/* What stands for a location in the stacks. */
enum fold_by {
	FOLD_SYMBOL,
	FOLD_DSO,  /* its module; callers in the same module are one frame with it */
	FOLD_COMM, /* nothing: a stack is its label alone */
};

enum fold_weight { FOLD_PERIODS, FOLD_SAMPLES };
extern const char *const fold_weights[];

enum fold_compat { FOLD_OWN, FOLD_STACKCOLLAPSE };

struct folding_options {
	bool label_pid, label_tid, kernel, jit, all, addrs, merge_threads, reverse;
	bool inlines; /* mark inlined functions; beside --compat: show them */
	bool srcline;
	enum fold_weight weight;
	enum fold_compat compat;
	const char *event_filter;
	struct name_list skip_after;
	enum fold_by by;
};

/* The options about names that every command with folded stacks has, of a struct folding_options.
 */
extern const struct option folding_name_options[];
/* The same, and which samples count for how much. */
extern const struct option folding_options[];

struct fold_count;

struct folding {
	struct folding_options o; /* set before folding_begin() */
	struct stackset set;	  /* what was folded so far */
	/* of the samples that were counted, before the filters by leaf */
	uint64_t samples;
	double weight, weight_squares;
	/* of the rows: all weight, and that of leaves without a name */
	double row_weight, unnamed_weight;
	bool in_ns;		       /* the event that counts is a clock: its periods are ns */
	const struct event_desc *only; /* the event that counts, the last one seen of that name;
					  valid while its capture is open */
	char *only_name;
	struct intern labels;
	uint32_t *comm_labels; /* by comm id: the label, where the comm alone decides; else none */
	size_t comm_count;
	/* by stack id: the first label seen over it, and that one's weight */
	uint32_t *first_label;
	uint64_t *first_weight;
	size_t first_count, label_cap, weight_cap;
	/* the other labels over the same stacks: a hash table */
	struct fold_count *counts;
	size_t slots, used;
	/* by location, while a capture is folded: its frames in frame_ids[first, first + count) */
	struct loc_frames {
		uint32_t first, count;
		bool skip_after;
	} * loc_frames;
	uint32_t *frame_ids;
	size_t frame_id_count, frame_id_cap;
};

void folding_begin(struct folding *f);
void folding_configure(const struct folding *f, struct session_options *o);
void folding_event(struct folding *f, const struct event *e, const struct session *s);
/* A capture is read and named: its counts go into the set. */
CHECKED int folding_finish(struct folding *f, const struct session *s, const struct filter *filter,
			   struct warnings *w);
/* Take folded text whole. Two columns make a set with two sides. */
CHECKED int folding_text(struct folding *f, struct folded *text, struct warnings *w);
/* Push the frames of LINE into the row that was begun. */
void folding_push_line(struct stackset *set, const struct folded_line *line);
/* Which event counted, and what of its weight has no name. */
void folding_facts(const struct folding *f, struct answer *a);
/* Sort the set; the stacks, and the facts about them, go into OUT. */
void folding_result(struct folding *f, struct answer *a, struct result *out);
/* What the weights count: "samples", "ns", or the event's name. */
const char *folding_unit(const struct folding *f);
void folding_release(struct folding *f);

/* For those that count by themselves: the id in F->labels of the root frame of thread PID/TID; COMM
 * may be NULL. */
uint32_t folding_label(struct folding *f, const char *comm, uint32_t pid, uint32_t tid);
/* A capture is named: make the frames that folding_push() needs. */
void folding_name(struct folding *f, const struct session *s);
/* Push label LABEL, and stack STACK of S but for its LEAF_SKIP innermost frames, into the row that
 * was begun, root first. */
void folding_push(struct folding *f, const struct session *s, const char *label, uint32_t stack,
		  uint32_t leaf_skip);
/* Give away what was folded and begin anew, with any event: TO is overwritten. */
void folding_take(struct folding *f, struct stackset *to);

#endif
