/* I/Os of threads: from when the device got them, or else from when they were begun, until they
 * were done. */
#include "analyzers/io/block_source.h"
#include "analyzers/lanes/marks.h"

#include <string.h>

struct io_marks {
	const struct mark_sink *to;
	struct block_options options;
	struct block_source block;
};

_Static_assert(BLOCK_RWBS <= PROFILE_COMM, "it is copied as it is");

static void on_finished(void *ctx, const struct block_io *io)
{
	struct io_marks *m = ctx;
	struct mark_io of = {
		.sector = io->sector, .bytes = io->bytes, .dev = io->dev, .error = io->error
	};
	struct profile_mark mark = { .start_ns = io->issue_ns ?: io->insert_ns,
				     .end_ns = io->complete_ns,
				     .kind = MARK_IO,
				     .cpu = io->cpu,
				     .stack = PROFILE_NONE,
				     .other = PROFILE_NONE,
				     .io = &of };

	if (mark.end_ns < mark.start_ns)
		return;
	if (!block_queue_ns(io, &of.queue_ns))
		of.queue_ns = 0;
	memcpy(of.rwbs, io->rwbs, sizeof(io->rwbs));
	m->to->add(m->to->ctx, io->tid, &mark);
	m->to->name(m->to->ctx, io->tid, io->pid, io->comm);
}

static void begin(void *state, const struct mark_sink *to)
{
	struct io_marks *m = state;

	m->to = to;
	block_source_begin(&m->block, &m->options);
	m->block.finished = on_finished;
	m->block.ctx = m;
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	if (e->raw)
		block_source_event(&((struct io_marks *)state)->block, e, s);
}

static void end(void *state)
{
	block_model_end(&((struct io_marks *)state)->block.model);
}

static void release(void *state)
{
	block_source_release(&((struct io_marks *)state)->block);
}

const struct mark_source io_marks = {
	.system = "block",
	.state_size = sizeof(struct io_marks),
	.wants = PDT_WANT_FIELDS | PDT_WANT_ALL,
	.begin = begin,
	.event = event,
	.end = end,
	.release = release,
};
