/* A record that waits for its time: a copy of its bytes. */
#ifndef PDTOOL_FEED_HELD_H
#define PDTOOL_FEED_HELD_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/file/attr.h"
#include "parser/file/stream.h"
#include "parser/feed/order.h"

/* Allocated by malloc, freed by who takes it. */
struct held_record {
	uint32_t type, size;
	uint16_t misc;
	bool swap;
	uint64_t offset;
	uint8_t body[];
};

/* Let RAW wait in TO. */
void hold_record(struct order *to, const struct raw *raw, struct event_list *events);
/* As it was read. */
struct raw held_record_raw(const struct held_record *h);

#endif
