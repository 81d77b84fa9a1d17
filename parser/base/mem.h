/* Allocation that never returns NULL.
 *
 * Callers check a length against what remains in the input before they allocate, so running out of
 * memory is not an input error: mem_die() does not return (die.h). */
#ifndef PDTOOL_BASE_MEM_H
#define PDTOOL_BASE_MEM_H

#include <stddef.h>

void *xmalloc(size_t size_bytes) __attribute__((malloc, returns_nonnull, warn_unused_result));
void *xcalloc(size_t count, size_t size_bytes)
	__attribute__((malloc, returns_nonnull, warn_unused_result));
void *xrealloc(void *p, size_t size_bytes) __attribute__((returns_nonnull, warn_unused_result));
/* SIZE bytes, a power of two, at a multiple of it. */
void *xaligned(size_t size_bytes) __attribute__((malloc, returns_nonnull, warn_unused_result));
char *xstrdup(const char *s) __attribute__((malloc, returns_nonnull, warn_unused_result));

/* Grow array P of elements of SIZE bytes so that it holds at least WANT; *CAP is its capacity. */
void *xgrow(void *p, size_t *cap, size_t want, size_t size) __attribute__((warn_unused_result));

/* Grow it so that element I is there; what is new is zero. *COUNT: elements so far. */
void *xgrow_to(void *p, size_t *count, size_t *cap, size_t i, size_t size)
	__attribute__((warn_unused_result));

/* Zeroed memory for what is probed at random: given huge pages where it is big, or every probe
 * would miss the TLB too. big_free() wants the same size; NULL is fine. */
void *big_alloc(size_t size_bytes) __attribute__((malloc, returns_nonnull, warn_unused_result));
/* The same for what may stay nearly empty: its first 2 MiB are in small pages. */
void *big_alloc_part(size_t size_bytes)
	__attribute__((malloc, returns_nonnull, warn_unused_result));
void big_free(void *p, size_t size_bytes);
/* xgrow() for what becomes big; big_grown_free() frees it, given *CAP times SIZE. */
void *big_grow(void *p, size_t *cap, size_t want, size_t size) __attribute__((warn_unused_result));
void big_grown_free(void *p, size_t size_bytes);
/* All SIZE bytes at P are written soon: their pages come by one call. */
void mem_fill_soon(void *p, size_t size_bytes);

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif
