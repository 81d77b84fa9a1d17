/* Histograms of a capture, in a store's file and on ClickHouse: a table of their own. */
#ifndef PDTOOL_STORE_LATENCY_LATENCY_H
#define PDTOOL_STORE_LATENCY_LATENCY_H

#include "parser/store.h"
#include "parser/store/pick.h"
#include "parser/store_latency.h"

struct click;

/* Negative, with a message in W: C chooses stacks, which they have not. */
CHECKED int latency_check_choice(const struct store_choice *c, struct warnings *w);

/* ---- a file ---- */

/* Its table, where it is not there yet: stores of before have none. */
extern const char latency_schema[];

/* Those of C, which is capture ID. */
CHECKED int latency_add(struct sql *s, const struct store_capture *c, int64_t id);

/* Those of PICKS, each a capture, and how many of them have none. */
CHECKED int latency_read(struct sql *s, const struct store_latency_asking *a,
			 const struct picks *picks, size_t *without);

/* ---- ClickHouse ---- */

/* Sent as capture CAP. */
CHECKED int click_latency_add(struct click *k, const struct store_capture *c, uint64_t cap);
CHECKED int click_latency_read(struct click *k, const struct store_latency_asking *a,
			       const struct picks *picks, size_t *without);

#endif
