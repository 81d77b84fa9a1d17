/* What a disk did: latencies, rates and depth by device and operation, or every I/O. Devices that
 * stand on each other see the same I/O, so nothing is summed over devices. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/count/listing.h"
#include "analyzers/io/block_source.h"
#include "analyzers/count/quantile.h"
#include "parser/base/compare.h"
#include "parser/base/idmap.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 1024	    /* damage invents devices without end */
#define IOS_MAX	 (1u << 28) /* in one row; their times take 24 bytes each */

struct times {
	uint64_t insert_ns, issue_ns, complete_ns; /* 0: not seen */
};

/* One device and operation. */
struct row {
	uint32_t dev, part; /* part: in block.parts */
	char op[BLOCK_OP];
	struct times *ios;
	size_t count, cap;
	size_t swept; /* of them: their depth is in the figures below */
	uint64_t bytes, sequential, errors, requeues, merges;
	double area_ns; /* sum of the times in flight */
	uint64_t depth_max;
};

struct block {
	bool each;
	struct listing listing; /* of --each */
	struct block_options options;
	struct block_source source;
	struct answer answer;
	struct row *rows;
	size_t row_count, row_cap;
	struct idmap row_by_key;
	struct intern parts;	      /* --by: its values */
	struct column by_columns[64]; /* those of rows, and that value */
	uint64_t left_out;	      /* I/Os and other events past ROWS_MAX and IOS_MAX */
	uint64_t told;		      /* of them */
	uint64_t span_ns; /* from the first to the last block event that count, of all captures */
};

/* What I/Os are ordered by, and the columns that tell it. */
static const char *const keys[] = { "device", "queue", "total", "size", "start", "end", NULL };
static const char *const each_keys[] = { "device_ns", "queue_ns", "total_ns",
					 "bytes",     "issue_ns", "complete_ns" };

static const struct option options[] = {
	{ "by", 0, OPT_TEXT, offsetof(struct block, options.part), "FIELD",
	  "rows also by comm, pid or a field of the events", .one_of = "rows" },
	{ "each", 0, OPT_FLAG, offsetof(struct block, each), NULL, "list every I/O",
	  .one_of = "rows" },
	{ "sort", 's', OPT_WORDS, offsetof(struct block, listing.order), "KEYS",
	  "order of every I/O (default: end)", .words = keys, .needs = "each",
	  .given = offsetof(struct block, listing.ordered) },
	{ .type = OPT_TABLE, .table = listing_options, .offset = offsetof(struct block, listing) },
	{ .type = OPT_TABLE,
	  .table = pair_options,
	  .offset = offsetof(struct block, options.pair) },
	{ .type = OPT_TABLE, .table = block_limits, .offset = offsetof(struct block, options) },
	{ 0 },
};

static const struct column row_columns[] = {
	{ "device", COLUMN_TEXT },
	{ "op", COLUMN_TEXT },
	{ "ios", COLUMN_COUNT },
	{ "bytes", COLUMN_BYTES, 0, "Size" },
	{ "queue_p50_ns", COLUMN_NS },
	{ "queue_p90_ns", COLUMN_NS },
	{ "queue_p99_ns", COLUMN_NS },
	{ "queue_max_ns", COLUMN_NS },
	{ "device_p50_ns", COLUMN_NS },
	{ "device_p90_ns", COLUMN_NS },
	{ "device_p99_ns", COLUMN_NS },
	{ "device_max_ns", COLUMN_NS },
	{ "total_p50_ns", COLUMN_NS },
	{ "total_p90_ns", COLUMN_NS },
	{ "total_p99_ns", COLUMN_NS },
	{ "total_max_ns", COLUMN_NS },
	{ "iops", COLUMN_REAL, 1, NULL },
	{ "bytes_per_s", COLUMN_BYTES_PER_S, 0, "Throughput" },
	{ "depth_mean", COLUMN_REAL, 3, NULL },
	{ "depth_max", COLUMN_COUNT },
	{ "sequential_percent", COLUMN_PERCENT, 1, NULL },
	{ "errors", COLUMN_COUNT },
	{ "requeues", COLUMN_COUNT },
	{ "merges", COLUMN_COUNT },
	{ 0 },
};

static const struct column each_columns[] = {
	{ "device", COLUMN_TEXT },
	{ "sector", COLUMN_ID },
	{ "op", COLUMN_TEXT },
	{ "bytes", COLUMN_BYTES, 0, "Size" },
	{ "insert_ns", COLUMN_TIME_NS },
	{ "issue_ns", COLUMN_TIME_NS },
	{ "complete_ns", COLUMN_TIME_NS },
	{ "queue_ns", COLUMN_NS },
	{ "device_ns", COLUMN_NS },
	{ "total_ns", COLUMN_NS },
	{ "comm", COLUMN_TEXT },
	{ "pid", COLUMN_ID },
	{ "rwbs", COLUMN_TEXT },
	{ "error", COLUMN_DELTA },
	{ "requeues", COLUMN_COUNT },
	{ 0 },
};

static struct row *row_of(struct block *b, uint32_t dev, const char *op, const char *part)
{
	bool full = b->row_count >= ROWS_MAX;
	uint32_t id = 0, *at;
	uint64_t key;
	struct row *r;

	if (part)
		id = full ? intern_find(&b->parts, part, strlen(part))
			  : intern_add(&b->parts, part, strlen(part));
	/* each part has a row: their ids are no greater than ROWS_MAX */
	key = (uint64_t)dev << 32 | (uint64_t)(uint8_t)op[0] << 24 |
	      (uint64_t)(uint8_t)op[1] << 16 | (id & 0xffff);
	if (full && (id == INTERN_NONE || idmap_get(&b->row_by_key, key) == IDMAP_NONE)) {
		b->left_out++;
		return NULL;
	}
	at = idmap_put(&b->row_by_key, key);
	if (*at != IDMAP_NONE)
		return &b->rows[*at];
	*at = (uint32_t)b->row_count;
	b->rows = xgrow(b->rows, &b->row_cap, b->row_count + 1, sizeof(*b->rows));
	r = &b->rows[b->row_count++];
	*r = (struct row){ .dev = dev, .part = id };
	memcpy(r->op, op, BLOCK_OP);
	return r;
}

/* NULL: nothing parts I/Os. */
static const char *part_of(const struct block *b, const struct block_io *io,
			   char text[BLOCK_PART_TEXT])
{
	return b->options.part ? block_source_part(&b->source, io, text) : NULL;
}

/* ---- every I/O ---- */

static void add_each(struct answer *a, const struct block_io *io)
{
	char dev[BLOCK_DEV_TEXT];
	uint64_t ns;
	bool there;

	block_dev_text(dev, io->dev);
	answer_cell_text(a, dev);
	answer_cell_count(a, io->sector);
	answer_cell_text(a, io->op);
	answer_cell_count(a, io->bytes);
	answer_cell_count_if(a, io->insert_ns, io->insert_ns);
	answer_cell_count_if(a, io->issue_ns, io->issue_ns);
	answer_cell_count_if(a, io->complete_ns, io->complete_ns);
	there = block_queue_ns(io, &ns);
	answer_cell_count_if(a, there, ns);
	there = block_device_ns(io, &ns);
	answer_cell_count_if(a, there, ns);
	there = block_total_ns(io, &ns);
	answer_cell_count_if(a, there, ns);
	answer_cell_text(a, io->comm);
	answer_cell_count_if(a, io->pid != BLOCK_NOBODY, io->pid);
	answer_cell_text(a, io->rwbs);
	answer_cell_delta(a, io->error);
	answer_cell_count(a, io->requeues);
}

static void on_finished(void *ctx, const struct block_io *io)
{
	struct block *b = ctx;
	char text[BLOCK_PART_TEXT];
	struct row *r = row_of(b, io->dev, io->op, part_of(b, io, text));

	if (b->each)
		add_each(&b->answer, io);
	if (!r)
		return;
	if (r->count >= IOS_MAX) {
		b->left_out++;
		return;
	}
	r->ios = xgrow(r->ios, &r->cap, r->count + 1, sizeof(*r->ios));
	r->ios[r->count++] = (struct times){ io->insert_ns, io->issue_ns, io->complete_ns };
	(void)add_held(&r->bytes, io->bytes);
	r->sequential += io->sequential;
	r->errors += io->error != 0;
}

static void on_noted(void *ctx, const struct block_event *e, const char *op)
{
	struct block *b = ctx;
	struct block_io io = { .pid = e->pid, .tid = e->tid, .part = e->part };
	struct row *r;
	char text[BLOCK_PART_TEXT];

	if (e->comm)
		memcpy(io.comm, e->comm, e->comm_len < BLOCK_COMM ? e->comm_len : BLOCK_COMM - 1);
	r = row_of(b, e->dev, op, part_of(b, &io, text));
	if (!r)
		return;
	if (e->kind == BLOCK_REQUEUE)
		r->requeues++;
	else
		r->merges++;
}

/* ---- the life of the analyzer ---- */

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct block *b = state;

	if (!b->each && listing_given(&b->listing)) {
		warn_add(w, SEV_FATAL, "usage", "block: --min and --limit need --each");
		return ERR_USAGE;
	}
	block_source_begin(&b->source, &b->options);
	b->source.finished = on_finished;
	b->source.noted = on_noted;
	b->source.ctx = b;
	return 0;
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct block *b = state;

	block_source_event(&b->source, e, s);
}

/* When the device has an I/O: from its issue, or where it is made of bios, from the first. */
static uint64_t flight_start(const struct times *t)
{
	return t->issue_ns ? t->issue_ns : t->insert_ns ? t->insert_ns : t->complete_ns;
}

/* I/Os complete nearly in the order in which they began: few numbers have far to go. Where they do,
 * it is left to qsort(). */
static void sort_starts(uint64_t *starts, size_t n)
{
	size_t left = 16 * n;

	for (size_t i = 1; i < n; i++) {
		uint64_t start = starts[i];
		size_t to = i;

		for (; to && starts[to - 1] > start && left; left--, to--)
			starts[to] = starts[to - 1];
		starts[to] = start;
		if (!left) {
			qsort(starts, n, sizeof(*starts), compare_numbers);
			return;
		}
	}
}

/* The depth of one capture's I/Os, which completed in their order. */
static void sweep_depth(struct row *r)
{
	size_t n = r->count - r->swept;
	const struct times *ios = r->ios + r->swept;
	uint64_t *starts = xmalloc((n + 1) * sizeof(*starts));

	for (size_t i = 0; i < n; i++) {
		starts[i] = flight_start(&ios[i]);
		r->area_ns += (double)(ios[i].complete_ns - starts[i]);
	}
	sort_starts(starts, n);
	for (size_t i = 0, ended = 0; i < n; i++) {
		while (ended < n && ios[ended].complete_ns <= starts[i])
			ended++;
		if (i >= ended && i + 1 - ended > r->depth_max)
			r->depth_max = i + 1 - ended;
	}
	free(starts);
	r->swept = r->count;
}

/* The list of every I/O has them all. */
static void tell_left_out(struct block *b, struct warnings *w)
{
	uint64_t count = b->each ? 0 : b->left_out - b->told;

	b->told = b->left_out;
	if (!count)
		return;
	answer_warn(&b->answer, "left out",
		    "%s I/Os, requeues and merges, of more than %d devices and operations",
		    COUNT_TEXT(count), ROWS_MAX);
	answer_tell(&b->answer, "left out: %s I/Os, requeues and merges", COUNT_TEXT(count));
	warn_add(w, SEV_WARN, "left-out",
		 "left out: %" PRIu64
		 " I/Os, requeues and merges, of more than %d devices and operations",
		 count, ROWS_MAX);
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct block *b = state;
	int rc = block_source_end(&b->source, s, w);

	if (rc < 0)
		return rc;
	answer_capture(&b->answer, s);
	block_source_facts(&b->source, &b->answer, w);
	tell_left_out(b, w);
	for (size_t i = 0; i < b->row_count; i++) {
		if (b->rows[i].count > b->rows[i].swept)
			sweep_depth(&b->rows[i]);
	}
	/* of the I/Os shown: all of the capture's, or what --time leaves of it */
	b->span_ns += num_list_within(&filter_of(s)->times, b->source.first_ns, b->source.last_ns);
	b->source.used = b->source.unreadable = b->source.filtered = 0;
	memset(&b->source.model.counts, 0, sizeof(b->source.model.counts));
	return 0;
}

/* ---- the table ---- */

enum latency { QUEUE, DEVICE, TOTAL };

static bool latency_of(const struct times *t, enum latency which, uint64_t *out)
{
	const struct block_io io = { .insert_ns = t->insert_ns,
				     .issue_ns = t->issue_ns,
				     .complete_ns = t->complete_ns };

	if (which == QUEUE)
		return block_queue_ns(&io, out);
	return which == DEVICE ? block_device_ns(&io, out) : block_total_ns(&io, out);
}

/* VALUES has room for all of the row's. */
static void percentile_cells(struct answer *a, const struct row *r, enum latency which,
			     uint64_t *values)
{
	static const double percents[] = { 50, 90, 99, 100 };
	size_t n = 0;

	for (size_t i = 0; i < r->count; i++)
		n += latency_of(&r->ios[i], which, &values[n]);
	for (size_t i = 0; i < ARRAY_SIZE(percents); i++)
		answer_cell_count_if(a, n > 0, n ? quantile(values, n, percents[i]) : 0);
}

static void row_cells(struct block *b, const struct row *r)
{
	double span_s = b->span_ns ? (double)b->span_ns / 1e9 : NAN;
	uint64_t *values = xmalloc((r->count + 1) * sizeof(*values));
	struct answer *a = &b->answer;
	char dev[BLOCK_DEV_TEXT];

	block_dev_text(dev, r->dev);
	answer_cell_text(a, dev);
	answer_cell_text(a, r->op);
	if (b->options.part)
		answer_cell_text(a, intern_str(&b->parts, r->part));
	answer_cell_count(a, r->count);
	answer_cell_sum(a, r->bytes);
	for (int which = QUEUE; which <= TOTAL; which++)
		percentile_cells(a, r, (enum latency)which, values);
	answer_cell_real(a, (double)r->count / span_s);
	answer_cell_real(a, (double)r->bytes / span_s);
	answer_cell_real(a, r->area_ns / 1e9 / span_s);
	answer_cell_count(a, r->depth_max);
	answer_cell_real(a, r->count ? percent_of((double)r->sequential, (double)r->count) : NAN);
	answer_cell_count(a, r->errors);
	answer_cell_count(a, r->requeues);
	answer_cell_count(a, r->merges);
	free(values);
}

/* With --by the most I/Os first. */
static int compare_rows(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;

	return compare_u64(a->dev, b->dev) ?: strcmp(a->op, b->op) ?:
	       compare_u64(b->count, a->count) ?: compare_u64(a->part, b->part);
}

/* When they ended, by which they are sorted, and how long they took. */
static const uint8_t each_summary[] = { 0, 2, 6, 9, 8, 7, 3, 4, 5, 13, 14, 1, 11, 10, 12 };

/* How long I/Os took in all is what people read first, then where. BY: with the column of --by. */
static const uint8_t summary[] = { 0, 1, 2, 3, 12, 13, 14, 15, 8,  9,  10, 11,
				   4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23 };
static const uint8_t by_summary[] = { 0, 1, 2, 3, 4,  13, 14, 15, 16, 9,  10, 11, 12,
				      5, 6, 7, 8, 17, 18, 19, 20, 21, 22, 23, 24 };

/* Those of rows, with the value of --by behind the operation. */
static const struct column *columns_of(struct block *b)
{
	size_t n = 0;

	if (!b->options.part)
		return row_columns;
	for (size_t i = 0; i < ARRAY_SIZE(row_columns); i++) {
		if (i == 2)
			b->by_columns[n++] = (struct column){ b->options.part, COLUMN_TEXT };
		b->by_columns[n++] = row_columns[i];
	}
	return b->by_columns;
}

static void result(void *state, struct result *out)
{
	struct block *b = state;

	answer_fact(&b->answer, "span",
		    "%s from the first to the last block event, as far as shown",
		    NS_TEXT(b->span_ns));
	if (!b->each) {
		if (b->row_count)
			qsort(b->rows, b->row_count, sizeof(*b->rows), compare_rows);
		for (size_t i = 0; i < b->row_count; i++)
			row_cells(b, &b->rows[i]);
	}
	if (b->each)
		listing_apply(&b->listing, each_keys, each_columns, &b->answer);
	out->title = "Block I/O";
	out->none = answer_none(&b->answer,
				"no I/O that passes was seen from its issue to its completion");
	if (b->listing.none)
		out->none = b->listing.none;
	answer_result(&b->answer, b->each ? each_columns : columns_of(b), out);
	if (b->each) {
		b->answer.table.summary = each_summary;
		b->answer.table.summary_columns = ARRAY_SIZE(each_summary);
	} else {
		b->answer.table.summary = b->options.part ? by_summary : summary;
		b->answer.table.summary_columns = ARRAY_SIZE(summary) + (b->options.part != NULL);
	}
}

static void release(void *state)
{
	struct block *b = state;

	for (size_t i = 0; i < b->row_count; i++)
		free(b->rows[i].ios);
	free(b->rows);
	idmap_release(&b->row_by_key);
	intern_release(&b->parts);
	block_source_release(&b->source);
	answer_release(&b->answer);
}

const struct analyzer analyzer_block = {
	.name = "block",
	.summary = "latency, rate and depth of disk I/O by device and operation, or every I/O",
	.question = QUESTION_DISK,
	.wants = PDT_WANT_FIELDS | PDT_WANT_ALL,
	.shapes = SHAPE_TABLE,
	.options = options,
	.state_size = sizeof(struct block),
	.begin = begin,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
