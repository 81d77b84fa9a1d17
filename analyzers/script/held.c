/* Each event is a row of fixed size, then its payload. */
#include "analyzers/script/held.h"
#include "parser/base/mem.h"
#include "parser/base/tempfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What of an event is shown: half of it, and most of what a row takes. */
struct kept {
	uint64_t time_ns, weight, ip;
	const struct pdt_desc *desc;
	const struct pdt_format *format;
	uint32_t raw_size, pid, tid, cpu, comm, stack, chain, flow;
	uint8_t kind, mode;
	bool has_cpu, has_time, has_raw, has_values;
};

void held_release(struct held *h)
{
	if (h->file)
		fclose(h->file);
	free(h->buffer);
	free(h->raw);
	free(h->branches);
	free(h->ends);
	memset(h, 0, sizeof(*h));
}

static void put(struct held *h, const void *data, size_t size)
{
	if (size && !h->error && fwrite_unlocked(data, 1, size, h->file) != size)
		h->error = errno;
}

static size_t register_bytes(const struct pdt_registers *r)
{
	return r->abi ? (size_t)__builtin_popcountll(r->mask) * sizeof(*r->values) : 0;
}

static void put_more(struct held *h, const struct held_more *m)
{
	put(h, m, sizeof(*m));
	put(h, m->branches, m->branch_count * sizeof(*m->branches));
	if (m->ends)
		put(h, m->ends, 2 * m->branch_count * sizeof(*m->ends));
	for (int i = 0; i < 2; i++)
		put(h, m->registers[i].values, register_bytes(&m->registers[i]));
}

static struct kept kept_of(const struct pdt_event *e)
{
	return (struct kept){ .time_ns = e->time_ns,
			      .weight = e->weight,
			      .ip = e->ip,
			      .desc = e->desc,
			      .format = e->format,
			      .raw_size = e->raw_size,
			      .pid = e->pid,
			      .tid = e->tid,
			      .cpu = e->cpu,
			      .comm = e->comm,
			      .stack = e->stack,
			      .chain = e->chain,
			      .flow = e->flow,
			      .kind = e->kind,
			      .mode = e->mode,
			      .has_cpu = e->has_cpu,
			      .has_time = e->has_time,
			      .has_raw = e->raw,
			      .has_values = e->values };
}

static struct pdt_event event_of(const struct kept *k)
{
	return (struct pdt_event){ .time_ns = k->time_ns,
				   .weight = k->weight,
				   .ip = k->ip,
				   .desc = k->desc,
				   .format = k->format,
				   .raw_size = k->raw_size,
				   .pid = k->pid,
				   .tid = k->tid,
				   .cpu = k->cpu,
				   .comm = k->comm,
				   .stack = k->stack,
				   .chain = k->chain,
				   .flow = k->flow,
				   .kind = k->kind,
				   .mode = k->mode,
				   .has_cpu = k->has_cpu,
				   .has_time = k->has_time };
}

void held_add(struct held *h, const struct pdt_event *e, const struct held_more *more)
{
	const struct kept k = kept_of(e);

	if (!h->file && !h->error && !(h->file = temp_stream(&h->buffer)))
		h->error = errno;
	put(h, &k, sizeof(k));
	if (e->values) {
		put(h, e->values, sizeof(*e->values));
		put_more(h, more);
	}
	put(h, e->raw, e->raw_size);
	h->count++;
}

int held_rewind(struct held *h, struct warnings *w)
{
	if (!h->error && h->file && fseeko(h->file, 0, SEEK_SET) < 0)
		h->error = errno;
	if (!h->error)
		return 0;
	warn_add(w, SEV_FATAL, "held",
		 "the events cannot be kept in a temporary file: %s (TMPDIR "
		 "names another directory)",
		 strerror(h->error));
	return ERR_IO;
}

static bool get(struct held *h, void *to, size_t size)
{
	bool all = fread_unlocked(to, 1, size, h->file) == size;

	if (!all && ferror_unlocked(h->file))
		h->error = errno;
	return all;
}

static bool get_more(struct held *h, struct held_more *m)
{
	size_t ends;

	if (!get(h, m, sizeof(*m)))
		return false;
	ends = m->ends ? 2 * (size_t)m->branch_count : 0;
	h->branches = xgrow(h->branches, &h->branch_cap, m->branch_count, sizeof(*h->branches));
	h->ends = xgrow(h->ends, &h->end_cap, ends, sizeof(*h->ends));
	m->branches = h->branches;
	m->ends = ends ? h->ends : NULL;
	for (int i = 0; i < 2; i++)
		m->registers[i].values = h->registers[i];
	return get(h, h->branches, m->branch_count * sizeof(*h->branches)) &&
	       get(h, h->ends, ends * sizeof(*h->ends)) &&
	       get(h, h->registers[0], register_bytes(&m->registers[0])) &&
	       get(h, h->registers[1], register_bytes(&m->registers[1]));
}

bool held_next(struct held *h, struct held_row *row)
{
	struct pdt_event *e = &row->event;
	struct kept k;

	row->more = (struct held_more){ .place = PDT_NONE };
	if (!h->file || h->error || !get(h, &k, sizeof(k)))
		return false;
	*e = event_of(&k);
	if (k.has_values) {
		if (!get(h, &row->values, sizeof(row->values)) || !get_more(h, &row->more))
			return false;
		e->values = &row->values;
	}
	h->raw = xgrow(h->raw, &h->cap, e->raw_size, 1);
	e->raw = k.has_raw ? h->raw : NULL;
	return get(h, h->raw, e->raw_size);
}
