/* Which bytes of a file: a list of ranges. It is clean when they ascend and do not touch. */
#ifndef PDTOOL_PACK_RANGES_H
#define PDTOOL_PACK_RANGES_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of a file. */
struct range {
	uint64_t start, end; /* end exclusive */
};

struct ranges {
	struct range *list;
	size_t count, cap;
};

void ranges_add(struct ranges *r, uint64_t start, uint64_t end);
/* Sort them, join those that touch, and cut off what lies at SIZE or behind. */
void ranges_clean(struct ranges *r, uint64_t size);
/* Add to OUT all of FROM; what is in FROM and not in WITHOUT, both clean. */
void ranges_add_all(struct ranges *out, const struct ranges *from);
void ranges_subtract(struct ranges *out, const struct ranges *from, const struct ranges *without);
/* The first of them, clean, that ends behind AT. */
size_t ranges_behind(const struct ranges *r, uint64_t at);
void ranges_release(struct ranges *r);

#endif
