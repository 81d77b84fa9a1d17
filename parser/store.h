/* A store: the stacks of many captures in one SQLite file, by step of time, CPU, thread and event.
 *
 * What lies in it, by table:
 *
 *   capture  who was recorded, when, how well; its threads as columns
 *   label    what the user says of a capture: key, value
 *   event    what counted in a capture, how many samples, what one weighs
 *   frame    a name as it stands in folded text, and its module
 *   stack    its id is made of its content (store_stack_id()); frames, the root first
 *   total    weight and samples by capture, event and stack
 *   chunk    the same by step, CPU, thread, too: columns, compressed
 *   latency  how long things took: parser/store_latency.h
 *   address  of a capture: where its stacks were, for better names later: columns, compressed
 *
 * SQLite is loaded when a store is first opened, and stops in parser/store. A store may come from a
 * stranger: what is in it is checked as it is read, and no SQL is ever made of its texts or of
 * those of a capture. */
#ifndef PDTOOL_STORE_H
#define PDTOOL_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/err.h"
#include "parser/kept.h"

#define STORE_NONE UINT32_MAX

struct store;
struct folded_unit;
struct folded_input;
struct store_latency;

enum store_use {
	STORE_READ,
	STORE_WRITE,  /* it is made where nothing is */
	STORE_RENAME, /* written to, but not made */
};

/* Is what begins with these LEN bytes a store? */
bool store_is(const void *bytes, size_t len);
/* OPERAND, which is no file's path, as "STORE:KEY=VALUE,...", the parts of a struct store_choice:
 * how many bytes of it are the store's path; 0: it names none. */
size_t store_path_bytes(const char *operand);
/* OPERAND, or what it begins with, is the address of a store on ClickHouse: only then is anything
 * connected to. */
bool store_is_remote(const char *operand);
/* Negative, with a message in W. store_close() may be given NULL. */
CHECKED int store_open(struct store **out, const char *path, enum store_use use,
		       struct warnings *w);
void store_close(struct store *s);

/* ---- a capture goes in ---- */

struct store_hash {
	unsigned __int128 sum;
};

/* One sample more: NUMBERS are what it is. In whatever order they come. */
#define STORE_HASHED 6
void store_hash_add(struct store_hash *h, const uint64_t numbers[STORE_HASHED]);

struct store_label {
	const char *key, *value;
};

struct store_event {
	const char *name, *unit; /* unit: of its weights */
	double squares;		 /* the sum of the squared weights of its samples */
	uint64_t rate;		 /* a frequency or a period; 0: not known */
	bool counts;		 /* it is the one that collapse counts unless it is told */
};

struct store_thread {
	const char *comm;
	uint32_t pid, tid; /* STORE_NONE: not recorded */
};

struct store_frame {
	const char *name, *module; /* module: "" where it is not known */
	uint8_t kind;		   /* enum frame_kind */
};

/* COUNT of frame_ids from FIRST on, the root first. */
struct store_stack {
	uint64_t first;
	uint32_t count;
};

/* A leaf is a stack as it was recorded, of which several may have the same frames. */
struct store_cell {
	uint32_t event, leaf, cpu, thread; /* places in the lists; cpu: STORE_NONE: not recorded */
	uint64_t step;			   /* of the capture's clock */
	uint64_t weight, samples;
};

/* How the leaves of a capture came to their frames: locations and stacks are those of COLUMNS
 * (parser/kept.h), by their places there. */
struct store_addresses {
	struct kept_column columns[KEPT_COLUMNS];
	/* the frames of location L are frames[first[L]] to frames[first[L + 1]], the innermost
	 * first: places in the capture's list */
	size_t location_count;
	const uint32_t *first, *frames;
	const uint32_t *chains; /* by leaf: its place among those */
	size_t chain_count;
};

/* All is the caller's. */
struct store_capture {
	struct store_hash hash; /* of its samples: the same capture has the same */
	const char *path, *host, *release, *arch, *command; /* NULL: not recorded */
	int64_t wall_ns; /* of the capture's clock at 0, since 1970 */
	bool has_wall;
	uint64_t first_ns, last_ns, step_ns;
	uint64_t lost, samples; /* that were recorded */
	uint32_t cpus;		/* online; 0: not known */
	bool system_wide;
	const struct store_label *labels;
	const struct store_event *events;
	const struct store_thread *threads;
	const struct store_frame *frames;
	const struct store_stack *stacks; /* each once */
	const uint32_t *frame_ids;
	const uint32_t *leaves;		/* their stacks */
	const struct store_cell *cells; /* in any order; of one place there may be several */
	size_t label_count, event_count, thread_count, frame_count, stack_count, leaf_count;
	size_t cell_count;
	const struct store_latency *latencies; /* parser/store_latency.h; each once */
	size_t latency_count;
	const struct store_addresses *addresses; /* NULL: they are not kept */
};

/* Whole or not at all: in one transaction, for which others are waited for a minute at most.
 * *KNOWN: it is there already, and nothing was done. Negative, with a message in W. */
CHECKED int store_add(struct store *s, const struct store_capture *c, bool *known,
		      struct warnings *w);

/* ---- folded stacks come out ---- */

/* Which captures, and what of them. NULL, or a count of 0: all. */
struct store_choice {
	struct store_label *labels; /* the same key twice: either value */
	size_t label_count;
	/* "comm", "module" and "symbol": stacks whose first frame has, or of which another is in,
	 * or has, such a name, or one that matches the pattern (fnmatch(3)); of a key any of them
	 */
	struct store_label *patterns;
	size_t pattern_count;
	/* A function, or a pattern: stacks without it may come as one, of no frames, as nothing but
	 * their weight is of interest; with TOGETHER also those with it, as one of them; NULL: all
	 * of all. */
	const char *function;
	bool together;
	bool innermost;		/* stacks may come as their last frame alone, each once */
	const char *each;	/* the key of a label, or "capture": each value apart */
	const char *event;	/* NULL: of each capture the one that collapse counts */
	int64_t from_ns, to_ns; /* of the wall clock, TO not included; both 0: all */
	char *text;		/* what the others point to; NULL: nothing of it */
};

/* What an operand says behind its file, "KEY=VALUE,...": a member of the above, or a label.
 * Negative, with a message in W. To be released by store_choice_release(). */
CHECKED int store_choice_parse(struct store_choice *c, const char *text, struct warnings *w);
void store_choice_release(struct store_choice *c);
/* Is NAME this, or does it match it as a pattern? */
bool store_name_matches(const char *pattern, const char *name);

struct store_rows;

/* The stacks of what was chosen, each once, with the sums of their weights: NULL, with a message in
 * W, where nothing was. C and S stay as they are until store_rows_free(). With C's EACH: those of
 * one of its values. */
CHECKED int store_rows_open(struct store_rows **out, struct store *s, const struct store_choice *c,
			    struct warnings *w);
void store_rows_free(struct store_rows *r);
/* 1: now those of the next value of EACH; 0: there is none; negative: as store_rows_next(). */
CHECKED int store_rows_more(struct store_rows *r);
/* The value that they are of, R's; of "capture" its path and its number in the store. NULL: all. */
const char *store_rows_part(const struct store_rows *r);
/* 1: *TEXT, LEN bytes, is the next stack as in folded text, valid until the next call; 0: the end;
 * negative, with a message in the warnings that it was opened with. */
CHECKED int store_rows_next(struct store_rows *r, const char **text, size_t *len, uint64_t *weight);
/* Of the stack that came last: a number that is its own among all of R, and its frame I, the root
 * first, until the next one comes. False: it has none. */
uint32_t store_rows_place(const struct store_rows *r);
bool store_rows_frame(const struct store_rows *r, size_t i, struct store_frame *out);
/* From when to when the I-th of what was chosen was recorded, of the wall clock; both 0: it has no
 * such time. False: there is none. */
bool store_rows_span(const struct store_rows *r, size_t i, int64_t *from_ns, int64_t *to_ns);
/* What their weights count. False: captures differ in that. */
bool store_rows_unit(const struct store_rows *r, struct folded_unit *out);
/* What the captures tell: texts are R's. */
void store_rows_input(const struct store_rows *r, struct folded_input *out);

#endif
