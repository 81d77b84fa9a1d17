/* Stacks come by name, each once; where they lead is kept by their places, which the rows tell. */
#include "analyzers/page/stored.h"
#include "parser/base/mem.h"

#include <stdlib.h>

void stored_release(struct stored *s)
{
	store_steps_release(&s->steps);
	free(s->leaves);
}

/* Frames of the text and of the store are the same, one for one; empty ones at the end of the text
 * are none. */
static uint32_t add_stack(const struct stored_into *into, const struct store_rows *rows,
			  const struct folded_line *line)
{
	struct stackset *set = into->set;
	size_t first = set->frame_count;
	uint32_t node = PAGE_NONE;
	struct store_frame frame;

	stackset_begin(set);
	stackset_push_text(set, line->stack, line->len);
	for (size_t i = first; i < set->frame_count; i++) {
		uint32_t name = set->frames[i] & STACKSET_ID;

		if (store_rows_frame(rows, i - first, &frame))
			into->place(into->ctx, name, frame.module, frame.kind);
		node = page_tree_node(into->tree, node, name);
	}
	set->frame_count = first;
	return node;
}

int stored_read(struct stored *s, struct folded *f, const struct stored_into *into,
		struct warnings *w)
{
	size_t room = folded_room(f) / (2 * sizeof(*s->steps.list));
	struct folded_line line;
	int rc;

	*s = (struct stored){ 0 };
	while ((rc = folded_next(f, &line)) == 1) {
		uint32_t place = store_rows_place(folded_rows(f));

		s->leaves = xgrow_to(s->leaves, &s->leaf_count, &s->leaf_cap, place,
				     sizeof(*s->leaves));
		s->leaves[place] = add_stack(into, folded_rows(f), &line);
		s->weight += (double)line.weight[0];
	}
	return rc ?: store_steps_read(&s->steps, folded_rows(f), room ?: STORE_STEPS_MAX, w);
}
