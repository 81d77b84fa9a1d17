/* analyzers/lib/runqueue: what the recorded captures seldom hold. */
#include "analyzers/sched/runqueue.h"
#include "tests/lib/unit.h"

#define NOWHERE UINT32_MAX

struct seen {
	struct rq_interval list[32];
	size_t count;
};

static void keep(void *ctx, const struct rq_interval *i)
{
	struct seen *s = ctx;

	if (s->count < 32)
		s->list[s->count++] = *i;
}

static void start(struct runqueue *rq, struct seen *s)
{
	s->count = 0;
	runqueue_init(rq, keep, s);
	rq->wakeups = true;
}

static void event(struct runqueue *rq, enum sched_kind kind, uint64_t time_ns, uint32_t cpu,
		  uint32_t pid)
{
	struct sched_event e = { .kind = kind,
				 .time_ns = time_ns,
				 .cpu = cpu,
				 .pid = pid,
				 .current = pid,
				 .process = pid,
				 .amount_ns = 10 };

	runqueue_event(rq, &e);
}

/* CURRENT tells who ran where it was recorded. */
static void runtime(struct runqueue *rq, uint64_t time_ns, uint32_t cpu, uint32_t pid,
		    uint32_t current)
{
	struct sched_event e = { .kind = SCHED_RUNTIME,
				 .time_ns = time_ns,
				 .cpu = cpu,
				 .pid = pid,
				 .current = current,
				 .amount_ns = 10 };

	runqueue_event(rq, &e);
}

static void swap(struct runqueue *rq, uint64_t time_ns, uint32_t cpu, const uint32_t pids[2],
		 char state)
{
	struct sched_event e = { .kind = SCHED_SWITCH,
				 .time_ns = time_ns,
				 .cpu = cpu,
				 .pid = pids[0],
				 .next_pid = pids[1],
				 .current = pids[0],
				 .state = state };

	runqueue_event(rq, &e);
}

#define SWAP(rq, time_ns, cpu, from, to, state) \
	swap(rq, time_ns, cpu, (const uint32_t[]){ from, to }, state)

/* The sum of TID's intervals of STATE. */
static uint64_t sum(const struct runqueue *rq, const struct seen *s, uint32_t tid,
		    enum rq_state state)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (rq->tasks[s->list[i].task].tid == tid && s->list[i].state == state)
			ns += s->list[i].end_ns - s->list[i].start_ns;
	}
	return ns;
}

/* It was moved to another CPU while it ran, as far as was recorded. */
static void test_other_cpu(void)
{
	struct runqueue rq;
	struct seen s;

	start(&rq, &s);
	SWAP(&rq, 1000, 0, 0, 7, 'R');
	runtime(&rq, 1100, 0, 7, 7);
	runtime(&rq, 1500, 1, 7, 7);
	SWAP(&rq, 1600, 1, 7, 0, 'S');
	runqueue_end(&rq);
	CHECK_EQ(sum(&rq, &s, 7, RQ_RUNNING), 100 + 110);
	CHECK_EQ(sum(&rq, &s, 7, RQ_UNKNOWN), 390);
	runqueue_release(&rq);
}

/* Another CPU charged it: it ran, on an unknown CPU. It ran on when its CPU, which told switches
 * before that already (RECORDED), told none in between. */
static void test_charged_from_elsewhere(bool recorded)
{
	struct runqueue rq;
	struct seen s;

	start(&rq, &s);
	if (recorded)
		SWAP(&rq, 900, 1, 8, 0, 'S');
	event(&rq, SCHED_WAKING, 1000, 0, 7);
	s.count = 0;
	runtime(&rq, 1100, 0, 7, 8);
	SWAP(&rq, 1200, 1, 7, 0, 'S');
	runqueue_end(&rq);
	CHECK_EQ(sum(&rq, &s, 7, RQ_RUNNABLE), 90);
	CHECK_EQ(sum(&rq, &s, 7, RQ_RUNNING), recorded ? 110 : 10);
	CHECK_EQ(sum(&rq, &s, 7, RQ_UNKNOWN), recorded ? 0 : 100);
	CHECK_EQ(s.list[0].cpu, NOWHERE);
	runqueue_release(&rq);
}

/* The same twice: between two charges it need not have run. */
static void test_charged_from_elsewhere_twice(void)
{
	struct runqueue rq;
	struct seen s;

	start(&rq, &s);
	event(&rq, SCHED_WAKING, 1000, 0, 7);
	runtime(&rq, 1100, 0, 7, 8);
	runtime(&rq, 1300, 0, 7, 8);
	runqueue_end(&rq);
	CHECK_EQ(sum(&rq, &s, 7, RQ_RUNNING), 20);
	CHECK_EQ(sum(&rq, &s, 7, RQ_UNKNOWN), 190);
	runqueue_release(&rq);
}

/* Charged, after it left, for what was before: it does not run again. */
static void test_charged_late(void)
{
	struct runqueue rq;
	struct seen s;

	start(&rq, &s);
	SWAP(&rq, 1000, 0, 0, 7, 'R');
	SWAP(&rq, 1100, 0, 7, 0, 'S');
	runtime(&rq, 1105, 0, 7, 0);
	event(&rq, SCHED_WAKING, 1300, 1, 7);
	SWAP(&rq, 1350, 0, 0, 7, 'R');
	runqueue_end(&rq);
	CHECK_EQ(sum(&rq, &s, 7, RQ_RUNNING), 100);
	CHECK_EQ(sum(&rq, &s, 7, RQ_BLOCKED), 200);
	CHECK_EQ(sum(&rq, &s, 7, RQ_RUNNABLE), 50);
	runqueue_release(&rq);
}

/* A loss on an unknown CPU makes all doubtful that lasted across it. */
static void test_loss_anywhere(void)
{
	struct runqueue rq;
	struct seen s;

	start(&rq, &s);
	SWAP(&rq, 1000, 0, 0, 7, 'R');
	event(&rq, SCHED_LOST, 1050, NOWHERE, 0);
	SWAP(&rq, 1100, 0, 7, 8, 'S');
	SWAP(&rq, 1200, 0, 8, 0, 'S');
	runqueue_end(&rq);
	CHECK_EQ(sum(&rq, &s, 7, RQ_RUNNING), 0);
	CHECK_EQ(sum(&rq, &s, 7, RQ_UNKNOWN), 100);
	CHECK_EQ(sum(&rq, &s, 8, RQ_RUNNING), 100);
	CHECK_EQ(rq.lost, 10);
	runqueue_release(&rq);
}

/* The dead stay dead; who has the id next is another one. */
static void test_id_again(void)
{
	struct runqueue rq;
	struct seen s;

	start(&rq, &s);
	SWAP(&rq, 1000, 0, 0, 7, 'R');
	SWAP(&rq, 1100, 0, 7, 0, 'x');
	event(&rq, SCHED_WAKEUP_NEW, 1500, 0, 7);
	SWAP(&rq, 1600, 0, 0, 7, 'R');
	SWAP(&rq, 1650, 0, 7, 0, 'S');
	/* not seen to end, and made anew */
	event(&rq, SCHED_WAKEUP_NEW, 1900, 0, 7);
	runqueue_end(&rq);
	CHECK_EQ(sum(&rq, &s, 7, RQ_RUNNING), 150);
	CHECK_EQ(sum(&rq, &s, 7, RQ_RUNNABLE), 100);
	CHECK_EQ(sum(&rq, &s, 7, RQ_UNKNOWN), 0);
	CHECK_EQ(rq.count, 4); /* idle, three of the id 7 */
	CHECK_EQ(rq.mismatches, 0);
	runqueue_release(&rq);
}

/* Events that come out of order change nothing that is over. */
static void test_disorder(void)
{
	struct runqueue rq;
	struct seen s;

	start(&rq, &s);
	SWAP(&rq, 1000, 0, 0, 7, 'R');
	SWAP(&rq, 1100, 0, 7, 0, 'S');
	event(&rq, SCHED_WAKING, 900, 1, 7);
	SWAP(&rq, 1200, 0, 0, 7, 'R');
	runqueue_end(&rq);
	CHECK_EQ(rq.disordered, 1);
	CHECK_EQ(sum(&rq, &s, 7, RQ_RUNNABLE), 100);
	CHECK_EQ(sum(&rq, &s, 7, RQ_RUNNING), 100);
	runqueue_release(&rq);
}

int main(void)
{
	test_other_cpu();
	test_charged_from_elsewhere(false);
	test_charged_from_elsewhere(true);
	test_charged_from_elsewhere_twice();
	test_charged_late();
	test_loss_anywhere();
	test_id_again();
	test_disorder();
	return unit_end();
}
