/* The addresses that the calls of a thread will return to. */
#include "parser/trace/callstack.h"
#include "parser/base/mem.h"
#include "parser/pdtool_record.h"

#include <stdlib.h>
#include <string.h>

/* A call that is not over. */
struct open_call {
	uint64_t back; /* where it returns to */
	bool at_end;   /* the trace ended with it */
};

struct call_stack {
	struct open_call *open;
	size_t count, cap;
	uint32_t cpu; /* whose trace it was seen in last */
};

void call_stacks_release(struct call_stacks *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->list[i].open);
	free(c->list);
	idmap_release(&c->by_thread);
	memset(c, 0, sizeof(*c));
}

/* The idle task of each CPU has one of its own. */
static struct call_stack *stack_of(struct call_stacks *c, const struct trace_event *e)
{
	uint64_t key = e->tid || e->pid ? e->tid : UINT32_MAX + 1ull + e->cpu;
	uint32_t *id = idmap_put(&c->by_thread, key);

	if (*id == IDMAP_NONE) {
		*id = (uint32_t)c->count;
		c->list = xgrow(c->list, &c->cap, c->count + 1, sizeof(*c->list));
		c->list[c->count++] = (struct call_stack){ .cpu = e->cpu };
	}
	return &c->list[*id];
}

static void push(struct call_stack *s, struct open_call call)
{
	if (s->count == CALL_DEPTH_MAX)
		return;
	s->open = xgrow(s->open, &s->cap, s->count + 1, sizeof(*s->open));
	s->open[s->count++] = call;
}

/* What returns to BACK is over, and what it called. If nothing does, nobody saw it called. */
static void pop(struct call_stack *s, uint64_t back)
{
	for (size_t i = s->count; i--;) {
		if (s->open[i].back == back) {
			s->count = i;
			return;
		}
	}
}

uint32_t call_stacks_next(struct call_stacks *c, const struct trace_event *e)
{
	const struct flow_event *f = &e->flow;
	struct call_stack *s = stack_of(c, e);
	uint64_t back = f->from + f->insn_size;

	if (s->cpu != e->cpu) /* of two traces nothing is certain */
		s->count = 0;
	s->cpu = e->cpu;
	if (f->flags & PDT_FLOW_CALL) {
		if (f->to && f->to != back)
			push(s, (struct open_call){ back, f->flags & PDT_FLOW_END });
	} else if (f->flags & PDT_FLOW_BEGIN) {
		pop(s, f->to);
		while (s->count && s->open[s->count - 1].at_end)
			s->count--;
	} else if (f->flags & PDT_FLOW_RETURN && f->from) {
		pop(s, f->to);
	}
	return (uint32_t)s->count + !!(f->flags & PDT_FLOW_RETURN);
}
