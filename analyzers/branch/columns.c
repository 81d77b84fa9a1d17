/* One table: a row for each column, with those that show it and what makes its cell. */
#include "analyzers/branch/columns.h"
#include "parser/base/mem.h"
#include "parser/pdtool_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void branch_place_text(struct place p, bool offset, struct buf *out)
{
	struct pdt_function f =
		pdt_function_at(p.session, p.loc, pdt_function_count(p.session, p.loc) - 1);

	function_text(&(struct namer_options){ 0 }, &f, p, out);
	if (offset)
		buf_printf(out, "+0x%" PRIx64,
			   f.name ? pdt_location_symbol_offset(p.session, p.loc)
				  : pdt_location_offset(p.session, p.loc));
}

double branch_share(const struct branch_row *r)
{
	uint64_t part = r->by == BY_BLOCK ? r->sums->cycles : r->sums->count;

	return 100 * (double)part / r->whole;
}

double branch_mispredicted(const struct branch_sums *r)
{
	return 100 * (double)r->mispredicted / (double)(r->mispredicted + r->predicted);
}

double branch_cycles(const struct branch_sums *r)
{
	return (double)r->cycles / (double)r->timed;
}

const char *branch_type_text(const struct branch_sums *r)
{
	return r->type == BRANCH_MIXED ? "mixed"
				       : pdt_branch_type(&(struct pdt_branch){ .type = r->type });
}

uint64_t branch_bytes(const struct branch_row *r)
{
	uint64_t from = pdt_location_offset(r->session, r->sums->from);
	uint64_t to = pdt_location_offset(r->session, r->sums->to);

	return r->by == BY_LOOP ? from - to : to - from;
}

/* ---- cells ---- */

typedef void cell(struct answer *a, const struct branch_row *r);

static void cell_place(struct answer *a, const struct branch_row *r, uint32_t loc)
{
	struct buf text = { 0 };

	branch_place_text((struct place){ r->session, loc }, r->by != BY_FUNCTION, &text);
	answer_cell_buf(a, &text);
}

static void cell_hex(struct answer *a, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, v);
	answer_cell_text(a, text);
}

static void cell_share(struct answer *a, const struct branch_row *r)
{
	answer_cell_real(a, branch_share(r));
}

static void cell_mispredicted_share(struct answer *a, const struct branch_row *r)
{
	answer_cell_real(a, branch_mispredicted(r->sums));
}

static void cell_cycles(struct answer *a, const struct branch_row *r)
{
	answer_cell_real(a, branch_cycles(r->sums));
}

static void cell_type(struct answer *a, const struct branch_row *r)
{
	answer_cell_text(a, branch_type_text(r->sums));
}

static void cell_bytes(struct answer *a, const struct branch_row *r)
{
	answer_cell_count(a, branch_bytes(r));
}

static void cell_from(struct answer *a, const struct branch_row *r)
{
	cell_place(a, r, r->sums->from);
}

static void cell_to(struct answer *a, const struct branch_row *r)
{
	cell_place(a, r, r->sums->to);
}

static void cell_from_module(struct answer *a, const struct branch_row *r)
{
	answer_cell_text(a, pdt_location_module(r->session, r->sums->from) ?: "");
}

static void cell_to_module(struct answer *a, const struct branch_row *r)
{
	answer_cell_text(a, pdt_location_module(r->session, r->sums->to) ?: "");
}

static void cell_from_offset(struct answer *a, const struct branch_row *r)
{
	cell_hex(a, pdt_location_offset(r->session, r->sums->from));
}

static void cell_to_offset(struct answer *a, const struct branch_row *r)
{
	cell_hex(a, pdt_location_offset(r->session, r->sums->to));
}

/* ---- columns ---- */

#define ALL	((1u << BRANCH_BYS) - 1)
#define BLOCKS	(1u << BY_BLOCK)
#define CODE	(BLOCKS | 1u << BY_LOOP)
#define ADDRESS (ALL & ~(1u << BY_FUNCTION))

struct shown_column {
	struct column column;
	cell *cell; /* NULL: it is the sum at this offset of struct branch_sums */
	size_t sum;
	unsigned of;			/* by enum branch_by, as bits */
	const char *labels[BRANCH_BYS]; /* where they are not the column's */
};

#define SUM(member) NULL, offsetof(struct branch_sums, member)

static const struct shown_column columns[] = {
	{ { "count", COLUMN_COUNT }, SUM(count), ALL, { "Branches", "Branches", "Runs", "Turns" } },
	{ { "share_pct", COLUMN_PERCENT, 2 }, cell_share, 0, ALL & ~BLOCKS },
	{ { "cycles_pct", COLUMN_PERCENT, 2, "Of Cycles" }, cell_share, 0, BLOCKS },
	{ { "mispredicted_pct", COLUMN_PERCENT, 2, "Mispredicted" },
	  cell_mispredicted_share,
	  0,
	  ALL },
	{ { "cycles", COLUMN_REAL, 1 },
	  cell_cycles,
	  0,
	  ALL,
	  { NULL, NULL, "Cycles Each", "Cycles a Turn" } },
	{ { "type", COLUMN_TEXT }, cell_type, 0, ALL, { [BY_BLOCK] = "Ends With" } },
	{ { "bytes", COLUMN_COUNT }, cell_bytes, 0, CODE },
	{ { "from", COLUMN_TEXT },
	  cell_from,
	  0,
	  ALL,
	  { NULL, NULL, "First Instruction", "Closed At" } },
	{ { "to", COLUMN_TEXT }, cell_to, 0, ALL, { NULL, NULL, "Last", "Begins At" } },
	{ { "from_module", COLUMN_TEXT }, cell_from_module, 0, ALL }, /* from here for machines */
	{ { "to_module", COLUMN_TEXT }, cell_to_module, 0, ALL },
	{ { "from_offset", COLUMN_TEXT }, cell_from_offset, 0, ADDRESS },
	{ { "to_offset", COLUMN_TEXT }, cell_to_offset, 0, ADDRESS },
	{ { "mispredicted", COLUMN_COUNT }, SUM(mispredicted), ALL },
	{ { "predicted", COLUMN_COUNT }, SUM(predicted), ALL },
	{ { "cycles_sum", COLUMN_COUNT }, SUM(cycles), ALL },
	{ { "timed", COLUMN_COUNT }, SUM(timed), ALL },
	{ { "aborted", COLUMN_COUNT }, SUM(aborted), ALL },
	{ { "in_transaction", COLUMN_COUNT }, SUM(in_transaction), ALL },
};

_Static_assert(ARRAY_SIZE(columns) < BRANCH_COLUMNS_MAX, "with an end");

size_t branch_columns(enum branch_by by, struct column out[BRANCH_COLUMNS_MAX])
{
	size_t count = 0, seen = 0;

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		if (!(columns[i].of >> by & 1))
			continue;
		if (columns[i].cell == cell_from_module)
			seen = count;
		out[count] = columns[i].column;
		out[count].label = columns[i].labels[by] ?: columns[i].column.label;
		count++;
	}
	out[count] = (struct column){ 0 };
	return seen;
}

void branch_cells(struct answer *a, const struct branch_row *r)
{
	uint64_t sum;

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		const struct shown_column *c = &columns[i];

		if (!(c->of >> r->by & 1))
			continue;
		if (c->cell) {
			c->cell(a, r);
			continue;
		}
		memcpy(&sum, (const char *)r->sums + c->sum, sizeof(sum));
		answer_cell_count(a, sum);
	}
}
