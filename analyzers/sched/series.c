/* What threads did, for the page: each interval off the CPU, as offcpu and wakeup count it, and
 * each on one. */
#include "analyzers/lanes/series.h"
#include "analyzers/sched/off.h"

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
	x->watch = (struct off_watch){ thread, was_off, ran, x };
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
