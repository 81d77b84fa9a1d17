/* How long I/Os took in the queue, in the device and in all, as block counts them. */
#include "analyzers/io/block_source.h"
#include "analyzers/lanes/durations.h"

struct io_durations {
	const struct duration_sink *to;
	struct block_options options;
	struct block_source block;
	struct block_parts parts;
};

static void on_finished(void *ctx, const struct block_io *io)
{
	struct io_durations *x = ctx;
	const struct duration_sink *to = x->to;
	struct duration d = { .end_ns = io->complete_ns,
			      .cpu = io->cpu,
			      .what = block_part_text(&x->parts, io->dev, io->op) };

	d.thread = to->thread(to->ctx, io->comm, io->pid, io->tid);
	if (block_queue_ns(io, &d.ns))
		to->add(to->ctx, DURATION_IO_QUEUE, &d);
	if (block_device_ns(io, &d.ns))
		to->add(to->ctx, DURATION_IO_DEVICE, &d);
	if (block_total_ns(io, &d.ns))
		to->add(to->ctx, DURATION_IO_TOTAL, &d);
}

static void begin(void *state, const struct duration_sink *to)
{
	struct io_durations *x = state;

	x->to = to;
	block_source_begin(&x->block, &x->options);
	x->block.finished = on_finished;
	x->block.ctx = x;
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	if (e->raw)
		block_source_event(&((struct io_durations *)state)->block, e, s);
}

static void end(void *state)
{
	block_model_end(&((struct io_durations *)state)->block.model);
}

static void release(void *state)
{
	struct io_durations *x = state;

	block_source_release(&x->block);
	block_parts_release(&x->parts);
}

const struct duration_source io_durations = {
	.system = "block",
	.state_size = sizeof(struct io_durations),
	.wants = PDT_WANT_FIELDS | PDT_WANT_ALL,
	.begin = begin,
	.event = event,
	.end = end,
	.release = release,
};
