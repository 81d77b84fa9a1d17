/* What branch stacks (LBR, BRBE) tell: the branches that were taken, between which functions, the
 * blocks of code between them, and the loops that they close. */
#include "analyzers/analyzer.h"
#include "analyzers/branch/tables.h"
#include "analyzers/count/answer.h"
#include "analyzers/count/namer.h"
#include "formats/model/amount.h"
#include "parser/base/compare.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum by { BY_BRANCH, BY_FUNCTION, BY_BLOCK, BY_LOOP };

struct branches {
	enum by by;
	struct word_list order;
	uint64_t limit;
	struct branch_tables tables;
	struct answer answer;
};

#define O(member) offsetof(struct branches, member)

static const char *const bys[] = { [BY_BRANCH] = "branch",
				   [BY_FUNCTION] = "function",
				   [BY_BLOCK] = "block",
				   [BY_LOOP] = "loop",
				   NULL };
static const char *const orders[] = { "count", "mispredicted", "cycles", NULL };

static const struct option options[] = {
	{ "by", 0, OPT_WORD, O(by), NULL,
	  "a row for each branch, each pair of functions, each block of code that ran in a line, "
	  "or each loop",
	  .words = bys },
	{ "sort", 's', OPT_WORDS, O(order), "LIST", "by what rows are ordered, the most first",
	  .words = orders },
	{ "limit", 0, OPT_COUNT, O(limit), "N", "only the first N rows; 0: all" },
	{ 0 },
};

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct branches *b = state;

	b->tables.turns = b->by == BY_LOOP;
	branch_tables_add(&b->tables, e, s);
}

/* ---- rows ---- */

/* "main+0x12", "[libc.so.6]+0x1234" */
static void place_name(struct place p, bool offset, struct buf *out)
{
	struct pdt_function f =
		pdt_function_at(p.session, p.loc, pdt_function_count(p.session, p.loc) - 1);

	function_text(&(struct namer_options){ 0 }, &f, p, out);
	if (offset)
		buf_printf(out, "+0x%" PRIx64,
			   f.name ? pdt_location_symbol_offset(p.session, p.loc)
				  : pdt_location_offset(p.session, p.loc));
}

static void cell_place(struct branches *b, struct place p, bool offset)
{
	struct buf text = { 0 };

	place_name(p, offset, &text);
	answer_cell_buf(&b->answer, &text);
}

static void cell_hex(struct branches *b, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, v);
	answer_cell_text(&b->answer, text);
}

static void cell_module(struct branches *b, struct place p)
{
	answer_cell_text(&b->answer, pdt_location_module(p.session, p.loc) ?: "");
}

static const char *type_name(const struct branch_sums *r)
{
	return r->type == BRANCH_MIXED ? "mixed"
				       : pdt_branch_type(&(struct pdt_branch){ .type = r->type });
}

static bool by_code(const struct branches *b)
{
	return b->by == BY_BLOCK || b->by == BY_LOOP;
}

static void add_row(struct branches *b, const struct branch_sums *r, const struct pdt_session *s,
		    double whole)
{
	struct place from = { s, r->from }, to = { s, r->to };
	struct answer *a = &b->answer;
	bool offsets = b->by != BY_FUNCTION;
	double share = b->by == BY_BLOCK ? (double)r->cycles : (double)r->count;

	answer_cell_count(a, r->count);
	answer_cell_real(a, 100 * share / whole);
	answer_cell_real(a,
			 100 * (double)r->mispredicted / (double)(r->mispredicted + r->predicted));
	answer_cell_real(a, (double)r->cycles / (double)r->timed);
	answer_cell_text(a, type_name(r));
	if (by_code(b))
		answer_cell_count(a, b->by == BY_LOOP ? pdt_location_offset(s, r->from) -
								pdt_location_offset(s, r->to)
						      : pdt_location_offset(s, r->to) -
								pdt_location_offset(s, r->from));
	cell_place(b, from, offsets);
	cell_place(b, to, offsets);
	cell_module(b, from);
	cell_module(b, to);
	if (offsets) {
		cell_hex(b, pdt_location_offset(s, r->from));
		cell_hex(b, pdt_location_offset(s, r->to));
	}
	answer_cell_count(a, r->mispredicted);
	answer_cell_count(a, r->predicted);
	answer_cell_count(a, r->cycles);
	answer_cell_count(a, r->timed);
	answer_cell_count(a, r->aborted);
	answer_cell_count(a, r->in_transaction);
}

#define SUMS                                                                     \
	{ "mispredicted", COLUMN_COUNT }, { "predicted", COLUMN_COUNT },         \
		{ "cycles_sum", COLUMN_COUNT }, { "timed", COLUMN_COUNT },       \
		{ "aborted", COLUMN_COUNT }, { "in_transaction", COLUMN_COUNT }, \
	{                                                                        \
		0                                                                \
	}

static const struct column branch_columns[] = {
	{ "count", COLUMN_COUNT, 0, "Branches" },
	{ "share_pct", COLUMN_PERCENT, 2, NULL },
	{ "mispredicted_pct", COLUMN_PERCENT, 2, "Mispredicted" },
	{ "cycles", COLUMN_REAL, 1, NULL },
	{ "type", COLUMN_TEXT },
	{ "from", COLUMN_TEXT },
	{ "to", COLUMN_TEXT },
	{ "from_module", COLUMN_TEXT },
	{ "to_module", COLUMN_TEXT },
	{ "from_offset", COLUMN_TEXT },
	{ "to_offset", COLUMN_TEXT },
	SUMS,
};
static const struct column function_columns[] = {
	{ "count", COLUMN_COUNT, 0, "Branches" },
	{ "share_pct", COLUMN_PERCENT, 2, NULL },
	{ "mispredicted_pct", COLUMN_PERCENT, 2, "Mispredicted" },
	{ "cycles", COLUMN_REAL, 1, NULL },
	{ "type", COLUMN_TEXT },
	{ "from", COLUMN_TEXT },
	{ "to", COLUMN_TEXT },
	{ "from_module", COLUMN_TEXT },
	{ "to_module", COLUMN_TEXT },
	SUMS,
};
static const struct column block_columns[] = {
	{ "count", COLUMN_COUNT, 0, "Runs" },
	{ "cycles_pct", COLUMN_PERCENT, 2, "Of Cycles" },
	{ "mispredicted_pct", COLUMN_PERCENT, 2, "Mispredicted" },
	{ "cycles", COLUMN_REAL, 1, "Cycles Each" },
	{ "type", COLUMN_TEXT, 0, "Ends With" },
	{ "bytes", COLUMN_COUNT },
	{ "from", COLUMN_TEXT, 0, "First Instruction" },
	{ "to", COLUMN_TEXT, 0, "Last" },
	{ "from_module", COLUMN_TEXT },
	{ "to_module", COLUMN_TEXT },
	{ "from_offset", COLUMN_TEXT },
	{ "to_offset", COLUMN_TEXT },
	SUMS,
};
static const struct column loop_columns[] = {
	{ "count", COLUMN_COUNT, 0, "Turns" },
	{ "share_pct", COLUMN_PERCENT, 2, NULL },
	{ "mispredicted_pct", COLUMN_PERCENT, 2, "Mispredicted" },
	{ "cycles", COLUMN_REAL, 1, "Cycles a Turn" },
	{ "type", COLUMN_TEXT },
	{ "bytes", COLUMN_COUNT },
	{ "from", COLUMN_TEXT, 0, "Closed At" },
	{ "to", COLUMN_TEXT, 0, "Begins At" },
	{ "from_module", COLUMN_TEXT },
	{ "to_module", COLUMN_TEXT },
	{ "from_offset", COLUMN_TEXT },
	{ "to_offset", COLUMN_TEXT },
	SUMS,
};

static const struct column *columns_of(const struct branches *b)
{
	static const struct column *const columns[] = { branch_columns, function_columns,
							block_columns, loop_columns };

	return columns[b->by];
}

/* ---- order ---- */

struct ordering {
	const struct branches *b;
	const struct pdt_session *s;
};

static uint64_t key_of(const struct branch_sums *r, unsigned order)
{
	const uint64_t keys[] = { r->count, r->mispredicted, r->cycles };

	return keys[order];
}

/* The most first; what is equal by where it is. */
static int compare(const void *pa, const void *pb, void *ctx)
{
	const struct branch_sums *x = pa, *y = pb;
	const struct ordering *o = ctx;
	const struct word_list *l = &o->b->order;
	unsigned usual = o->b->by == BY_BLOCK ? 2 : 0;
	int rc = l->count ? 0 : compare_u64(key_of(y, usual), key_of(x, usual));

	for (size_t i = 0; !rc && i < l->count; i++)
		rc = compare_u64(key_of(y, l->list[i]), key_of(x, l->list[i]));
	rc = rc ?: compare_u64(y->count, x->count);
	for (unsigned i = 0; !rc && i < 2; i++) {
		uint32_t a = i ? x->to : x->from, b = i ? y->to : y->from;

		rc = compare_u64(pdt_location_module_id(o->s, a), pdt_location_module_id(o->s, b))
			     ?: compare_u64(pdt_location_offset(o->s, a),
					    pdt_location_offset(o->s, b));
	}
	return rc;
}

/* ---- functions ---- */

/* Locations by function: the first of each stands for it. */
static uint32_t *functions_of(const struct pdt_session *s)
{
	size_t count = pdt_location_count(s);
	uint32_t *of = xmalloc((count + 1) * sizeof(*of)), *first = NULL;
	struct intern names;
	struct buf text = { 0 };
	size_t cap = 0, known = 0;

	intern_init(&names);
	for (uint32_t loc = 0; loc < count; loc++) {
		uint32_t id;

		text.len = 0;
		place_name((struct place){ s, loc }, false, &text);
		buf_char(&text, '\n');
		buf_str(&text, pdt_location_module(s, loc) ?: "");
		id = intern_add(&names, text.data, text.len);
		if (id == known) {
			first = xgrow(first, &cap, known + 1, sizeof(*first));
			first[known++] = loc;
		}
		of[loc] = first[id];
	}
	intern_release(&names);
	buf_release(&text);
	free(first);
	return of;
}

static void by_function(struct branches *b, const struct pdt_session *s)
{
	struct branch_table *t = &b->tables.branches, sums = { 0 };
	uint32_t *of = functions_of(s);

	for (size_t i = 0; i < t->count; i++) {
		const struct branch_sums *r = &t->list[i];

		branch_sums_add(branch_table_at(&sums, of[r->from], of[r->to]), r);
	}
	branch_table_release(t);
	*t = sums;
	free(of);
}

/* ---- the answer ---- */

/* Where there are names, a loop is in one function: what calls backwards closes none. */
static void drop_calls(struct branch_table *t, const struct pdt_session *s)
{
	uint32_t *of = functions_of(s);
	size_t left = 0;

	for (size_t i = 0; i < t->count; i++) {
		if (of[t->list[i].from] == of[t->list[i].to])
			t->list[left++] = t->list[i];
	}
	t->count = left;
	free(of);
}

/* Those that pass the filters of places, by either end. */
static void drop_filtered(struct branch_table *t, const struct pdt_session *s)
{
	const struct filter *f = filter_of(s);
	size_t left = 0;

	for (size_t i = 0; i < t->count; i++) {
		struct place from = { s, t->list[i].from }, to = { s, t->list[i].to };

		if (where_passes(from, f, false) || where_passes(to, f, false))
			t->list[left++] = t->list[i];
	}
	t->count = left;
}

static void say_sums(struct branches *b, const struct branch_sums *all)
{
	struct answer *a = &b->answer;

	answer_fact(a, "branches", "%s taken, in %s samples", COUNT_TEXT(all->count),
		    COUNT_TEXT(b->tables.samples));
	answer_leads(a);
	if (all->mispredicted + all->predicted)
		answer_fact(a, "mispredicted", "%s, %s", COUNT_TEXT(all->mispredicted),
			    SHARE_TEXT(all->mispredicted, all->mispredicted + all->predicted));
	if (all->timed)
		answer_fact(a, "cycles", "%s, %.1f for each of %s branches",
			    COUNT_TEXT(all->cycles), (double)all->cycles / (double)all->timed,
			    COUNT_TEXT(all->timed));
	if (b->tables.call_stacks)
		answer_fact(a, "call stacks", "%s samples: their order is not that of branches",
			    COUNT_TEXT(b->tables.call_stacks));
	if (b->tables.empty)
		answer_fact(a, "empty entries", "%s", COUNT_TEXT(b->tables.empty));
	if (by_code(b) && b->tables.apart)
		answer_fact(a, "interrupted",
			    "%s times no code in a line lies between two branches",
			    COUNT_TEXT(b->tables.apart));
}

static int no_branches(const struct pdt_session *s, struct warnings *w)
{
	warn_add(w, SEV_FATAL, "no-branches",
		 "%s: no sample has a branch stack. Record with: perf record -b -- COMMAND",
		 pdt_text(s, PDT_PATH));
	return ERR_USAGE;
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct branches *b = state;
	struct branch_table *t = b->by == BY_BLOCK  ? &b->tables.blocks
				 : b->by == BY_LOOP ? &b->tables.loops
						    : &b->tables.branches;
	struct ordering o = { b, s };
	struct branch_sums all = { 0 };

	if (!b->tables.samples)
		return no_branches(s, w);
	drop_filtered(&b->tables.branches, s);
	if (t != &b->tables.branches)
		drop_filtered(t, s);
	for (size_t i = 0; i < b->tables.branches.count; i++)
		branch_sums_add(&all, &b->tables.branches.list[i]);
	if (b->by == BY_FUNCTION)
		by_function(b, s);
	if (b->by == BY_LOOP)
		drop_calls(t, s);
	answer_capture(&b->answer, s);
	say_sums(b, &all);
	if (t->count)
		qsort_r(t->list, t->count, sizeof(*t->list), compare, &o);
	all = (struct branch_sums){ 0 };
	for (size_t i = 0; i < t->count; i++)
		branch_sums_add(&all, &t->list[i]);
	for (size_t i = 0; i < t->count && (!b->limit || i < b->limit); i++)
		add_row(b, &t->list[i], s,
			b->by == BY_BLOCK ? (double)all.cycles : (double)all.count);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct branches *b = state;

	static const char *const titles[] = { "Branches", "Branches between functions", "Blocks",
					      "Loops" };

	answer_result(&b->answer, columns_of(b), out);
	b->answer.table.bar_column = 0;
	b->answer.table.weight_column = 1;
	b->answer.table.summary_columns = by_code(b) ? 8 : 7;
	out->title = titles[b->by];
	out->none = by_code(b) ? "no such code between branches" : "no branch passes the filters";
}

static void release(void *state)
{
	struct branches *b = state;

	branch_tables_release(&b->tables);
	answer_release(&b->answer);
}

const struct analyzer analyzer_branches = {
	.name = "branches",
	.summary = "branches, blocks and loops, by branch stacks (LBR)",
	.question = QUESTION_TIME,
	.wants = PDT_WANT_BRANCHES | PDT_WANT_STACKS,
	.shapes = SHAPE_TABLE,
	.single = true,
	.options = options,
	.state_size = sizeof(struct branches),
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
