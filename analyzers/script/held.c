/* Each event is a row: what every event has, then what few have. Rows lie in blocks, which are
 * written and read as a whole; parts begin at multiples of 8. */
#include "analyzers/script/held.h"
#include "parser/base/mem.h"
#include "parser/base/tempfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_BYTES (1u << 18)
#define ROUND(size) (((size_t)(size) + 7) & ~(size_t)7)

/* What of an event is shown: half of it, and most of what a row takes. */
struct kept {
	uint64_t time_ns, weight, ip;
	const struct pdt_desc *desc;
	uint32_t size	  : 20; /* of the row */
	uint32_t kind	  : 4;
	uint32_t mode	  : 4;
	uint32_t has_cpu  : 1;
	uint32_t has_time : 1;
	uint32_t has_raw  : 1;
	uint32_t has_more : 1; /* values and struct held_more follow */
	uint32_t pid, tid, cpu, comm, stack, chain, flow;
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

static struct kept kept_of(const struct pdt_event *e)
{
	return (struct kept){ .time_ns = e->time_ns,
			      .weight = e->weight,
			      .ip = e->ip,
			      .desc = e->desc,
			      .kind = e->kind & 15,
			      .mode = e->mode & 15,
			      .has_cpu = e->has_cpu,
			      .has_time = e->has_time,
			      .has_raw = e->raw != NULL,
			      .pid = e->pid,
			      .tid = e->tid,
			      .cpu = e->cpu,
			      .comm = e->comm,
			      .stack = e->stack,
			      .chain = e->chain,
			      .flow = e->flow };
}

static const struct kept *row_at(const struct held *h, size_t at)
{
	const struct kept *k = (const void *)(h->block + at);

	return at <= BLOCK_BYTES - sizeof(*k) && k->size ? k : NULL;
}

/* A row without a size is none. */
static void end_block(struct held *h)
{
	size_t left = BLOCK_BYTES - h->used;

	memset(h->block + h->used, 0, left < sizeof(struct kept) ? left : sizeof(struct kept));
}

static void write_block(struct held *h)
{
	uint64_t at = h->blocks++ * BLOCK_BYTES;
	int fd = h->fd ? h->fd - 1 : temp_file();

	h->fd = fd + 1;
	end_block(h);
	h->error = fd < 0 ? errno : temp_write(fd, h->block, BLOCK_BYTES, at);
	h->used = 0;
}

void held_add(struct held *h, const struct pdt_event *e, const struct held_more *more)
{
	struct kept_raw raw = { e->format, e->raw_size };
	struct kept k = kept_of(e);
	size_t size = sizeof(k) + (e->raw ? sizeof(raw) + ROUND(e->raw_size) : 0) +
		      (more ? more_bytes(more) : 0);
	uint8_t *to;

	if (h->error)
		return;
	if (!h->block)
		h->block = xcalloc(BLOCK_BYTES, 1);
	if (size > BLOCK_BYTES - h->used)
		write_block(h);
	if (size > BLOCK_BYTES) /* no record is that long */
		h->error = EMSGSIZE;
	if (h->error)
		return;
	k.size = size & (2 * BLOCK_BYTES - 1);
	k.has_more = more != NULL;
	to = put(h->block + h->used, &k, sizeof(k));
	if (e->raw)
		to = put(put(to, &raw, sizeof(raw)), e->raw, e->raw_size);
	if (more)
		(void)put_more(to, e, more);
	h->used += size;
	h->count++;
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

/* Every member is named: else all of it would be cleared first, for each line. */
static inline void get_event(const struct kept *k, struct pdt_event *e)
{
	*e = (struct pdt_event){
		.time_ns = k->time_ns,
		.weight = k->weight,
		.ip = k->ip,
		.desc = k->desc,
		.raw = NULL,
		.format = NULL,
		.raw_size = 0,
		.pid = k->pid,
		.tid = k->tid,
		.cpu = k->cpu,
		.comm = k->comm,
		.stack = k->stack,
		.other_pid = 0,
		.other_tid = 0,
		.kind = k->kind,
		.mode = k->mode,
		.has_cpu = k->has_cpu,
		.has_time = k->has_time,
		.preempted = false,
		.exec = false,
		.exact = false,
		.apart = false,
		.cgroup = 0,
		.sample_weight = 0,
		.program_bits = 0,
		.values = NULL,
		.chain = k->chain,
		.flow = k->flow,
	};
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

bool held_next(struct held *h, struct held_row *row)
{
	const struct kept *k = NULL;
	const uint8_t *at;

	while (h->block && !h->error && !(k = row_at(h, h->next.at)) && read_block(h))
		;
	if (!k)
		return false;
	at = h->block + h->next.at + sizeof(*k);
	h->next.at += k->size;
	h->next.row++;
	get_event(k, &row->event);
	if (k->has_raw)
		at = get_raw(at, &row->event);
	if (k->has_more)
		get_more(at, row);
	else
		get_none(&row->more);
	return true;
}

bool held_ahead(struct held *h, unsigned who, uint32_t distance, uint32_t *stack, uint32_t *chain)
{
	struct held_place *p = &h->ahead[who];
	const struct kept *k;

	if (!h->block || p->row > h->next.row + distance || !(k = row_at(h, p->at)))
		return false;
	p->at += k->size;
	p->row++;
	*stack = k->stack;
	*chain = k->chain;
	return true;
}
