/* Weight by sampled address, of the functions that have one name. Counts (event, leaf) pairs while
 * events flow; which of them are in the function is known once names are there. */
#ifndef PDTOOL_ANNOTATED_H
#define PDTOOL_ANNOTATED_H

#include "parser/base/buf.h"
#include "parser/base/idmap.h"
#include "parser/filter.h"
#include "parser/pdtool_capture.h"

#define ANNOTATED_EVENTS 64 /* with samples in the functions; further ones are left out */

struct amount {
	uint64_t weight, samples;
	uint64_t exact; /* samples whose address the processor vouches for */
};

/* One address of one function and event. */
struct spot {
	uint64_t start; /* of the function, as locations count addresses */
	uint64_t addr;
	uint32_t module, loc;
	uint32_t event; /* index in events */
	struct amount amount;
};

/* A function with the name: several modules, or files of one module, may have one. */
struct annotated_function {
	uint32_t module, loc; /* one of its locations */
	uint64_t start;
	const struct spot *spots; /* by address, then event */
	size_t count;
	uint64_t samples;
};

struct annotated_event {
	const struct pdt_desc *desc;
	struct amount amount; /* in all functions together */
};

struct leaf_count {
	uint32_t desc, loc;
	bool pid0;
	struct amount amount;
};

struct annotated {
	struct leaf_count *counts;
	size_t count, count_cap;
	struct idmap by_key;
	struct spot *spots;
	size_t spot_count, spot_cap;
	struct annotated_function *functions; /* the one with most samples first */
	size_t function_count, function_cap;
	struct annotated_event events[ANNOTATED_EVENTS]; /* as the capture lists them */
	size_t event_count, events_left_out;
	bool overflow; /* a sum passed 2^64 - 1 and was held there */
};

void annotated_event(struct annotated *a, const struct pdt_event *e, const struct pdt_session *s);
/* The capture is named: find the functions called SYMBOL, as they are shown or as they were linked.
 */
void annotated_select(struct annotated *a, const struct pdt_session *s, const char *symbol);
/* There were none: the sampled functions whose names are most like SYMBOL, with commas. */
void annotated_nearest(const struct annotated *a, const struct pdt_session *s, const char *symbol,
		       struct buf *out);
void annotated_add(struct annotated *a, struct amount *to, const struct amount *n);
void annotated_release(struct annotated *a);

#endif
