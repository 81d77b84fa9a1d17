/* Tables of cache lines: a list of columns, each with what stands in it. */
#include "analyzers/count/namer.h"
#include "analyzers/memory/access.h"
#include "analyzers/memory/cachelines.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum kind {
	HITM_PART, /* of all, or of places of their line */
	PEER_PART,
	COUNT,	 /* n: enum tally */
	RECORDS, /* what perf c2c calls so: whose place is known */
	WEIGHT,
	MEAN_WEIGHT,
	MEAN, /* n: enum line_met */
	MEDIAN,
	MEMBERS, /* n: enum line_set; of CPUs, where they were recorded */
	NODES,	 /* the same */
	LINE,
	PROCESS, /* whose line it is */
	OFFSET,
	CODE,
	SYMBOL,
	MODULE,
	SOURCE,
	DATA,
};

/* Who sees a column of people: all, or those whose machine tells of HITM, or else of peers. */
enum whom { NOBODY, PEOPLE, PEOPLE_HITM, PEOPLE_PEER };

struct line_column {
	struct column column;
	enum kind kind;
	unsigned n;
	enum whom whom;
};

static const struct line_column of_lines[] = {
	{ { "hitm_pct", COLUMN_PERCENT, 2, "Of HITM" }, HITM_PART, 0, PEOPLE_HITM },
	{ { "hitm_local", COLUMN_COUNT, 0, "Local HITM" }, COUNT, TALLY_HITM_LOCAL, PEOPLE_HITM },
	{ { "hitm_remote", COLUMN_COUNT, 0, "Remote HITM" },
	  COUNT,
	  TALLY_HITM_REMOTE,
	  PEOPLE_HITM },
	{ { "peer_pct", COLUMN_PERCENT, 2, "Of Peer" }, PEER_PART, 0, PEOPLE_PEER },
	{ { "peer_local", COLUMN_COUNT, 0, "Local Peer" }, COUNT, TALLY_PEER_LOCAL, PEOPLE_PEER },
	{ { "peer_remote", COLUMN_COUNT, 0, "Remote Peer" },
	  COUNT,
	  TALLY_PEER_REMOTE,
	  PEOPLE_PEER },
	{ { "samples", COLUMN_COUNT }, COUNT, TALLY_SAMPLES, PEOPLE },
	{ { "records", COLUMN_COUNT }, RECORDS, 0, NOBODY },
	{ { "loads", COLUMN_COUNT }, COUNT, TALLY_LOADS, PEOPLE },
	{ { "stores", COLUMN_COUNT }, COUNT, TALLY_STORES, PEOPLE },
	{ { "store_l1_hit", COLUMN_COUNT }, COUNT, TALLY_STORE_L1_HIT, NOBODY },
	{ { "store_l1_miss", COLUMN_COUNT }, COUNT, TALLY_STORE_L1_MISS, NOBODY },
	{ { "store_na", COLUMN_COUNT }, COUNT, TALLY_STORE_NA, NOBODY },
	{ { "load_fill_buffer", COLUMN_COUNT }, COUNT, TALLY_LOAD_FILL_BUFFER, NOBODY },
	{ { "load_l1", COLUMN_COUNT }, COUNT, TALLY_LOAD_L1, NOBODY },
	{ { "load_l2", COLUMN_COUNT }, COUNT, TALLY_LOAD_L2, NOBODY },
	{ { "load_llc", COLUMN_COUNT }, COUNT, TALLY_LOAD_LLC, NOBODY },
	{ { "load_remote", COLUMN_COUNT }, COUNT, TALLY_REMOTE_HIT, NOBODY },
	{ { "dram_local", COLUMN_COUNT }, COUNT, TALLY_DRAM_LOCAL, NOBODY },
	{ { "dram_remote", COLUMN_COUNT }, COUNT, TALLY_DRAM_REMOTE, NOBODY },
	{ { "locked", COLUMN_COUNT }, COUNT, TALLY_LOCKED, NOBODY },
	{ { "weight", COLUMN_COUNT }, WEIGHT, 0, NOBODY },
	{ { "mean_weight", COLUMN_REAL, 1 }, MEAN_WEIGHT, 0, PEOPLE },
	{ { "cpus", COLUMN_COUNT, 0, "CPUs" }, MEMBERS, SET_CPUS, PEOPLE },
	{ { "nodes", COLUMN_TEXT }, NODES, SET_NODES, PEOPLE },
	{ { "processes", COLUMN_COUNT }, MEMBERS, SET_PROCESSES, NOBODY },
	{ { "threads", COLUMN_COUNT }, MEMBERS, SET_THREADS, PEOPLE },
	{ { "memory_nodes", COLUMN_TEXT }, NODES, SET_HOMES, NOBODY },
	{ { "dcacheline", COLUMN_TEXT }, LINE, 0, PEOPLE },
	{ { "pid", COLUMN_ID, 0, "PID" }, PROCESS, 0, PEOPLE },
};

static const struct line_column of_places[] = {
	{ { "dcacheline", COLUMN_TEXT }, LINE, 0, PEOPLE },
	{ { "pid", COLUMN_ID, 0, "PID" }, PROCESS, 0, PEOPLE },
	{ { "offset", COLUMN_TEXT }, OFFSET, 0, PEOPLE },
	{ { "hitm_pct", COLUMN_PERCENT, 2, "Of Line's HITM" }, HITM_PART, 0, PEOPLE_HITM },
	{ { "hitm_local", COLUMN_COUNT, 0, "Local HITM" }, COUNT, TALLY_HITM_LOCAL, NOBODY },
	{ { "hitm_remote", COLUMN_COUNT, 0, "Remote HITM" }, COUNT, TALLY_HITM_REMOTE, NOBODY },
	{ { "peer_pct", COLUMN_PERCENT, 2, "Of Line's Peer" }, PEER_PART, 0, PEOPLE_PEER },
	{ { "peer_local", COLUMN_COUNT, 0, "Local Peer" }, COUNT, TALLY_PEER_LOCAL, NOBODY },
	{ { "peer_remote", COLUMN_COUNT, 0, "Remote Peer" }, COUNT, TALLY_PEER_REMOTE, NOBODY },
	{ { "samples", COLUMN_COUNT }, COUNT, TALLY_SAMPLES, NOBODY },
	{ { "records", COLUMN_COUNT }, RECORDS, 0, NOBODY },
	{ { "loads", COLUMN_COUNT }, COUNT, TALLY_LOADS, PEOPLE },
	{ { "stores", COLUMN_COUNT }, COUNT, TALLY_STORES, PEOPLE },
	{ { "store_l1_hit", COLUMN_COUNT }, COUNT, TALLY_STORE_L1_HIT, NOBODY },
	{ { "store_l1_miss", COLUMN_COUNT }, COUNT, TALLY_STORE_L1_MISS, NOBODY },
	{ { "store_na", COLUMN_COUNT }, COUNT, TALLY_STORE_NA, NOBODY },
	{ { "mean_hitm_local", COLUMN_REAL, 1 }, MEAN, MET_HITM_LOCAL, NOBODY },
	{ { "mean_hitm_remote", COLUMN_REAL, 1 }, MEAN, MET_HITM_REMOTE, NOBODY },
	{ { "mean_peer_local", COLUMN_REAL, 1 }, MEAN, MET_PEER_LOCAL, NOBODY },
	{ { "mean_peer_remote", COLUMN_REAL, 1 }, MEAN, MET_PEER_REMOTE, NOBODY },
	{ { "mean_load", COLUMN_REAL, 1 }, MEAN, MET_OTHER, NOBODY },
	{ { "median_load", COLUMN_COUNT }, MEDIAN, 0, PEOPLE },
	{ { "cpus", COLUMN_COUNT, 0, "CPUs" }, MEMBERS, SET_CPUS, PEOPLE },
	{ { "nodes", COLUMN_TEXT }, NODES, SET_NODES, PEOPLE },
	{ { "processes", COLUMN_COUNT }, MEMBERS, SET_PROCESSES, NOBODY },
	{ { "threads", COLUMN_COUNT }, MEMBERS, SET_THREADS, PEOPLE },
	{ { "memory_nodes", COLUMN_TEXT }, NODES, SET_HOMES, NOBODY },
	{ { "symbol_daddr", COLUMN_TEXT }, DATA, 0, PEOPLE },
	{ { "code", COLUMN_TEXT }, CODE, 0, NOBODY },
	{ { "dso", COLUMN_TEXT }, MODULE, 0, NOBODY },
	{ { "srcline", COLUMN_TEXT, 0, "Source" }, SOURCE, 0, PEOPLE },
	{ { "sym", COLUMN_TEXT }, SYMBOL, 0, PEOPLE },
};

static const struct line_column *list_of(const struct cachelines *l, size_t *count)
{
	*count = l->by_place ? ARRAY_SIZE(of_places) : ARRAY_SIZE(of_lines);
	return l->by_place ? of_places : of_lines;
}

static uint64_t sum2(const struct line_counts *n, enum tally a, enum tally b)
{
	return (uint64_t)n->tally[a] + n->tally[b];
}

static uint64_t hitm(const struct line_counts *n)
{
	return sum2(n, TALLY_HITM_LOCAL, TALLY_HITM_REMOTE);
}

static uint64_t peer(const struct line_counts *n)
{
	return sum2(n, TALLY_PEER_LOCAL, TALLY_PEER_REMOTE);
}

static uint64_t llc_misses(const struct line_counts *n)
{
	return sum2(n, TALLY_DRAM_LOCAL, TALLY_DRAM_REMOTE) +
	       sum2(n, TALLY_HITM_REMOTE, TALLY_REMOTE_HIT);
}

/* builtin-c2c.c, total_records() */
static uint64_t records(const struct line_counts *n)
{
	return llc_misses(n) + sum2(n, TALLY_LOAD_FILL_BUFFER, TALLY_LOAD_L1) +
	       sum2(n, TALLY_LOAD_L2, TALLY_LOAD_LLC) +
	       sum2(n, TALLY_HITM_LOCAL, TALLY_STORE_L1_HIT) +
	       sum2(n, TALLY_STORE_L1_MISS, TALLY_STORE_NA);
}

size_t cachelines_columns(const struct cachelines *l, struct column *out, uint8_t *shown)
{
	enum whom other = hitm(&l->all) || !peer(&l->all) ? PEOPLE_HITM : PEOPLE_PEER;
	size_t count, people = 0;
	const struct line_column *list = list_of(l, &count);

	for (size_t i = 0; i < count; i++) {
		out[i] = list[i].column;
		if (list[i].whom == PEOPLE || list[i].whom == other)
			shown[people++] = (uint8_t)i;
	}
	out[count] = (struct column){ 0 };
	return people;
}

static void put_source(const struct pdt_session *s, uint32_t code, struct buf *out)
{
	struct pdt_function f = pdt_function_at(s, code, 0);

	if (code != PDT_NONE && f.file)
		buf_printf(out, "%s:%u", base_name(f.file), f.line);
}

static void put_text(const struct cachelines *l, const struct pdt_session *s,
		     const struct line_column *c, uint32_t row, struct buf *out)
{
	const struct line_sums *r = &(l->by_place ? &l->places : &l->whole)->sums[row];

	switch (c->kind) {
	case NODES:
		cachelines_put_nodes(l, row, (enum line_set)c->n, out);
		break;
	case LINE:
		access_put_hex(r->address & ~(l->line_bytes - 1), out);
		break;
	case OFFSET:
		buf_printf(out, "0x%" PRIx64, r->address & (l->line_bytes - 1));
		break;
	case CODE:
		access_put_hex(r->ip, out);
		break;
	case SYMBOL:
		access_put_code(s, r->code, out);
		break;
	case MODULE:
		access_put_module(s, r->code, out);
		break;
	case SOURCE:
		put_source(s, r->code, out);
		break;
	default:
		access_put_data(s, r->data, r->address, out);
	}
}

static double part(uint64_t n, uint64_t whole)
{
	return whole ? 100 * (double)n / (double)whole : NAN;
}

static void put_cell(const struct cachelines *l, const struct pdt_session *s,
		     const struct line_column *c, uint32_t row, struct answer *a)
{
	const struct line_sums *r = &(l->by_place ? &l->places : &l->whole)->sums[row];
	const struct line_counts *whole = l->by_place ? &l->whole.sums[r->line].n : &l->all;
	struct buf text = { 0 };

	switch (c->kind) {
	case HITM_PART:
		answer_cell_real(a, part(hitm(&r->n), hitm(whole)));
		break;
	case PEER_PART:
		answer_cell_real(a, part(peer(&r->n), peer(whole)));
		break;
	case COUNT:
		answer_cell_count(a, r->n.tally[c->n]);
		break;
	case RECORDS:
		answer_cell_count(a, records(&r->n));
		break;
	case WEIGHT:
		answer_cell_sum(a, r->n.weight);
		break;
	case MEAN_WEIGHT:
		answer_cell_real(a, (double)r->n.time / (double)r->n.timed);
		break;
	case MEAN:
		answer_cell_real(a, r->mean[c->n]);
		break;
	case MEDIAN:
		answer_cell_count_if(a, r->median, r->median);
		break;
	case MEMBERS:
		answer_cell_count_if(a, c->n != SET_CPUS || r->sets[SET_CPUS], r->sets[c->n]);
		break;
	case PROCESS:
		answer_cell_count_if(a, r->pid != PDT_NONE, r->pid);
		break;
	default:
		put_text(l, s, c, row, &text);
		answer_cell_buf(a, &text);
	}
}

void cachelines_answer(const struct cachelines *l, const struct pdt_session *s, uint64_t limit,
		       struct answer *a)
{
	const struct line_table *t = l->by_place ? &l->places : &l->whole;
	size_t count;
	const struct line_column *list = list_of(l, &count);

	for (size_t i = 0; i < t->shown && (!limit || i < limit); i++) {
		for (size_t c = 0; c < count; c++)
			put_cell(l, s, &list[c], t->order[i], a);
	}
}

/* ---- figures ---- */

const struct column figure_columns[] = { { "figure", COLUMN_TEXT },
					 { "all", COLUMN_COUNT },
					 { "shared_lines", COLUMN_COUNT },
					 { "llc_miss_pct", COLUMN_PERCENT, 2, "Of LLC Misses" },
					 { 0 } };

/* As columns call them, where there is one. */
static const char *const tally_names[TALLIES] = {
	[TALLY_SAMPLES] = "samples",
	[TALLY_LOCKED] = "locked",
	[TALLY_BLOCKED_DATA] = "blocked_data",
	[TALLY_BLOCKED_ADDRESS] = "blocked_address",
	[TALLY_LOADS] = "loads",
	[TALLY_LOAD_NO_ADDRESS] = "load_no_address",
	[TALLY_LOAD_UNCACHED] = "load_uncached",
	[TALLY_LOAD_IO] = "load_io",
	[TALLY_LOAD_MISS] = "load_miss",
	[TALLY_LOAD_FILL_BUFFER] = "load_fill_buffer",
	[TALLY_LOAD_L1] = "load_l1",
	[TALLY_LOAD_L2] = "load_l2",
	[TALLY_LOAD_LLC] = "load_llc",
	[TALLY_HITM_LOCAL] = "hitm_local",
	[TALLY_HITM_REMOTE] = "hitm_remote",
	[TALLY_PEER_LOCAL] = "peer_local",
	[TALLY_PEER_REMOTE] = "peer_remote",
	[TALLY_REMOTE_HIT] = "load_remote",
	[TALLY_DRAM_LOCAL] = "dram_local",
	[TALLY_DRAM_REMOTE] = "dram_remote",
	[TALLY_DRAM_EXCLUSIVE] = "dram_exclusive",
	[TALLY_DRAM_SHARED] = "dram_shared",
	[TALLY_STORES] = "stores",
	[TALLY_STORE_NO_ADDRESS] = "store_no_address",
	[TALLY_STORE_UNCACHED] = "store_uncached",
	[TALLY_STORE_L1_HIT] = "store_l1_hit",
	[TALLY_STORE_L1_MISS] = "store_l1_miss",
	[TALLY_STORE_NA] = "store_na",
	[TALLY_UNREADABLE] = "unreadable",
};

static void put_figure(struct answer *a, const char *name, const uint64_t n[2], double misses)
{
	answer_cell_text(a, name);
	answer_cell_count(a, n[0]);
	answer_cell_count(a, n[1]);
	answer_cell_real(a, misses);
}

void cachelines_answer_figures(const struct cachelines *l, struct answer *a)
{
	uint64_t misses = llc_misses(&l->all);

	put_figure(a, "lines", (uint64_t[]){ l->whole.count, l->shared_count }, NAN);
	put_figure(a, "records", (uint64_t[]){ records(&l->all), records(&l->shared) }, NAN);
	put_figure(a, "llc_misses", (uint64_t[]){ misses, llc_misses(&l->shared) }, NAN);
	for (unsigned i = 0; i < TALLIES; i++) {
		bool is_miss = i == TALLY_DRAM_LOCAL || i == TALLY_DRAM_REMOTE ||
			       i == TALLY_HITM_REMOTE || i == TALLY_REMOTE_HIT;

		put_figure(a, tally_names[i], (uint64_t[]){ l->all.tally[i], l->shared.tally[i] },
			   is_miss ? part(l->all.tally[i], misses) : NAN);
	}
	put_figure(a, "unmapped", (uint64_t[]){ l->all.unmapped, l->shared.unmapped }, NAN);
}
