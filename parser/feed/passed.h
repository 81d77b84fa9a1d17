/* Which samples passed the filters: a bit each, by their number in their file. What is read again
 * in the order of the file knows by it what was decided in the order of time. */
#ifndef PDTOOL_FEED_PASSED_H
#define PDTOOL_FEED_PASSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PASSED_MAX (1ull << 33) /* samples of one file: 1 GiB of bits */

struct passed_part {
	uint8_t *bits;
	size_t bytes;
};

/* All zero is empty. */
struct passed {
	struct passed_part *parts; /* by file of the capture */
	size_t count;
	bool full; /* a sample past PASSED_MAX passed */
};

struct passed *passed_new(void);
void passed_add(struct passed *k, size_t part, uint64_t number);
bool passed_has(const struct passed *k, size_t part, uint64_t number);
void passed_free(struct passed *k);

#endif
