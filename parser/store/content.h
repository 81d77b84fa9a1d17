/* Names of frames and stacks that are made of what they are: the same in every store, on every
 * machine. */
#ifndef PDTOOL_STORE_CONTENT_H
#define PDTOOL_STORE_CONTENT_H

#include "parser/store.h"

/* Of 128 bits, as xxHash writes it (XXH128_canonical_t). */
struct content_id {
	uint8_t bytes[16];
};

struct content_id content_of_capture(const struct store_hash *h);
/* By frame of C, of its name and its module; by stack, of those of its frames. To be freed by the
 * caller. */
struct content_id *content_of_frames(const struct store_capture *c);
struct content_id *content_of_stacks(const struct store_capture *c,
				     const struct content_id *frames);
/* The lower 63 bits, which SQLite's integers hold. */
static inline int64_t content_number(const struct content_id *id)
{
	uint64_t n = 0;

	for (int i = 8; i < 16; i++)
		n = n << 8 | id->bytes[i];
	return (int64_t)(n & INT64_MAX);
}

#endif
