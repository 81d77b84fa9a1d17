/* Reads the fields of block tracepoints, feeds the model with them, and lets an I/O pass where
 * the filters agree. Fields that this kernel does not have are asked for under their other
 * names. */
#include "analyzers/io/block_source.h"
#include "analyzers/count/interrupt.h"
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
	uint16_t dev_at, sector_at, nr_sector_at, bytes_at, error_at, rwbs_at, comm_at, flags_at;
	uint8_t rwbs_mask[BLOCK_RWBS]; /* which bytes at its place are of rwbs */
	uint8_t kind;		       /* BLOCK_KINDS: not used here */
	const struct pdt_field *dev, *sector, *nr_sector, *bytes, *error, *rwbs, *comm;
	const struct pdt_field *flags; /* of the tracepoint */
};

void block_dev_text(char text[BLOCK_DEV_TEXT], uint32_t dev)
{
	snprintf(text, BLOCK_DEV_TEXT, "%u:%u", dev >> MINOR_BITS, dev & ((1u << MINOR_BITS) - 1));
}

const char *block_part_text(struct block_parts *p, uint32_t dev, const char op[BLOCK_OP])
{
	uint64_t key = (uint64_t)dev << 32 | (uint64_t)(uint8_t)op[0] << 16 |
		       (uint64_t)(uint8_t)op[1] << 8 | (uint8_t)op[2];
	uint32_t *id = idmap_put(&p->ids, key);

	if (*id == IDMAP_NONE) {
		char text[BLOCK_DEV_TEXT + BLOCK_OP + 1], name[BLOCK_DEV_TEXT];
		int len;

		block_dev_text(name, dev);
		len = snprintf(text, sizeof(text), "%s %s", name, op);
		*id = intern_add(&p->texts, text, (size_t)len);
	}
	return intern_str(&p->texts, *id);
}

void block_parts_release(struct block_parts *p)
{
	idmap_release(&p->ids);
	intern_release(&p->texts);
}

/* ---- decoding ---- */

static uint8_t kind_by_name(const char *name)
{
	uint8_t k = 0;

	while (k < BLOCK_KINDS && strcmp(name, kind_names[k]))
		k++;
	return k;
}

static bool is_block(const struct pdt_desc *d)
{
	return !strncmp(pdt_desc_name(d), "block:", 6);
}

/* Where F lies, if that is as kernels have it: SIZE bytes of text or of a number. What is missing
 * lies at 0. *END grows to its end. */
static bool lay(const struct pdt_field *f, bool is_text, uint32_t size, uint16_t *at, uint32_t *end)
{
	uint32_t offset = 0, have = 0;

	if (!f)
		return true;
	if (!pdt_field_place(f, &offset, &have) || have != size || !size || offset >= UINT16_MAX ||
	    (is_text ? pdt_field_kind(f) != PDT_FIELD_TEXT : pdt_field_kind(f) > PDT_FIELD_SIGNED))
		return false;
	*at = (uint16_t)offset;
	*end = offset + size > *end ? offset + size : *end;
	return true;
}

/* Where every field is as kernels have it, and where behind the text of rwbs is something more. */
static void bind_plain(struct block_binding *b)
{
	uint32_t end = 0, rwbs_at, rwbs_size;

	(void)pdt_field_place(b->rwbs, &rwbs_at, &rwbs_size);
	if (!lay(b->dev, false, 4, &b->dev_at, &end) ||
	    !lay(b->sector, false, 8, &b->sector_at, &end) ||
	    !lay(b->nr_sector, false, 4, &b->nr_sector_at, &end) ||
	    !lay(b->bytes, false, 4, &b->bytes_at, &end) ||
	    !lay(b->error, false, 4, &b->error_at, &end) ||
	    !lay(b->comm, true, BLOCK_COMM, &b->comm_at, &end) ||
	    !lay(b->flags, false, 1, &b->flags_at, &end) || !b->flags ||
	    !lay(b->rwbs, true, rwbs_size, &b->rwbs_at, &end))
		return;
	b->plain = end > rwbs_at + BLOCK_RWBS ? end : rwbs_at + BLOCK_RWBS;
	b->bytes_mask = b->bytes ? UINT32_MAX : 0;
	b->error_mask = b->error ? UINT32_MAX : 0;
	memset(b->rwbs_mask, 0xff, rwbs_size < BLOCK_RWBS ? rwbs_size : BLOCK_RWBS - 1);
}

static void bind(struct block_binding *b, const struct pdt_format *f)
{
	b->known = true;
	b->kind = strcmp(pdt_format_system(f), "block") ? BLOCK_KINDS
							: kind_by_name(pdt_format_name(f));
	b->dev = pdt_format_field(f, "dev");
	b->sector = pdt_format_field(f, "sector");
	b->nr_sector = pdt_format_field(f, "nr_sector");
	b->bytes = pdt_format_field(f, "bytes");
	b->error = pdt_format_field(f, "error");
	if (!b->error)
		b->error = pdt_format_field(f, "errors"); /* until 4.10 */
	b->rwbs = pdt_format_field(f, "rwbs");
	b->comm = pdt_format_field(f, "comm");
	b->flags = pdt_format_field(f, "common_flags");
	b->unreadable =
		b->kind < BLOCK_KINDS && (!b->dev || !b->sector || !b->nr_sector || !b->rwbs);
	if (b->kind < BLOCK_KINDS && !b->unreadable)
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
			const struct pdt_event *e)
{
	uint64_t dev, nr, error;
	size_t len;
	const char *rwbs = pdt_event_text(e, b->rwbs, &len);

	if (!rwbs || pdt_event_number(e, b->dev, &dev) < 0 ||
	    pdt_event_number(e, b->sector, &out->sector) < 0 ||
	    pdt_event_number(e, b->nr_sector, &nr) < 0)
		return false;
	copy_text(out->rwbs, sizeof(out->rwbs), rwbs, len);
	out->dev = (uint32_t)dev;
	out->nr_sector = (uint32_t)nr;
	(void)!pdt_event_number(e, b->bytes, &out->bytes);
	(void)!pdt_event_number(e, b->error, &error);
	out->error = (int32_t)error;
	out->comm = pdt_event_text(e, b->comm, &out->comm_len);
	return true;
}

/* The thread that an interrupt hit did not ask for it. */
static void take_interrupt(struct block_event *out, enum interrupt i)
{
	out->comm = interrupt_name(i);
	out->comm_len = strlen(out->comm);
	out->pid = out->tid = BLOCK_NOBODY;
}

static bool decode(struct block_event *out, const struct block_binding *b,
		   const struct pdt_event *e)
{
	bool plain = b->plain && e->raw_size >= b->plain;
	enum interrupt interrupt;

	if (plain)
		load_fields(out, b, e->raw);
	else if (!read_fields(out, b, e))
		return false;
	if (!out->bytes) /* until 4.10 */
		out->bytes = (uint64_t)out->nr_sector * SECTOR;
	out->kind = b->kind;
	out->time_ns = e->time_ns;
	out->pid = e->pid;
	out->tid = e->tid;
	out->cpu = e->cpu;
	interrupt = plain ? interrupt_of(e->raw[b->flags_at]) : interrupt_of_event(e, b->flags);
	if (interrupt)
		take_interrupt(out, interrupt);
	return true;
}

/* ---- filters ---- */

static bool passes(const struct block_source *b, const struct block_io *io)
{
	const struct filter *f = filter_of(b->session);
	const struct block_options *o = b->options;

	return filter_thread(f, io->pid, io->tid, io->comm) && num_list_passes(&f->cpus, io->cpu) &&
	       num_list_passes(&f->times, io->complete_ns) && name_list_passes(&o->ops, io->op) &&
	       num_list_passes(&o->sizes, io->bytes) && filter_holds(b->session, io->fields);
}

/* Is there a filter at all? */
static bool has_filters(const struct block_source *b, const struct pdt_session *s)
{
	const struct filter *f = filter_of(s);
	const struct block_options *o = b->options;

	return f->pids.count || f->tids.count || f->cpus.count || f->times.count ||
	       f->comms.count || f->fields || o->ops.count || o->sizes.count;
}

static void on_finished(void *ctx, const struct block_io *io)
{
	struct block_source *b = ctx;

	if (!b->filtering || passes(b, io))
		b->finished(b->ctx, io);
	else
		b->filtered++;
}

/* A merge or requeue is its own thread's, at its own time. */
static bool noted_passes(const struct block_source *b, const struct block_event *e, const char *op)
{
	const struct filter *f = filter_of(b->session);
	char comm[BLOCK_COMM];

	copy_text(comm, sizeof(comm), e->comm, e->comm_len);
	return filter_thread(f, e->pid, e->tid, comm) && num_list_passes(&f->cpus, e->cpu) &&
	       num_list_passes(&f->times, e->time_ns) && name_list_passes(&b->options->ops, op) &&
	       filter_holds(b->session, e->fields);
}

static void on_noted(void *ctx, const struct block_event *e, const char *op)
{
	struct block_source *b = ctx;

	if (b->noted && (!b->filtering || noted_passes(b, e, op)))
		b->noted(b->ctx, e, op);
}

/* ---- events ---- */

static struct block_binding *new_binding(struct block_source *b, const struct pdt_event *e)
{
	size_t i = pdt_desc_index(e->desc);

	if (i >= DESCS_MAX)
		return NULL;
	b->bindings =
		xgrow_to(b->bindings, &b->binding_count, &b->binding_cap, i, sizeof(*b->bindings));
	if (!b->bindings[i].known && e->raw && e->format)
		bind(&b->bindings[i], e->format);
	return &b->bindings[i];
}

static inline const struct block_binding *binding_of(struct block_source *b,
						     const struct pdt_event *e)
{
	size_t i = pdt_desc_index(e->desc);

	return i < b->binding_count && b->bindings[i].known ? &b->bindings[i] : new_binding(b, e);
}

#define PARTS_MAX 4096

static uint32_t part_of(struct block_source *b, const struct pdt_event *e)
{
	const struct picked_binding *p = picked_bind(&b->part, e);
	struct buf text = { 0 };
	uint32_t part = UINT32_MAX;

	if (p && (p->fields[0].source == PICKED_FIELD || p->fields[0].source == PICKED_CPU) &&
	    picked_text(&p->fields[0], e, b->session, &text))
		part = b->parts.count < PARTS_MAX ? intern_add(&b->parts, text.data, text.len)
						  : intern_add(&b->parts, "other", 5);
	buf_release(&text);
	return part;
}

static bool is_submitter(const char *part)
{
	return !strcmp(part, "comm") || !strcmp(part, "pid") || !strcmp(part, "tid");
}

const char *block_source_part(const struct block_source *b, const struct block_io *io,
			      char text[BLOCK_PART_TEXT])
{
	const char *by = b->options->part;

	if (!is_submitter(by))
		return io->part == UINT32_MAX ? "unknown" : intern_str(&b->parts, io->part);
	if (!strcmp(by, "comm") || io->pid == BLOCK_NOBODY)
		return *io->comm ? io->comm : "unknown";
	snprintf(text, BLOCK_PART_TEXT, "%" PRIu32, !strcmp(by, "pid") ? io->pid : io->tid);
	return text;
}

/* Apart from what looks whether it is one: most events are none, and clearing a block_event takes
 * longer than that. */
static __attribute__((noinline)) void take_event(struct block_source *b,
						 const struct block_binding *bind,
						 const struct pdt_event *e,
						 const struct pdt_session *s)
{
	struct block_event be = { .fields = { 0, 0 }, .part = UINT32_MAX };

	if (!decode(&be, bind, e)) {
		b->unreadable++;
		return;
	}
	if (b->session != s) {
		b->session = s;
		b->filtering = has_filters(b, s);
	}
	if (b->filtering)
		be.fields = filter_ask(s, e);
	if (b->part.name_count)
		be.part = part_of(b, e);
	if (!b->used++)
		b->first_ns = e->time_ns;
	b->last_ns = e->time_ns;
	block_model_event(&b->model, &be);
}

void block_source_event(struct block_source *b, const struct pdt_event *e,
			const struct pdt_session *s)
{
	const struct block_binding *bind = e->kind == PDT_SAMPLE ? binding_of(b, e) : NULL;

	if (!bind)
		return;
	if (!bind->known || !e->raw || bind->unreadable)
		b->unreadable += bind->unreadable || is_block(e->desc);
	else if (bind->kind != BLOCK_KINDS)
		take_event(b, bind, e, s);
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
	if (o->part)
		picked_field(&b->part, o->part);
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
	picked_release(&b->part);
	intern_release(&b->parts);
}

static bool has_event(const struct pdt_session *s, enum block_kind kind)
{
	const struct pdt_desc *d;

	for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++) {
		if (is_block(d) && !strcmp(pdt_desc_name(d) + 6, kind_names[kind]))
			return true;
	}
	return false;
}

bool block_source_holds(const struct pdt_session *s)
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

static int say_missing(const struct pdt_session *s, struct warnings *w)
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
		 has_io_start(pdt_text(s, PDT_OSRELEASE)) ? ",block:block_io_start" : "");
	return missing_events(s, what, command, w);
}

int block_source_end(struct block_source *b, const struct pdt_session *s, struct warnings *w)
{
	const uint64_t *seen = b->model.counts.events;

	block_model_end(&b->model);
	free(b->bindings);
	b->bindings = NULL;
	b->binding_count = b->binding_cap = 0;
	if (!block_source_holds(s) && !(seen[BLOCK_ISSUE] && seen[BLOCK_COMPLETE]) &&
	    !(seen[BLOCK_BIO_QUEUE] && seen[BLOCK_BIO_COMPLETE]))
		return say_missing(s, w);
	if (b->options->part && !is_submitter(b->options->part) && !b->part.found) {
		warn_add(w, SEV_FATAL, "no-field", "%s: --by: %s", pdt_text(s, PDT_PATH),
			 b->part.lacking ?: "no block event can be read");
		return ERR_USAGE;
	}
	if (!b->used && b->unreadable) {
		warn_add(w, SEV_FATAL, "no-formats",
			 "%s: %" PRIu64 " block events cannot be read: the capture lacks their "
			 "formats (tracing data) or their payloads",
			 pdt_text(s, PDT_PATH), b->unreadable);
		return ERR_USAGE;
	}
	return 0;
}

static void events_fact(const struct block_source *b, struct answer *a)
{
	struct buf text = { 0 };

	for (int k = 0; k < BLOCK_KINDS; k++)
		answer_list(&text, b->model.counts.events[k], kind_names[k] + sizeof("block_") - 1);
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
	answer_leads(a);
	answer_list(&text, c->uncompleted, "issues without completion");
	answer_list(&text, c->stray_completes, "completions without issue");
	answer_list(&text, c->unissued, "inserted or started, not issued");
	answer_list(&text, c->stray_requeues, "requeues without issue");
	answer_list(&text, c->stray_merges, "merges of what was not inserted");
	answer_list(&text, c->unended_bios, "bios without completion");
	answer_list(&text, c->stray_bios, "bio completions without bio");
	answer_list(&text, b->unreadable, "events not readable");
	answer_unmatched(a, &text, w);
	text.len = 0;
	answer_list(&text, c->flush_wrappers, "completions of what a flush was made for");
	answer_list(&text, c->requeues, "requeues");
	answer_list(&text, c->merges, "merges");
	answer_list(&text, c->partial, "partial completions");
	answer_list(&text, c->ambiguous, "completions that could be another's in flight");
	answer_list(&text, c->timed_out, "issues given up after the time limit");
	answer_list(&text, c->dropped, "given up as too many were under way");
	answer_fact(a, "matching", "%s", text.len ? text.data : "one to one");
	buf_release(&text);
}
