/* Holds each thread's last switch-out, or its birth, until it comes back, then counts the interval
 * under its stack. Wake-ups between the two say who ended it. */
#include "analyzers/sched/off.h"
#include "analyzers/count/namer.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

#define KEY_SIZE(n) (offsetof(struct off_key, links) + (n) * sizeof(struct off_link))

static void on_interval(void *ctx, const struct rq_interval *i);

/* ---- options ---- */

#define OFF(member) offsetof(struct off_options, member)

const struct option off_options[] = {
	{ "state", 0, OPT_NAMES, OFF(states), "LETTER,...",
	  "only intervals in these states: S, D, R (preempted) ...", .pattern = "^[a-z]*$",
	  .wanted = "letters as ps shows them: S,D,R" },
	{ "min", 0, OPT_DURATION, OFF(min_ns), "DUR",
	  "only intervals of at least DUR, 10ms or 0.01" },
	{ "max", 0, OPT_DURATION, OFF(max_ns), "DUR", "only those up to DUR", .positive = true },
	{ "strip-schedule", 0, OPT_FLAG, OFF(strip), NULL,
	  "leave out schedule, __schedule, preempt_schedule*" },
	{ .type = OPT_TABLE, .table = folding_name_options, .offset = OFF(names) },
	{ 0 },
};

static void take_states(struct off *o)
{
	for (size_t i = 0; i < o->o.states.count; i++) {
		for (const char *p = o->o.states.list[i]; *p; p++)
			o->states[(unsigned char)*p & 127] = true;
	}
	if (!o->o.states.count)
		memset(o->states, true, sizeof(o->states));
}

static void start_capture(struct off *o)
{
	runqueue_init(&o->rq, on_interval, o);
}

int off_begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct off *o = state;

	o->folding.o = o->o.names;
	start_capture(o);
	take_states(o);
	return folding_begin(&o->folding, w);
}

/* ---- tasks ---- */

static struct off_task *task_at(struct off *o, uint32_t task)
{
	size_t old = o->task_count, n = (size_t)task + 1;

	if (n <= old)
		return &o->tasks[task];
	o->tasks = xgrow(o->tasks, &o->task_cap, n, sizeof(*o->tasks));
	memset(o->tasks + old, 0, (n - old) * sizeof(*o->tasks));
	if (o->depth) {
		o->links = xgrow(o->links, &o->link_cap, n * o->depth, sizeof(*o->links));
		memset(o->links + old * o->depth, 0xff, (n - old) * o->depth * sizeof(*o->links));
	}
	o->task_count = n;
	return &o->tasks[task];
}

/* The run queue's task TID, or NONE; the idle tasks do not count. */
static uint32_t task_of(struct off *o, uint32_t tid)
{
	return tid ? runqueue_find(&o->rq, tid) : NONE;
}

/* Who woke TASK up, DEPTH of them. */
static struct off_link *links_of(const struct off *o, uint32_t task)
{
	return o->depth ? o->links + (size_t)task * o->depth : NULL;
}

static bool passes(const struct filter *f, const struct rq_task *t, const char *comm)
{
	return t->tid && filter_thread(f, t->process, t->tid, comm);
}

/* What TASK is called now, as event E tells or else the run queue knows; made anew only when that
 * changes. */
static void name_task(struct off *o, uint32_t task, const struct pdt_event *e,
		      const struct pdt_session *s)
{
	const struct rq_task *t = &o->rq.tasks[task];
	struct off_task *p = task_at(o, task);
	bool own = e->tid == t->tid && pdt_comm(s, e->comm);
	uint32_t comm_id = own ? e->comm : t->comm;
	uint32_t pid = e->tid == t->tid ? e->pid : t->process;
	const char *comm;

	if (p->labeled && p->label_comm == comm_id && p->label_pid == pid)
		return;
	comm = own ? pdt_comm(s, e->comm) : runqueue_comm(&o->rq, t);
	p->labeled = true;
	p->label_comm = comm_id;
	p->label_pid = pid;
	p->label = folding_label(&o->folding, comm, pid, t->tid);
	p->passes = passes(o->rq.filter, t, comm);
	if (o->watch)
		p->thread = o->watch->thread(o->watch->ctx, comm, pid, t->tid);
}

/* ---- each interval ---- */

/* As the run queue knows T, which no event told of itself. */
static void name_known(struct off *o, struct off_task *p, const struct rq_task *t)
{
	const char *comm = runqueue_comm(&o->rq, t);

	p->passes = passes(o->rq.filter, t, comm);
	if (o->watch && p->passes)
		p->thread = o->watch->thread(o->watch->ctx, comm, t->process, t->tid);
}

static void tell_ran(struct off *o, struct off_task *p, const struct rq_task *t)
{
	if (!o->watch || !o->watch->ran || p->ran.end_ns <= p->ran.start_ns)
		return;
	if (!p->labeled)
		name_known(o, p, t);
	if (p->passes)
		o->watch->ran(o->watch->ctx, p->thread, &p->ran);
	p->ran.end_ns = p->ran.start_ns;
}

static uint64_t clamp(uint64_t v, const struct num_range *to)
{
	return v < to->lo ? to->lo : v > to->hi ? to->hi : v;
}

/* I, as far as it is in the windows of time. */
static void tell_off(const struct off *o, const struct off_interval *i)
{
	const struct num_list *windows = &o->rq.filter->times;

	if (!windows->count && i->out_ns < i->in_ns)
		o->watch->was_off(o->watch->ctx, i);
	for (size_t k = 0; k < windows->count; k++) {
		struct off_interval part = *i;

		part.out_ns = clamp(i->out_ns, &windows->list[k]);
		part.wake_ns = clamp(i->wake_ns, &windows->list[k]);
		part.in_ns = clamp(i->in_ns, &windows->list[k]);
		if (part.out_ns < part.in_ns)
			o->watch->was_off(o->watch->ctx, &part);
	}
}

/* ---- intervals ---- */

static void on_interval(void *ctx, const struct rq_interval *i)
{
	struct off *o = ctx;
	struct off_task *p = task_at(o, i->task);
	uint64_t ns = i->end_ns - i->start_ns;

	if (i->state == RQ_RUNNING || (i->state == RQ_RUNNABLE && !p->out && !p->born)) {
		tell_ran(o, p, &o->rq.tasks[i->task]);
		if (num_list_passes(&o->rq.filter->cpus, i->cpu))
			p->ran = *i;
	}
	if (i->state == RQ_RUNNING)
		return;
	(void)add_held(&p->away_ns, ns);
	if (i->state == RQ_BLOCKED)
		(void)add_held(&p->blocked_ns, ns);
	else if (i->state == RQ_RUNNABLE)
		(void)add_held(&p->runnable_ns, ns);
	else
		(void)add_held(&p->unknown_ns, ns);
}

static bool has_chain(const struct pdt_session *s, uint32_t stack)
{
	return stack != NONE &&
	       !(pdt_stack_at(s, stack).flags & (PDT_STACK_NO_CHAIN | PDT_STACK_EMPTY));
}

/* The key of the interval of P that ended; LINKS are its wakers, NULL: none. */
static uint32_t key_of(struct off *o, const struct off_task *p, const struct off_link *links)
{
	struct off_key key; /* as far as it is used */
	unsigned n = 0;
	size_t count = o->keys.count;
	uint32_t id;

	key.label = p->out_label;
	key.stack = p->stack;
	key.letter = (unsigned char)p->letter;
	while (links && n < o->depth && links[n].label != NONE) {
		key.links[n] = links[n];
		n++;
	}
	id = intern_add(&o->keys, (const char *)&key, KEY_SIZE(n));
	o->weights = xgrow(o->weights, &o->weight_cap, o->keys.count, sizeof(*o->weights));
	if (id == count)
		o->weights[id] = 0;
	return id;
}

/* The same; without wakers it is mostly that of the interval of P before. */
static uint32_t key_again(struct off *o, struct off_task *p, const struct off_link *links)
{
	struct off_last *l = &p->last;

	if (links)
		return key_of(o, p, links);
	if (!l->known || l->label != p->out_label || l->stack != p->stack || l->letter != p->letter)
		*l = (struct off_last){ p->out_label, p->stack, key_of(o, p, NULL), p->letter,
					true };
	return l->key;
}

static void tell_counted(const struct off *o, const struct off_counted *i)
{
	if (o->watch && o->watch->counted)
		o->watch->counted(o->watch->ctx, i);
}

/* The interval of P ended at NOW_NS; without a wake-up it is not known which part of it P waited.
 */
static void count(struct off *o, struct off_task *p, const struct off_link *links, bool chain,
		  uint64_t now_ns)
{
	struct off_sums *sums = &o->sums;
	uint64_t blocked = p->blocked_ns + p->unknown_ns, runnable;
	struct off_counted i = { now_ns, 0, p->out_thread, p->out_cpu, OFF_NO_KEY };

	if (o->depth && blocked && !p->woken) {
		sums->unwoken++;
		(void)add_held(&sums->unwoken_ns, blocked);
		return;
	}
	if (p->unknown_ns) {
		sums->undivided++;
		(void)add_held(&sums->undivided_ns, p->unknown_ns);
	}
	sums->count++;
	sums->chainless += !chain;
	(void)add_held(&sums->blocked_ns, blocked);
	(void)add_held(&sums->runnable_ns, p->runnable_ns);
	blocked = o->part == OFF_RUNNABLE ? 0 : blocked;
	runnable = o->part == OFF_BLOCKED ? 0 : p->runnable_ns;
	i.ns = blocked;
	(void)add_held(&i.ns, runnable);
	if (i.ns) {
		i.key = key_again(o, p, links);
		(void)add_held(&o->weights[i.key], blocked);
		(void)add_held(&o->weights[i.key], runnable);
	}
	tell_counted(o, &i);
}

/* The same interval for who wants each; NOW_NS: its end. */
static void watch_off(struct off *o, const struct off_task *p, const struct off_link *links,
		      uint64_t now_ns)
{
	struct off_interval i = { .out_ns = p->out_ns,
				  .wake_ns = p->wake_ns ?: now_ns,
				  .in_ns = now_ns,
				  .thread = p->out_thread,
				  .cpu = p->out_cpu };

	if (!o->watch || !o->watch->was_off)
		return;
	i.woken = links && p->woken;
	i.key = key_of(o, p, i.woken ? links : NULL);
	tell_off(o, &i);
}

/* Does an interval of WHOLE ns that began in the state LETTER count? */
static bool asked_for(const struct off *o, char letter, uint64_t whole)
{
	return whole >= o->o.min_ns && (!o->o.max_ns || whole <= o->o.max_ns) &&
	       o->states[letter & 127];
}

/* ---- births ---- */

/* The run queue may have a new task that waits for its first CPU. */
static void begin_birth(struct off *o, uint32_t tid)
{
	uint32_t task = task_of(o, tid);
	const struct rq_task *t = task == IDMAP_NONE ? NULL : &o->rq.tasks[task];
	struct off_task *p;

	if (!t || t->state != RQ_RUNNABLE || t->cause != CAUSE_NEW)
		return;
	p = task_at(o, task);
	p->born = true;
	p->out_ns = t->since_ns;
}

/* T got its first CPU. */
static void end_birth(const struct off *o, struct off_task *p, const struct rq_task *t)
{
	p->born = false;
	if (o->rq.lost_ns > p->out_ns || !num_list_passes(&o->rq.filter->cpus, t->cpu))
		return;
	p->birth_waits = true;
	p->birth_ns = p->runnable_ns;
	p->birth_whole_ns = t->since_ns - p->out_ns;
	p->born_ns = p->out_ns;
	p->out_cpu = t->cpu;
	(void)add_held(&p->off_ns, p->birth_ns);
}

/* P, whose label is what it is called now, waited since its birth. Until it runs, a thread has the
 * name of the one that made it. */
static void count_birth(struct off *o, struct off_task *p)
{
	struct off_task birth;

	if (!p->birth_waits)
		return;
	p->birth_waits = false;
	if (!p->passes || !asked_for(o, 'R', p->birth_whole_ns))
		return;
	birth = (struct off_task){
		.out_label = p->label,
		.out_thread = p->thread,
		.out_cpu = p->out_cpu,
		.stack = NONE,
		.letter = 'R',
		.out_ns = p->born_ns,
		.wake_ns = p->born_ns,
		.runnable_ns = p->birth_ns,
	};
	o->sums.births++;
	(void)add_held(&o->sums.births_ns, p->birth_ns);
	watch_off(o, &birth, NULL, p->born_ns + p->birth_whole_ns);
	count(o, &birth, NULL, true, p->born_ns + p->birth_whole_ns);
}

/* ---- switches ---- */

static void leave(struct off *o, const struct sched_event *se, const struct pdt_event *e,
		  const struct pdt_session *s)
{
	uint32_t task = task_of(o, se->pid);
	const struct filter *f = o->rq.filter;
	const struct rq_task *t;
	struct off_task *p;

	if (task == IDMAP_NONE)
		return;
	t = &o->rq.tasks[task];
	p = task_at(o, task);
	name_task(o, task, e, s);
	tell_ran(o, p, t);
	count_birth(o, p);
	p->born = false;
	p->out = (t->state == RQ_BLOCKED || t->state == RQ_RUNNABLE) && p->passes &&
		 !se->left_out && num_list_passes(&f->cpus, se->cpu);
	p->woken = false;
	p->letter = t->letter;
	p->out_label = p->label;
	p->out_thread = p->thread;
	p->out_cpu = se->cpu;
	p->stack = se->stack;
	p->out_ns = t->since_ns;
	p->wake_ns = t->letter == 'R' || t->racy ? p->out_ns : 0;
	p->blocked_ns = p->runnable_ns = p->unknown_ns = 0;
	if (o->depth && t->letter != 'R') /* who woke it up before is of no account now */
		memset(links_of(o, task), 0xff, o->depth * sizeof(*o->links));
}

/* TID may have got a CPU. What lasted across lost records stays unknown. */
static void arrive(struct off *o, uint32_t tid, const struct pdt_session *s)
{
	uint32_t task = task_of(o, tid);
	const struct rq_task *t;
	struct off_task *p;

	if (task == IDMAP_NONE)
		return;
	t = &o->rq.tasks[task];
	p = task_at(o, task);
	if (t->state != RQ_RUNNING)
		return;
	if (p->born)
		end_birth(o, p, t);
	if (!p->out)
		return;
	p->out = false;
	if (o->rq.lost_ns > p->out_ns)
		return;
	p->off_ns += p->blocked_ns + p->runnable_ns + p->unknown_ns;
	if (!asked_for(o, p->letter, t->since_ns - p->out_ns))
		return;
	watch_off(o, p, links_of(o, task), t->since_ns);
	count(o, p, links_of(o, task), has_chain(s, p->stack), t->since_ns);
}

/* ---- wakers ---- */

/* Who does what E tells, by name. */
static uint32_t waker_label(struct off *o, uint32_t waker, const struct pdt_event *e,
			    const struct pdt_session *s)
{
	if (waker == IDMAP_NONE)
		return folding_label(&o->folding, pdt_comm(s, e->comm), e->pid, e->tid);
	(void)task_at(o, waker);
	name_task(o, waker, e, s);
	return o->tasks[waker].label;
}

/* Before the run queue hears of it: the wake-up that ends a sleep, and who it came from. What an
 * interrupt wakes up is not the doing of the thread that it hit. */
static void take_wakeup(struct off *o, const struct sched_event *se, const struct pdt_event *e,
			const struct pdt_session *s)
{
	uint32_t task = task_of(o, se->pid), waker = task_of(o, e->tid);
	const char *interrupt = interrupt_name(se->interrupt);
	struct off_link *to, first = { .stack = e->stack, .interrupt = se->interrupt };

	if (task == IDMAP_NONE || !task_at(o, task)->out || o->tasks[task].woken ||
	    o->rq.tasks[task].state != RQ_BLOCKED)
		return;
	o->tasks[task].woken = true;
	o->sums.wakeups++;
	o->sums.irqs += se->interrupt == INTERRUPT_HARD;
	o->sums.softirqs += se->interrupt == INTERRUPT_SOFT;
	first.label = interrupt ? intern_add(&o->folding.labels, interrupt, strlen(interrupt))
				: waker_label(o, waker, e, s);
	to = links_of(o, task);
	memset(to, 0xff, o->depth * sizeof(*to));
	to[0] = first;
	if (!interrupt && waker != IDMAP_NONE && waker != task)
		memcpy(to + 1, links_of(o, waker), (o->depth - 1) * sizeof(*to));
}

/* The run queue heard of the wake-up SE: it may have ended a sleep. */
static void end_sleep(struct off *o, const struct sched_event *se, bool blocked)
{
	uint32_t task = blocked ? task_of(o, se->pid) : NONE;

	if (blocked && o->rq.tasks[task].state == RQ_RUNNABLE)
		task_at(o, task)->wake_ns = o->rq.tasks[task].since_ns;
}

static bool is_blocked(struct off *o, const struct sched_event *se)
{
	uint32_t task = task_of(o, se->pid);

	return task != IDMAP_NONE && o->rq.tasks[task].state == RQ_BLOCKED;
}

void off_event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct off *o = state;
	struct sched_event se;
	bool wakes, blocked;

	if (!sched_event_read(&o->events, e, s, &se))
		return;
	if (!o->rq.filter)
		runqueue_configure(&o->rq, s);
	wakes = se.kind == SCHED_WAKING || se.kind == SCHED_WAKEUP;
	if (o->depth && wakes)
		take_wakeup(o, &se, e, s);
	blocked = o->watch && wakes && is_blocked(o, &se);
	runqueue_event(&o->rq, &se);
	end_sleep(o, &se, blocked);
	if (se.kind == SCHED_WAKEUP_NEW && !se.left_out)
		begin_birth(o, se.pid);
	if (se.kind == SCHED_SWITCH || se.kind == SCHED_OUT)
		leave(o, &se, e, s);
	if (se.kind == SCHED_IN || se.kind == SCHED_RUNTIME)
		arrive(o, se.pid, s);
	else if (se.kind == SCHED_SWITCH)
		arrive(o, se.next_pid, s);
}

/* A task that never left a CPU has the name that the run queue knows. */
static void name_at_end(struct off *o, struct off_task *p, const struct rq_task *t)
{
	const char *comm = runqueue_comm(&o->rq, t);

	if (p->labeled)
		return;
	name_known(o, p, t);
	if (p->birth_waits)
		p->label = folding_label(&o->folding, comm, t->process, t->tid);
}

void off_end(struct off *o)
{
	struct off_sums *sums = &o->sums;

	if (!o->rq.filter)
		return;
	runqueue_end(&o->rq);
	for (size_t i = 0; i < o->rq.count; i++) {
		const struct rq_task *t = &o->rq.tasks[i];
		struct off_task *p = task_at(o, (uint32_t)i);

		name_at_end(o, p, t);
		tell_ran(o, p, t);
		count_birth(o, p);
		if (!p->passes)
			continue;
		sums->slept += t->sleeps;
		sums->preempted += t->preemptions;
		(void)add_held(&sums->away_ns, p->away_ns);
		(void)add_held(&sums->unknown_ns, p->away_ns - p->off_ns);
	}
}

/* ---- rows ---- */

unsigned off_key(const struct off *o, size_t i, struct off_key *key)
{
	const struct interned *k = &o->keys.list[i];

	memcpy(key, k->s, k->len);
	return (unsigned)((k->len - KEY_SIZE(0)) / sizeof(struct off_link));
}

/* How many of STACK's innermost frames are the scheduler's own. */
static uint32_t schedule_frames(const struct pdt_session *s, uint32_t stack)
{
	struct pdt_stack k = pdt_stack_at(s, stack);
	uint32_t n = 0;

	for (; n < k.depth; n++) {
		const char *name = pdt_location_name(s, k.locations[n]);

		if (!name || (strcmp(name, "schedule") != 0 && strcmp(name, "__schedule") != 0 &&
			      strncmp(name, "preempt_schedule", 16) != 0))
			break;
	}
	return n;
}

/* The label and stack of AT. */
static void push(const struct off *o, struct folding *to, const struct pdt_session *s,
		 const struct off_link *at)
{
	struct stackset *set = &to->set;
	const char *text = intern_str(&o->folding.labels, at->label);
	struct stack_part part = { 0, UINT32_MAX };

	if (has_chain(s, at->stack)) {
		if (at->interrupt)
			part.to = interrupt_frames(s, at->stack, at->interrupt);
		else if (o->o.strip)
			part.from = schedule_frames(s, at->stack);
		folding_push(to, s, text, at->stack, part);
		return;
	}
	stackset_reserve(set, 1);
	stackset_push(set, stackset_frame(set, text, strlen(text)));
}

void off_push_off(const struct off *o, struct folding *to, const struct pdt_session *s,
		  const struct off_key *key)
{
	struct stackset *set = &to->set;
	char tag[8];
	int len = snprintf(tag, sizeof(tag), "[%c]", (int)key->letter);

	push(o, to, s, &(struct off_link){ key->label, key->stack, 0 });
	stackset_reserve(set, 1);
	stackset_push(set, stackset_frame(set, tag, (size_t)len));
}

/* "--", and the waker's stack, leaf first, its label last. */
static void push_waker(const struct off *o, struct folding *to, const struct pdt_session *s,
		       const struct off_link *link)
{
	struct stackset *set = &to->set;
	size_t lo, hi;

	stackset_reserve(set, 1);
	stackset_push(set, stackset_frame(set, "--", 2));
	lo = set->frame_count;
	push(o, to, s, link);
	for (hi = set->frame_count; lo + 1 < hi; lo++) {
		uint32_t frame = set->frames[lo];

		set->frames[lo] = set->frames[--hi];
		set->frames[hi] = frame;
	}
}

void off_push_wakers(const struct off *o, struct folding *to, const struct pdt_session *s,
		     const struct off_key *key, unsigned links)
{
	push(o, to, s, &(struct off_link){ key->label, key->stack, 0 });
	for (unsigned k = 0; k < links; k++)
		push_waker(o, to, s, &key->links[k]);
}

bool off_passes(const struct off_key *k, const struct pdt_session *s)
{
	return stack_passes(s, k->stack, filter_of(s), false);
}

/* ---- how far it can be trusted ---- */

static void lack_facts(const struct off *o, struct answer *a)
{
	const struct off_sums *sums = &o->sums;

	if (!o->events.tracepoints && !o->events.leaving)
		answer_warn(a, "no stacks",
			    "SWITCH records have no stack, and no state but R (preempted) and S "
			    "(any other)");
	else if (sums->chainless)
		answer_warn(a, "no stacks",
			    "%" PRIu64 " intervals, whose sched_switch has no callchain; record "
			    "with -g",
			    sums->chainless);
	if (sums->births)
		answer_fact(a, "new threads",
			    "%s of the intervals, %s, from the birth of a thread to its first "
			    "switch-in: no stack, state R",
			    COUNT_TEXT(sums->births), NS_TEXT(answer_sum(a, sums->births_ns)));
	if (sums->undivided)
		answer_warn(
			a, "not divided",
			"%s intervals, %s: their wake-up was not recorded, all of them counts as "
			"blocked",
			COUNT_TEXT(sums->undivided), NS_TEXT(answer_sum(a, sums->undivided_ns)));
	if (o->depth)
		answer_fact(a, "no waker",
			    "%s intervals, %s, left out: their wake-up was not recorded",
			    COUNT_TEXT(sums->unwoken), NS_TEXT(answer_sum(a, sums->unwoken_ns)));
	answer_warns_if(a, o->depth && sums->unwoken);
	if (o->depth)
		answer_fact(a, "wake-ups",
			    "%s, %s of them from interrupts ([irq]), %s from soft interrupts "
			    "([softirq])",
			    COUNT_TEXT(sums->wakeups), COUNT_TEXT(sums->irqs),
			    COUNT_TEXT(sums->softirqs));
}

static void facts(struct off *o, const struct pdt_session *s, struct warnings *w)
{
	struct answer *a = &o->answer;
	const struct off_sums *sums = &o->sums;
	const struct runqueue *rq = &o->rq;
	const char *path = pdt_text(s, PDT_PATH);
	double unknown = percent_of((double)sums->unknown_ns, (double)sums->away_ns);

	sched_facts(&o->events, a, w);
	answer_fact(a, "off the CPU", "%s intervals, blocked %s, runnable %s",
		    COUNT_TEXT(sums->count), NS_TEXT(answer_sum(a, sums->blocked_ns)),
		    NS_TEXT(answer_sum(a, sums->runnable_ns)));
	answer_leads(a);
	answer_fact(a, "left the CPU", "%s times voluntarily, preempted %s times",
		    COUNT_TEXT(sums->slept), COUNT_TEXT(sums->preempted));
	answer_fact(
		a, "unknown time",
		"%s, %s of the threads' time off the CPU: before the first switch-out of a thread "
		"whose birth was not seen, after the last one, across lost records, or a switch is "
		"missing",
		NS_TEXT(sums->unknown_ns), PERCENT_TEXT(unknown));
	answer_warns_if(a, sums->unknown_ns);
	if (sums->unknown_ns)
		answer_tell(a, "unknown: %s of the time off the CPU", PERCENT_TEXT(unknown));
	if (sums->unknown_ns) /* folded stacks have no place for facts */
		warn_add(w, SEV_NOTE, "unknown-time",
			 "%s: %s, %s of the threads' time off the CPU, are in no stack: their "
			 "beginning or end is not known",
			 path, NS_TEXT(sums->unknown_ns), PERCENT_TEXT(unknown));
	answer_fact(a, "switch mismatches", "%s of %s: switches missing without a reported loss",
		    COUNT_TEXT(rq->mismatches), COUNT_TEXT(rq->switches));
	answer_warns_if(a, rq->mismatches);
	lack_facts(o, a);
	if (!o->events.tracepoints && !o->events.leaving)
		warn_add(w, SEV_NOTE, "no-chains",
			 "%s: SWITCH records have no callchain: comm and state only", path);
	else if (sums->chainless && sums->chainless == sums->count - sums->births)
		warn_add(w, SEV_NOTE, "no-chains",
			 "%s: sched_switch has no callchain: comm and state only; re-record with "
			 "-g",
			 path);
}

/* Ids of tasks and stacks are one capture's own. */
static void forget(struct off *o)
{
	sched_events_release(&o->events);
	runqueue_release(&o->rq);
	intern_release(&o->keys);
	free(o->tasks);
	free(o->links);
	free(o->weights);
	memset(&o->events, 0, sizeof(*o) - offsetof(struct off, events));
}

void off_answer(struct off *o, const struct pdt_session *s, struct warnings *w)
{
	answer_capture(&o->answer, s);
	facts(o, s, w);
	forget(o);
	start_capture(o);
}

void off_release(void *state)
{
	struct off *o = state;

	forget(o);
	folding_release(&o->folding);
	answer_release(&o->answer);
}

void off_none(const struct off *o, struct result *out)
{
	if (out->none) /* stacks there are, and none of them was to take part */
		return;
	out->none_answers = o->o.min_ns || o->o.max_ns || o->o.states.count;
	out->none = out->none_answers
			    ? "no time off the CPU is as --min, --max and --state want it"
			    : "no time off the CPU has a beginning and an end in the capture";
}
