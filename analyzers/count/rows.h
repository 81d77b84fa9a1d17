/* Weight by key: what samples spent in a function (or module, thread, CPU ...) itself, and in all
 * that it called. Self weight counts where the sample's own address was, inclusive weight wherever
 * the function is in the call chain or at that address, once a sample. */
#ifndef PDTOOL_ROWS_H
#define PDTOOL_ROWS_H

#include "analyzers/count/namer.h"
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
	KEY_TIME, /* ns: the start of its quantum */
	KEY_DSO,
	KEY_SYM,
	KEY_SRCFILE,
	KEY_SRCLINE,
	ROW_KEYS,
};

#define KEY_BIT(key) (1u << (key))
#define KEY_NONE     UINT64_MAX /* a key that the row does not have, or that was not recorded */

enum row_view {
	VIEW_FLAT,    /* rows: what samples were in */
	VIEW_CALLERS, /* rows: what called one function, "[root]" where nothing did */
	VIEW_CALLEES, /* rows: what one function called, "[self]" where nothing */
};

struct rows_options {
	enum row_key keys[ROW_KEYS]; /* of the rows, in the order in which they compare */
	size_t key_count;
	bool grouped; /* also subtotals by the first key */
	bool by_samples;
	bool by_children; /* rows are ordered by it, not by self */
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

struct row {
	uint64_t key[ROW_KEYS];
	/* For callers and callees both are the weight that goes through the pair. */
	uint64_t children, self;
	uint64_t samples; /* that self is of */
	uint32_t group;	  /* index of its subtotal; its own when it is one, or there is none */
	bool subtotal;
};

struct rows {
	struct rows_options o;
	struct row_event *events; /* in the order in which captures list them */
	size_t event_count, event_cap;
	struct idmap event_by_name;
	struct row *rows;
	size_t row_count, row_cap;
	struct intern texts;
	bool has_chains;
	bool found;	   /* a stack held the symbol asked for */
	bool overflow;	   /* a sum passed 2^64 - 1 and was held there */
	unsigned decimals; /* weights count 10^-decimals */
	unsigned key_bits; /* KEY_BIT() of each of o.keys */
	/* Rows are found by (base, frame): the keys of the thread and sample, and those of the
	 * location. Ids of both last as long as the rows. */
	struct intern bases, frames;
	struct idmap by_pair;
	uint64_t *seen; /* by frame: the stack that it was last seen in */
	size_t seen_cap;
	uint64_t stack_number;
	struct samples samples; /* of the capture that is being read */
};

/* The options are set. */
void rows_begin(struct rows *t);
/* Before anything is counted: rows have this key alone. */
void rows_only(struct rows *t, enum row_key key);
void rows_sample(struct rows *t, const struct pdt_event *e, const struct pdt_session *s);
/* A capture is read and named: what was counted FROM it, with numbers, under all that T's keys
 * need.
 */
void rows_take(struct rows *t, const struct samples *from, const struct pdt_session *s);
/* The same of what rows_sample() counted. */
void rows_finish(struct rows *t, const struct pdt_session *s);
/* Take folded stacks of NAME_COUNT names. The first frame of each is its comm, too. */
void rows_stacks(struct rows *t, const struct stacks_part *p, size_t name_count);
/* Rows in order, by index: an event after the other, groups by weight, rows by weight; equal
 * weights by key. Free it. */
uint32_t *rows_sorted(struct rows *t);
/* What rows are ordered by. */
uint64_t row_weight(const struct rows *t, const struct row *r);
void rows_release(struct rows *t);

#endif
