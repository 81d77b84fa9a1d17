/* Reads the function that a block lies in, and picks its instructions. A block may go on in the
 * function behind it: then that is read, too. */
#include "analyzers/branch/code.h"
#include "analyzers/count/insn_index.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/pdtool_module.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- how often an instruction ran ---- */

static int by_place(const void *pa, const void *pb)
{
	const struct code_edge *a = pa, *b = pb;

	return compare_u64(a->module, b->module) ?: compare_u64(a->offset, b->offset);
}

static void sum_up(struct code_edge *list, size_t count)
{
	if (count)
		qsort(list, count, sizeof(*list), by_place);
	for (size_t i = 1; i < count; i++)
		list[i].count += list[i - 1].count;
}

void branch_code_begin(struct branch_code *c, const struct pdt_session *s,
		       const struct branch_table *blocks)
{
	c->session = s;
	c->edge_count = blocks->count;
	c->begins = xcalloc(blocks->count + 1, sizeof(*c->begins));
	c->ends = xcalloc(blocks->count + 1, sizeof(*c->ends));
	for (size_t i = 0; i < blocks->count; i++) {
		const struct branch_sums *b = &blocks->list[i];
		uint32_t module = pdt_location_module_id(s, b->from);

		c->begins[i] =
			(struct code_edge){ module, pdt_location_offset(s, b->from), b->count };
		c->ends[i] = (struct code_edge){ module, pdt_location_offset(s, b->to), b->count };
	}
	sum_up(c->begins, c->edge_count);
	sum_up(c->ends, c->edge_count);
}

/* Of the edges before PLACE; AT: also of those at it. */
static uint64_t before(const struct code_edge *list, size_t count, const struct code_edge *place,
		       bool at)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = by_place(&list[mid], place);

		if (order < 0 || (at && order == 0))
			low = mid + 1;
		else
			high = mid;
	}
	return low ? list[low - 1].count : 0;
}

/* The blocks that began no later than OFFSET, without those that ended before: what lies in other
 * modules is in both. */
static uint64_t executed(const struct branch_code *c, uint32_t module, uint64_t offset)
{
	struct code_edge place = { module, offset, 0 };

	return before(c->begins, c->edge_count, &place, true) -
	       before(c->ends, c->edge_count, &place, false);
}

/* ---- the code ---- */

/* A block or loop while its rows are made. */
struct shown {
	const struct branch_row *row;
	uint64_t rank;
	uint64_t first, last; /* its first and last instruction, as offsets in the module */
	uint32_t first_loc, last_loc;
	uint32_t module;
	struct pdt_code *codes[2]; /* of the functions that these lie in; NULL: the same, or none */
	uint64_t next;		   /* where the next instruction is expected */
	uint64_t instructions;	   /* that were found, one behind the other */
	const char *refusal;	   /* why not; NULL: they are all there */
};

static struct shown shown_of(const struct branch_row *r, uint64_t rank)
{
	bool loop = r->by == BY_LOOP;
	struct shown b = { .row = r,
			   .rank = rank,
			   .first_loc = loop ? r->sums->to : r->sums->from,
			   .last_loc = loop ? r->sums->from : r->sums->to };

	b.module = pdt_location_module_id(r->session, b.first_loc);
	b.first = b.next = pdt_location_offset(r->session, b.first_loc);
	b.last = pdt_location_offset(r->session, b.last_loc);
	return b;
}

static uint64_t function_start(const struct pdt_session *s, uint32_t loc)
{
	return pdt_location_offset(s, loc) - pdt_location_symbol_offset(s, loc);
}

/* Read the function at LOC. NULL: there is none, and B says why. */
static struct pdt_code *read_function(struct branch_code *c, struct shown *b, uint32_t loc)
{
	uint64_t ends[2] = { b->first, b->last };
	bool alone = b->first == b->last || function_start(c->session, b->first_loc) !=
						    function_start(c->session, b->last_loc);
	struct pdt_code_query q = { .location = loc,
				    .sampled = loc == b->last_loc && alone ? &ends[1] : ends,
				    .count = alone ? 1 : 2,
				    .max_bytes = BRANCH_CODE_MAX,
				    .intel = c->intel };
	struct pdt_code *code = NULL;

	if (c->code_read >= BRANCH_CODE_MAX) {
		b->refusal = "too much code was read for others";
		return NULL;
	}
	if (pdt_code_new(c->session, &q, &code) < 0) {
		b->refusal = "no symbol tells where its function begins";
		return NULL;
	}
	c->code_read += pdt_code_number(code, PDT_CODE_END) - pdt_code_number(code, PDT_CODE_START);
	if (pdt_code_text(code, PDT_CODE_REFUSAL))
		b->refusal = answer_string(c->answer, pdt_code_text(code, PDT_CODE_REFUSAL));
	return code;
}

/* ---- rows ---- */

static void cell_hex(struct answer *a, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, v);
	answer_cell_text(a, text);
}

static void cell_instruction(struct answer *a, const struct pdt_code *code,
			     const struct pdt_insn *i)
{
	uint64_t start = code ? pdt_code_number(code, PDT_CODE_START) : 0;
	struct buf b = { 0 };

	if (i && i->text)
		buf_str(&b, i->text);
	else if (i && i->size)
		buf_printf(&b, "(%u bytes, not decoded)", i->size);
	else
		buf_str(&b, "(no code)");
	if (i && i->label)
		buf_printf(&b, " <%s>", i->label);
	else if (i && i->target >= start && i->target < pdt_code_number(code, PDT_CODE_END))
		buf_printf(&b, " <+0x%" PRIx64 ">", i->target - start);
	answer_cell_buf(a, &b);
}

/* "COND, 12.50% mispredicted", of the row that the branch is. */
static void cell_outcome(struct answer *a, const struct branch_sums *s, bool ends)
{
	double mispredicted = branch_mispredicted(s);
	struct buf b = { 0 };

	if (ends)
		buf_str(&b, branch_type_text(s));
	if (ends && !isnan(mispredicted))
		buf_printf(&b, "%s%.2f%% mispredicted", b.len ? ", " : "", mispredicted);
	answer_cell_text(a, b.len ? b.data : "");
	buf_release(&b);
}

const struct column branch_code_columns[] = {
	{ "executed", COLUMN_COUNT },
	{ "address", COLUMN_TEXT },
	{ "outcome", COLUMN_TEXT, 0, "Ends With" },
	{ "instruction", COLUMN_TEXT },
	{ "rank", COLUMN_ID },
	{ "offset", COLUMN_TEXT },
	{ "target", COLUMN_TEXT },
	{ "size", COLUMN_COUNT },
	{ "count", COLUMN_COUNT },
	{ "share_pct", COLUMN_PERCENT, 2 },
	{ "mispredicted_pct", COLUMN_PERCENT, 2 },
	{ "cycles", COLUMN_REAL, 1 },
	{ "instructions", COLUMN_COUNT },
	{ "ipc", COLUMN_REAL, 2 },
	{ "from", COLUMN_TEXT },
	{ "to", COLUMN_TEXT },
	{ "module", COLUMN_TEXT },
	{ 0 },
};

#define SUMMARY_COLUMNS 4

/* Instructions that ran in its cycles: of a block, which runs in a line. */
static double ipc(const struct shown *b)
{
	const struct branch_sums *s = b->row->sums;

	if (b->row->by != BY_BLOCK || b->refusal || !s->cycles)
		return NAN;
	return (double)b->instructions * (double)s->timed / (double)s->cycles;
}

static void place_cell(struct answer *a, const struct pdt_session *s, uint32_t loc)
{
	struct buf text = { 0 };

	branch_place_text((struct place){ s, loc }, true, &text);
	answer_cell_buf(a, &text);
}

/* An instruction at OFFSET of the module: INSN of CODE, or NULL, where there is none. */
struct insn_row {
	uint64_t offset;
	const struct pdt_code *code;
	const struct pdt_insn *insn;
};

static void add_row(struct branch_code *c, const struct shown *b, struct insn_row row)
{
	const struct pdt_insn *insn = row.insn;
	const struct branch_sums *s = b->row->sums;
	struct answer *a = c->answer;
	bool whole = b->row->by == BY_BLOCK && !b->refusal;

	answer_cell_count(a, executed(c, b->module, row.offset));
	cell_hex(a, insn ? insn->addr : row.offset);
	cell_outcome(a, s, row.offset == b->last);
	cell_instruction(a, row.code, insn);
	answer_cell_count(a, b->rank);
	cell_hex(a, row.offset - function_start(c->session, b->first_loc));
	if (insn && insn->target != PDT_NO_TARGET)
		cell_hex(a, insn->target);
	else
		answer_cell_kept(a, "");
	answer_cell_count(a, insn ? insn->size : 0);
	answer_cell_count(a, s->count);
	answer_cell_real(a, branch_share(b->row));
	answer_cell_real(a, branch_mispredicted(s));
	answer_cell_real(a, branch_cycles(s));
	answer_cell_count_if(a, whole, b->instructions);
	answer_cell_real(a, ipc(b));
	place_cell(a, c->session, s->from);
	place_cell(a, c->session, s->to);
	answer_cell_text(a, pdt_location_module(c->session, b->first_loc) ?: "");
	c->rows++;
}

/* What is known of B, above its rows. */
static void add_note(struct branch_code *c, const struct shown *b)
{
	const struct branch_sums *s = b->row->sums;
	bool loop = b->row->by == BY_LOOP;
	const char *module = pdt_location_module(c->session, b->first_loc);
	struct buf text = { 0 };

	buf_printf(&text, "%" PRIu64 ". ", b->rank);
	branch_place_text((struct place){ c->session, b->first_loc }, true, &text);
	buf_str(&text, " to ");
	branch_place_text((struct place){ c->session, b->last_loc }, true, &text);
	buf_printf(&text, " in %s: %" PRIu64 " %s", module ? base_name(module) : "[unknown]",
		   s->count,
		   s->count == 1 ? (loop ? "turn" : "run")
		   : loop	 ? "turns"
				 : "runs");
	if (!isnan(branch_share(b->row)))
		buf_printf(&text, ", %.2f%% of all%s", branch_share(b->row), loop ? "" : " cycles");
	if (s->timed)
		buf_printf(&text, ", %.1f cycles each", branch_cycles(s));
	if (!isnan(ipc(b)))
		buf_printf(&text, ", IPC %.2f", ipc(b));
	if (b->refusal)
		buf_printf(&text, "; %s", b->refusal);
	c->notes = xgrow(c->notes, &c->note_cap, c->note_count + 1, sizeof(*c->notes));
	c->notes[c->note_count++] =
		(struct table_note){ c->rows, answer_string(c->answer, text.data) };
	buf_release(&text);
}

/* ---- blocks and loops ---- */

/* Go through the instructions of B in CODE: count them, or make rows of them. */
static void walk(struct branch_code *c, struct shown *b, const struct pdt_code *code, bool rows)
{
	uint64_t shift = pdt_code_number(code, PDT_CODE_SHIFT);
	const struct pdt_insn *insn;

	for (size_t i = insn_from(code, b->next + shift);
	     (insn = pdt_insn_at(code, i)) != NULL && insn->addr - shift <= b->last; i++) {
		uint64_t offset = insn->addr - shift;

		if (rows)
			add_row(c, b, (struct insn_row){ offset, code, insn });
		else if (insn->kind != PDT_INSN || offset != b->next)
			b->refusal = "the code is not that which ran";
		b->next = offset + insn->size;
		b->instructions += !rows;
	}
}

/* Read B: it ends in the function that it begins in, or in the next one. */
static void read_all(struct branch_code *c, struct shown *b)
{
	const uint32_t locs[] = { b->first_loc, b->last_loc };

	for (size_t i = 0; i < ARRAY_SIZE(locs) && b->next <= b->last && !b->refusal; i++) {
		b->codes[i] = read_function(c, b, locs[i]);
		if (b->codes[i] && !b->refusal)
			walk(c, b, b->codes[i], false);
	}
	if (b->next <= b->last && !b->refusal)
		b->refusal = "its code lies in more than two functions";
}

static void add_rows(struct branch_code *c, struct shown *b)
{
	b->next = b->first;
	for (size_t i = 0; i < ARRAY_SIZE(b->codes) && !b->refusal; i++) {
		if (b->codes[i])
			walk(c, b, b->codes[i], true);
	}
	if (!b->refusal)
		return;
	add_row(c, b, (struct insn_row){ b->first, NULL, NULL });
	if (b->last != b->first)
		add_row(c, b, (struct insn_row){ b->last, NULL, NULL });
}

void branch_code_add(struct branch_code *c, const struct branch_row *r, uint64_t rank)
{
	struct shown b = shown_of(r, rank);

	if (c->rows >= BRANCH_ROWS_MAX) {
		c->cut++;
		return;
	}
	read_all(c, &b);
	c->shown++;
	c->without += b.refusal != NULL;
	if (b.refusal && !c->refusal)
		c->refusal = b.refusal;
	add_note(c, &b);
	add_rows(c, &b);
	for (size_t i = 0; i < ARRAY_SIZE(b.codes); i++)
		pdt_code_free(c->session, b.codes[i]);
}

void branch_code_end(struct branch_code *c)
{
	if (c->without)
		answer_warn(c->answer, "no instructions", "of %s of %s: %s", COUNT_TEXT(c->without),
			    COUNT_TEXT(c->shown), c->refusal);
	if (c->cut)
		answer_warn(c->answer, "left out", "%s, past %u instructions", COUNT_TEXT(c->cut),
			    BRANCH_ROWS_MAX);
}

void branch_code_shape(struct branch_code *c, struct table_part *t)
{
	c->listing = (struct table_listing){ .notes = c->notes, .note_count = c->note_count };
	t->listing = &c->listing;
	t->summary_columns = SUMMARY_COLUMNS;
}

void branch_code_release(struct branch_code *c)
{
	free(c->begins);
	free(c->ends);
	free(c->notes);
}
