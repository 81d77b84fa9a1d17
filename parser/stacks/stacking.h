/* Chains become stacks (stacks.h), as the recorded machine stands at that moment. */
#ifndef PDTOOL_STACKING_H
#define PDTOOL_STACKING_H

#include "parser/stacks/callchain.h"
#include "parser/stacks/stacks.h"
#include "parser/state/machine.h"

void stacks_init(struct stacks *s);
void stacks_release(struct stacks *s);
/* The stack of chain ID of C as process P of M saw it just now. */
uint32_t stacks_add(struct stacks *s, struct machine *m, struct process *p, const struct chains *c,
		    uint32_t id);

/* The id of location L. */
uint32_t stacks_location(struct stacks *s, struct loc l);
/* Forget what was found lately: ids are others now. */
void stacks_forget_near(struct stacks *s);
/* The stack that stands for those that made room (rare.h). */
uint32_t stacks_rare(struct stacks *s);

static inline void stacks_hit(struct stacks *s, uint32_t id)
{
	s->list[id].hits += s->list[id].hits != UINT8_MAX;
}

/* The same; mostly the chain knows the answer. */
static inline uint32_t stacks_get(struct stacks *s, struct machine *m, struct process *p,
				  const struct chains *c, uint32_t id)
{
	const struct chain *chain = chains_get(c, id);
	uint32_t stack = chain->stack;

	if (chain->space != (chain->kernel_only ? m->kernel_space : process_space(m, p)))
		stack = stacks_add(s, m, p, c, id);
	if (s->counting)
		stacks_hit(s, stack);
	return stack;
}

#define WANTED_MAX 512

/* What stacks_get() will look at for chains that come, by the mappings of now: it is asked of the
 * memory early. Nothing else is changed by that. */
struct wanted {
	const struct stacks *stacks;
	const struct machine *machine;
	size_t count; /* 0 to begin with */
	uint64_t hashes[WANTED_MAX];
};

/* C, the chain ID, will be wanted in process P. */
void stacks_foretell(const struct wanted *w, const struct process *p, const struct chain *c,
		     uint32_t id);
/* What it needs goes to W. False: that was not worth it. */
bool stacks_want(struct wanted *w, const struct process *p, const struct chain *c, uint32_t id);
/* The same of what stacks_place() will look at. */
bool stacks_want_place(struct wanted *w, const struct process *p, uint64_t address,
		       enum pdt_mode mode);
/* All that are at hand were wanted: ask for what lies behind it. */
void stacks_expect(const struct wanted *w);

/* The location of ADDRESS, which need not be in a stack, as process P of M sees it just now. */
uint32_t stacks_locate(struct stacks *s, struct machine *m, struct process *p, uint64_t address,
		       enum pdt_mode mode);

/* The same of a sample that has no stack: most of its addresses come once, so that no cache knows
 * them. P runs no program that called exec. */
uint32_t stacks_place(struct stacks *s, struct machine *m, struct process *p, uint64_t address,
		      enum pdt_mode mode);

/* All stacks of FROM, whose locations have the ids LOCS here, follow those of S. FROM is left
 * without any. */
void stacks_take(struct stacks *s, struct stacks *from, const uint32_t *locs);

/* The user part of all stacks of P that wait for COOKIE: what is left in VALUES, a chain. */
void stacks_join(struct stacks *s, struct machine *m, struct process *p, uint64_t cookie,
		 struct cursor values);

#endif
