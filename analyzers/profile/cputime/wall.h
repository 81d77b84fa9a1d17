/* The wall clock of a capture's times. */
#ifndef PDTOOL_WALL_H
#define PDTOOL_WALL_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/base/err.h"
#include "parser/pdtool_capture.h"

struct wall {
	int64_t offset_ns; /* what to add to a time of the capture for ns since 1970 */
	bool exact;
	const char *source; /* in words */
};

/* From the capture's CLOCK_DATA; else from ANCHOR_NS, the same as offset_ns, if it is not NULL;
 * else as if the file had been written last when the last sample was taken. Once all is read.
 * Negative enum err with a message in W when nothing tells it. */
CHECKED int wall_of(struct wall *out, const struct pdt_session *s, const int64_t *anchor_ns,
		    struct warnings *w);
#endif
