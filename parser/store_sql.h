/* Questions to a store as SQL, to be copied into a dashboard. */
#ifndef PDTOOL_STORE_SQL_TEXT_H
#define PDTOOL_STORE_SQL_TEXT_H

#include "parser/store.h"

struct buf;

/* Its own schema; names of functions with weight; folded stacks, by value of "each" where there is
 * one; the weight of a function by hour; when each was first seen; what of the time was recorded;
 * how long things took. */
enum store_question {
	STORE_NO_QUESTION,
	STORE_SCHEMA,
	STORE_TOP,
	STORE_FLAME,
	STORE_GRAFANA,
	STORE_TREND,
	STORE_FIRST,
	STORE_COVERAGE,
	STORE_LENGTHS, /* of KINDS: how many, how long in all and at most */
};

struct store_asking {
	enum store_question question;
	const struct store_choice *choice;
	const char *function; /* of a trend: a name or a pattern (fnmatch(3)) */
	const char *const *kinds; /* of latencies: by command, or by device and kind if several */
	size_t kind_count;
	const char *cluster;  /* of ClickHouse's schema: NULL: one server */
	const char *database; /* ClickHouse's */
	bool remote;	      /* ClickHouse's SQL, or SQLite's */
};

/* Its text. Negative, with a message in W: more has to be told. */
CHECKED int store_question_sql(const struct store_asking *a, struct buf *out, struct warnings *w);

#endif
