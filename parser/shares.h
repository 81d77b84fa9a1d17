/* One capture read by several sessions side by side, each of which takes its share of the samples.
 *
 * Each reads all of the file and applies all records, which make the machine; of the samples it
 * takes those whose chains fall to it, so that equal chains are in one session. A sample that shows
 * the new program of an exec running changes what later ones mean: each session notes when it saw
 * the new one and the old one, and where they contradict each other nothing of it counts. In the
 * end one absorbs the others, and what it then has is what one would have that had read all, but
 * for the numbers of ids. */
#ifndef PDTOOL_SHARES_H
#define PDTOOL_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;
struct warnings;

/* Does S, of which nothing was read yet, read what may be read in shares? What happens on the way
 * may still forbid it: then session_next() returns ERR_ALONE. */
bool shares_fit(const struct session *s);
/* How much work S is: the bytes it will look at, about. */
uint64_t shares_bytes(const struct session *s);
/* Let S take share I of N. So many sessions read at the same time, of this capture or another: ALL.
 */
void shares_take(struct session *s, unsigned i, unsigned n, unsigned all);
/* All of it is read: did something happen that each part sees differently? */
bool shares_spoilt(const struct session *s);

/* Have A and B read the same, and could one that had read all have seen what both did? */
bool shares_agree(const struct session *a, const struct session *b);

/* What ids of an absorbed session are now. */
struct share_ids {
	uint32_t first_stack; /* its stacks follow those of the other */
	uint32_t *comms;      /* by id */
	size_t comm_count;
};

/* FROM has been read, as TO was, and has no use but to be closed afterwards. OUT is to be released.
 */
void shares_absorb(struct session *to, struct session *from, struct share_ids *out);
void share_ids_release(struct share_ids *ids);

/* What was said of S so far is in W, too, and the rest will be there alone. */
void shares_warn_in(struct session *s, struct warnings *w);

#endif
