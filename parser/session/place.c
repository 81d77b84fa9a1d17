/* Where single addresses are. */
#include "parser/session/inside.h"

#define PLACE_BYTES 56 /* what it would take if its address were a chain (callchain.h) */

/* As stacks_add() has it, who runs in user mode execs no more. */
void session_place(struct session *s, const struct pending *p, struct process *process,
		   struct pdt_event *out)
{
	size_t before = s->stacks.loc_count;

	if (process->old_maps && p->mode == PDT_USER)
		machine_end_exec(&s->machine, process);
	out->ip = pending_ip(p);
	out->place = stacks_place(&s->stacks, &s->machine, process, out->ip,
				  (enum pdt_mode)p->mode);
	if (s->stacks.loc_count > before)
		s->readers.in.chains.bytes += PLACE_BYTES;
}

uint32_t session_locate(struct session *s, const struct pdt_event *e, uint64_t address, int mode)
{
	struct task t;

	if (s->resolved || mode < 0 || mode >= PDT_MODES)
		return PDT_NONE;
	t = machine_task(&s->machine, e->pid, e->tid);
	return stacks_locate(&s->stacks, &s->machine, &s->machine.processes[t.process], address,
			     (enum pdt_mode)mode);
}
