/* Counting, by locations. */
#include "analyzers/branch/tables.h"
#include "analyzers/hardware/branches.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/pdtool_capture.h"
#include "parser/pdtool_module.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES_MAX 65536 /* longer than any code without a taken branch */

void branch_table_release(struct branch_table *t)
{
	idmap_release(&t->index);
	free(t->list);
	memset(t, 0, sizeof(*t));
}

void branch_tables_release(struct branch_tables *t)
{
	branch_table_release(&t->branches);
	branch_table_release(&t->blocks);
	branch_table_release(&t->loops);
	free(t->ends);
	memset(t, 0, sizeof(*t));
}

struct branch_sums *branch_table_at(struct branch_table *t, uint32_t from, uint32_t to)
{
	uint32_t *id = idmap_put(&t->index, (uint64_t)from << 32 | to);

	if (*id == IDMAP_NONE) {
		t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
		t->list[t->count] = (struct branch_sums){ .from = from, .to = to };
		*id = (uint32_t)t->count++;
	}
	return &t->list[*id];
}

void branch_sums_add(struct branch_sums *to, const struct branch_sums *from)
{
	to->type = !to->count || to->type == from->type ? from->type : BRANCH_MIXED;
	to->count += from->count;
	to->mispredicted += from->mispredicted;
	to->predicted += from->predicted;
	to->aborted += from->aborted;
	to->in_transaction += from->in_transaction;
	to->cycles += from->cycles;
	to->timed += from->timed;
}

static void add_branch(struct branch_sums *to, const struct pdt_branch *b)
{
	branch_sums_add(to, &(struct branch_sums){ .count = 1,
						   .mispredicted = b->mispredicted,
						   .predicted = b->predicted,
						   .aborted = b->aborted,
						   .in_transaction = b->in_transaction,
						   .cycles = b->cycles,
						   .timed = b->cycles != 0,
						   .type = b->type });
}

static bool is_empty(const struct pdt_branch *b)
{
	return !b->from && !b->to;
}

static bool in_one_module(const struct pdt_session *s, uint32_t a, uint32_t b)
{
	return pdt_location_module_id(s, a) == pdt_location_module_id(s, b);
}

/* PERF_BR_CALL and so on: not conditional, unconditional, indirect. */
static bool is_call(const struct pdt_branch *b)
{
	return b->type > 3;
}

static bool closes_loop(const struct pdt_session *s, const struct pdt_branch *b,
			const uint32_t *ends)
{
	return !is_call(b) && in_one_module(s, ends[0], ends[1]) &&
	       pdt_location_offset(s, ends[1]) <= pdt_location_offset(s, ends[0]);
}

static bool is_call_stack(const struct pdt_desc *d)
{
	return pdt_desc_number(NULL, d, PDT_DESC_BRANCH_TYPE) & BRANCH_CALL_STACK;
}

/* The code from where OLDER went to where NEWER came from. */
static void add_block(struct branch_tables *t, const struct pdt_session *s,
		      const struct pdt_branch *newer, const uint32_t *ends)
{
	uint32_t from = ends[3], to = ends[0];
	uint64_t start = pdt_location_offset(s, from), end = pdt_location_offset(s, to);

	if (!in_one_module(s, from, to) || start > end || end - start > BLOCK_BYTES_MAX) {
		t->apart++;
		return;
	}
	add_branch(branch_table_at(&t->blocks, from, to), newer);
}

/* The turn of a loop that ends with branch I of N, if the one that began it is there, too. */
static void add_turn(struct branch_tables *t, const struct pdt_session *s,
		     const struct pdt_branch *list, size_t i, size_t n)
{
	const uint32_t *end = t->ends + 2 * i;
	struct branch_sums turn = { .from = end[0], .to = end[1], .count = 1 };
	bool timed = true;
	size_t k;

	if (!closes_loop(s, &list[i], end))
		return;
	turn.mispredicted = list[i].mispredicted;
	turn.predicted = list[i].predicted;
	turn.type = list[i].type;
	for (k = i; k < n && (k == i || t->ends[2 * k] != end[0] || t->ends[2 * k + 1] != end[1]);
	     k++) {
		turn.cycles += list[k].cycles;
		timed &= list[k].cycles != 0;
	}
	turn.timed = timed && k < n;
	turn.cycles = turn.timed ? turn.cycles : 0;
	branch_sums_add(branch_table_at(&t->loops, end[0], end[1]), &turn);
}

void branch_tables_add(struct branch_tables *t, const struct pdt_event *e,
		       const struct pdt_session *s)
{
	const struct pdt_branch *list;
	size_t n = pdt_branches(s, &list);

	t->samples += n != 0;
	t->call_stacks += n && is_call_stack(e->desc);
	t->ends = xgrow(t->ends, &t->end_cap, 2 * n, sizeof(*t->ends));
	for (size_t i = 0; i < n; i++) {
		if (is_empty(&list[i])) { /* what had not been filled yet */
			t->ends[2 * i] = t->ends[2 * i + 1] = PDT_NONE;
			t->empty++;
			continue;
		}
		t->ends[2 * i] = branch_locate(s, e, list[i].from);
		t->ends[2 * i + 1] = branch_locate(s, e, list[i].to);
		add_branch(branch_table_at(&t->branches, t->ends[2 * i], t->ends[2 * i + 1]),
			   &list[i]);
	}
	for (size_t i = 0; i < n && !is_call_stack(e->desc); i++) {
		if (is_empty(&list[i]))
			continue;
		if (i + 1 < n && !is_empty(&list[i + 1]))
			add_block(t, s, &list[i], t->ends + 2 * i);
		if (t->turns)
			add_turn(t, s, list, i, n);
	}
}
