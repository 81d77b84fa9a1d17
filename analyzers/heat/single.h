/* A number of each event of one kind: a field, the period, the time since the one before, the time
 * within its second, or the function that was sampled. */
#ifndef PDTOOL_SINGLE_H
#define PDTOOL_SINGLE_H

#include "analyzers/heat/heat.h"
#include "analyzers/heat/picked.h"
#include "parser/base/idmap.h"
#include "formats/model/option.h"

enum single_kind { VALUE_FIELD, VALUE_PERIOD, VALUE_DELTA, VALUE_SUBSECOND, VALUE_SYMBOL };

struct single {
	struct picked picked;
	enum single_kind value;
	/* VALUE_DELTA: the time of the last one, by key */
	struct idmap last;
	uint64_t *last_ns;
	size_t last_count, last_cap;
	uint64_t negative, unreadable, left_out; /* left_out: of keys past the most */
	struct intern symbols;
	struct arena names;
};

/* The words of what a value may be, by enum single_kind; all others are names of fields. */
extern const char *const heat_values[];

/* PATTERN may be NULL: all events. VALUE not given: subsecond. KEY: fields, of VALUE_DELTA; without
 * them all events follow each other. ERR_USAGE with a message in W. */
CHECKED int single_begin(struct single *n, const char *pattern, const struct word_or_text *value,
			 const struct name_list *key, struct warnings *w);
void single_release(struct single *n);
/* False when E has none. */
bool single_value(struct single *n, const struct picked_binding *b, const struct pdt_event *e,
		  uint64_t *out);
/* VALUE_SYMBOL, once names are there: the labels of at most ROWS (0: 50) rows, a NULL behind them;
 * the values of the points become their numbers. The functions with the most samples come first;
 * the last row is all others. */
const char *const *single_labels(struct single *n, struct heat *h, uint64_t rows,
				 const struct pdt_session *s);

#endif
