/* Reads the fields of block tracepoints, feeds the model with them, and lets an I/O pass where
 * the filters agree. Fields that this kernel does not have are asked for under their other
 * names. */
#include "analyzers/io/block_source.h"
#include "analyzers/count/missing.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DESCS_MAX  65536
#define SECTOR	   512
#define MINOR_BITS 20 /* of the kernel's own dev_t */

static const char *const kind_names[BLOCK_KINDS] = {
	[BLOCK_IO_START] = "block_io_start",	   [BLOCK_INSERT] = "block_rq_insert",
	[BLOCK_ISSUE] = "block_rq_issue",	   [BLOCK_COMPLETE] = "block_rq_complete",
	[BLOCK_REQUEUE] = "block_rq_requeue",	   [BLOCK_RQ_MERGE] = "block_rq_merge",
	[BLOCK_BACKMERGE] = "block_bio_backmerge", [BLOCK_FRONTMERGE] = "block_bio_frontmerge",
	[BLOCK_BIO_QUEUE] = "block_bio_queue",	   [BLOCK_BIO_COMPLETE] = "block_bio_complete",
};

/* Where the fields of one event lie. */
struct block_binding {
	bool known, unreadable;
	/* Payloads of PLAIN bytes are read by loads from these places; 0: none are. What is
	 * missing lies at 0 and is masked out. */
	uint32_t plain, bytes_mask, error_mask;
	uint16_t dev_at, sector_at, nr_sector_at, bytes_at, error_at, rwbs_at, comm_at;
	uint8_t rwbs_mask[BLOCK_RWBS]; /* which bytes at its place are of rwbs */
	uint8_t kind;		       /* BLOCK_KINDS: not used here */
	const struct trace_field *dev, *sector, *nr_sector, *bytes, *error, *rwbs, *comm;
};

void block_dev_text(char text[BLOCK_DEV_TEXT], uint32_t dev)
{
	snprintf(text, BLOCK_DEV_TEXT, "%u:%u", dev >> MINOR_BITS, dev & ((1u << MINOR_BITS) - 1));
}

/* ---- decoding ---- */

static uint8_t kind_by_name(const char *name)
{
	uint8_t k = 0;

	while (k < BLOCK_KINDS && strcmp(name, kind_names[k]))
		k++;
	return k;
}

static bool is_block(const struct event_desc *d)
{
	return !strncmp(d->name, "block:", 6);
}

static bool is_plain(const struct trace_field *f, enum field_kind kind, uint32_t size)
{
	return f && !f->swap && f->kind == kind && f->size == size && f->offset < UINT16_MAX;
}

/* Where every field is as kernels have it, and where behind the text of rwbs is something more. */
static uint32_t plain_size(const struct block_binding *b)
{
	const struct trace_field *const all[] = { b->dev,   b->sector, b->nr_sector, b->bytes,
						  b->error, b->rwbs,   b->comm };
	uint32_t size = 0;

	if (!is_plain(b->dev, FIELD_NUMBER, 4) || !is_plain(b->sector, FIELD_NUMBER, 8) ||
	    !is_plain(b->nr_sector, FIELD_NUMBER, 4) ||
	    (b->bytes && !is_plain(b->bytes, FIELD_NUMBER, 4)) ||
	    (b->error && !is_plain(b->error, FIELD_NUMBER, 4)) ||
	    (b->comm && !is_plain(b->comm, FIELD_TEXT, BLOCK_COMM)) ||
	    !is_plain(b->rwbs, FIELD_TEXT, b->rwbs->size) || !b->rwbs->size)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		uint32_t end = all[i] ? all[i]->offset + all[i]->size : 0;

		size = end > size ? end : size;
	}
	return size > b->rwbs->offset + BLOCK_RWBS ? size : b->rwbs->offset + BLOCK_RWBS;
}

static void bind_plain(struct block_binding *b)
{
	b->dev_at = (uint16_t)b->dev->offset;
	b->sector_at = (uint16_t)b->sector->offset;
	b->nr_sector_at = (uint16_t)b->nr_sector->offset;
	b->bytes_at = b->bytes ? (uint16_t)b->bytes->offset : 0;
	b->bytes_mask = b->bytes ? UINT32_MAX : 0;
	b->error_at = b->error ? (uint16_t)b->error->offset : 0;
	b->error_mask = b->error ? UINT32_MAX : 0;
	b->rwbs_at = (uint16_t)b->rwbs->offset;
	b->comm_at = b->comm ? (uint16_t)b->comm->offset : 0;
	memset(b->rwbs_mask, 0xff, b->rwbs->size < BLOCK_RWBS ? b->rwbs->size : BLOCK_RWBS - 1);
}

static void bind(struct block_binding *b, const struct trace_format *f)
{
	b->known = true;
	b->kind = strcmp(f->system, "block") ? BLOCK_KINDS : kind_by_name(f->name);
	b->dev = trace_field(f, "dev");
	b->sector = trace_field(f, "sector");
	b->nr_sector = trace_field(f, "nr_sector");
	b->bytes = trace_field(f, "bytes");
	b->error = trace_field(f, "error");
	if (!b->error)
		b->error = trace_field(f, "errors"); /* until 4.10 */
	b->rwbs = trace_field(f, "rwbs");
	b->comm = trace_field(f, "comm");
	b->unreadable =
		b->kind < BLOCK_KINDS && (!b->dev || !b->sector || !b->nr_sector || !b->rwbs);
	b->plain = b->kind < BLOCK_KINDS && !b->unreadable ? plain_size(b) : 0;
	if (b->plain)
		bind_plain(b);
}

static void copy_text(char *to, size_t size, const char *from, size_t len)
{
	len = len < size - 1 ? len : size - 1;
	memset(to, 0, size);
	if (from)
		memcpy(to, from, len);
}

static inline uint32_t load_u32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* By words and without a store into them: what is stored in pieces takes long to be loaded. */
static void load_rwbs(char out[BLOCK_RWBS], const struct block_binding *b, const uint8_t *from)
{
	uint64_t head, head_mask;
	uint32_t tail, tail_mask;

	memcpy(&head, from, sizeof(head));
	memcpy(&head_mask, b->rwbs_mask, sizeof(head));
	memcpy(&tail, from + sizeof(head), sizeof(tail));
	memcpy(&tail_mask, b->rwbs_mask + sizeof(head), sizeof(tail));
	head &= head_mask;
	tail &= tail_mask;
	memcpy(out, &head, sizeof(head));
	memcpy(out + sizeof(head), &tail, sizeof(tail));
}

/* What read_fields() does, where the fields are known to lie inside. */
static void load_fields(struct block_event *out, const struct block_binding *b, const uint8_t *p)
{
	memcpy(&out->sector, p + b->sector_at, sizeof(out->sector));
	load_rwbs(out->rwbs, b, p + b->rwbs_at);
	out->dev = load_u32(p + b->dev_at);
	out->nr_sector = load_u32(p + b->nr_sector_at);
	out->bytes = load_u32(p + b->bytes_at) & b->bytes_mask;
	out->error = (int32_t)(load_u32(p + b->error_at) & b->error_mask);
	out->comm = b->comm ? (const char *)p + b->comm_at : NULL;
	out->comm_len = BLOCK_COMM - 1; /* with its NUL, and what is behind that */
}

static bool read_fields(struct block_event *out, const struct block_binding *b,
			const struct payload *p)
{
	uint64_t dev, nr;
	size_t len;
	const char *rwbs = trace_text(b->rwbs, p, &len);

	if (!rwbs || !trace_number(b->dev, p, &dev) || !trace_number(b->sector, p, &out->sector) ||
	    !trace_number(b->nr_sector, p, &nr))
		return false;
	copy_text(out->rwbs, sizeof(out->rwbs), rwbs, len);
	out->dev = (uint32_t)dev;
	out->nr_sector = (uint32_t)nr;
	out->bytes = trace_u64(b->bytes, p);
	out->error = (int32_t)trace_u64(b->error, p);
	out->comm = trace_text(b->comm, p, &out->comm_len);
	return true;
}

static bool decode(struct block_event *out, const struct block_binding *b, const struct event *e)
{
	if (b->plain && e->payload->size >= b->plain)
		load_fields(out, b, e->payload->bytes);
	else if (!read_fields(out, b, e->payload))
		return false;
	if (!out->bytes) /* until 4.10 */
		out->bytes = (uint64_t)out->nr_sector * SECTOR;
	out->kind = b->kind;
	out->time_ns = e->time_ns;
	out->pid = e->pid;
	out->tid = e->tid;
	out->cpu = e->cpu;
	return true;
}

/* ---- filters ---- */

static bool passes(const struct block_source *b, const struct block_io *io)
{
	const struct filter *f = session_filter(b->session);
	const struct block_options *o = b->options;

	return (!f->pids.count || num_list_has(&f->pids, io->pid)) &&
	       (!f->tids.count || num_list_has(&f->tids, io->tid)) &&
	       (!f->cpus.count || num_list_has(&f->cpus, io->cpu)) &&
	       (!f->times.count || num_list_has(&f->times, io->complete_ns)) &&
	       (!f->comms.count || name_list_has(&f->comms, io->comm)) &&
	       (!o->ops.count || name_list_has(&o->ops, io->op)) &&
	       (!o->sizes.count || num_list_has(&o->sizes, io->bytes));
}

/* Is there a filter at all? */
static bool has_filters(const struct block_source *b, const struct session *s)
{
	const struct filter *f = session_filter(s);
	const struct block_options *o = b->options;

	return f->pids.count || f->tids.count || f->cpus.count || f->times.count ||
	       f->comms.count || o->ops.count || o->sizes.count;
}

static void on_finished(void *ctx, const struct block_io *io)
{
	struct block_source *b = ctx;

	if (!b->filtering || passes(b, io))
		b->finished(b->ctx, io);
	else
		b->filtered++;
}

static void on_noted(void *ctx, const struct block_event *e, const char *op)
{
	struct block_source *b = ctx;

	if (b->noted)
		b->noted(b->ctx, e, op);
}

/* ---- events ---- */

static struct block_binding *new_binding(struct block_source *b, const struct event *e)
{
	size_t i = e->desc->index;

	if (i >= DESCS_MAX)
		return NULL;
	if (i >= b->binding_count) {
		b->bindings = xrealloc(b->bindings, (i + 1) * sizeof(*b->bindings));
		memset(b->bindings + b->binding_count, 0,
		       (i + 1 - b->binding_count) * sizeof(*b->bindings));
		b->binding_count = i + 1;
	}
	if (!b->bindings[i].known && e->payload && e->payload->format)
		bind(&b->bindings[i], e->payload->format);
	return &b->bindings[i];
}

static inline const struct block_binding *binding_of(struct block_source *b, const struct event *e)
{
	size_t i = e->desc->index;

	return i < b->binding_count && b->bindings[i].known ? &b->bindings[i] : new_binding(b, e);
}

void block_source_event(struct block_source *b, const struct event *e, const struct session *s)
{
	const struct block_binding *bind = e->kind == EVENT_SAMPLE ? binding_of(b, e) : NULL;
	struct block_event be;

	if (!bind)
		return;
	if (!bind->known || !e->payload || bind->unreadable) {
		b->unreadable += bind->unreadable || is_block(e->desc);
		return;
	}
	if (bind->kind == BLOCK_KINDS)
		return;
	if (!decode(&be, bind, e)) {
		b->unreadable++;
		return;
	}
	if (b->session != s) {
		b->session = s;
		b->filtering = has_filters(b, s);
	}
	if (!b->used++)
		b->first_ns = e->time_ns;
	b->last_ns = e->time_ns;
	block_model_event(&b->model, &be);
}

/* ---- the life of a source ---- */

#define BO(member) offsetof(struct block_options, member)

const struct option block_limits[] = {
	{ "io-timeout", 0, OPT_DURATION, BO(timeout_ns), "TIME",
	  "an issue older than this gets no completion: 30s (default: no limit)", .most = 1e18 },
	{ "op", 0, OPT_NAMES, BO(ops), "LIST", "only these operations: R,W,D,F" },
	{ "size", 0, OPT_SIZES, BO(sizes), "LIST", "only I/Os of so many bytes: 4096, 0-64k" },
	{ 0 },
};

void block_source_begin(struct block_source *b, const struct block_options *o)
{
	memset(b, 0, sizeof(*b));
	b->options = o;
	block_model_init(&b->model);
	b->model.finished = on_finished;
	b->model.noted = on_noted;
	b->model.ctx = b;
	b->model.oldest_first = o->pair == PAIR_OLDEST;
	b->model.timeout_ns = o->timeout_ns;
}

void block_source_release(struct block_source *b)
{
	block_model_release(&b->model);
	free(b->bindings);
}

static bool has_event(const struct session *s, enum block_kind kind)
{
	const struct event_list *l = &session_capture(s)->events;

	for (size_t i = 0; i < l->count; i++) {
		if (is_block(l->descs[i]) && !strcmp(l->descs[i]->name + 6, kind_names[kind]))
			return true;
	}
	return false;
}

bool block_source_holds(const struct session *s)
{
	return (has_event(s, BLOCK_ISSUE) && has_event(s, BLOCK_COMPLETE)) ||
	       (has_event(s, BLOCK_BIO_QUEUE) && has_event(s, BLOCK_BIO_COMPLETE));
}

/* block_io_start came with 6.5; where the release is not told the command does without. */
static bool has_io_start(const char *release)
{
	unsigned major, minor;

	return release && sscanf(release, "%u.%u", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 5));
}

static int say_missing(const struct session *s, struct warnings *w)
{
	const char *what = has_event(s, BLOCK_ISSUE)	  ? "block:block_rq_complete"
			   : has_event(s, BLOCK_COMPLETE) ? "block:block_rq_issue"
							  : "block:block_rq_issue and "
							    "block:block_rq_complete";
	char command[320];

	snprintf(command, sizeof(command),
		 "perf record -a -c1 -m 2048 -e block:block_rq_issue,block:block_rq_complete,"
		 "block:block_rq_insert,block:block_rq_requeue,block:block_bio_frontmerge,"
		 "block:block_rq_merge%s -o /dev/shm/b.data -- sleep 30",
		 has_io_start(session_capture(s)->meta.osrelease) ? ",block:block_io_start" : "");
	return missing_events(s, what, command, w);
}

int block_source_end(struct block_source *b, const struct session *s, struct warnings *w)
{
	const uint64_t *seen = b->model.counts.events;

	block_model_end(&b->model);
	free(b->bindings);
	b->bindings = NULL;
	b->binding_count = 0;
	if (!block_source_holds(s) && !(seen[BLOCK_ISSUE] && seen[BLOCK_COMPLETE]) &&
	    !(seen[BLOCK_BIO_QUEUE] && seen[BLOCK_BIO_COMPLETE]))
		return say_missing(s, w);
	if (!b->used && b->unreadable) {
		warn_add(w, SEV_FATAL, "no-formats",
			 "%s: %" PRIu64 " block events cannot be read: the capture lacks their "
			 "formats (tracing data) or their payloads",
			 session_path(s), b->unreadable);
		return ERR_USAGE;
	}
	return 0;
}

static void add_count(struct buf *b, uint64_t count, const char *what)
{
	if (count)
		buf_printf(b, "%s%s %s", b->len ? ", " : "", COUNT_TEXT(count), what);
}

static void events_fact(const struct block_source *b, struct answer *a)
{
	struct buf text = { 0 };

	for (int k = 0; k < BLOCK_KINDS; k++)
		add_count(&text, b->model.counts.events[k], kind_names[k] + sizeof("block_") - 1);
	answer_fact(a, "block events", "%s used%s%s", COUNT_TEXT(b->used), text.len ? ": " : "",
		    text.len ? text.data : "");
	buf_release(&text);
}

void block_source_facts(const struct block_source *b, struct answer *a, struct warnings *w)
{
	const struct block_counts *c = &b->model.counts;
	struct buf text = { 0 };

	events_fact(b, a);
	answer_fact(a, "I/Os", "%s finished, %s of them filtered out", COUNT_TEXT(c->finished),
		    COUNT_TEXT(b->filtered));
	add_count(&text, c->uncompleted, "issues without completion");
	add_count(&text, c->stray_completes, "completions without issue");
	add_count(&text, c->unissued, "inserted or started, not issued");
	add_count(&text, c->stray_requeues, "requeues without issue");
	add_count(&text, c->stray_merges, "merges of what was not inserted");
	add_count(&text, c->unended_bios, "bios without completion");
	add_count(&text, c->stray_bios, "bio completions without bio");
	add_count(&text, b->unreadable, "events not readable");
	answer_fact(a, "unmatched", "%s", text.len ? text.data : "nothing");
	if (text.len)
		warn_add(w, SEV_NOTE, "unmatched", "unmatched: %s", text.data);
	text.len = 0;
	add_count(&text, c->flush_wrappers, "completions of what a flush was made for");
	add_count(&text, c->requeues, "requeues");
	add_count(&text, c->merges, "merges");
	add_count(&text, c->partial, "partial completions");
	add_count(&text, c->ambiguous, "completions that could be another's in flight");
	add_count(&text, c->timed_out, "issues given up after the time limit");
	add_count(&text, c->dropped, "given up as too many were under way");
	answer_fact(a, "matching", "%s", text.len ? text.data : "one to one");
	buf_release(&text);
}
