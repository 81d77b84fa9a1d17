/* I/Os as points of a heat map: one for each that is finished, its value the latency asked for. */
#include "analyzers/heat/picked.h"
#include "analyzers/heat/source.h"
#include "analyzers/io/block_source.h"
#include "parser/base/held.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct ios_options {
	enum { USUAL, DEVICE, QUEUE, TOTAL } latency;
	struct block_options block;
};

_Static_assert(sizeof(struct ios_options) <= HEAT_OPTIONS_SIZE, "the heat map keeps them");

struct ios {
	struct heat_map *to;
	struct ios_options options;
	struct block_source block;
	uint64_t without_latency;
	uint64_t apart_bytes;	      /* neither read nor written */
	uint32_t last_dev, last_lane; /* of the I/O before */
	struct intern devices;
};

/* What the list of the largest says of each. */
struct io_detail {
	uint64_t bytes;
	uint32_t dev;
	char op[BLOCK_OP], comm[BLOCK_COMM];
};

static const char *const latencies[] = { "", "device", "queue", "total", NULL };

const struct option heat_ios_options[] = {
	{ "latency", 0, OPT_WORD, offsetof(struct ios_options, latency), NULL, "of I/Os (device)",
	  .words = latencies },
	{ .type = OPT_TABLE, .table = block_limits, .offset = offsetof(struct ios_options, block) },
	{ 0 },
};

/* ---- points ---- */

static uint32_t lane_of_device(struct ios *d, uint32_t dev)
{
	struct heat *h = &d->to->heat;
	char text[BLOCK_DEV_TEXT];

	if (!h->lane_names.count || dev != d->last_dev) {
		block_dev_text(text, dev);
		d->last_lane = heat_lane(h, text);
		d->last_dev = dev;
	}
	return d->last_lane;
}

/* Of a device and what was asked for: "254:0 R". Devices lie one upon another, so none of their
 * I/Os are in one lane. */
static uint32_t lane_within(struct ios *d, const struct block_io *io)
{
	char text[BLOCK_DEV_TEXT + 128], part[BLOCK_PART_TEXT];
	size_t n;

	block_dev_text(text, io->dev);
	(void)intern_add(&d->devices, text, strlen(text));
	n = strlen(text);
	switch (d->to->ask.by) {
	case HEAT_BY_OP:
		snprintf(text + n, sizeof(text) - n, " %s", io->op);
		break;
	case HEAT_BY_COMM:
		snprintf(text + n, sizeof(text) - n, " %s", *io->comm ? io->comm : "unknown");
		break;
	case HEAT_BY_FIELD:
		snprintf(text + n, sizeof(text) - n, " %.32s %.64s", d->to->ask.by_field,
			 block_source_part(&d->block, io, part));
		break;
	default:
		snprintf(text + n, sizeof(text) - n, " cpu %u", io->cpu);
	}
	return heat_lane(&d->to->heat, text);
}

/* Of how many devices the I/Os are is known only when all are read. */
static uint32_t lane_of(struct ios *d, const struct block_io *io)
{
	enum heat_by by = d->to->ask.by;

	return by == HEAT_BY_DEVICE || by == HEAT_BY_USUAL ? lane_of_device(d, io->dev)
							   : lane_within(d, io);
}

/* The latency asked for. What is made of bios has no issue: its total is all there is. */
static bool latency_of(const struct ios *d, const struct block_io *io, uint64_t *out)
{
	if (d->options.latency == QUEUE)
		return block_queue_ns(io, out);
	if (d->options.latency == TOTAL || (d->options.latency == USUAL && !io->issue_ns))
		return block_total_ns(io, out);
	return block_device_ns(io, out);
}

/* A discard or a flush says how much it is about, but nothing is read or written. */
static bool moves_bytes(const struct block_io *io)
{
	return io->op[0] == 'R' || io->op[0] == 'W';
}

static void on_finished(void *ctx, const struct block_io *io)
{
	struct ios *d = ctx;
	struct heat_map *to = d->to;
	struct io_detail detail;
	struct heat_more *more;
	uint64_t value;

	if (!latency_of(d, io, &value)) {
		d->without_latency++;
		return;
	}
	if (!heat_add(&to->heat, io->complete_ns, value))
		return;
	more = heat_more(&to->heat);
	if (!block_device_ns(io, &more->span_ns))
		(void)block_total_ns(io, &more->span_ns);
	if (moves_bytes(io))
		more->bytes = io->bytes < UINT32_MAX ? (uint32_t)io->bytes : UINT32_MAX;
	else
		(void)add_held(&d->apart_bytes, io->bytes);
	more->lane = to->ask.by == HEAT_NO_LANES ? 0 : (uint16_t)lane_of(d, io);
	if (!longest_wants(&to->longest, value))
		return;
	memset(&detail, 0, sizeof(detail)); /* compared as a whole */
	detail.bytes = io->bytes;
	detail.dev = io->dev;
	memcpy(detail.op, io->op, BLOCK_OP);
	memcpy(detail.comm, io->comm, BLOCK_COMM);
	longest_add(&to->longest, &to->heat, io->sector, &detail, sizeof(detail));
}

static size_t label(char text[LONGEST_LABEL], const void *of)
{
	const struct io_detail *d = of;
	char dev[BLOCK_DEV_TEXT];

	block_dev_text(dev, d->dev);
	return (size_t)snprintf(text, LONGEST_LABEL, "%s %s, %s, %s", dev, d->op,
				BYTES_TEXT(d->bytes), d->comm);
}

static const char *who(const void *of)
{
	return ((const struct io_detail *)of)->comm;
}

/* ---- the life of a source ---- */

static int begin(void *state, struct heat_map *to, const void *options, struct warnings *w)
{
	struct ios *d = state;

	d->to = to;
	d->options = *(const struct ios_options *)options;
	d->options.block.pair = to->ask.pairing;
	if (to->ask.by == HEAT_BY_FIELD)
		d->options.block.part = to->ask.by_field;
	block_source_begin(&d->block, &d->options.block);
	d->block.finished = on_finished;
	d->block.ctx = d;
	return 0;
}

/* Do the patterns mean the issue and the completion of requests? Or are they of the block layer and
 * can mean nothing else: that requests are missing is then to be said. */
static bool means(const void *state, const struct pdt_session *s)
{
	const struct heat_ask *a = &((const struct ios *)state)->to->ask;
	const struct pdt_desc *d;
	const char *name = a->events[0];
	bool issue = false, complete = false;

	if (a->value.text)
		return false;
	if (name && !a->events[1]) {
		name += !strncmp(name, "block:", 6) ? 6 : 0;
		if (!strncmp(name, "block_", 6) && strpbrk(name, "*?["))
			return true;
	}
	for (size_t i = 0; !a->key[0].count && (d = pdt_desc_at(s, i)) != NULL; i++) {
		if (a->events[0] && !picked_matches(a->events[0], d) &&
		    !(a->events[1] && picked_matches(a->events[1], d)))
			continue;
		name = pdt_desc_name(d);
		issue |= !strcmp(name, "block:block_rq_issue") ||
			 !strcmp(name, "block:block_bio_queue");
		complete |= !strcmp(name, "block:block_rq_complete") ||
			    !strcmp(name, "block:block_bio_complete");
	}
	return issue && complete;
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	if (e->kind != PDT_SAMPLE)
		return;
	block_source_event(&((struct ios *)state)->block, e, s);
}

static int end(void *state, const struct pdt_session *s, struct warnings *w)
{
	int rc;

	rc = block_source_end(&((struct ios *)state)->block, s, w);
	/* they were asked for by name */
	return rc == ERR_USAGE && !((const struct ios *)state)->block.part.lacking ? ERR_ABSENT
										   : rc;
}

/* A loop device, dm or md does its I/Os by those of the devices below it, so their times and bytes
 * are there twice. The capture does not tell which device lies upon which. */
static void describe_lanes(struct ios *d)
{
	struct heat_map *to = d->to;
	bool chosen = to->ask.by == HEAT_BY_USUAL;
	bool by_device = chosen || to->ask.by == HEAT_BY_DEVICE;
	size_t devices = by_device ? to->heat.lane_names.count : d->devices.count;

	if (to->ask.by == HEAT_NO_LANES)
		return;
	if (chosen)
		to->ask.by = devices > 1 ? HEAT_BY_DEVICE : HEAT_NO_LANES;
	if (!by_device && devices == 1)
		to->heat.lane_prefix = d->devices.list[0].len + 1;
	to->theme.overlap = devices > 1;
	if (to->theme.overlap)
		answer_fact(&to->answer, "lanes",
			    "by device%s%s: %s devices, which may lie one upon another: not "
			    "summed%s",
			    by_device ? "" : " and ", by_device ? "" : to->ask.by_field,
			    COUNT_TEXT(devices), chosen ? "; --by none draws them as one" : "");
}

static void describe(void *state, const struct pdt_session *s, struct warnings *w)
{
	static const char *const titles[] = {
		[USUAL] = "Block I/O latency",
		[DEVICE] = "Block I/O device latency",
		[QUEUE] = "Block I/O time in queue",
		[TOTAL] = "Block I/O total latency",
	};
	struct ios *d = state;
	struct heat_map *to = d->to;

	to->theme = (struct heat_theme){ .title = titles[d->options.latency],
					 .y_name = "latency",
					 .y_type = COLUMN_NS,
					 .spans = true,
					 .bytes = true,
					 .rate = { "ios_per_s", COLUMN_COUNT, 0, "IOPS" },
					 .left_out = d->without_latency,
					 .left_out_what = "I/Os without this latency" };
	to->longest.label = label;
	to->longest.who = who;
	to->longest.number_name = "sector";
	block_source_facts(&d->block, &to->answer, w);
	if (d->apart_bytes)
		answer_warn(&to->answer, "apart",
			    "%s of discards and others: not in the bytes read and written",
			    BYTES_TEXT(answer_sum(&to->answer, d->apart_bytes)));
	describe_lanes(d);
}

static void release(void *state)
{
	block_source_release(&((struct ios *)state)->block);
	intern_release(&((struct ios *)state)->devices);
}

const struct heat_source heat_ios = {
	.state_size = sizeof(struct ios),
	.begin = begin,
	.means = means,
	.event = event,
	.end = end,
	.describe = describe,
	.release = release,
};
