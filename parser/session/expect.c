/* Two misses of the cache for each location of a new chain, one after the other, are what a capture
 * with many of them waits for most: those of several chains are on their way together. */
#include "parser/session/expect.h"
#include "parser/session/inside.h"
#include "parser/stacks/stacking.h"

#define EXPECTED	 32 /* entries that are looked at together */
#define EXPECT_PAUSE_MAX 15

static bool want(struct wanted *w, const struct process *process, const struct chains *c,
		 const struct pending *p)
{
	if (p->alone)
		return stacks_want_place(w, process, pending_ip(p), (enum pdt_mode)p->mode);
	return stacks_want(w, process, chains_get(c, p->chain), p->chain);
}

/* Have what is needed of COUNT entries from P on brought near. False: it mostly is. */
static bool expect_stacks(struct session *s, const struct pending *p, size_t count)
{
	const struct chains *c = &s->readers.in.chains;
	const struct machine *m = &s->machine;
	const struct process *process[EXPECTED];
	struct wanted w;
	bool wanted = false;

	w.stacks = &s->stacks;
	w.machine = m;
	w.count = 0;
	for (size_t i = 0; i < count; i++) {
		if (!(p[i].flags & PENDING_RECORD) && !p[i].alone)
			__builtin_prefetch(chains_get(c, p[i].chain));
	}
	for (size_t i = 0; i < count; i++) {
		process[i] =
			p[i].flags & PENDING_RECORD ? NULL : machine_process(m, p[i].pid, p[i].tid);
		if (process[i] && !p[i].alone)
			stacks_foretell(&w, process[i], chains_get(c, p[i].chain), p[i].chain);
	}
	for (size_t i = 0; i < count; i++) {
		if (process[i])
			wanted |= want(&w, process[i], c, &p[i]);
	}
	stacks_expect(&w);
	return wanted;
}

void session_expect(struct session *s, const struct pending *p)
{
	size_t coming = readers_coming(&s->readers, p);
	size_t count = coming < EXPECTED ? coming : EXPECTED;

	s->expect_pause = expect_stacks(s, p, count) ? 0 : s->expect_pause * 2 + 1;
	if (s->expect_pause > EXPECT_PAUSE_MAX)
		s->expect_pause = EXPECT_PAUSE_MAX;
	s->expected = count * (s->expect_pause + 1) - 1;
}
