/* The rows beside the samples, as columns of the page. */
#ifndef PDTOOL_PAGE_SERIES_H
#define PDTOOL_PAGE_SERIES_H

#include "formats/model/page.h"
#include "formats/out.h"

/* "series":[["off",ROWS,[["start",KIND],...],["254:0 R",...]],...], of all that have rows. */
void series_about(const struct page_part *p, struct out *out);
/* A block for each of their columns, "column-off-start": varints, and of times how far they lie
 * from the row before, the first one from BASE_NS: twice, + 1 where it is before. */
void series_columns(const struct page_part *p, uint64_t base_ns, struct out *out);

#endif
