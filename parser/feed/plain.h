/* Plain samples: those whose fields up to the call chain, or up to the payload of a tracepoint, lie
 * at fixed places, which nearly all captures have. Reading one takes a few loads; everything else
 * goes through sample_decode(). */
#ifndef PDTOOL_RECORD_PLAIN_H
#define PDTOOL_RECORD_PLAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "parser/file/attr.h"

/* Offsets from the start of the record; 0: no such field. */
struct plain_layout {
	bool usable;
	bool by_id;					/* several events: the id says which */
	uint16_t id, ip, tid, time, cpu, period, chain; /* chain: where its u64 count is */
	uint16_t raw;					/* where the u32 size of the payload is */
	uint16_t min_size;				/* with that u32 */
	uint64_t type;					/* sample_type */
};

/* The layout that all of EVENTS share, in the host's byte order; not usable when they differ or
 * hold fields that are not plain. */
struct plain_layout plain_layout_of(const struct event_list *events, bool swap);

/* The same for tracepoints without call chains: of the events with the first one's sample_type. */
struct plain_layout plain_raw_layout_of(const struct event_list *events, bool swap);

static inline uint64_t plain_u64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint32_t plain_u32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

#endif
