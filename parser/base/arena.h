/* Bump allocator: many small objects with one lifetime. Blocks never move, so pointers stay valid
 * until arena_release(). */
#ifndef PDTOOL_BASE_ARENA_H
#define PDTOOL_BASE_ARENA_H

#include <stddef.h>

struct arena_block;

/* All zero is empty, as it is again after arena_release(). */
struct arena {
	struct arena_block *blocks; /* newest first */
	char *pos;
	char *end;
};

void arena_init(struct arena *a);
void arena_release(struct arena *a);

/* SIZE bytes aligned to 8, not cleared. Never NULL. */
void *arena_alloc(struct arena *a, size_t size_bytes) __attribute__((returns_nonnull));
/* SIZE bytes, unaligned: for text. */
char *arena_bytes(struct arena *a, size_t size_bytes) __attribute__((returns_nonnull));
/* Copy of the LEN bytes at S, with a NUL appended. */
char *arena_strndup(struct arena *a, const char *s, size_t len) __attribute__((returns_nonnull));

#endif
