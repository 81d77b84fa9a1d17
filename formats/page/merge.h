/* Rows of one step of time: equal ones become one, for pages that would be larger than wanted. */
#ifndef PDTOOL_PAGE_MERGE_H
#define PDTOOL_PAGE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a number is when rows become one: what makes them equal; added; the smallest remains. */
enum merge_role { MERGE_KEY, MERGE_SUM, MERGE_LEAST };

#define MERGE_MOST 16 /* numbers of a row */

struct merge {
	const enum merge_role *roles;
	size_t width;
	uint64_t *rows;
	size_t count, cap, next, least;
};

/* ROLES: as many as WIDTH, the caller's. */
void merge_begin(struct merge *m, const enum merge_role *roles, size_t width);
void merge_release(struct merge *m);
void merge_add(struct merge *m, const uint64_t *row);
/* One row after the other, by their keys; false: that was all, and the next ones begin anew. Valid
 * until then. */
const uint64_t *merge_next(struct merge *m);

#endif
