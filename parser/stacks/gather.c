/* The values of a sample's chain: as they lie in the record, or put together from what it has. */
#include "parser/stacks/gather.h"
#include "parser/base/mem.h"
#include "parser/base/abi.h"
#include "parser/record/sample.h"

#define VALUES_MAX (UINT16_MAX - CHAIN_APART_VALUES) /* a record of 64 KiB holds 8191 */

static uint64_t *scratch(struct chains *c, uint64_t count)
{
	c->scratch = xgrow(c->scratch, &c->scratch_cap, (size_t)count, sizeof(*c->scratch));
	return c->scratch;
}

/* With LBR call stacks the user part is what the hardware recorded: the chain up to and with its
 * user marker, then where the newest branch went, then where each came from
 * (tools/perf/util/machine.c: resolve_lbr_callchain_sample). 0 when there is no user part. */
static uint64_t lbr_chain(struct chains *c, const struct sample *s)
{
	uint64_t user = 0, n;
	uint64_t *out;

	while (user < s->chain_nr && sample_u64(s, s->chain, user) != CONTEXT_USER)
		user++;
	if (user == s->chain_nr)
		return 0;
	out = scratch(c, user + 2 + s->branch_nr);
	for (n = 0; n <= user; n++)
		out[n] = sample_u64(s, s->chain, n);
	out[n++] = sample_u64(s, s->branches, 1);
	for (uint64_t i = 0; i < s->branch_nr; i++)
		out[n++] = sample_u64(s, s->branches, i * 3);
	return n;
}

const void *chains_gather(struct chains *c, const struct sample *s, uint16_t *count)
{
	uint64_t n = 0;

	if (!s->chain_nr)
		return NULL;
	if (s->branch_nr && s->desc->attr.branch_sample_type & BRANCH_CALL_STACK)
		n = lbr_chain(c, s);
	*count = (uint16_t)(n < VALUES_MAX ? n : VALUES_MAX);
	if (n)
		return c->scratch;
	n = s->chain_nr;
	*count = (uint16_t)(n < VALUES_MAX ? n : VALUES_MAX);
	if (!s->swap)
		return s->chain;
	(void)scratch(c, n);
	for (uint64_t i = 0; i < n; i++)
		c->scratch[i] = sample_u64(s, s->chain, i);
	return c->scratch;
}
