/* Each event is a row: what every event has, then what few have. What many have from one to the
 * next, as those of one thread on one CPU do, is a row of its own before the first of them. Rows
 * lie in blocks, which are written and read as a whole; parts begin at multiples of 8. */
#include "analyzers/script/held.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"
#include "parser/base/tempfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_BYTES (1u << 18)
#define ROUND(size) (((size_t)(size) + 7) & ~(size_t)7)

#define UNIT	8 /* bytes */

struct row {
	uint16_t units; /* 0: there is none */
	uint8_t slot;	/* of HELD_SLOTS: where what it has in common is */
	uint8_t flags;
};

#define MODE	   7 /* pdt_event.mode */
#define HAS_RAW	   8
#define HAS_MORE   16 /* values and struct held_more follow */
#define HAS_PLACE  32 /* in place of a stack; no chain follows */
#define HAS_WEIGHT 64 /* of its own, which follows first */
#define IS_COMMON  128

/* What those that come have in common, up to the next one of the slot. */
struct held_common {
	struct row row;
	uint32_t pid;
	uint64_t weight; /* of the first */
	const struct pdt_desc *desc;
	uint32_t tid, cpu, comm, flow;
	uint8_t kind;
	bool has_cpu, has_time;
};

struct kept {
	struct row row;
	uint32_t stack;
	uint64_t time_ns, ip;
	uint64_t chain[]; /* one, then the rest; with a place the rest alone */
};

/* Where there is a payload. */
struct kept_raw {
	const struct pdt_format *format;
	uint64_t size;
};

void held_release(struct held *h)
{
	if (h->fd)
		close(h->fd - 1);
	free(h->block);
	memset(h, 0, sizeof(*h));
}

/* ---- writing ---- */

static size_t register_bytes(const struct pdt_registers *r)
{
	return r->abi ? (size_t)__builtin_popcountll(r->mask) * sizeof(*r->values) : 0;
}

static size_t more_bytes(const struct held_more *m)
{
	return sizeof(struct pdt_values) + sizeof(*m) + m->branch_count * sizeof(*m->branches) +
	       (m->ends ? ROUND(2 * m->branch_count * sizeof(*m->ends)) : 0) +
	       register_bytes(&m->registers[0]) + register_bytes(&m->registers[1]);
}

static uint8_t *put(uint8_t *to, const void *data, size_t size)
{
	if (size)
		memcpy(to, data, size);
	return to + ROUND(size);
}

static uint8_t *put_more(uint8_t *to, const struct pdt_event *e, const struct held_more *m)
{
	to = put(to, e->values, sizeof(*e->values));
	to = put(to, m, sizeof(*m));
	to = put(to, m->branches, m->branch_count * sizeof(*m->branches));
	if (m->ends)
		to = put(to, m->ends, 2 * m->branch_count * sizeof(*m->ends));
	for (int i = 0; i < 2; i++)
		to = put(to, m->registers[i].values, register_bytes(&m->registers[i]));
	return to;
}

static const struct row *row_at(const struct held *h, size_t at)
{
	const struct row *r = (const void *)(h->block + at);

	return at <= BLOCK_BYTES - sizeof(*r) && r->units ? r : NULL;
}

/* A row without a size is none. */
static void end_block(struct held *h)
{
	size_t left = BLOCK_BYTES - h->used;

	memset(h->block + h->used, 0, left < sizeof(struct row) ? left : sizeof(struct row));
}

static void write_block(struct held *h)
{
	uint64_t at = h->blocks++ * BLOCK_BYTES;
	int fd = h->fd ? h->fd - 1 : temp_file();

	h->fd = fd + 1;
	end_block(h);
	h->error = fd < 0 ? errno : temp_write(fd, h->block, BLOCK_BYTES, at);
	h->used = 0;
	memset(h->common, 0, sizeof(h->common));
}

/* What goes with few. */
static void put_rest(uint8_t *to, unsigned flags, const struct pdt_event *e,
		     const struct held_more *more)
{
	struct kept_raw raw = { e->format, e->raw_size };

	if (flags & HAS_WEIGHT)
		to = put(to, &e->weight, sizeof(e->weight));
	if (flags & HAS_RAW)
		to = put(put(to, &raw, sizeof(raw)), e->raw, e->raw_size);
	if (flags & HAS_MORE)
		(void)put_more(to, e, more);
}

static inline bool has_common(const struct held_common *c, const struct pdt_event *e)
{
	return c && c->desc == e->desc && c->tid == e->tid && c->pid == e->pid &&
	       c->cpu == e->cpu && c->comm == e->comm && c->flow == e->flow &&
	       c->kind == e->kind && c->has_cpu == e->has_cpu && c->has_time == e->has_time;
}

/* Where what E has in common with others belongs. */
static inline uint8_t slot_of(const struct pdt_event *e)
{
	uint64_t bits = (uint64_t)(uintptr_t)e->desc / sizeof(uint64_t) + e->tid + (e->cpu << 4);

	return (uint8_t)(bits * HASH_K0 >> 32) % HELD_SLOTS;
}

/* There is room for it. */
static const struct held_common *put_common(struct held *h, const struct pdt_event *e,
					    uint8_t slot)
{
	struct held_common *c = (void *)(h->block + h->used);

	*c = (struct held_common){ .row = { sizeof(*c) / UNIT, slot, IS_COMMON },
				   .weight = e->weight,
				   .desc = e->desc,
				   .pid = e->pid,
				   .tid = e->tid,
				   .cpu = e->cpu,
				   .comm = e->comm,
				   .flow = e->flow,
				   .kind = e->kind,
				   .has_cpu = e->has_cpu,
				   .has_time = e->has_time };
	h->used += sizeof(*c);
	h->common[slot] = c;
	return c;
}

/* Room for SIZE bytes in another block, or an error. */
static void begin_block(struct held *h, size_t size)
{
	if (!h->block)
		h->block = xcalloc(BLOCK_BYTES, 1);
	if (!h->error && size > BLOCK_BYTES) /* no record is that long */
		h->error = EMSGSIZE;
	if (!h->error && size > BLOCK_BYTES - h->used)
		write_block(h);
}

/* A row of SIZE bytes, with FLAGS; there is room for it. */
static inline void put_row(struct held *h, const struct pdt_event *e, const struct held_more *more,
			   size_t size, unsigned flags)
{
	uint8_t slot = slot_of(e);
	const struct held_common *common = h->common[slot];
	struct kept *k;

	if (!has_common(common, e))
		common = put_common(h, e, slot);
	if (common->weight != e->weight) {
		flags |= HAS_WEIGHT;
		size += sizeof(e->weight);
	}
	k = (void *)(h->block + h->used);
	if (e->place != PDT_NONE) {
		flags |= HAS_PLACE;
	} else {
		k->chain[0] = e->chain;
		size += sizeof(*k->chain);
		h->stacked++;
	}
	k->row = (struct row){ (uint16_t)(size / UNIT), slot,
			       (uint8_t)(flags | (e->mode & MODE)) };
	k->stack = flags & HAS_PLACE ? e->place : e->stack;
	k->time_ns = e->time_ns;
	k->ip = e->ip;
	if (flags & (HAS_WEIGHT | HAS_RAW | HAS_MORE))
		put_rest((uint8_t *)&k->chain[!(flags & HAS_PLACE)], flags, e, more);
	h->used += size;
	h->count++;
}

void held_add(struct held *h, const struct pdt_event *e, const struct held_more *more)
{
	size_t size = sizeof(struct kept),
	       room = sizeof(struct held_common) + sizeof(uint64_t) + sizeof(e->weight);
	unsigned flags = 0;

	if (e->raw) {
		flags |= HAS_RAW;
		size += sizeof(struct kept_raw) + ROUND(e->raw_size);
	}
	if (more) {
		flags |= HAS_MORE;
		size += more_bytes(more);
	}
	if (!h->block || size + room > BLOCK_BYTES - h->used)
		begin_block(h, size + room);
	if (!h->error)
		put_row(h, e, more, size, flags);
}

/* ---- reading ---- */

static bool read_block(struct held *h)
{
	if (h->at >= h->blocks)
		return false;
	h->error = temp_read(h->fd - 1, h->block, BLOCK_BYTES, h->at * BLOCK_BYTES);
	if (h->error)
		return false;
	h->at++;
	h->next = (struct held_place){ 0 };
	memset(h->ahead, 0, sizeof(h->ahead));
	memset(h->common, 0, sizeof(h->common));
	return true;
}

int held_rewind(struct held *h, struct warnings *w)
{
	if (!h->error && h->blocks && h->used)
		write_block(h);
	if (!h->error && h->blocks)
		(void)!read_block(h);
	else if (!h->error && h->block)
		end_block(h);
	if (!h->error)
		return 0;
	warn_add(w, SEV_FATAL, "held", "the events " TEMP_FAILED, strerror(h->error));
	return ERR_IO;
}

/* The rest is zero. */
static inline void get_event(const struct held *h, const struct kept *k, struct pdt_event *e)
{
	const struct held_common *c = h->common[k->row.slot];
	bool has_place = k->row.flags & HAS_PLACE;

	e->time_ns = k->time_ns;
	e->weight = c->weight;
	e->ip = k->ip;
	e->desc = c->desc;
	e->raw = NULL;
	e->format = NULL;
	e->raw_size = 0;
	e->pid = c->pid;
	e->tid = c->tid;
	e->cpu = c->cpu;
	e->comm = c->comm;
	e->stack = has_place ? PDT_NONE : k->stack;
	e->kind = c->kind;
	e->mode = k->row.flags & MODE;
	e->has_cpu = c->has_cpu;
	e->has_time = c->has_time;
	e->values = NULL;
	e->chain = has_place ? PDT_NONE : (uint32_t)k->chain[0];
	e->flow = c->flow;
	e->place = has_place ? k->stack : PDT_NONE;
}

/* There is no more: the rest stays what it was. */
static inline void get_none(struct held_more *m)
{
	m->place = PDT_NONE;
	m->branch_count = 0;
	m->ends = NULL;
	m->registers[0].abi = m->registers[1].abi = 0;
}

static const uint8_t *get_raw(const uint8_t *at, struct pdt_event *e)
{
	const struct kept_raw *raw = (const void *)at;

	e->format = raw->format;
	e->raw_size = (uint32_t)raw->size;
	e->raw = at + sizeof(*raw);
	return e->raw + ROUND(e->raw_size);
}

static void get_more(const uint8_t *at, struct held_row *row)
{
	struct held_more *m = &row->more;

	row->event.values = (const void *)at;
	at += sizeof(*row->event.values);
	memcpy(m, at, sizeof(*m));
	at += sizeof(*m);
	m->branches = (const void *)at;
	at += m->branch_count * sizeof(*m->branches);
	if (m->ends) {
		m->ends = (const void *)at;
		at += ROUND(2 * m->branch_count * sizeof(*m->ends));
	}
	for (int i = 0; i < 2; i++) {
		m->registers[i].values = (const void *)at;
		at += register_bytes(&m->registers[i]);
	}
}

/* The row of the event at P; what comes before it that events have in common goes to COMMON, if
 * that is not NULL. */
static inline const struct kept *event_at(const struct held *h, struct held_place *p,
					  const struct held_common **common)
{
	const struct row *r;

	while ((r = row_at(h, p->at)) && r->flags & IS_COMMON) {
		if (common)
			common[r->slot] = (const void *)r;
		p->at += r->units * UNIT;
	}
	return (const void *)r;
}

static const uint8_t *get_rest(const struct kept *k, struct held_row *row)
{
	const uint8_t *at = (const void *)&k->chain[!(k->row.flags & HAS_PLACE)];

	if (k->row.flags & HAS_WEIGHT) {
		memcpy(&row->event.weight, at, sizeof(row->event.weight));
		at += sizeof(row->event.weight);
	}
	return k->row.flags & HAS_RAW ? get_raw(at, &row->event) : at;
}

bool held_next(struct held *h, struct held_row *row)
{
	const struct kept *k = NULL;
	const uint8_t *at;

	while (h->block && !h->error && !(k = event_at(h, &h->next, h->common)) && read_block(h))
		;
	if (!k)
		return false;
	h->next.at += k->row.units * UNIT;
	h->next.row++;
	get_event(h, k, &row->event);
	at = get_rest(k, row);
	if (k->row.flags & HAS_MORE)
		get_more(at, row);
	else
		get_none(&row->more);
	return true;
}

bool held_look(struct held *h, unsigned who, struct held_coming *out)
{
	struct held_place *p = &h->ahead[who];
	const struct kept *k = h->block ? event_at(h, p, NULL) : NULL;
	bool has_place;

	if (!k)
		return false;
	p->at += k->row.units * UNIT;
	p->row++;
	has_place = k->row.flags & HAS_PLACE;
	out->stack = has_place ? PDT_NONE : k->stack;
	out->chain = has_place ? PDT_NONE : (uint32_t)k->chain[0];
	out->place = has_place ? k->stack : PDT_NONE;
	return true;
}
