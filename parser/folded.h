/* Folded text: one stack in each line, "root;frame;leaf WEIGHT", as stackcollapse-*.pl write it and
 * flamegraph.pl reads it; with two columns, "root;leaf BEFORE AFTER", as difffolded.pl writes it.
 * A weight may have decimals. */
#ifndef PDTOOL_FOLDED_H
#define PDTOOL_FOLDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/err.h"

struct folded;
struct source;
struct store;
struct store_choice;
struct store_rows;

struct folded_line {
	const char *stack; /* not terminated; valid until the next call */
	size_t len;
	/* weight * 10^-decimals: of the only column, or before and after */
	uint64_t weight[2];
	unsigned decimals; /* at most FOLDED_DECIMALS */
};

#define FOLDED_DECIMALS 9
#define FOLDED_UNIT_MAX 64

/* What the weights of a text count, and how many samples they are. pdtool writes it as a line of
 * its own: a stack of one frame that begins with '#', of weight 0. Tools that read folded stacks
 * take that for a stack which nothing was spent in: flamegraph.pl and inferno draw nothing for it,
 * sums stay what they are, and no tool warns, as they do of lines that are no stack. */
struct folded_unit {
	double sample; /* what one sample weighs: sum w^2 / sum w; 0: not known */
	/* "ns", "samples", the name of a field, or "periods": those of the event */
	char unit[FOLDED_UNIT_MAX];
	char event[128]; /* blanks are '_' */
};

/* What captures tell beside their stacks: of a store, as text has none of it. */
struct folded_input {
	const char *arch, *event;	   /* NULL: not told, or not the same of all */
	double duration_ns, lost, samples; /* sums; samples: that were recorded */
	int64_t first_ns, last_ns;	   /* of the wall clock, where HAS_WALL */
	uint64_t gap_ns; /* the longest time between captures of a value of "each" */
	uint64_t captures;
	uint32_t cpus;		    /* online; 0: not told, or not the same of all */
	uint64_t sample_rate;	    /* a frequency or a period; 0: the same */
	bool system_wide, has_wall; /* has_wall: all of them */
};

struct buf;

/* The line that says it, without its end. */
void folded_unit_write(const struct folded_unit *u, struct buf *out);

/* Open PATH ("-" is standard input). 1: it is folded text, *OUT; 0: it looks like a capture, and
 * *SOURCE is its opened bytes (NULL for a directory), the caller's; negative: neither, with a
 * message in W. */
CHECKED int folded_open(struct folded **out, struct source **source, const char *path,
			struct warnings *w);
void folded_close(struct folded *f);
/* Before the first line: a store whose operand says "each=KEY", or that is asked so by KEY unless
 * that is NULL, gives the stacks of each value as if they were a text of their own, of which
 * folded_path() tells. Negative: reading failed. 1 from folded_more(), after the end: it is at the
 * next one; 0: there is none. */
CHECKED int folded_each(struct folded *f, const char *key);
CHECKED int folded_more(struct folded *f);
/* Before that: FUNCTION and TOGETHER of the choice, of a store (parser/store.h). NAME stays as it
 * is.
 */
void folded_function(struct folded *f, const char *name, bool together);
/* The same of INNERMOST. */
void folded_innermost(struct folded *f);
/* For who keeps its stacks: what they may take, in bytes, 0, as at first: there is no bound; and
 * how many threads may read it, 0 and 1: one. */
void folded_set_limits(struct folded *f, size_t bytes, unsigned jobs);
size_t folded_room(const struct folded *f);
unsigned folded_jobs(const struct folded *f);

/* Of a store: what of it is asked. */
const struct store_choice *folded_choice(const struct folded *f);
bool folded_is_store(const struct folded *f);
/* NULL: it is none. */
struct store *folded_store(const struct folded *f);
/* What its stacks come from, of the first one on; NULL before. */
struct store_rows *folded_rows(const struct folded *f);
/* The value of folded_each() that it is at; NULL: none. */
const char *folded_part(const struct folded *f);
const char *folded_path(const struct folded *f);
/* Bytes of the text; 0: not known. */
uint64_t folded_bytes(const struct folded *f);
/* A number before the weight belongs to the last frame after all. */
void folded_one_column(struct folded *f);
/* 1 or 2: columns of numbers, as all whole lines among the first 4096 bytes have them. */
unsigned folded_columns(const struct folded *f);
/* After the end: what the text says of its weights; NULL: nothing. */
const struct folded_unit *folded_unit(const struct folded *f);
/* NULL: it is text. */
const struct folded_input *folded_input(const struct folded *f);
/* 1: *LINE is the next stack; 0: the end; negative: reading failed. */
CHECKED int folded_next(struct folded *f, struct folded_line *line);
/* In place of folded_next(): 1: *TEXT is the next line, LEN bytes without its end, whatever it is;
 * 0: the end; negative: reading failed. */
CHECKED int folded_line_text(struct folded *f, const char **text, size_t *len);
/* Before the first line: F becomes the first of at most N parts of its text, which may be read side
 * by side, and PARTS the others. How many these are; 0: it cannot be, or is not worth it. */
size_t folded_split(struct folded *f, struct folded **parts, size_t n);
/* Both close them. They were read to their ends: F has read what they have. Negative: reading one
 * failed. */
CHECKED int folded_join(struct folded *f, struct folded **parts, size_t n);
/* F goes on where it is, to the end of all. */
void folded_unsplit(struct folded *f, struct folded **parts, size_t n);
/* After the end: lines that are no stack are reported in W; ERR_FORMAT when there are no others. */
CHECKED int folded_check(const struct folded *f, struct warnings *w);

#endif
