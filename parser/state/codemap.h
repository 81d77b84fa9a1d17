/* What a just-in-time compiler wrote where, as of a moment: ranges of addresses that come one after
 * the other in time, each hiding what it covers of those before.
 *
 * The whole log is known from the beginning, so all the places where ranges begin and end are, too.
 * Between two of them an address means one thing. The ranges are painted into a tree over these
 * segments: a range marks the few nodes that make it up with its number, and the highest number on
 * the way from a segment to the root is the range that came last. */
#ifndef PDTOOL_STATE_CODEMAP_H
#define PDTOOL_STATE_CODEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_range {
	uint64_t start, end; /* end exclusive */
	uint64_t pgoff;	     /* where in the module START is */
	uint64_t time_ns;
};

struct code_log {
	const struct code_range *ranges; /* by time; the caller's, must outlive the log */
	size_t count;
	uint64_t *bounds; /* ascending, distinct */
	size_t bound_count;
};

struct codemap;

/* COUNT below 2^31. */
void code_log_init(struct code_log *log, const struct code_range *ranges, size_t count);
void code_log_release(struct code_log *log);

/* Nothing of LOG, which must outlive it, is there yet. MODULE is the id of the module. */
struct codemap *codemap_new(const struct code_log *log, uint32_t module);
struct codemap *codemap_ref(struct codemap *c);
void codemap_unref(struct codemap *c);
/* A copy that is the caller's alone; C loses one reference. */
struct codemap *codemap_unshare(struct codemap *c);
bool codemap_is_shared(const struct codemap *c);
size_t codemap_bytes(const struct codemap *c);
const struct code_log *codemap_log(const struct codemap *c);
uint32_t codemap_module(const struct codemap *c);

/* When the next range comes; UINT64_MAX: none does. */
uint64_t codemap_next_ns(const struct codemap *c);
/* Let come all ranges up to UNTIL. True when one covers an address that was looked up. */
bool codemap_run(struct codemap *c, uint64_t until_ns);
/* Take away what [start, end) covers. True as above. */
bool codemap_cut(struct codemap *c, uint64_t start, uint64_t end);
/* Is there a range at ADDR? *PGOFF is where in the module ADDR is. Several threads may ask at once.
 */
bool codemap_find(struct codemap *c, uint64_t addr, uint64_t *pgoff);

#endif
