/* What threads did, for the page: each interval off the CPU, as offcpu and wakeup count it, and
 * each on one. */
#include "analyzers/lanes/durations.h"
#include "analyzers/lanes/series.h"
#include "analyzers/sched/off.h"
#include "analyzers/sched/waits.h"
#include "parser/base/mem.h"

#include <stdlib.h>

enum { OFF, RUN };

/* stack: as offcpu has it; waker: as wakeup does, of the time until the wake-up. Blocked for some
 * of it, then it waited for a CPU. */
static const struct page_column off_columns[] = {
	{ "start", PAGE_TIME },	 { "length", PAGE_SUM },
	{ "blocked", PAGE_SUM }, { "thread", PAGE_THREAD },
	{ "cpu", PAGE_NUMBER },	 { "stack", PAGE_NODE },
	{ "waker", PAGE_NODE },	 { 0 },
};
static const struct page_column run_columns[] = {
	{ "start", PAGE_TIME },
	{ "length", PAGE_SUM },
	{ "thread", PAGE_THREAD },
	{ "cpu", PAGE_NUMBER },
	{ "waited", PAGE_NUMBER }, /* for a CPU: when it left the last one was not seen */
	{ 0 },
};

static const struct series_kind kinds[] = {
	[OFF] = { "off", off_columns }, [RUN] = { "run", run_columns }
};

struct sched_series {
	const struct series_sink *to;
	struct off_watch watch;
	struct off off;
};

static uint32_t thread(void *ctx, const char *comm, uint32_t pid, uint32_t tid)
{
	const struct sched_series *x = ctx;

	return x->to->thread(x->to->ctx, comm, pid, tid);
}

/* A key of the sums, and which of its two stacks. */
static uint64_t key_of(size_t key, bool waker)
{
	return 1 + ((uint64_t)key << 1 | waker);
}

static void was_off(void *ctx, const struct off_interval *i)
{
	const struct sched_series *x = ctx;
	const uint64_t row[] = { i->out_ns,
				 i->in_ns - i->out_ns,
				 i->wake_ns - i->out_ns,
				 i->thread,
				 i->cpu + (uint64_t)1,
				 key_of(i->key, false),
				 i->woken ? key_of(i->key, true) : 0 };

	x->to->add(x->to->ctx, OFF, row);
}

static void ran(void *ctx, uint32_t thread, const struct rq_interval *i)
{
	const struct sched_series *x = ctx;
	const uint64_t row[] = { i->start_ns, i->end_ns - i->start_ns, thread, i->cpu + (uint64_t)1,
				 i->state == RQ_RUNNABLE };

	x->to->add(x->to->ctx, RUN, row);
}

static void begin(void *state, const struct series_sink *to)
{
	struct sched_series *x = state;
	struct warnings none = { 0 };

	x->to = to;
	x->watch = (struct off_watch){ .thread = thread, .was_off = was_off, .ran = ran, .ctx = x };
	x->off.watch = &x->watch;
	x->off.depth = 1;
	(void)!off_begin(&x->off, NULL, &none); /* without options */
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	off_event(&((struct sched_series *)state)->off, e, s);
}

static void end(void *state)
{
	off_end(&((struct sched_series *)state)->off);
}

static bool stack(void *state, const struct pdt_session *s, struct folding *to, uint64_t key)
{
	const struct off *o = &((struct sched_series *)state)->off;
	struct off_key k;
	unsigned links = off_key(o, (size_t)(key >> 1), &k);

	if (!off_passes(&k, s))
		return false;
	if (key & 1)
		off_push_wakers(o, to, s, &k, links);
	else
		off_push_off(o, to, s, &k);
	return true;
}

static void release(void *state)
{
	off_release(&((struct sched_series *)state)->off);
}

const struct series_source sched_series = {
	.kinds = kinds,
	.count = sizeof(kinds) / sizeof(*kinds),
	.state_size = sizeof(struct sched_series),
	.wants = SCHED_WANTS,
	.begin = begin,
	.event = event,
	.end = end,
	.stack = stack,
	.release = release,
};

/* ---- for the store ---- */

/* A wait for a CPU, up to its end: whether its task passes is known in the end. */
struct kept_wait {
	uint64_t end_ns;
	uint32_t task, ns; /* ns: UINT32_MAX: the next one of the long ones */
};

struct sched_durations {
	const struct duration_sink *to;
	struct off_watch watch;
	struct off off;
	void (*next)(void *ctx, const struct rq_interval *i); /* an interval goes on to OFF */
	struct kept_wait *waits;
	uint64_t *longs; /* waits of seconds */
	size_t count, cap, long_count, long_cap;
	uint32_t *threads; /* in the end, by task: + 1; 0: not known yet */
};

static void on_interval(void *ctx, const struct rq_interval *i)
{
	struct sched_durations *x = ctx;

	x->next(&x->off, i);
	if (i->state != RQ_RUNNABLE || !i->ends || !waits_counts(&x->off.rq, i))
		return;
	x->waits = xgrow(x->waits, &x->cap, x->count + 1, sizeof(*x->waits));
	x->waits[x->count++] = (struct kept_wait){
		i->end_ns, i->task, i->whole_ns < UINT32_MAX ? (uint32_t)i->whole_ns : UINT32_MAX
	};
	if (i->whole_ns < UINT32_MAX)
		return;
	x->longs = xgrow(x->longs, &x->long_cap, x->long_count + 1, sizeof(*x->longs));
	x->longs[x->long_count++] = i->whole_ns;
}

static void counted(void *ctx, const struct off_counted *i)
{
	const struct sched_durations *x = ctx;
	const struct duration d = { .end_ns = i->end_ns,
				    .ns = i->ns,
				    .thread = i->thread,
				    .cpu = i->cpu,
				    .key = i->key == OFF_NO_KEY ? 0 : i->key + (uint64_t)1 };

	x->to->add(x->to->ctx, DURATION_OFFCPU, &d);
}

static uint32_t duration_thread(void *ctx, const char *comm, uint32_t pid, uint32_t tid)
{
	const struct sched_durations *x = ctx;

	return x->to->thread(x->to->ctx, comm, pid, tid);
}

static void begin_durations(void *state, const struct duration_sink *to)
{
	struct sched_durations *x = state;
	struct warnings none = { 0 };

	x->to = to;
	x->watch = (struct off_watch){ .thread = duration_thread, .counted = counted, .ctx = x };
	x->off.watch = &x->watch;
	(void)!off_begin(&x->off, NULL, &none); /* without options */
	x->next = x->off.rq.interval;
	x->off.rq.interval = on_interval;
	x->off.rq.ctx = x;
}

static void take_event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	off_event(&((struct sched_durations *)state)->off, e, s);
}

static void end_durations(void *state)
{
	struct sched_durations *x = state;
	const struct runqueue *rq = &x->off.rq;
	const uint64_t *longs = x->longs;

	off_end(&x->off);
	x->threads = xcalloc(rq->count + 1, sizeof(*x->threads));
	for (size_t i = 0; i < x->count; i++) {
		const struct kept_wait *w = &x->waits[i];
		const struct rq_task *t = &rq->tasks[w->task];
		struct duration d = { .end_ns = w->end_ns,
				      .ns = w->ns < UINT32_MAX ? w->ns : *longs++,
				      .cpu = UINT32_MAX };
		uint32_t *thread = &x->threads[w->task];

		if (!*thread && !runqueue_wants(rq, t))
			continue;
		if (!*thread)
			*thread = 1 + x->to->thread(x->to->ctx, runqueue_comm(rq, t), t->process,
						    t->tid);
		d.thread = *thread - 1;
		x->to->add(x->to->ctx, DURATION_WAITS, &d);
	}
}

static bool stack_of(void *state, const struct pdt_session *s, struct folding *to, uint64_t key)
{
	const struct off *o = &((struct sched_durations *)state)->off;
	struct off_key k;

	(void)off_key(o, (size_t)key, &k);
	if (!off_passes(&k, s))
		return false;
	off_push_off(o, to, s, &k);
	return true;
}

static void release_durations(void *state)
{
	struct sched_durations *x = state;

	off_release(&x->off);
	free(x->waits);
	free(x->longs);
	free(x->threads);
}

const struct duration_source sched_durations = {
	.system = "sched",
	.state_size = sizeof(struct sched_durations),
	.wants = SCHED_WANTS,
	.begin = begin_durations,
	.event = take_event,
	.end = end_durations,
	.stack = stack_of,
	.release = release_durations,
};
