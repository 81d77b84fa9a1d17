/* Stacks that who reads a capture puts together: of branches, for one. They become chains as the
 * recorded ones are, with markers where the mode changes, so that they are interned, found in the
 * mappings and bounded in the same way. What frames say is not believed: an address that would be a
 * marker is none. */
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/pdtool_record.h"
#include "parser/session/inside.h"

#define FRAMES_MAX ((UINT16_MAX - CHAIN_APART_VALUES) / 2) /* each may want a marker */

static uint64_t marker_of(uint32_t mode)
{
	static const uint64_t markers[PDT_MODES] = {
		[PDT_USER] = CONTEXT_USER,
		[PDT_KERNEL] = CONTEXT_KERNEL,
		[PDT_HYPERVISOR] = CONTEXT_HV,
		[PDT_GUEST_USER] = CONTEXT_GUEST_USER,
		[PDT_GUEST_KERNEL] = CONTEXT_GUEST_KERNEL,
	};

	return markers[mode < PDT_MODES ? mode : PDT_USER];
}

/* Their values into the scratch of C: how many. */
static uint16_t put_values(struct chains *c, const struct pdt_frame *frames, size_t count)
{
	uint64_t mode = 0;
	uint16_t n = 0;

	c->scratch = xgrow(c->scratch, &c->scratch_cap, 2 * count, sizeof(*c->scratch));
	for (size_t i = 0; i < count; i++) {
		uint64_t address = frames[i].address, marker = marker_of(frames[i].mode);

		if (marker != mode)
			c->scratch[n++] = marker;
		mode = marker;
		c->scratch[n++] = address < CONTEXT_MAX ? address : 0;
	}
	return n;
}

uint32_t session_stack(struct session *s, const struct pdt_event *e, const struct pdt_frame *frames,
		       size_t count)
{
	struct chains *c = &s->readers.in.chains;
	int (*skip)(void *, struct process *, const struct chain *) = s->stacks.skip;
	struct chain_ref ref;
	uint32_t chain, stack;
	struct task task;
	uint16_t n;

	if (s->resolved || !count)
		return PDT_NONE;
	n = put_values(c, frames, count < FRAMES_MAX ? count : FRAMES_MAX);
	chain_ref_init(&ref, CHAIN_RECORDED, c->scratch, n,
		       &(struct chain_ip){ c->scratch[1], c->scratch[0], true });
	chains_begin(c, &ref);
	chain = chains_add(c, &ref);
	task = machine_task(&s->machine, e->pid, e->tid);
	s->stacks.now_ns = e->time_ns;
	s->stacks.skip = NULL; /* each of them is a caller */
	stack = stacks_get(&s->stacks, &s->machine, &s->machine.processes[task.process], c, chain);
	s->stacks.skip = skip;
	return stack;
}
