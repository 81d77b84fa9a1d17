/* Counting, by locations. */
#include "analyzers/hardware/branch_tables.h"
#include "analyzers/hardware/branches.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/pdtool_capture.h"
#include "parser/pdtool_module.h"

#include <stdlib.h>
#include <string.h>

#define BRANCH_ANY	(1ULL << 3) /* PERF_SAMPLE_BRANCH_ANY of linux/perf_event.h */
#define BLOCK_BYTES_MAX 65536	    /* longer than any code without a taken branch */

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
	branch_table_release(&t->runs);
	free(t->list);
	free(t->ends);
	free(t->places);
	free(t->starts);
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

/* The code from where the entry before I, an older one, went to where I, NEWER, came from. */
static void add_block(struct branch_tables *t, const struct pdt_session *s,
		      const struct pdt_branch *newer, size_t i)
{
	uint32_t from = t->ends[2 * i + 3], to = t->ends[2 * i];
	uint64_t start = pdt_location_offset(s, from), end = pdt_location_offset(s, to);

	if (!in_one_module(s, from, to) || start > end ||
	    (!t->origins && end - start > BLOCK_BYTES_MAX))
		t->apart++;
	else if (t->origins)
		add_branch(branch_table_at(&t->runs, t->places[i + 1], to), newer);
	else
		add_branch(branch_table_at(&t->blocks, from, to), newer);
}

/* A turn of the loop that branch B closes: it began when the branch was taken before, if NOW's
 * sample tells of that, too. */
static void add_turn(struct branch_tables *t, const struct pdt_branch *b, size_t i,
		     struct turn_start now)
{
	struct branch_sums turn = { .from = t->ends[2 * i], .to = t->ends[2 * i + 1], .count = 1 };
	struct turn_start *start;

	t->starts = xgrow_to(t->starts, &t->start_count, &t->start_cap, t->places[i],
			     sizeof(*t->starts));
	start = &t->starts[t->places[i]];
	turn.mispredicted = b->mispredicted;
	turn.predicted = b->predicted;
	turn.type = b->type;
	turn.timed = start->sample == now.sample && start->untimed == now.untimed;
	turn.cycles = turn.timed ? now.cycles - start->cycles : 0;
	branch_sums_add(branch_table_at(&t->loops, turn.from, turn.to), &turn);
	*start = now;
}

/* The turns of one sample, the oldest first: each entry is looked at once. */
static void add_turns(struct branch_tables *t, const struct pdt_session *s,
		      const struct pdt_branch *list, size_t n)
{
	struct turn_start now = { .sample = t->samples };

	for (size_t i = n; i--;) {
		now.cycles += list[i].cycles;
		now.untimed += !list[i].cycles;
		if (!is_empty(&list[i]) && closes_loop(s, &list[i], t->ends + 2 * i))
			add_turn(t, &list[i], i, now);
	}
}

/* The branch B itself, entry I of its sample. */
static void add_entry(struct branch_tables *t, const struct pdt_session *s,
		      const struct pdt_event *e, const struct pdt_branch *b, size_t i)
{
	struct branch_sums *sums;

	t->ends[2 * i] = t->ends[2 * i + 1] = t->places[i] = PDT_NONE;
	if (is_empty(b)) { /* what had not been filled yet */
		t->empty++;
		return;
	}
	t->ends[2 * i] = branch_locate(s, e, b->from);
	t->ends[2 * i + 1] = branch_locate(s, e, b->to);
	sums = branch_table_at(&t->branches, t->ends[2 * i], t->ends[2 * i + 1]);
	t->places[i] = (uint32_t)(sums - t->branches.list);
	add_branch(sums, b);
}

static bool is_of_kernel(const struct pdt_branch *b)
{
	return branch_mode(b->from) == PDT_KERNEL || branch_mode(b->to) == PDT_KERNEL;
}

/* Keep those of the N in *LIST that are not of the kernel: how many. */
static size_t without_kernel(struct branch_tables *t, const struct pdt_branch **list, size_t n)
{
	size_t left = 0;

	t->list = xgrow(t->list, &t->list_cap, n, sizeof(*t->list));
	for (size_t i = 0; i < n; i++) {
		if (!is_of_kernel(&(*list)[i]))
			t->list[left++] = (*list)[i];
	}
	t->kernel += n - left;
	*list = t->list;
	return left;
}

int branch_tables_lacking(const struct pdt_session *s, struct warnings *w)
{
	warn_add(w, SEV_FATAL, "no-branches",
		 "%s: no sample has a branch stack. Record with: perf record -b -- COMMAND",
		 pdt_text(s, PDT_PATH));
	return ERR_USAGE;
}

bool branches_are_filtered(const struct pdt_desc *d)
{
	return !(pdt_desc_number(NULL, d, PDT_DESC_BRANCH_TYPE) & (BRANCH_ANY | BRANCH_CALL_STACK));
}

void branch_tables_add(struct branch_tables *t, const struct pdt_event *e,
		       const struct pdt_session *s)
{
	const struct pdt_branch *list;
	size_t n = pdt_branches(s, &list);

	t->samples += n != 0;
	t->call_stacks += n && is_call_stack(e->desc);
	if (t->origins && is_call_stack(e->desc))
		return;
	if (t->no_kernel)
		n = without_kernel(t, &list, n);
	t->ends = xgrow(t->ends, &t->end_cap, 2 * n, sizeof(*t->ends));
	t->places = xgrow(t->places, &t->place_cap, n, sizeof(*t->places));
	for (size_t i = 0; i < n; i++)
		add_entry(t, s, e, &list[i], i);
	if (is_call_stack(e->desc))
		return;
	for (size_t i = 0; i + 1 < n; i++) {
		if (!is_empty(&list[i]) && !is_empty(&list[i + 1]))
			add_block(t, s, &list[i], i);
	}
	if (t->turns)
		add_turns(t, s, list, n);
}
