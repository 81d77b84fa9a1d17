/* Who a line is of: command, process, thread and CPU, and in which mode. */
#ifndef PDTOOL_SCRIPT_WHO_H
#define PDTOOL_SCRIPT_WHO_H

#include "analyzers/script/line.h"

/* Append the columns of OF, which are E's. */
void head_put(struct printer *p, const struct pdt_event *e, const struct head_of *of,
	      struct buf *b);
void misc_put(const struct pdt_event *e, struct buf *b);

#endif
