/* analyzers/script/held.h: what is kept of events comes back, in memory and from blocks in a file,
 * and can be looked at ahead. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzers/script/held.h"
#include "parser/base/mem.h"
#include "tests/lib/unit.h"

#define RAW_MAX 65535

static uint8_t payload[RAW_MAX];

/* How long the payload of event I is: none, short ones, now and then the longest. */
static uint32_t raw_size(unsigned i)
{
	return i % 4 == 0 ? 0 : i % 1000 == 999 ? RAW_MAX : i % 61;
}

static struct pdt_event event_at(unsigned i)
{
	return (struct pdt_event){ .time_ns = 1000 + i,
				   .weight = i * 7ull,
				   .ip = UINT64_MAX - i,
				   .raw = i % 4 ? payload : NULL,
				   .raw_size = raw_size(i),
				   .pid = i,
				   .tid = i + 1,
				   .cpu = i % 64,
				   .comm = i % 9,
				   .stack = i % 7 ? i + 2 : PDT_NONE,
				   .place = i % 7 ? PDT_NONE : i + 4,
				   .chain = i % 7 ? i + 3 : PDT_NONE,
				   .flow = i % 5,
				   .kind = i % 3 ? PDT_SAMPLE : PDT_RECORD,
				   .mode = i % 2,
				   .has_cpu = i % 2,
				   .has_time = i % 3 };
}

static void add(struct held *h, unsigned i)
{
	uint64_t registers[3] = { i, i + 1, i + 2 };
	struct pdt_values values = { .addr = i, .weight = i + 9ull };
	struct pdt_branch branches[3] = { { .from = i }, { .to = i }, { .cycles = 7 } };
	uint32_t ends[6] = { i, 1, 2, 3, 4, i };
	struct held_more more = { .place = i,
				  .branch_count = i % 4,
				  .branches = branches,
				  .ends = i % 4 == 3 ? ends : NULL,
				  .registers = { { 2, 0x70, registers }, { 0, 0, NULL } } };
	struct pdt_event e = event_at(i);

	e.values = &values;
	held_add(h, &e, i % 5 ? NULL : &more);
}

static void check_more(const struct held_row *row, unsigned i)
{
	const struct held_more *m = &row->more;

	if (i % 5) {
		CHECK(!row->event.values && !m->branch_count && !m->ends && !m->registers[0].abi);
		CHECK_EQ(m->place, PDT_NONE);
		return;
	}
	CHECK_EQ(row->event.values->addr, i);
	CHECK_EQ(row->event.values->weight, i + 9);
	CHECK_EQ(m->place, i);
	CHECK_EQ(m->branch_count, i % 4);
	CHECK(!m->branch_count || m->branches[0].from == i);
	CHECK(m->branch_count < 2 || m->branches[1].to == i);
	CHECK((i % 4 == 3) == (m->ends != NULL));
	CHECK(!m->ends || (m->ends[0] == i && m->ends[4] == 4 && m->ends[5] == i));
	CHECK_EQ(m->registers[0].mask, 0x70);
	CHECK_EQ(m->registers[0].values[2], i + 2);
	CHECK_EQ(m->registers[1].abi, 0);
}

static void check_row(const struct held_row *row, unsigned i)
{
	struct pdt_event want = event_at(i);
	const struct pdt_event *e = &row->event;

	CHECK(e->time_ns == want.time_ns && e->weight == want.weight && e->ip == want.ip);
	CHECK(e->pid == want.pid && e->tid == want.tid && e->cpu == want.cpu);
	CHECK(e->comm == want.comm && e->stack == want.stack && e->chain == want.chain);
	CHECK_EQ(e->place, want.place);
	CHECK(e->flow == want.flow && e->kind == want.kind && e->mode == want.mode);
	CHECK(e->has_cpu == want.has_cpu && e->has_time == want.has_time);
	CHECK_EQ(!e->raw, !want.raw);
	CHECK_EQ(e->raw_size, want.raw_size);
	CHECK(!e->raw || !memcmp(e->raw, payload, e->raw_size));
	check_more(row, i);
}

/* COUNT events; who looks ahead sees each of them once, in time but not too early. */
static void check(unsigned count)
{
	struct warnings w = { 0 };
	struct held h = { 0 };
	struct held_row row = { 0 };
	struct held_coming c;
	unsigned seen = 0, n = 0;

	for (unsigned i = 0; i < count; i++)
		add(&h, i);
	CHECK_EQ(h.count, count);
	CHECK_EQ(h.stacked, count - (count + 6) / 7);
	CHECK_EQ(held_rewind(&h, &w), 0);
	for (;;) {
		while (held_ahead(&h, 1, 5, &c)) {
			CHECK_EQ(c.stack, event_at(seen).stack);
			CHECK_EQ(c.chain, event_at(seen).chain);
			CHECK_EQ(c.place, event_at(seen).place);
			CHECK(seen++ <= n + 5);
		}
		if (!held_next(&h, &row))
			break;
		check_row(&row, n++);
		if (seen < n) /* the first of a block */
			seen = n - 1;
	}
	CHECK_EQ(n, count);
	CHECK(seen + 1 >= count);
	CHECK_EQ(h.error, 0);
	CHECK(!held_next(&h, &row));
	held_release(&h);
	warnings_release(&w);
}

/* What was written cannot be read any more: at once, or after the first block. */
static void check_lost(off_t left)
{
	struct warnings w = { 0 };
	struct held h = { 0 };
	struct held_row row = { 0 };
	unsigned n = 0;
	int rc;

	for (unsigned i = 0; i < 20000; i++)
		add(&h, i);
	CHECK_EQ(ftruncate(h.fd - 1, left), 0);
	h.used = 0; /* it would be written, too */
	rc = held_rewind(&h, &w);
	CHECK_EQ(rc, left ? 0 : ERR_IO);
	CHECK_EQ(warn_find(&w, "held") != NULL, !left);
	while (rc == 0 && held_next(&h, &row))
		check_row(&row, n++);
	CHECK_EQ(h.error, EIO);
	CHECK_EQ(n > 0, left > 0);
	held_release(&h);
	warnings_release(&w);
}

int main(void)
{
	for (unsigned i = 0; i < sizeof(payload); i++)
		payload[i] = (uint8_t)(i * 31);
	check(0);
	check(1);
	check(100);
	check(20000);
	check_lost(0);
	check_lost(3 << 17); /* one block and a half */
	return unit_end();
}
