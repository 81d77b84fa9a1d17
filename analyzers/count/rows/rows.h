/* Weight by key: what samples spent in a function (or module, thread, CPU ...) itself, and in all
 * that it called. Self weight counts where the sample's own address was, inclusive weight wherever
 * the function is in the call chain or at that address, once a sample. */
#ifndef PDTOOL_ROWS_H
#define PDTOOL_ROWS_H

#include "analyzers/count/namer.h"
#include "analyzers/count/rows/kept.h"
#include "formats/model/result.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"
#include "parser/filter.h"
#include "parser/pdtool_capture.h"

enum row_key {
	KEY_EVENT, /* index in events */
	KEY_COMM,  /* id in texts, as are the keys from KEY_DSO on */
	KEY_PID,
	KEY_TID,
	KEY_CPU,
	KEY_TIME,   /* ns: the start of its quantum */
	KEY_PARENT, /* the caller that --parent looks for */
	KEY_DSO,
	KEY_SYM,
	KEY_SRCFILE,
	KEY_SRCLINE,
	ROW_KEYS, /* and from here on more keys of samples, which who counts them tells */
};

#define MORE_KEYS    16
#define KEY_BIT(key) (1ull << (key))
#define KEY_NONE     UINT64_MAX /* a key that the row does not have, or that was not recorded */

enum row_view {
	VIEW_FLAT,    /* rows: what samples were in */
	VIEW_CALLERS, /* rows: what called one function, "[root]" where nothing did */
	VIEW_CALLEES, /* rows: what one function called, "[self]" where nothing */
};

/* What tells the frames of a call chain apart. */
enum chain_key { CHAIN_FUNCTION, CHAIN_ADDRESS, CHAIN_SRCLINE };

/* Which frames of a call chain count, and in which order they are looked at. */
struct chain_options {
	bool keep;	    /* for rows_chains() */
	bool callers_first; /* chains begin with the outermost caller, not with the leaf */
	enum chain_key key;
	uint64_t max;	       /* frames of a chain; 0: all */
	const regex_t *ignore; /* what such a function called is not looked at; NULL: nothing */
	const regex_t *parent; /* for KEY_PARENT; NULL: no function is one */
	bool only_parent;      /* stacks without a parent are left out */
	bool hide_unresolved;  /* samples and frames whose function has no name are left out */
};

struct rows_options {
	unsigned keys[ROW_KEYS + MORE_KEYS]; /* enum row_key and more, as they compare */
	size_t key_count;
	unsigned more_texts; /* of the keys from ROW_KEYS on, by bit: they are ids in texts */
	bool grouped;	     /* also subtotals by the first key */
	bool hierarchy; /* also subtotals by the first key, the first two ..., without the last */
	struct chain_options chain;
	bool own_totals; /* all_weight is of what rows_sample() got, not of the whole capture */
	bool by_samples;
	bool own_weight;  /* weights are not what the event counts */
	bool by_children; /* rows are ordered by it, not by self */
	bool by_mode;	  /* self is also told by mode */
	enum row_view view;
	const char *symbol; /* that the callers or callees are of, as rows show it or as linked */
	uint64_t quantum_ns;
	struct namer_options names;
};

/* One event of all captures: events of one name are one. */
struct row_event {
	uint32_t name;			  /* in texts */
	uint64_t weight, samples;	  /* of the rows */
	uint64_t all_weight, all_samples; /* also of what filters by who and where took out */
	uint64_t unnamed;		  /* weight of samples whose function has no name */
	uint64_t apart; /* weight of samples that are in another function than their chain's leaf */
	uint64_t symbol; /* weight of the stacks that hold the symbol asked for */
	bool in_ns;	 /* it is a clock */
};

/* Modes of the CPU, as perf's overhead_us ... tell them apart. */
enum row_mode { ROW_USER, ROW_SYS, ROW_GUEST_USER, ROW_GUEST_SYS, ROW_MODES };

struct row {
	uint32_t base, frame; /* its keys: row_key() */
	/* For callers and callees both are the weight that goes through the pair. */
	uint64_t children, self;
	uint64_t samples; /* that self is of */
	uint32_t up;	  /* index of its subtotal; its own when there is none above it */
	uint16_t level;	  /* how many subtotals are above it */
	bool subtotal;
};

/* One function on a stack. */
struct step {
	uint32_t frame;	 /* the keys that it gives a row */
	uint32_t name;	 /* in texts: what a call chain shows */
	uint32_t symbol; /* in texts */
	uint32_t flags;
};

struct rows {
	struct rows_options o;
	struct row_event *events; /* in the order in which captures list them */
	size_t event_count, event_cap;
	struct idmap event_by_name;
	struct row *rows;
	size_t row_count, row_cap;
	uint64_t (*modes)[ROW_MODES]; /* by_mode: of self, by row */
	size_t mode_count, mode_cap;
	struct intern texts;
	bool has_chains;
	bool found;	   /* a stack held the symbol asked for */
	bool overflow;	   /* a sum passed 2^64 - 1 and was held there */
	unsigned decimals; /* weights count 10^-decimals */
	uint64_t key_bits; /* KEY_BIT() of each of o.keys */
	/* Rows are found by (base, frame): the keys of the thread and sample, and those of the
	 * location. Ids of both last as long as the rows. */
	struct intern bases, frames, mores;
	struct step *steps;
	size_t step_count, step_cap;
	struct intern step_ids;
	struct kept kept; /* of chain.keep */
	uint32_t *pairs;  /* 1 + the row, by a hash of these two ids; 0 is free */
	size_t pair_slots;
	uint64_t *seen; /* by frame: the stack that it was last seen in */
	size_t seen_cap;
	uint64_t stack_number;
	struct samples samples; /* of the capture that is being read */
	unsigned jobs;		/* threads that may count; 0: one */
};

/* The options are set. */
void rows_begin(struct rows *t);
/* Before anything is counted: rows have this key alone. */
void rows_only(struct rows *t, enum row_key key);
/* Let PART, all zero, count a part of the samples that T would count. */
void rows_part(struct rows *part, const struct rows *t);
/* What samples may take until they are rows; 0: any. */
void rows_bound(struct rows *t, size_t max_memory);
/* MORE: the keys from ROW_KEYS on, MORE_KEYS of them; NULL: there are none. */
void rows_sample(struct rows *t, const struct pdt_event *e, const struct pdt_session *s,
		 const uint64_t *more);
/* A capture is read and named: what was counted FROM it, with numbers, under all that T's keys
 * need.
 */
void rows_take(struct rows *t, const struct samples *from, const struct pdt_session *s);
/* The place of the event NAME in T's events; their number: there is none. */
size_t rows_event(const struct rows *t, const char *name);
/* The same of what rows_sample() counted. */
void rows_finish(struct rows *t, const struct pdt_session *s);
/* Take folded stacks of NAME_COUNT names. The first frame of each is its comm, too. */
void rows_stacks(struct rows *t, const struct stacks_part *p, size_t name_count);
/* Each row gets its subtotal: rows_sorted() does that. */
void rows_link(struct rows *t);
/* Rows in order, by index: an event after the other, groups by weight, rows by weight; equal
 * weights by key. Free it. No more come after it: what only they would need is released. */
uint32_t *rows_sorted(struct rows *t);
/* The call chains of rows, each a stack's frames from one of them on, in the order that was asked
 * for; the first is the row's own unless chains begin with the callers and the sample was in it. */
struct row_chain {
	uint32_t stack, from; /* place in kept, and the first frame */
};
struct row_chains {
	const struct rows *rows; /* whose kept.steps are now names, in texts, in that order */
	struct row_chain *list;	 /* row by row, in the order in which stacks came; NULL: counted */
	size_t *end;		 /* by row, behind that of no row: where its chains end */
};
/* Those of the rows that WANTED (by row) says. T takes nothing more afterwards. */
void rows_chains(struct rows *t, const bool *wanted, struct row_chains *out);
void row_chains_release(struct row_chains *c);
/* KEY of R, KEY_NONE where it has none. */
uint64_t row_key(const struct rows *t, const struct row *r, unsigned key);
/* The row of a base and a frame; ROW_NONE: there is none. */
#define ROW_NONE UINT32_MAX
uint32_t row_find(const struct rows *t, uint32_t base, uint32_t frame);
/* Is KEY, other than KEY_EVENT, an id in texts? */
bool row_key_is_text(const struct rows *t, unsigned key);
/* How A and B compare by KEY. */
int compare_row_key(const struct rows *t, unsigned key, const struct row *a, const struct row *b);
/* What rows are ordered by. */
uint64_t row_weight(const struct rows *t, const struct row *r);
void rows_release(struct rows *t);

#endif
