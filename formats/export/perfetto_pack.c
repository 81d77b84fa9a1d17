/* Fields of a message stand in the order of their numbers, as protobuf-c writes them
 * (https://protobuf.dev/programming-guides/encoding). The numbers are those of perfetto.proto. */
#include "formats/export/perfetto_pack.h"

#include <string.h>

enum wire { VARINT = 0, BYTES = 2 };

static inline uint8_t *put_varint(uint8_t *to, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*to++ = (uint8_t)(v | 0x80);
	*to++ = (uint8_t)v;
	return to;
}

static inline uint8_t *put_tag(uint8_t *to, uint32_t field, enum wire wire)
{
	return put_varint(to, field << 3 | wire);
}

static inline uint8_t *put_u64(uint8_t *to, uint32_t field, uint64_t v)
{
	return put_varint(put_tag(to, field, VARINT), v);
}

/* Negative ones as 64 bits. */
static inline uint8_t *put_i32(uint8_t *to, uint32_t field, int32_t v)
{
	return put_u64(to, field, (uint64_t)(int64_t)v);
}

static inline uint8_t *put_comm(uint8_t *to, uint32_t field, const char comm[PROFILE_COMM])
{
	size_t len = strlen(comm);

	to = put_tag(to, field, BYTES);
	*to++ = (uint8_t)len;
	memcpy(to, comm, PROFILE_COMM);
	return to + len;
}

/* Of a message that began at FROM, behind a byte left for its length, the end is TO. */
static inline uint8_t *put_length(uint8_t *from, uint8_t *to)
{
	size_t len = (size_t)(to - from - 1);

	if (len < 0x80) {
		*from = (uint8_t)len;
		return to;
	}
	memmove(from + 2, from + 1, len); /* it has less than 16384 */
	(void)put_varint(from, len);
	return to + 1;
}

/* ---- the kernel's events ---- */

static uint8_t *put_switch(uint8_t *to, const struct profile_part *p,
			   const struct profile_moment *m)
{
	const struct profile_who *prev = &p->whos[m->sched_switch.prev];
	const struct profile_who *next = &p->whos[m->sched_switch.next];

	to = put_comm(to, 1, prev->comm);
	to = put_i32(to, 2, (int32_t)prev->tid);
	to = put_i32(to, 3, prev->prio);
	to = put_u64(to, 4, (uint64_t)m->sched_switch.prev_state);
	to = put_comm(to, 5, next->comm);
	to = put_i32(to, 6, (int32_t)next->tid);
	return put_i32(to, 7, next->prio);
}

static uint8_t *put_wakeup(uint8_t *to, const struct profile_part *p,
			   const struct profile_moment *m)
{
	const struct profile_who *who = &p->whos[m->wakeup.who];

	to = put_comm(to, 1, who->comm);
	to = put_i32(to, 2, (int32_t)who->tid);
	to = put_i32(to, 3, who->prio);
	to = put_u64(to, 4, 1); /* it succeeded */
	return put_i32(to, 5, (int32_t)m->wakeup.target_cpu);
}

static uint8_t *put_issue(uint8_t *to, const struct profile_part *p, const struct profile_moment *m)
{
	to = put_u64(to, 1, m->request.dev);
	to = put_u64(to, 2, m->request.sector);
	to = put_u64(to, 3, m->request.sectors);
	to = put_u64(to, 4, m->request.bytes);
	to = put_comm(to, 5, p->whos[m->request.rwbs].comm);
	return put_comm(to, 6, p->whos[m->who].comm);
}

static uint8_t *put_complete(uint8_t *to, const struct profile_part *p,
			     const struct profile_moment *m)
{
	to = put_u64(to, 1, m->request.dev);
	to = put_u64(to, 2, m->request.sector);
	to = put_u64(to, 3, m->request.sectors);
	to = put_i32(to, 4, m->request.error);
	return put_comm(to, 5, p->whos[m->request.rwbs].comm);
}

uint8_t *pack_event(uint8_t *to, const struct profile_part *p, const struct profile_moment *m)
{
	static const struct {
		uint32_t field; /* of FtraceEvent */
		uint8_t *(*put)(uint8_t *to, const struct profile_part *p,
				const struct profile_moment *m);
	} kinds[] = {
		[PROFILE_SWITCH] = { 4, put_switch },
		[PROFILE_WAKEUP] = { 17, put_wakeup },
		[PROFILE_WAKING] = { 20, put_wakeup },
		[PROFILE_ISSUE] = { 45, put_issue },
		[PROFILE_WAKEUP_NEW] = { 114, put_wakeup },
		[PROFILE_COMPLETE] = { 125, put_complete },
	};
	uint8_t *event = put_tag(to, 2, BYTES), *part;

	to = put_u64(event + 1, 1, m->time_ns);
	to = put_u64(to, 2, p->whos[m->who].tid);
	part = put_tag(to, kinds[m->kind].field, BYTES);
	to = put_length(part, kinds[m->kind].put(part + 1, p, m));
	return put_length(event, to);
}

static uint8_t *put_cpu(uint8_t *to, uint32_t cpu)
{
	return put_u64(to, 1, cpu);
}

uint8_t *pack_events_head(uint8_t *to, uint32_t cpu, uint32_t sequence, size_t count)
{
	uint8_t some[16];
	size_t bundle = (size_t)(put_cpu(some, cpu) - some) + count;
	size_t packet = (size_t)(put_varint(put_tag(some, 1, BYTES), bundle) - some) + bundle;

	packet += (size_t)(pack_events_tail(some, sequence) - some);
	to = put_varint(put_tag(to, 1, BYTES), packet);
	to = put_varint(put_tag(to, 1, BYTES), bundle);
	return put_cpu(to, cpu);
}

uint8_t *pack_events_tail(uint8_t *to, uint32_t sequence)
{
	return put_u64(to, 10, sequence);
}

/* ---- samples ---- */

uint8_t *pack_sample(uint8_t *to, const struct profile_part *p, const struct packed_sample *s)
{
	const struct profile_moment *m = s->m;
	const struct profile_who *who = &p->whos[m->who];
	uint8_t *packet = put_tag(to, 1, BYTES), *sample;

	to = put_u64(packet + 1, 8, m->time_ns);
	to = put_u64(to, 10, s->sequence);
	to = put_u64(to, 13, s->flags);
	sample = put_tag(to, 66, BYTES);
	to = sample + 1;
	if (m->cpu != PROFILE_NONE)
		to = put_u64(to, 1, m->cpu);
	to = put_u64(to, 2, who->pid);
	to = put_u64(to, 3, who->tid);
	to = put_u64(to, 4, s->stack);
	to = put_u64(to, 6, m->sample.weight);
	to = put_length(sample, to);
	return put_length(packet, to);
}
