/* Accesses are counted under addresses and locations while events flow; which of them are of one
 * line is known when all mappings are. Sets are kept as their members, each once, and times as how
 * often each was taken: what is kept follows what differs, not the samples. */
#include "analyzers/memory/cachelines.h"
#include "analyzers/count/namer.h"
#include "analyzers/memory/access.h"
#include "parser/base/compare.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"
#include "parser/pdtool_module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* These are compared as bytes: no padding. */

/* What is counted under. Of lines, address is where they begin; code: PDT_NONE where it does not
 * matter. */
struct line_key {
	uint64_t address, ip;
	uint32_t pid, data, code, unused;
};

/* One of a set: of a row, first under keys, then of the table that is shown. */
struct member {
	uint64_t value;
	uint32_t row, set;
};

struct time_key {
	uint64_t weight;
	uint32_t row, met;
};

/* Where a line, and of places which of it. */
struct line_id {
	uint64_t address, ip;
	uint32_t space, of; /* enum space: a module, or a process */
	uint32_t offset, code;
};

enum space { SPACE_FILE, SPACE_PROCESS, SPACE_KERNEL };

void cachelines_release(struct cachelines *l)
{
	struct line_table *tables[] = { &l->whole, &l->places };

	intern_release(&l->keys);
	intern_release(&l->members);
	intern_release(&l->times);
	free(l->counts);
	free(l->loads);
	free(l->nodes);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		intern_release(&tables[i]->keys);
		free(tables[i]->sums);
		free(tables[i]->order);
	}
}

/* ---- counting ---- */

static void note(struct cachelines *l, uint32_t row, enum line_set set, uint64_t value)
{
	struct member m = { value, row, set };

	(void)intern_add(&l->members, (const char *)&m, sizeof(m));
}

static void note_who(struct cachelines *l, uint32_t row, const struct pdt_event *e,
		     const struct pdt_session *s)
{
	int32_t home = e->values->phys_addr ? pdt_memory_node(s, e->values->phys_addr) : -1;

	if (e->has_cpu)
		note(l, row, SET_CPUS, e->cpu);
	note(l, row, SET_THREADS, (uint64_t)e->pid << 32 | e->tid);
	if (home >= 0)
		note(l, row, SET_HOMES, (uint64_t)home);
}

/* As perf c2c divides them (builtin-c2c.c, compute_stats()). */
static enum line_met met_by(const uint32_t *tally)
{
	static const enum tally of[] = { TALLY_HITM_REMOTE, TALLY_HITM_LOCAL, TALLY_PEER_REMOTE,
					 TALLY_PEER_LOCAL, TALLY_LOADS };
	size_t i = 0;

	while (i < ARRAY_SIZE(of) && !tally[of[i]])
		i++;
	return (enum line_met)i;
}

static void note_time(struct cachelines *l, uint32_t row, const uint32_t *tally, uint64_t weight)
{
	struct time_key k = { weight, row, met_by(tally) };
	uint32_t id;

	if (k.met == METS)
		return;
	id = intern_add(&l->times, (const char *)&k, sizeof(k));
	l->loads = xgrow_to(l->loads, &l->time_count, &l->time_cap, id, sizeof(*l->loads));
	l->loads[id]++;
}

static void add_weight(struct line_counts *to, uint64_t weight)
{
	(void)add_held(&to->weight, weight ?: 1);
	(void)add_held(&to->time, weight);
	to->timed += weight != 0;
}

static struct line_key key_of(const struct cachelines *l, const struct pdt_event *e,
			      const struct pdt_session *s)
{
	uint64_t at = e->values->addr;
	struct line_key k = { .address = l->by_place ? at : at & ~(l->line_bytes - 1),
			      .ip = l->by_place ? e->ip : 0,
			      .pid = e->pid };

	k.data = access_data(s, e, k.address);
	k.code = l->by_code || l->by_place ? access_code(s, e) : PDT_NONE;
	return k;
}

bool cachelines_add(struct cachelines *l, const struct pdt_event *e, const struct pdt_session *s)
{
	uint32_t tally[TALLIES] = { 0 };
	struct line_counts *n;
	struct line_key k;
	uint32_t id;

	if (l->only && (e->values->addr ^ l->only_at) >= l->line_bytes)
		return false;
	k = key_of(l, e, s);
	id = intern_add(&l->keys, (const char *)&k, sizeof(k));
	l->counts = xgrow_to(l->counts, &l->count, &l->cap, id, sizeof(*l->counts));
	n = &l->counts[id];
	n->unmapped += datasrc_tally(e->values->data_src, e->values->addr, tally);
	for (int i = 0; i < TALLIES; i++)
		n->tally[i] += tally[i];
	add_weight(n, e->sample_weight);
	note_who(l, id, e, s);
	if (l->by_place)
		note_time(l, id, tally, e->sample_weight);
	return true;
}

/* ---- rows ---- */

static bool has_module(const struct pdt_session *s, uint32_t loc)
{
	return loc != PDT_NONE && pdt_location_module_id(s, loc) != PDT_NONE;
}

/* The line of K. */
static struct line_id id_of(const struct cachelines *l, const struct line_key *k,
			    const struct pdt_session *s)
{
	uint32_t module = k->data == PDT_NONE ? PDT_NONE : pdt_location_module_id(s, k->data);
	const struct pdt_module *m = pdt_module_at(s, module);
	uint64_t mask = ~(l->line_bytes - 1);

	if (access_is_kernel(k->address))
		return (struct line_id){ .address = k->address & mask, .space = SPACE_KERNEL };
	if (m && pdt_module_number(m, PDT_MODULE_INODE))
		return (struct line_id){ .address = pdt_location_offset(s, k->data) & mask,
					 .space = SPACE_FILE,
					 .of = module };
	return (struct line_id){ .address = k->address & mask,
				 .space = SPACE_PROCESS,
				 .of = k->pid };
}

static void add_counts(struct line_counts *to, const struct line_counts *from)
{
	(void)add_held(&to->weight, from->weight);
	(void)add_held(&to->time, from->time);
	to->timed += from->timed;
	to->unmapped += from->unmapped;
	for (int i = 0; i < TALLIES; i++)
		to->tally[i] += from->tally[i];
}

/* The row of ID in T, new or known. */
static uint32_t row_of(struct line_table *t, const struct line_id *id, const struct line_key *k)
{
	uint32_t row = intern_add(&t->keys, (const char *)id, sizeof(*id));
	bool is_new = row == t->count;

	t->sums = xgrow_to(t->sums, &t->count, &t->cap, row, sizeof(*t->sums));
	if (is_new)
		t->sums[row] = (struct line_sums){
			.address = k->address,
			.ip = k->ip,
			.code = k->code,
			.data = k->data,
			.pid = id->space == SPACE_PROCESS ? id->of : PDT_NONE,
		};
	return row;
}

/* Put what is under keys into rows. Returns, by key, its row in the table that is shown; PDT_NONE:
 * a filter takes it out. */
static uint32_t *make_rows(struct cachelines *l, const struct pdt_session *s)
{
	uint32_t *rows = xcalloc(l->count + 1, sizeof(*rows));

	for (uint32_t i = 0; i < l->count; i++) {
		struct line_counts *n = &l->counts[i];
		struct line_key k;
		struct line_id id;
		uint32_t line;

		memcpy(&k, intern_str(&l->keys, i), sizeof(k));
		rows[i] = PDT_NONE;
		if (!where_passes((struct place){ s, k.code }, filter_of(s), false))
			continue;
		if (has_module(s, k.data) && (k.code == PDT_NONE || has_module(s, k.code)))
			n->unmapped = 0;
		id = id_of(l, &k, s);
		line = rows[i] = row_of(&l->whole, &id, &k);
		add_counts(&l->whole.sums[line].n, n);
		add_counts(&l->all, n);
		if (!l->by_place)
			continue;
		id.ip = k.ip;
		id.code = k.code;
		id.offset = (uint32_t)(k.address & (l->line_bytes - 1));
		rows[i] = row_of(&l->places, &id, &k);
		l->places.sums[rows[i]].line = line;
		add_counts(&l->places.sums[rows[i]].n, n);
	}
	return rows;
}

static struct line_table *shown_table(struct cachelines *l)
{
	return l->by_place ? &l->places : &l->whole;
}

/* What is noted for each row, and what follows of it. */
struct members {
	struct member *list;
	size_t count, cap;
};

static void add_member(struct members *m, uint32_t row, enum line_set set, uint64_t value)
{
	m->list = xgrow(m->list, &m->cap, m->count + 1, sizeof(*m->list));
	m->list[m->count++] = (struct member){ value, row, set };
}

/* ROWS, by key, are those of what was noted, which is given back. */
static struct members members_of(struct cachelines *l, const uint32_t *rows,
				 const struct pdt_session *s)
{
	struct members list = { 0 };

	for (uint32_t i = 0; i < l->members.count; i++) {
		struct member m;
		int32_t node;

		memcpy(&m, intern_str(&l->members, i), sizeof(m));
		if (rows[m.row] == PDT_NONE)
			continue;
		add_member(&list, rows[m.row], (enum line_set)m.set, m.value);
		if (m.set == SET_THREADS)
			add_member(&list, rows[m.row], SET_PROCESSES, m.value >> 32);
		node = m.set == SET_CPUS ? pdt_cpu_node(s, (uint32_t)m.value) : -1;
		if (node >= 0)
			add_member(&list, rows[m.row], SET_NODES, (uint64_t)node);
	}
	intern_release(&l->members);
	return list;
}

static int by_row(const void *pa, const void *pb)
{
	const struct member *a = pa, *b = pb;

	return compare_u64(a->row, b->row) ?: compare_u64(a->set, b->set)
			  ?: compare_u64(a->value, b->value);
}

static void make_sets(struct cachelines *l, const uint32_t *rows, const struct pdt_session *s)
{
	struct members m = members_of(l, rows, s);

	if (m.count)
		qsort(m.list, m.count, sizeof(*m.list), by_row);
	for (size_t i = 0; i < m.count; i++) {
		const struct member *one = &m.list[i];

		if (i && !by_row(one, one - 1))
			continue;
		shown_table(l)->sums[one->row].sets[one->set]++;
		if (one->set != SET_NODES && one->set != SET_HOMES)
			continue;
		l->nodes = xgrow(l->nodes, &l->node_cap, l->node_count + 1, sizeof(*l->nodes));
		l->nodes[l->node_count++] =
			(struct line_node){ one->row, one->set, (uint32_t)one->value };
	}
	free(m.list);
}

/* ---- times ---- */

struct taken {
	uint64_t weight;
	uint32_t row, met, loads;
};

static int by_weight(const void *pa, const void *pb)
{
	const struct taken *a = pa, *b = pb;

	return compare_u64(a->row, b->row) ?: compare_u64(a->weight, b->weight);
}

/* The COUNT at T are of one row, the shortest first. */
static void set_times(struct line_sums *r, const struct taken *t, size_t count)
{
	uint64_t loads[METS] = { 0 }, timed = 0, passed = 0;
	double sums[METS] = { 0 };

	for (size_t i = 0; i < count; i++) {
		loads[t[i].met] += t[i].loads;
		sums[t[i].met] += (double)t[i].weight * t[i].loads;
		timed += t[i].weight ? t[i].loads : 0;
	}
	for (int met = 0; met < METS; met++)
		r->mean[met] = sums[met] / (double)loads[met]; /* of none: no number */
	for (size_t i = 0; i < count && !r->median; i++) {
		passed += t[i].weight ? t[i].loads : 0;
		r->median = 2 * passed >= timed ? t[i].weight : 0;
	}
}

static void make_times(struct cachelines *l, const uint32_t *rows)
{
	struct taken *list = xcalloc(l->times.count + 1, sizeof(*list));
	size_t count = 0, end;

	for (uint32_t i = 0; i < l->times.count; i++) {
		struct time_key k;

		memcpy(&k, intern_str(&l->times, i), sizeof(k));
		if (rows[k.row] != PDT_NONE)
			list[count++] = (struct taken){ k.weight, rows[k.row], k.met, l->loads[i] };
	}
	qsort(list, count, sizeof(*list), by_weight);
	for (uint32_t i = 0; i < l->places.count; i++)
		set_times(&l->places.sums[i], NULL, 0);
	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && list[end].row == list[i].row;)
			end++;
		set_times(&l->places.sums[list[i].row], &list[i], end - i);
	}
	free(list);
}

/* ---- order ---- */

bool line_is_shared(const struct line_counts *n)
{
	return n->tally[TALLY_HITM_LOCAL] || n->tally[TALLY_HITM_REMOTE] ||
	       n->tally[TALLY_PEER_LOCAL] || n->tally[TALLY_PEER_REMOTE];
}

static uint64_t hitm(const struct line_counts *n)
{
	return (uint64_t)n->tally[TALLY_HITM_LOCAL] + n->tally[TALLY_HITM_REMOTE];
}

static uint64_t peer(const struct line_counts *n)
{
	return (uint64_t)n->tally[TALLY_PEER_LOCAL] + n->tally[TALLY_PEER_REMOTE];
}

/* The most taken from others first. */
static int compare_lines(const struct cachelines *l, uint32_t x, uint32_t y)
{
	const struct line_sums *a = &l->whole.sums[x], *b = &l->whole.sums[y];

	return compare_u64(hitm(&b->n), hitm(&a->n)) ?: compare_u64(peer(&b->n), peer(&a->n))
	       ?: compare_u64(b->n.weight, a->n.weight) ?: compare_u64(a->address, b->address)
	       ?: compare_u64(x, y);
}

static int compare(const void *pa, const void *pb, void *ctx)
{
	const struct cachelines *l = ctx;
	uint32_t x = *(const uint32_t *)pa, y = *(const uint32_t *)pb;
	const struct line_sums *a, *b;

	if (!l->by_place)
		return compare_lines(l, x, y);
	a = &l->places.sums[x];
	b = &l->places.sums[y];
	if (a->line != b->line)
		return compare_lines(l, a->line, b->line);
	return compare_u64(a->address & (l->line_bytes - 1), b->address & (l->line_bytes - 1))
		       ?: compare_u64(hitm(&b->n), hitm(&a->n))
		       ?: compare_u64(b->n.weight, a->n.weight) ?: compare_u64(a->ip, b->ip)
		       ?: compare_u64(x, y);
}

static void make_order(struct cachelines *l)
{
	struct line_table *t = shown_table(l);

	t->order = xcalloc(t->count + 1, sizeof(*t->order));
	for (uint32_t i = 0; i < t->count; i++) {
		const struct line_sums *line = &l->whole.sums[l->by_place ? t->sums[i].line : i];

		if (!l->by_place || l->only || line_is_shared(&line->n))
			t->order[t->shown++] = i;
	}
	qsort_r(t->order, t->shown, sizeof(*t->order), compare, l);
}

void cachelines_finish(struct cachelines *l, const struct pdt_session *s)
{
	uint32_t *rows = make_rows(l, s);

	free(l->counts);
	l->counts = NULL;
	intern_release(&l->keys);
	for (uint32_t i = 0; i < l->whole.count; i++) {
		struct line_sums *line = &l->whole.sums[i];

		line->address &= ~(l->line_bytes - 1);
		if (!line_is_shared(&line->n))
			continue;
		l->shared_count++;
		add_counts(&l->shared, &line->n);
	}
	make_sets(l, rows, s);
	if (l->by_place)
		make_times(l, rows);
	make_order(l);
	free(rows);
}

static bool is_of(const struct line_node *n, uint32_t row, uint32_t set)
{
	return n->row == row && n->set == set;
}

void cachelines_put_nodes(const struct cachelines *l, uint32_t row, enum line_set set,
			  struct buf *out)
{
	size_t lo = 0, hi = l->node_count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct line_node *n = &l->nodes[mid];

		if (n->row < row || (n->row == row && n->set < set))
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo < l->node_count && is_of(&l->nodes[lo], row, set)) {
		uint32_t first = l->nodes[lo].node, last = first;

		while (++lo < l->node_count && is_of(&l->nodes[lo], row, set) &&
		       l->nodes[lo].node == last + 1)
			last++;
		buf_printf(out, "%s%u", out->len ? "," : "", first);
		if (last > first)
			buf_printf(out, "-%u", last);
	}
}
