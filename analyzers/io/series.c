/* I/Os for the page, as block counts them, and requeues and merges. */
#include "analyzers/io/block_source.h"
#include "analyzers/lanes/series.h"

#include <stdio.h>

enum { IO, NOTED, DISK };

/* From when the device had it (block's depth) until it was complete. queue, device: + 1, 0: not
 * known; total: the same, and 1: the sum of both, else + 2; part: its device and operation, a text.
 */
static const struct page_column io_columns[] = {
	{ "start", PAGE_TIME },
	{ "length", PAGE_NUMBER },
	{ "queue", PAGE_NUMBER },
	{ "device", PAGE_NUMBER },
	{ "total", PAGE_NUMBER },
	{ "bytes", PAGE_NUMBER },
	{ "part", PAGE_NUMBER },
	{ "thread", PAGE_THREAD },
	{ "cpu", PAGE_NUMBER },
	{ "sector", PAGE_NUMBER },
	{ "sequential", PAGE_NUMBER },
	{ "error", PAGE_NUMBER },
	{ 0 },
};
static const struct page_column noted_columns[] = {
	{ "start", PAGE_TIME },
	{ "length", PAGE_NUMBER },
	{ "part", PAGE_NUMBER },
	{ "thread", PAGE_THREAD },
	{ "cpu", PAGE_NUMBER },
	{ "requeue", PAGE_NUMBER },
	{ 0 },
};

/* From the first block event to the last one. */
static const struct page_column disk_columns[] = { { "start", PAGE_TIME },
						   { "length", PAGE_NUMBER },
						   { 0 } };

static const struct series_kind kinds[] = { [IO] = { "io", io_columns },
					    [NOTED] = { "noted", noted_columns },
					    [DISK] = { "disk", disk_columns } };

struct io_series {
	const struct series_sink *to;
	struct block_options options;
	struct block_source block;
	struct block_parts parts;
};

static uint32_t part_of(struct io_series *x, uint32_t dev, const char *op)
{
	return x->to->text(x->to->ctx, IO, block_part_text(&x->parts, dev, op));
}

static uint64_t total_of(const struct block_io *io, uint64_t queue, uint64_t device)
{
	uint64_t total;

	if (!block_total_ns(io, &total))
		return 0;
	return queue && device && total == queue + device - 2 ? 1 : total + 2;
}

static void on_finished(void *ctx, const struct block_io *io)
{
	struct io_series *x = ctx;
	uint64_t start = io->issue_ns ?: io->insert_ns ?: io->complete_ns, ns;
	uint64_t queue = block_queue_ns(io, &ns) ? ns + 1 : 0;
	uint64_t device = block_device_ns(io, &ns) ? ns + 1 : 0;
	const uint64_t row[] = {
		start < io->complete_ns ? start : io->complete_ns,
		start < io->complete_ns ? io->complete_ns - start : 0,
		queue,
		device,
		total_of(io, queue, device),
		io->bytes,
		part_of(x, io->dev, io->op),
		x->to->thread(x->to->ctx, io->comm, io->pid, io->tid),
		io->cpu + (uint64_t)1,
		io->sector,
		io->sequential,
		(uint32_t)-io->error,
	};

	x->to->add(x->to->ctx, IO, row);
}

static void on_noted(void *ctx, const struct block_event *e, const char *op)
{
	struct io_series *x = ctx;
	char comm[BLOCK_COMM] = "";
	uint64_t row[] = { e->time_ns,
			   0,
			   part_of(x, e->dev, op),
			   0,
			   e->cpu + (uint64_t)1,
			   e->kind == BLOCK_REQUEUE };

	if (e->comm)
		snprintf(comm, sizeof(comm), "%.*s", (int)e->comm_len, e->comm);
	row[3] = x->to->thread(x->to->ctx, comm, e->pid, e->tid);
	x->to->add(x->to->ctx, NOTED, row);
}

static void begin(void *state, const struct series_sink *to)
{
	struct io_series *x = state;

	x->to = to;
	block_source_begin(&x->block, &x->options);
	x->block.finished = on_finished;
	x->block.noted = on_noted;
	x->block.ctx = x;
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	if (e->raw)
		block_source_event(&((struct io_series *)state)->block, e, s);
}

static void end(void *state)
{
	struct io_series *x = state;
	const uint64_t row[] = { x->block.first_ns, x->block.last_ns - x->block.first_ns };

	block_model_end(&x->block.model);
	if (x->block.used)
		x->to->add(x->to->ctx, DISK, row);
}

static void release(void *state)
{
	struct io_series *x = state;

	block_source_release(&x->block);
	block_parts_release(&x->parts);
}

const struct series_source io_series = {
	.kinds = kinds,
	.count = sizeof(kinds) / sizeof(*kinds),
	.state_size = sizeof(struct io_series),
	.wants = PDT_WANT_FIELDS | PDT_WANT_ALL,
	.begin = begin,
	.event = event,
	.end = end,
	.release = release,
};
