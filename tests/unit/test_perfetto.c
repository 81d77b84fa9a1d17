/* formats/export/perfetto_pack: what is packed by hand has the bytes that protobuf-c makes of the
 * same messages. */
#include "formats/export/perfetto.pb-c.h"
#include "formats/export/perfetto_pack.h"
#include "tests/lib/unit.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS	 20000
#define SEQUENCE 1

#define SET(message, field, value)            \
	do {                                  \
		(message).has_##field = true; \
		(message).field = (value);    \
	} while (0)

/* ---- random moments, of numbers of all lengths ---- */

struct made {
	struct profile_who whos[3];
	struct profile_part part;
	struct profile_moment m;
};

static uint64_t seed = 1;

static uint32_t below(uint32_t most)
{
	return (uint32_t)(unit_random(&seed) % most);
}

static uint64_t number(void)
{
	uint64_t v = unit_random(&seed) << 40 ^ unit_random(&seed) << 20 ^ unit_random(&seed);

	return v >> below(64);
}

static void make(struct made *made, enum profile_kind kind)
{
	struct profile_moment *m = &made->m;

	*made = (struct made){ .part.whos = made->whos };
	for (size_t i = 0; i < 3; i++) {
		struct profile_who *who = &made->whos[i];

		*who = (struct profile_who){ (uint32_t)number(), (uint32_t)number(),
					     (int32_t)number(), 0, "" };
		for (size_t k = below(PROFILE_COMM); k-- > 0;)
			who->comm[k] = (char)(1 + below(255));
	}
	m->time_ns = number();
	m->cpu = (uint32_t)number();
	m->kind = kind;
	if (kind == PROFILE_SAMPLE) {
		m->cpu = below(2) ? PROFILE_NONE : m->cpu;
		m->sample.weight = number();
	} else if (kind == PROFILE_SWITCH) {
		m->sched_switch.prev_state = (int64_t)number();
		m->sched_switch.prev = 1;
		m->sched_switch.next = 2;
	} else if (kind == PROFILE_ISSUE || kind == PROFILE_COMPLETE) {
		m->request.sector = number();
		m->request.dev = (uint32_t)number();
		m->request.sectors = (uint32_t)number();
		m->request.bytes = (uint32_t)number();
		m->request.error = (int32_t)number();
		m->request.rwbs = 1;
	} else {
		m->wakeup.who = 1;
		m->wakeup.target_cpu = (uint32_t)number();
	}
}

/* ---- the same by the library ---- */

union parts {
	Perfetto__SchedSwitch sched_switch;
	Perfetto__SchedWakeup wakeup;
	Perfetto__BlockRqIssue issue;
	Perfetto__BlockRqComplete complete;
};

static void set_switch(Perfetto__SchedSwitch *s, struct made *made)
{
	struct profile_who *prev = &made->whos[1], *next = &made->whos[2];

	perfetto__sched_switch__init(s);
	s->prev_comm = prev->comm;
	SET(*s, prev_pid, (int32_t)prev->tid);
	SET(*s, prev_prio, prev->prio);
	SET(*s, prev_state, made->m.sched_switch.prev_state);
	s->next_comm = next->comm;
	SET(*s, next_pid, (int32_t)next->tid);
	SET(*s, next_prio, next->prio);
}

static void set_wakeup(Perfetto__SchedWakeup *w, struct made *made)
{
	struct profile_who *who = &made->whos[1];

	perfetto__sched_wakeup__init(w);
	w->comm = who->comm;
	SET(*w, pid, (int32_t)who->tid);
	SET(*w, prio, who->prio);
	SET(*w, success, 1);
	SET(*w, target_cpu, (int32_t)made->m.wakeup.target_cpu);
}

static void set_issue(Perfetto__BlockRqIssue *r, struct made *made)
{
	perfetto__block_rq_issue__init(r);
	SET(*r, dev, made->m.request.dev);
	SET(*r, sector, made->m.request.sector);
	SET(*r, nr_sector, made->m.request.sectors);
	SET(*r, bytes, made->m.request.bytes);
	r->rwbs = made->whos[1].comm;
	r->comm = made->whos[0].comm;
}

static void set_complete(Perfetto__BlockRqComplete *r, struct made *made)
{
	perfetto__block_rq_complete__init(r);
	SET(*r, dev, made->m.request.dev);
	SET(*r, sector, made->m.request.sector);
	SET(*r, nr_sector, made->m.request.sectors);
	SET(*r, errors, made->m.request.error);
	r->rwbs = made->whos[1].comm;
}

static void set_event(Perfetto__FtraceEvent *e, union parts *part, struct made *made)
{
	perfetto__ftrace_event__init(e);
	SET(*e, timestamp, made->m.time_ns);
	SET(*e, pid, made->whos[0].tid);
	switch (made->m.kind) {
	case PROFILE_SWITCH:
		set_switch(e->sched_switch = &part->sched_switch, made);
		break;
	case PROFILE_WAKING:
		set_wakeup(e->sched_waking = &part->wakeup, made);
		break;
	case PROFILE_WAKEUP:
		set_wakeup(e->sched_wakeup = &part->wakeup, made);
		break;
	case PROFILE_WAKEUP_NEW:
		set_wakeup(e->sched_wakeup_new = &part->wakeup, made);
		break;
	case PROFILE_ISSUE:
		set_issue(e->block_rq_issue = &part->issue, made);
		break;
	default:
		set_complete(e->block_rq_complete = &part->complete, made);
	}
}

static void check_packet(Perfetto__TracePacket *packet, const uint8_t *got, size_t size)
{
	Perfetto__TracePacket *list[1] = { packet };
	Perfetto__Trace trace = PERFETTO__TRACE__INIT;
	uint8_t *want;

	trace.packet = list;
	trace.n_packet = 1;
	CHECK_EQ(size, perfetto__trace__get_packed_size(&trace));
	want = malloc(perfetto__trace__get_packed_size(&trace));
	CHECK(!memcmp(want, got, perfetto__trace__pack(&trace, want)));
	free(want);
}

static void test_events(size_t count)
{
	static struct made made[64];
	static union parts parts[64];
	Perfetto__FtraceEvent events[64], *list[64];
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__FtraceEventBundle bundle = PERFETTO__FTRACE_EVENT_BUNDLE__INIT;
	uint8_t body[64 * PACKED_MOST], whole[65 * PACKED_MOST], *to = body;
	uint32_t cpu = (uint32_t)number();

	for (size_t i = 0; i < count; i++) {
		uint8_t *from = to;

		make(&made[i], PROFILE_SWITCH + below(PROFILE_COMPLETE - PROFILE_SAMPLE));
		set_event(list[i] = &events[i], &parts[i], &made[i]);
		to = pack_event(to, &made[i].part, &made[i].m);
		CHECK(to - from <= PACKED_MOST - PROFILE_COMM); /* names are copied whole */
	}
	SET(bundle, cpu, cpu);
	bundle.event = list;
	bundle.n_event = count;
	packet.ftrace_events = &bundle;
	SET(packet, trusted_packet_sequence_id, SEQUENCE);
	to = pack_events_head(whole, cpu, SEQUENCE, (size_t)(to - body));
	CHECK(to - whole <= PACKED_MOST / 2);
	for (size_t i = 0; i < count; i++)
		to = pack_event(to, &made[i].part, &made[i].m);
	to = pack_events_tail(to, SEQUENCE);
	check_packet(&packet, whole, (size_t)(to - whole));
}

static void test_sample(void)
{
	struct made made;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__PerfSample sample = PERFETTO__PERF_SAMPLE__INIT;
	uint8_t bytes[PACKED_MOST];
	struct packed_sample s = { &made.m, (uint32_t)number(), 2, number() };

	make(&made, PROFILE_SAMPLE);
	if (made.m.cpu != PROFILE_NONE)
		SET(sample, cpu, made.m.cpu);
	SET(sample, pid, made.whos[0].pid);
	SET(sample, tid, made.whos[0].tid);
	SET(sample, callstack_iid, s.stack);
	SET(sample, timebase_count, made.m.sample.weight);
	packet.perf_sample = &sample;
	SET(packet, timestamp, made.m.time_ns);
	SET(packet, trusted_packet_sequence_id, s.sequence);
	SET(packet, sequence_flags, s.flags);
	check_packet(&packet, bytes, (size_t)(pack_sample(bytes, &made.part, &s) - bytes));
}

int main(void)
{
	for (size_t i = 0; i < ROUNDS; i++) {
		test_sample();
		test_events(1 + i % 2);
	}
	for (size_t i = 1; i <= 64; i++)
		test_events(i);
	return unit_end();
}
