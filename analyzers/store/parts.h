/* Stacks with names as a store takes them, and how they came to these. */
#ifndef PDTOOL_STORE_PARTS_H
#define PDTOOL_STORE_PARTS_H

#include "analyzers/count/fold/folding.h"
#include "parser/base/slots.h"
#include "parser/kept.h"
#include "parser/store.h"

/* All zero, but for TEXTS, is empty. */
struct store_parts {
	struct store_capture c;
	struct store_frame *frames;
	struct store_stack *stacks;
	uint32_t *ids; /* of frames, by stack */
	size_t stack_count, stack_cap, id_count, id_cap;
	struct slots places; /* of stacks, by their frames */
	uint32_t *leaves;    /* their stacks */
	uint32_t *sessions;  /* by leaf: its stack's id in the session */
	size_t leaf_count, leaf_cap, session_cap;
	struct store_addresses addresses;
	struct kept_stacks kept;
	uint32_t *loc_first, *loc_frames, *chains;
	struct arena texts;
};

/* One leaf more, of these COUNT frames, the root first, with whatever bits beside their ids. Its
 * number. */
uint32_t store_parts_push_row(struct store_parts *p, const uint32_t *frames, size_t count);
/* The same of the stack STACK of the session: its first frame, then LIST. */
uint32_t store_parts_push(struct store_parts *p, uint32_t label, const struct frame_list *list,
			  uint32_t stack);
/* All are there: the lists of P's capture. F has named the frames of S. */
void store_parts_end(struct store_parts *p, const struct folding *f, const struct pdt_session *s);
/* And where they were. */
void store_parts_keep(struct store_parts *p, const struct folding *f, const struct pdt_session *s);
void store_parts_release(struct store_parts *p);

#endif
