/* What branch stacks (LBR, BRBE) tell: the branches that were taken, between which functions, the
 * blocks of code between them, and the loops that they close. */
#include "analyzers/analyzer.h"
#include "analyzers/branch/code.h"
#include "analyzers/branch/columns.h"
#include "analyzers/hardware/branch_tables.h"
#include "analyzers/count/answer.h"
#include "analyzers/count/namer.h"
#include "formats/model/amount.h"
#include "parser/base/compare.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"

#include <stdlib.h>

struct branches {
	enum branch_by by;
	struct word_list order;
	uint64_t limit;
	bool limited, instructions;
	enum { SYNTAX_ATT, SYNTAX_INTEL } syntax;
	struct branch_tables tables;
	struct branch_code code;
	struct column columns[BRANCH_COLUMNS_MAX];
	struct answer answer;
};

#define HOTTEST 20 /* blocks and loops whose instructions are shown, unless told otherwise */

#define O(member) offsetof(struct branches, member)

static const char *const bys[] = { [BY_BRANCH] = "branch",
				   [BY_FUNCTION] = "function",
				   [BY_BLOCK] = "block",
				   [BY_LOOP] = "loop",
				   NULL };
static const char *const orders[] = { "count", "mispredicted", "cycles", NULL };
static const char *const syntaxes[] = { "att", "intel", NULL };

static const struct option options[] = {
	{ "by", 0, OPT_WORD, O(by), NULL,
	  "a row for each branch, each pair of functions, each block of code that ran in a line, "
	  "or each loop",
	  .words = bys },
	{ "sort", 's', OPT_WORDS, O(order), "LIST", "by what rows are ordered, the most first",
	  .words = orders },
	{ "limit", 0, OPT_COUNT, O(limit), "N",
	  "only the first N rows, or with --instructions blocks or loops (20); 0: all",
	  .given = O(limited) },
	{ "instructions", 0, OPT_FLAG, O(instructions), NULL,
	  "of blocks and loops: a row for each instruction", .needs = "by" },
	{ "disassembler-style", 'M', OPT_WORD, O(syntax), NULL, "how x86 instructions are written",
	  .words = syntaxes, .needs = "instructions" },
	{ 0 },
};

static bool by_code(const struct branches *b)
{
	return b->by == BY_BLOCK || b->by == BY_LOOP;
}

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct branches *b = state;

	if (b->instructions && !b->limited)
		b->limit = HOTTEST;
	b->tables.turns = b->by == BY_LOOP;
	b->code.answer = &b->answer;
	b->code.intel = b->syntax == SYNTAX_INTEL;
	if (!b->instructions || by_code(b))
		return 0;
	warn_add(w, SEV_FATAL, "usage", "--instructions are those of --by block or --by loop");
	return ERR_USAGE;
}

static void configure(void *state, struct asked *o)
{
	const struct branches *b = state;

	if (b->instructions)
		o->wants |= PDT_WANT_UNSAMPLED; /* jumps and calls lead anywhere */
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct branches *b = state;

	branch_tables_add(&b->tables, e, s);
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
		branch_place_text((struct place){ s, loc }, false, &text);
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

/* The rows of LIST, as they are ordered. */
static void add_rows(struct branches *b, const struct pdt_session *s, const struct branch_table *t)
{
	struct branch_row row = { .session = s, .by = b->by };
	struct branch_sums all = { 0 };

	for (size_t i = 0; i < t->count; i++)
		branch_sums_add(&all, &t->list[i]);
	row.whole = b->by == BY_BLOCK ? (double)all.cycles : (double)all.count;
	for (size_t i = 0; i < t->count && (!b->limit || i < b->limit); i++) {
		row.sums = &t->list[i];
		if (b->instructions)
			branch_code_add(&b->code, &row, i + 1);
		else
			branch_cells(&b->answer, &row);
	}
	if (b->instructions)
		branch_code_end(&b->code);
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
		return branch_tables_lacking(s, w);
	if (b->instructions)
		branch_code_begin(&b->code, s, &b->tables.blocks);
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
	add_rows(b, s, t);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct branches *b = state;
	static const char *const titles[] = { "Branches", "Branches between functions", "Blocks",
					      "Loops" };
	struct table_part *t = &b->answer.table;
	size_t seen = branch_columns(b->by, b->columns);

	answer_result(&b->answer, b->instructions ? branch_code_columns : b->columns, out);
	if (b->instructions) {
		branch_code_shape(&b->code, t);
		out->partial = b->code.shown && b->code.without == b->code.shown;
	} else {
		t->bar_column = 0;
		t->weight_column = 1;
		t->summary_columns = seen;
	}
	out->title = titles[b->by];
	out->none = by_code(b) ? "no such code between branches" : "no branch passes the filters";
}

static void release(void *state)
{
	struct branches *b = state;

	branch_tables_release(&b->tables);
	branch_code_release(&b->code);
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
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
