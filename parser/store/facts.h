/* What is known of a capture beside its samples, into a store's file. */
#ifndef PDTOOL_STORE_FACTS_H
#define PDTOOL_STORE_FACTS_H

#include "parser/store.h"
#include "parser/store/sql.h"

struct store_sums {
	uint64_t weight, samples;
};

/* Of the cells of C, by event: to be freed by the caller. */
struct store_sums *facts_sums(const struct store_capture *c);

/* What adds captures, one after the other. */
struct facts {
	struct sql *sql;
	sqlite3_stmt *capture, *label, *event;
};

/* To be ended whatever comes. */
CHECKED int facts_begin(struct facts *f, struct sql *s);
void facts_end(struct facts *f);
/* The capture C, its labels and events, with these SUMS: *ID is its number then. */
CHECKED int facts_add(struct facts *f, const struct store_capture *c, const struct store_sums *sums,
		      int64_t *id);

#endif
