/* From an event to a row of the columns. */
#include "parser/batch.h"
#include "parser/base/mem.h"

uint8_t event_flags(const struct pdt_event *e)
{
	return (uint8_t)((e->has_cpu ? PDT_FLAG_CPU : 0) | (e->has_time ? PDT_FLAG_TIME : 0) |
			 (e->preempted ? PDT_FLAG_PREEMPTED : 0) | (e->exec ? PDT_FLAG_EXEC : 0) |
			 (e->exact ? PDT_FLAG_EXACT : 0) | (e->apart ? PDT_FLAG_APART : 0) |
			 (e->program_bits == 32 ? PDT_FLAG_32 : 0) |
			 (e->program_bits == 64 ? PDT_FLAG_64 : 0));
}

void batch_add(struct batch *c, const struct pdt_event *e)
{
	size_t i = c->columns.count++;

	c->time_ns[i] = e->time_ns;
	c->weight[i] = e->weight;
	c->ip[i] = e->ip;
	c->desc[i] = e->desc;
	c->raw[i] = e->raw;
	c->raw_size[i] = e->raw_size;
	c->pid[i] = e->pid;
	c->tid[i] = e->tid;
	c->cpu[i] = e->cpu;
	c->comm[i] = e->comm;
	c->stack[i] = e->stack;
	c->other_pid[i] = e->other_pid;
	c->other_tid[i] = e->other_tid;
	c->mode[i] = e->mode;
	c->kind[i] = e->kind;
	c->flags[i] = event_flags(e);
}

struct batch *batch_new(void)
{
	struct batch *b = xcalloc(1, sizeof(*b));

	b->rc = 1;
	b->columns = (struct pdt_columns){
		.time_ns = b->time_ns,
		.weight = b->weight,
		.ip = b->ip,
		.desc = b->desc,
		.raw = b->raw,
		.raw_size = b->raw_size,
		.pid = b->pid,
		.tid = b->tid,
		.cpu = b->cpu,
		.comm = b->comm,
		.stack = b->stack,
		.other_pid = b->other_pid,
		.other_tid = b->other_tid,
		.mode = b->mode,
		.kind = b->kind,
		.flags = b->flags,
	};
	return b;
}
