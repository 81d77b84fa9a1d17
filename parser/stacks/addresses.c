/* The values of a chain beside the locations that they became (stacks.c, resolve()). */
#include "parser/stacks/addresses.h"

#define PAGE_BITS 0xfffu /* what the place in a file has in common with the address */

/* All addresses of C but its markers, the first MAX of them; returns how many. */
static uint32_t plain_values(const struct chain *c, uint64_t *out, uint32_t max)
{
	bool found = false;
	uint32_t n = 0;

	for (unsigned i = chain_start(c); i < c->count && n < max; i++) {
		if (c->values[i] < CONTEXT_MAX || found) {
			out[n++] = c->values[i];
			continue;
		}
		found = chain_is_unwound_from(c, i);
		i += c->values[i] == CONTEXT_USER_DEFERRED; /* a cookie follows */
	}
	return n;
}

static uint32_t count_values(const struct chain *c)
{
	uint32_t n = 0;

	for (unsigned i = chain_start(c); i < c->count; i++) {
		n += c->values[i] < CONTEXT_MAX;
		i += c->values[i] == CONTEXT_USER_DEFERRED;
	}
	return n;
}

/* One of the values was no caller, and left out (stacks.skip): the first that is not where its
 * location is. */
static void leave_out(const struct stacks *s, const struct stack *stack, const struct chain *c,
		      uint64_t *out)
{
	const uint32_t *locs = stack_locs(s, stack);
	uint32_t n = 0, seen = 0;

	for (unsigned i = chain_start(c); i < c->count && n < stack->count; i++) {
		uint64_t value = c->values[i];

		if (value >= CONTEXT_MAX)
			continue;
		if (seen == n && (value ^ s->locs[locs[n]].addr) & PAGE_BITS) {
			seen++;
			continue;
		}
		seen++;
		out[n++] = value;
	}
}

void stack_addresses(const struct stacks *s, const struct stack *stack, const struct chains *c,
		     uint32_t id, uint64_t *out)
{
	const struct chain *chain = chains_whole(c, id);
	const uint32_t *locs;
	uint32_t n;

	n = plain_values(chain, out, stack->count);
	if (n == stack->count) {
		if (s->skip && count_values(chain) > n)
			leave_out(s, stack, chain, out);
		return;
	}
	for (locs = stack_locs(s, stack); n < stack->count; n++)
		out[n] = s->locs[locs[n]].addr;
}
