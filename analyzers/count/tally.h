/* Weight by key: what samples spent in a function (or module, thread, CPU ...) itself, and in all
 * that it called. Counts (keys, stack) pairs while events flow, so memory follows those; names them
 * once, at the end of each capture. */
#ifndef PDTOOL_TALLY_H
#define PDTOOL_TALLY_H

#include "formats/model/result.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"
#include "parser/session.h"

enum tally_key {
	TALLY_EVENT, /* index in events */
	TALLY_COMM,  /* id in texts, as are the keys from TALLY_DSO on */
	TALLY_PID,
	TALLY_TID,
	TALLY_CPU,
	TALLY_TIME, /* ns: the start of its quantum */
	TALLY_DSO,
	TALLY_SYM,
	TALLY_SRCFILE,
	TALLY_SRCLINE,
	TALLY_KEYS,
};

#define TALLY_BIT(key) (1u << (key))
#define TALLY_NONE     UINT64_MAX /* a key that the row does not have, or nobody recorded */

enum tally_view {
	TALLY_FLAT,    /* rows: what samples were in */
	TALLY_CALLERS, /* rows: what called one function, "[root]" where nothing did */
	TALLY_CALLEES, /* rows: what one function called, "[self]" where nothing */
};

struct tally_options {
	enum tally_key keys[TALLY_KEYS]; /* of the rows, in the order in which they compare */
	size_t key_count;
	bool grouped; /* also subtotals by the first key */
	bool by_samples;
	bool by_children; /* rows are ordered by it, not by self */
	enum tally_view view;
	const char *symbol; /* that the callers or callees are of, as rows show it or as linked */
	uint64_t quantum_ns;
};

/* One event of all captures: events of one name are one. */
struct tally_event {
	uint32_t name;			  /* in texts */
	uint64_t weight, samples;	  /* of the rows */
	uint64_t all_weight, all_samples; /* also of what filters by who and where took out */
	uint64_t unnamed;		  /* weight of leaves without a name */
	uint64_t symbol;		  /* weight of the stacks that hold the symbol asked for */
	bool in_ns;			  /* it is a clock */
};

struct tally_row {
	uint64_t key[TALLY_KEYS];
	/* For callers and callees both are the weight that goes through the pair. */
	uint64_t children, self;
	uint64_t samples; /* that self is of */
	uint32_t group;	  /* index of its subtotal; its own when it is one, or there is none */
	bool subtotal;
};

struct tally_count;

struct tally {
	struct tally_options o;
	struct tally_event *events; /* in the order in which captures list them */
	size_t event_count, event_cap;
	struct idmap event_by_name;
	struct tally_row *rows;
	size_t row_count, row_cap;
	struct intern texts;
	bool has_chains;
	bool found;	   /* a stack held the symbol asked for */
	bool overflow;	   /* a sum passed 2^64 - 1 and was held there */
	unsigned decimals; /* weights count 10^-decimals */
	unsigned key_bits; /* TALLY_BIT() of each of o.keys */
	/* Rows are found by (base, frame): the keys of the thread and sample, and those of the
	 * location. Ids of both last as long as the tally. */
	struct intern bases, frames;
	struct idmap by_pair;
	uint64_t *seen; /* by frame: the stack that it was last seen in */
	size_t seen_cap;
	uint64_t stack_number;
	/* of the capture that is being read */
	struct intern tuples;
	struct idmap pairs; /* (tuple, stack) -> counts */
	struct tally_count *counts;
	size_t count, count_cap;
};

/* The options are set. */
void tally_begin(struct tally *t);
/* Before anything is counted: rows have this key alone. */
void tally_only(struct tally *t, enum tally_key key);
void tally_event(struct tally *t, const struct event *e, const struct session *s);
/* A capture is read and named. */
void tally_finish(struct tally *t, const struct session *s, const struct filter *f);
/* Take folded stacks. The first frame of each is its comm, too. */
void tally_stacks(struct tally *t, const struct stacks_part *p);
/* Rows in order, by index: an event after the other, groups by weight, rows by weight; equal
 * weights by key. Free it. */
uint32_t *tally_sorted(struct tally *t);
/* What rows are ordered by. */
uint64_t tally_weight(const struct tally *t, const struct tally_row *r);
void tally_release(struct tally *t);

#endif
