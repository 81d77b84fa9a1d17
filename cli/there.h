/* What there is of one kind, for a message about a name that is not there: the most frequent first,
 * and the nearest. */
#ifndef PDTOOL_THERE_H
#define PDTOOL_THERE_H

#include "parser/base/buf.h"
#include "parser/filter.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is empty. */
struct there {
	struct there_name {
		char *name;
		uint64_t samples; /* 0: not shown */
	} * list;
	size_t count, cap;
};

/* NAME may come several times, with SAMPLES each. */
void there_add(struct there *t, const char *name, uint64_t samples);
/* "; there are: a (1,203 samples), b (12)", and the one that the first of ASKED probably means, if
 * there is one. */
bool there_put(struct there *t, const struct name_list *asked, struct buf *out);
/* "sample" of one, else "samples". */
const char *samples_word(uint64_t count);
void there_release(struct there *t);

#endif
