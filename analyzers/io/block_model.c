/* The states of a request from issue to completion, matched by device, sector and operation.
 * Knows no tracepoints and no session; what matches nothing is counted and left. */
#include "analyzers/io/block_model.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define SECTOR	   512
#define WALK_MAX   256	/* so many with one key are looked at; more is damage */
#define QUEUES_MAX 1024 /* devices by operations; damage shares the last */

/* Part of the key: what is expected next. */
enum state { QUEUED = 1, FLYING, BIO };

struct block_record {
	struct block_io io;
	uint32_t nr_sector; /* expected of the next event */
	uint8_t state;
	bool partly_done; /* the key's sector is above io.sector */
	bool inserted;	  /* by an insert, not only by io_start */
	bool requeued;	  /* and not inserted or issued again since */
};

struct block_queue {
	uint32_t dev, op; /* op: op_code() */
	bool completes_bios;
	uint64_t next_sector; /* the end of the one issued last */
	uint64_t next_bio;    /* the same of bios */
};

void block_model_init(struct block_model *m)
{
	memset(m, 0, sizeof(*m));
	inflight_init(&m->inflight);
}

void block_model_release(struct block_model *m)
{
	inflight_release(&m->inflight);
	free(m->records);
	free(m->queues);
	m->records = NULL;
	m->queues = NULL;
}

static bool is_operation(char c)
{
	return c == 'R' || c == 'W' || c == 'D' || c == 'F' || c == 'N' || c == 'Z';
}

/* The two letters of an operation, in one number. */
static inline uint32_t op_code(const char *rwbs)
{
	uint32_t code;

	if (rwbs[0] == 'F' && is_operation(rwbs[1]))
		rwbs++;
	code = *rwbs ? (uint8_t)*rwbs : '?';
	if ((*rwbs == 'D' && rwbs[1] == 'E') || *rwbs == 'Z')
		code |= (uint32_t)(uint8_t)rwbs[1]
			<< 8; /* secure erase; one of the zone commands */
	return code;
}

void block_op(const char *rwbs, char op[BLOCK_OP])
{
	uint32_t code = op_code(rwbs);

	op[0] = (char)code;
	op[1] = (char)(code >> 8);
	op[2] = '\0';
}

/* ---- records ---- */

/* An event with what its key is made of. */
struct step {
	const struct block_event *e;
	uint32_t op; /* op_code() */
	bool flush;
	uint64_t sector; /* 0 for a flush, whatever the event says */
};

static struct inflight_key key_of(const struct step *s, enum state state, uint64_t sector)
{
	return (struct inflight_key){ sector,
				      (uint64_t)s->e->dev << 32 | (uint64_t)s->op << 16 | state };
}

/* The newest (or oldest) with this key and NR sectors under way; ANY: with any number. *SEVERAL
 * tells that there are more of them. */
static uint32_t find(const struct block_model *m, struct inflight_key key, uint32_t nr, bool any,
		     bool *several)
{
	uint32_t best = INFLIGHT_NONE, slot = inflight_find(&m->inflight, key);

	*several = false;
	for (unsigned i = 0; slot != INFLIGHT_NONE && i < WALK_MAX; i++) {
		if (any || m->records[slot].nr_sector == nr) {
			*several |= best != INFLIGHT_NONE;
			if (best == INFLIGHT_NONE || m->oldest_first)
				best = slot;
		}
		slot = inflight_older(&m->inflight, slot);
	}
	return best;
}

/* The same number of sectors if there is one, else any. */
static uint32_t find_near(const struct block_model *m, struct inflight_key key, uint32_t nr)
{
	uint32_t best = INFLIGHT_NONE, slot = inflight_find(&m->inflight, key);
	bool best_same = false;

	for (unsigned i = 0; slot != INFLIGHT_NONE && i < WALK_MAX; i++) {
		bool same = m->records[slot].nr_sector == nr;

		if (best == INFLIGHT_NONE || (same && !best_same) ||
		    (m->oldest_first && same == best_same)) {
			best = slot;
			best_same = same;
		}
		slot = inflight_older(&m->inflight, slot);
	}
	return best;
}

static struct block_queue *queue_of(struct block_model *m, const struct step *s)
{
	struct block_queue *q;

	for (size_t i = 0; i < m->queue_count; i++) {
		q = &m->queues[i];
		if (q->dev == s->e->dev && q->op == s->op)
			return q;
	}
	if (m->queue_count >= QUEUES_MAX)
		return &m->queues[QUEUES_MAX - 1];
	m->queues = xgrow(m->queues, &m->queue_cap, m->queue_count + 1, sizeof(*m->queues));
	q = &m->queues[m->queue_count++];
	*q = (struct block_queue){
		.dev = s->e->dev, .op = s->op, .next_sector = UINT64_MAX, .next_bio = UINT64_MAX
	};
	return q;
}

static bool completes_bios(const struct block_model *m, uint32_t dev)
{
	for (size_t i = 0; i < m->queue_count; i++) {
		if (m->queues[i].dev == dev && m->queues[i].completes_bios)
			return true;
	}
	return false;
}

static void drop(struct block_model *m, uint32_t slot)
{
	m->queued -= m->records[slot].state == QUEUED;
	inflight_remove(&m->inflight, slot);
}

/* It will not finish any more. */
static void give_up(struct block_model *m, uint32_t slot)
{
	const struct block_record *r = &m->records[slot];

	if (r->state == FLYING)
		m->counts.uncompleted++;
	else if (r->state == QUEUED)
		m->counts.unissued++;
	else
		m->counts.unended_bios += completes_bios(m, r->io.dev);
	drop(m, slot);
}

static void take_submitter(struct block_io *io, const struct block_event *e)
{
	size_t len = e->comm_len < BLOCK_COMM - 1 ? e->comm_len : BLOCK_COMM - 1;

	io->pid = e->pid;
	io->tid = e->tid;
	if (e->comm && len == BLOCK_COMM - 1) {
		memcpy(io->comm, e->comm, BLOCK_COMM - 1);
		io->comm[BLOCK_COMM - 1] = '\0';
		return;
	}
	memset(io->comm, 0, BLOCK_COMM);
	if (e->comm)
		memcpy(io->comm, e->comm, len);
}

/* The bio that a request is made of tells who wanted it. */
static void take_bio(struct block_model *m, const struct step *s, struct block_io *io)
{
	struct inflight_key key = key_of(s, BIO, s->sector);
	uint32_t slot = inflight_find(&m->inflight, key);

	if (slot == INFLIGHT_NONE)
		return;
	if (io) {
		io->pid = m->records[slot].io.pid;
		io->tid = m->records[slot].io.tid;
		memcpy(io->comm, m->records[slot].io.comm, BLOCK_COMM);
	}
	drop(m, slot);
}

static struct block_record *begin(struct block_model *m, const struct step *s, enum state state)
{
	struct inflight_key key = key_of(s, state, s->sector);
	struct block_record *r;
	uint32_t slot;

	if (inflight_full(&m->inflight)) {
		m->counts.dropped += m->records[m->inflight.oldest].state != BIO;
		give_up(m, m->inflight.oldest);
	}
	slot = inflight_add(&m->inflight, key);
	if (slot >= m->record_cap)
		m->records = xgrow(m->records, &m->record_cap, slot + 1, sizeof(*m->records));
	r = &m->records[slot];
	r->nr_sector = s->e->nr_sector;
	r->state = (uint8_t)state;
	r->partly_done = r->inserted = r->requeued = false;
	memset(&r->io, 0, offsetof(struct block_io, comm)); /* which take_submitter() writes */
	m->queued += state == QUEUED;
	r->io.sector = s->sector;
	r->io.bytes = s->e->bytes;
	r->io.dev = s->e->dev;
	r->io.cpu = s->e->cpu;
	block_op(s->e->rwbs, r->io.op);
	memcpy(r->io.rwbs, s->e->rwbs, BLOCK_RWBS);
	r->io.fields = s->e->fields;
	r->io.part = s->e->part;
	take_submitter(&r->io, s->e);
	if (state != BIO && m->counts.events[BLOCK_BIO_QUEUE])
		take_bio(m, s, &r->io);
	return r;
}

/* ---- steps of its life ---- */

/* What E, one more of its events, tells beside the step. */
static inline void learn(struct block_io *io, const struct block_event *e)
{
	io->fields = field_answer_join(io->fields, e->fields);
	io->part = io->part == UINT32_MAX ? e->part : io->part;
}

static void io_start(struct block_model *m, const struct step *s)
{
	begin(m, s, QUEUED)->io.insert_ns = s->e->time_ns;
}

/* A queued record that an insert can be of: not inserted yet, or taken back from the device. */
static struct block_record *find_insertable(struct block_model *m, const struct step *s)
{
	struct inflight_key key = key_of(s, QUEUED, s->sector);
	struct block_record *any = NULL;
	uint32_t slot = inflight_find(&m->inflight, key);

	for (unsigned i = 0; slot != INFLIGHT_NONE && i < WALK_MAX; i++) {
		struct block_record *r = &m->records[slot];

		if (!r->inserted || r->requeued) {
			if (r->nr_sector == s->e->nr_sector)
				return r;
			any = any ? any : r;
		}
		slot = inflight_older(&m->inflight, slot);
	}
	return any;
}

static void insert(struct block_model *m, const struct step *s)
{
	struct block_record *r = find_insertable(m, s);

	if (!r)
		r = begin(m, s, QUEUED);
	if (!r->inserted)
		r->io.insert_ns = s->e->time_ns;
	r->inserted = true;
	r->requeued = false;
	learn(&r->io, s->e);
	r->nr_sector = s->e->nr_sector;
}

static void issue(struct block_model *m, const struct step *s)
{
	struct inflight_key queued = key_of(s, QUEUED, s->sector);
	struct inflight_key flying = key_of(s, FLYING, s->sector);
	uint32_t slot = m->queued ? find_near(m, queued, s->e->nr_sector) : INFLIGHT_NONE;
	struct block_queue *q = queue_of(m, s);
	struct block_record *r;

	if (slot == INFLIGHT_NONE) {
		r = begin(m, s, FLYING);
	} else {
		r = &m->records[slot];
		inflight_move(&m->inflight, slot, flying);
		m->queued--;
	}
	r->state = FLYING;
	if (!r->io.requeues) {
		r->io.sequential = !s->flush && q->next_sector == s->sector;
		q->next_sector = s->sector + s->e->nr_sector;
	}
	r->requeued = false;
	r->nr_sector = s->e->nr_sector;
	if (!r->partly_done) {
		r->io.sector = s->sector; /* merges moved it */
		r->io.bytes = s->e->bytes;
	}
	r->io.issue_ns = s->e->time_ns;
	learn(&r->io, s->e);
	r->io.cpu = s->e->cpu;
	memcpy(r->io.rwbs, s->e->rwbs, BLOCK_RWBS);
}

/* In flight, with more sectors left than are completed now. */
static uint32_t find_larger(const struct block_model *m, struct inflight_key key, uint32_t nr)
{
	uint32_t best = INFLIGHT_NONE, slot = inflight_find(&m->inflight, key);

	for (unsigned i = 0; nr && slot != INFLIGHT_NONE && i < WALK_MAX; i++) {
		if (m->records[slot].nr_sector > nr && (best == INFLIGHT_NONE || m->oldest_first))
			best = slot;
		slot = inflight_older(&m->inflight, slot);
	}
	return best;
}

/* A completion of nothing that was issued: of a request that waits for a flush, or one whose issue
 * is missing. */
static void complete_unissued(struct block_model *m, const struct step *s)
{
	struct inflight_key key = key_of(s, QUEUED, s->sector);
	bool several, wrapper = !s->e->nr_sector && !s->flush;
	uint32_t slot = find(m, key, s->e->nr_sector, false, &several);

	if (wrapper)
		m->counts.flush_wrappers++;
	else
		m->counts.stray_completes++;
	if (slot == INFLIGHT_NONE)
		return;
	if (wrapper)
		drop(m, slot);
	else
		give_up(m, slot);
}

static void give_up_late(struct block_model *m, struct inflight_key key, uint64_t now_ns)
{
	uint32_t slot = inflight_find(&m->inflight, key);

	for (unsigned i = 0; slot != INFLIGHT_NONE && i < WALK_MAX; i++) {
		uint32_t older = inflight_older(&m->inflight, slot);

		if (now_ns > m->records[slot].io.issue_ns &&
		    now_ns - m->records[slot].io.issue_ns > m->timeout_ns) {
			m->counts.timed_out++;
			give_up(m, slot);
		}
		slot = older;
	}
}

static void finish(struct block_model *m, uint32_t slot, const struct step *s)
{
	struct block_record *r = &m->records[slot];

	learn(&r->io, s->e);
	r->io.complete_ns = s->e->time_ns;
	m->counts.finished++;
	m->finished(m->ctx, &r->io);
	drop(m, slot);
}

static void complete(struct block_model *m, const struct step *s)
{
	struct inflight_key key = key_of(s, FLYING, s->sector);
	struct block_record *r;
	uint32_t slot;
	bool several;

	if (m->timeout_ns)
		give_up_late(m, key, s->e->time_ns);
	slot = find(m, key, s->e->nr_sector, s->flush, &several);
	m->counts.ambiguous += several;
	if (slot == INFLIGHT_NONE)
		slot = find_larger(m, key, s->e->nr_sector);
	if (slot == INFLIGHT_NONE) {
		complete_unissued(m, s);
		return;
	}
	r = &m->records[slot];
	r->io.error = r->io.error ? r->io.error : s->e->error;
	if (s->flush || r->nr_sector == s->e->nr_sector) {
		finish(m, slot, s);
		return;
	}
	m->counts.partial++;
	r->nr_sector -= s->e->nr_sector;
	r->partly_done = true;
	key = key_of(s, FLYING, s->sector + s->e->nr_sector);
	inflight_move(&m->inflight, slot, key);
}

static void note(struct block_model *m, const struct step *s)
{
	char op[BLOCK_OP];

	block_op(s->e->rwbs, op);
	if (m->noted)
		m->noted(m->ctx, s->e, op);
}

static void requeue(struct block_model *m, const struct step *s)
{
	struct inflight_key flying = key_of(s, FLYING, s->sector);
	struct inflight_key queued = key_of(s, QUEUED, s->sector);
	uint32_t slot = find_near(m, flying, s->e->nr_sector);
	struct block_record *r;

	m->counts.requeues++;
	note(m, s);
	if (slot == INFLIGHT_NONE) {
		m->counts.stray_requeues++;
		return;
	}
	r = &m->records[slot];
	r->state = QUEUED;
	m->queued++;
	r->requeued = true;
	r->io.requeues++;
	inflight_move(&m->inflight, slot, queued);
}

/* ---- merges ---- */

static bool sees_queues(const struct block_model *m)
{
	return m->counts.events[BLOCK_INSERT] || m->counts.events[BLOCK_IO_START];
}

/* The request of the event is no more: another has its sectors. */
static void merge_request(struct block_model *m, const struct step *s)
{
	struct inflight_key key = key_of(s, QUEUED, s->sector);
	uint32_t slot = find_near(m, key, s->e->nr_sector);

	m->counts.merges++;
	note(m, s);
	if (slot != INFLIGHT_NONE)
		drop(m, slot);
	else
		m->counts.stray_merges += sees_queues(m);
}

/* A bio joins a request behind its end, which changes nothing of the key, or before its begin. */
static void merge_bio(struct block_model *m, const struct step *s)
{
	struct inflight_key was = key_of(s, QUEUED, s->sector + s->e->nr_sector);
	struct inflight_key is = key_of(s, QUEUED, s->sector);
	uint32_t slot;

	m->counts.merges++;
	note(m, s);
	take_bio(m, s, NULL);
	if (s->e->kind == BLOCK_BACKMERGE)
		return;
	slot = inflight_find(&m->inflight, was);
	if (slot == INFLIGHT_NONE) {
		m->counts.stray_merges += sees_queues(m);
		return;
	}
	m->records[slot].nr_sector += s->e->nr_sector;
	inflight_move(&m->inflight, slot, is);
}

/* ---- devices without requests ---- */

static void bio_queue(struct block_model *m, const struct step *s)
{
	struct block_queue *q = queue_of(m, s);
	struct block_io *io = &begin(m, s, BIO)->io;

	io->insert_ns = s->e->time_ns;
	io->sequential = q->next_bio == s->sector;
	q->next_bio = s->sector + s->e->nr_sector;
}

static void bio_complete(struct block_model *m, const struct step *s)
{
	struct inflight_key key = key_of(s, BIO, s->sector);
	bool several;
	uint32_t slot = find(m, key, s->e->nr_sector, false, &several);

	queue_of(m, s)->completes_bios = true;
	m->counts.ambiguous += several;
	if (slot == INFLIGHT_NONE) {
		m->counts.stray_bios++;
		return;
	}
	m->records[slot].io.error = s->e->error;
	finish(m, slot, s);
}

void block_model_event(struct block_model *m, const struct block_event *e)
{
	static void (*const steps[BLOCK_KINDS])(struct block_model *, const struct step *) = {
		[BLOCK_IO_START] = io_start,   [BLOCK_INSERT] = insert,
		[BLOCK_ISSUE] = issue,	       [BLOCK_COMPLETE] = complete,
		[BLOCK_REQUEUE] = requeue,     [BLOCK_RQ_MERGE] = merge_request,
		[BLOCK_BACKMERGE] = merge_bio, [BLOCK_FRONTMERGE] = merge_bio,
		[BLOCK_BIO_QUEUE] = bio_queue, [BLOCK_BIO_COMPLETE] = bio_complete,
	};
	struct step s = { .e = e };

	s.op = op_code(e->rwbs);
	s.flush = s.op == 'F';
	/* a flush has no place: its completion says 2^64 - 1 */
	s.sector = s.flush || e->sector == UINT64_MAX ? 0 : e->sector;
	m->counts.events[e->kind]++;
	steps[e->kind](m, &s);
}

void block_model_end(struct block_model *m)
{
	while (m->inflight.oldest != INFLIGHT_NONE)
		give_up(m, m->inflight.oldest);
	m->queue_count = 0;
}
