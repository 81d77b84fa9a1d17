/* The rows beside the samples, as columns of the page. */
#ifndef PDTOOL_PAGE_SERIES_H
#define PDTOOL_PAGE_SERIES_H

#include "formats/model/page.h"
#include "formats/out.h"

struct series_columns; /* release: series_free() */

struct series_way {
	uint64_t base_ns; /* times are from it */
	uint64_t step_us; /* 1, or equal rows whose ends lie in one such step are one, where their
			   * lengths can be added */
	uint64_t most_bytes; /* past that the rest is left */
};

/* All of P, packed. ERROR: the errno of the first failure. */
struct series_columns *series_new(const struct page_part *p, const struct series_way *way,
				  int *error);
void series_free(struct series_columns *s);
/* Bytes of their text, about. */
uint64_t series_size(const struct series_columns *s);
/* "series":[["off",ROWS,[["start",TIME],...],["254:0 R",...]],...], of all that have rows; TIME:
 * 1, it is one. "merged", if it is there: how many a row was. */
void series_about(const struct series_columns *s, struct out *out);
/* A block for each of their columns, "column-off-start": varints, and of times how far they lie
 * from the row before, the first one from the base: twice, + 1 where it is before. */
void series_write(const struct series_columns *s, struct out *out);

#endif
