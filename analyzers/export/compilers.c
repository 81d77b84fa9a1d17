/* Counts by location become rows by address: of one file, in the addresses that the reader takes,
 * with what lies elsewhere as one place. */
#include "analyzers/export/compilers.h"
#include "analyzers/count/namer.h"
#include "analyzers/hardware/branches.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/pdtool_binary.h"

#include <stdlib.h>
#include <string.h>

#define PROFGEN_OUTSIDE	 1	    /* its address of what lies elsewhere */
#define AUTOFDO_LINE_MAX (1u << 20) /* bytes that it takes for code in a line */

void compilers_release(struct compilers *c)
{
	branch_tables_release(&c->tables);
	free(c->sampled);
	free(c->seen);
	free(c->segments);
	free(c->events);
	free(c->part.branches.list);
	free(c->part.lines.list);
	free(c->part.samples);
	binary_symbols_release(&c->symbols);
}

void compilers_configure(const struct compilers *c, struct asked *o)
{
	o->wants = PDT_WANT_STACKS | PDT_WANT_IP | PDT_WANT_BRANCHES;
	o->no_stacks = true;
	if (c->reader == READER_BOLT) /* samples are told by symbol, which has to be unique */
		o->wants |= PDT_WANT_UNSAMPLED;
}

/* ---- events ---- */

static void add_sample(struct compilers *c, const struct pdt_event *e, const struct pdt_session *s)
{
	uint32_t loc, desc = pdt_desc_index(e->desc);

	c->seen = xgrow_to(c->seen, &c->seen_count, &c->seen_cap, desc, sizeof(*c->seen));
	c->seen[desc] = true;
	if (!e->ip || pdt_locate(s, e, e->ip, e->mode, &loc) < 0) {
		c->unplaced++;
		return;
	}
	c->sampled =
		xgrow_to(c->sampled, &c->sampled_count, &c->sampled_cap, loc, sizeof(*c->sampled));
	c->sampled[loc]++;
}

void compilers_add(struct compilers *c, const struct pdt_event *e, const struct pdt_session *s)
{
	const struct pdt_branch *list;

	c->tables.origins = true;
	c->tables.no_kernel = c->reader == READER_BOLT; /* perf2bolt passes over them, too */
	branch_tables_add(&c->tables, e, s);
	c->filtered += pdt_branches(s, &list) && branches_are_filtered(e->desc);
	if (c->reader == READER_AUTOFDO || c->tables.samples == c->tables.call_stacks)
		add_sample(c, e, s);
}

/* ---- addresses ---- */

/* Where the reader has LOC; CODE_OUTSIDE: not in the file. */
static uint64_t address_of(struct compilers *c, const struct pdt_session *s, uint32_t loc)
{
	uint64_t offset = pdt_location_offset(s, loc);

	if (loc == PDT_NONE || pdt_location_module_id(s, loc) != c->module)
		return CODE_OUTSIDE;
	if (c->reader == READER_AUTOFDO)
		return offset;
	if (c->reader == READER_PROFGEN && !binary_is_function(pdt_location_symbol(s, loc)))
		return CODE_OUTSIDE; /* it looks at functions alone */
	for (size_t i = 0; i < c->segment_count; i++) {
		const struct pdt_segment *g = &c->segments[i];

		if (offset - g->offset < g->size)
			return offset - g->offset + g->address;
	}
	c->astray++;
	return CODE_OUTSIDE;
}

/* The place of the function at LOC; 0: it has no name. */
static uint64_t function_of(const struct pdt_session *s, uint32_t loc)
{
	if (loc == PDT_NONE || !pdt_location_symbol(s, loc))
		return 0;
	return pdt_location_offset(s, loc) - pdt_location_symbol_offset(s, loc) + 1;
}

/* ---- rows ---- */

static void add_row(struct code_rows *rows, struct code_row row)
{
	rows->list = xgrow(rows->list, &rows->cap, rows->count + 1, sizeof(*rows->list));
	rows->list[rows->count++] = row;
}

static int compare_rows(const void *pa, const void *pb)
{
	const struct code_row *a = pa, *b = pb;

	return compare_u64(a->from, b->from) ?: compare_u64(a->to, b->to)
		       ?: compare_u64(a->entered, b->entered);
}

/* Order them, equal ones as one. */
static void settle(struct code_rows *rows)
{
	size_t left = 0;

	if (rows->count)
		qsort(rows->list, rows->count, sizeof(*rows->list), compare_rows);
	for (size_t i = 0; i < rows->count; i++) {
		const struct code_row *r = &rows->list[i];

		if (left && !compare_rows(&rows->list[left - 1], r)) {
			rows->list[left - 1].count += r->count;
			rows->list[left - 1].mispredicted += r->mispredicted;
		} else {
			rows->list[left++] = *r;
		}
	}
	rows->count = left;
}

static bool takes_branch(const struct compilers *c, const struct code_row *r)
{
	if (r->to == CODE_OUTSIDE)
		return c->reader == READER_BOLT && r->from != CODE_OUTSIDE;
	return c->reader != READER_AUTOFDO || r->from != CODE_OUTSIDE;
}

static void make_branches(struct compilers *c, const struct pdt_session *s)
{
	const struct branch_table *t = &c->tables.branches;

	for (size_t i = 0; i < t->count; i++) {
		const struct branch_sums *b = &t->list[i];
		struct code_row row = { address_of(c, s, b->from), address_of(c, s, b->to),
					b->count, b->mispredicted };

		if (!takes_branch(c, &row))
			continue;
		if (c->reader == READER_PROFGEN && row.from == CODE_OUTSIDE)
			row.from = PROFGEN_OUTSIDE;
		add_row(&c->part.branches, row);
	}
	settle(&c->part.branches);
}

static void make_lines(struct compilers *c, const struct pdt_session *s)
{
	const struct branch_table *t = &c->tables.runs;

	for (size_t i = 0; i < t->count; i++) {
		const struct branch_sums *run = &t->list[i];
		const struct branch_sums *origin = &c->tables.branches.list[run->from];
		struct code_row row = { .from = address_of(c, s, origin->to),
					.to = address_of(c, s, run->to),
					.count = run->count };

		if (row.from == CODE_OUTSIDE || row.to == CODE_OUTSIDE)
			continue;
		if (c->reader == READER_AUTOFDO && row.to - row.from > AUTOFDO_LINE_MAX)
			continue;
		if (c->reader == READER_BOLT)
			row.entered = address_of(c, s, origin->from) == CODE_OUTSIDE ||
				      function_of(s, origin->from) != function_of(s, origin->to);
		add_row(&c->part.lines, row);
	}
	settle(&c->part.lines);
}

static int compare_samples(const void *pa, const void *pb)
{
	const struct code_sample *a = pa, *b = pb;

	return compare_u64(a->address, b->address);
}

static struct code_sample sample_at(struct compilers *c, const struct pdt_session *s, uint32_t loc,
				    uint64_t address)
{
	struct code_sample p = { .address = address, .count = c->sampled[loc] };

	if (c->reader != READER_BOLT)
		return p;
	p.offset = pdt_location_symbol_offset(s, loc);
	p.symbol = binary_symbol(&c->symbols, pdt_location_symbol(s, loc),
				 pdt_location_offset(s, loc) - p.offset);
	c->unnamed += p.symbol ? 0 : p.count;
	return p;
}

static void make_samples(struct compilers *c, const struct pdt_session *s)
{
	size_t cap = 0;

	if (c->reader == READER_BOLT)
		binary_symbols_make(&c->symbols, s, c->module);
	for (uint32_t loc = 0; loc < c->sampled_count; loc++) {
		uint64_t address = c->sampled[loc] ? address_of(c, s, loc) : CODE_OUTSIDE;

		if (address == CODE_OUTSIDE)
			continue;
		c->part.samples = xgrow(c->part.samples, &cap, c->part.sample_count + 1,
					sizeof(*c->part.samples));
		c->part.samples[c->part.sample_count++] = sample_at(c, s, loc, address);
	}
	if (c->part.sample_count)
		qsort(c->part.samples, c->part.sample_count, sizeof(*c->part.samples),
		      compare_samples);
}

/* ---- the end ---- */

static void weigh(struct compilers *c, const struct pdt_session *s, struct binary_weights *b)
{
	const struct branch_table *t = &c->tables.branches;

	binary_weights_init(b, s, c->part.by_samples ? "samples" : "branches");
	for (size_t i = 0; !c->part.by_samples && i < t->count; i++)
		binary_weigh(b, s, (uint32_t[]){ t->list[i].from, t->list[i].to },
			     t->list[i].count);
	for (uint32_t i = 0; c->part.by_samples && i < c->sampled_count; i++) {
		if (c->sampled[i])
			binary_weigh(b, s, (uint32_t[]){ i, i }, c->sampled[i]);
	}
	b->all += c->tables.kernel;
	b->kernel += c->tables.kernel;
}

static void read_segments(struct compilers *c, const struct pdt_session *s)
{
	struct pdt_segment g;
	size_t cap = 0;

	while (pdt_segment(s, c->module, c->segment_count, &g)) {
		c->segments = xgrow(c->segments, &cap, c->segment_count + 1, sizeof(*c->segments));
		c->segments[c->segment_count++] = g;
	}
	c->part.base = c->segment_count ? c->segments[0].address : 0;
}

static void name_events(struct compilers *c, const struct pdt_session *s, struct answer *a)
{
	c->events = xcalloc(c->seen_count + 1, sizeof(*c->events));
	for (size_t i = 0; i < c->seen_count; i++) {
		if (c->seen[i])
			c->events[c->part.event_count++] =
				answer_string(a, pdt_desc_name(pdt_desc_at(s, i)));
	}
	c->part.events = c->events;
}

static void make(struct compilers *c, const struct pdt_session *s, struct answer *a)
{
	if (!c->part.by_samples) {
		make_branches(c, s);
		make_lines(c, s);
	}
	if (c->part.by_samples || c->reader == READER_AUTOFDO)
		make_samples(c, s);
	if (c->part.by_samples && c->reader == READER_BOLT)
		name_events(c, s, a);
}

/* What is left out, and what may be wrong with the rest. */
static void tell(const struct compilers *c, struct warnings *w)
{
	const struct branch_tables *t = &c->tables;
	const struct {
		uint64_t count;
		const char *kind, *text;
	} list[] = {
		{ t->call_stacks, "call-stacks",
		  "samples have call stacks, which are no branches: left out" },
		{ t->apart, "apart", "times no code in a line lies between two branches" },
		{ c->filtered, "some-branches",
		  "samples were recorded with some kinds of branches alone: others may lie between "
		  "two (perf record -b has all)" },
		{ c->astray, "astray", "addresses are where the file has no code: left out" },
		{ c->unplaced, "unplaced", "samples have no address: left out" },
		{ c->unnamed, "unnamed", "samples are in no function: left out" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(list); i++) {
		if (list[i].count)
			warn_add(w, SEV_NOTE, list[i].kind, "%s %s", COUNT_TEXT(list[i].count),
				 list[i].text);
	}
}

static int refused(struct warnings *w, const char *why)
{
	warn_add(w, SEV_FATAL, "compilers", "%s", why);
	return ERR_USAGE;
}

int compilers_end(struct compilers *c, const struct pdt_session *s, struct answer *a,
		  struct warnings *w)
{
	const struct filter *f = filter_of(s);
	struct binary_weights weights;

	if (f->dsos.count || f->symbols.count || f->no_idle)
		return refused(w, "export: a profile for compilers is of a whole file: --binary "
				  "names it, not --dsos, --symbol-filter or --no-idle");
	c->part.by_samples = c->tables.samples == c->tables.call_stacks;
	if (c->part.by_samples && c->reader == READER_PROFGEN)
		return branch_tables_lacking(s, w);
	weigh(c, s, &weights);
	c->module = binary_choose(&weights, s, c->binary, w);
	if (c->module != PDT_NONE)
		binary_tell(&weights, s, c->module, w);
	binary_weights_release(&weights);
	if (c->module == PDT_NONE)
		return ERR_USAGE;
	read_segments(c, s);
	if (!c->segment_count && c->reader != READER_AUTOFDO)
		return refused(w, "export: the file itself is not at hand, and it alone tells at "
				  "which addresses its code is: --symbols names it");
	make(c, s, a);
	tell(c, w);
	return 0;
}
