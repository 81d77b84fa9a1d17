/* The messages of perfetto.proto that there are millions of, packed without a library, which takes
 * four times as long: a moment each. tests/unit/test_perfetto.c compares them with its bytes. */
#ifndef PDTOOL_EXPORT_PERFETTO_PACK_H
#define PDTOOL_EXPORT_PERFETTO_PACK_H

#include "formats/model/profile.h"

#define PACKED_MOST 256 /* bytes of a moment: a dozen numbers, two names */

/* A moment of P's that is no sample, as a field "event" of an FtraceEventBundle; returns where it
 * ends. */
uint8_t *pack_event(uint8_t *to, const struct profile_part *p, const struct profile_moment *m);
/* COUNT bytes of such fields, of one CPU, as a packet of SEQUENCE: what stands before them, and
 * behind them. */
uint8_t *pack_events_head(uint8_t *to, uint32_t cpu, uint32_t sequence, size_t count);
uint8_t *pack_events_tail(uint8_t *to, uint32_t sequence);
/* A sample as a packet of SEQUENCE, with FLAGS, whose stack is number STACK there. */
struct packed_sample {
	const struct profile_moment *m;
	uint32_t sequence, flags;
	uint64_t stack;
};
uint8_t *pack_sample(uint8_t *to, const struct profile_part *p, const struct packed_sample *s);

#endif
