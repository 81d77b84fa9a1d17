/* A capture into shares: what was counted under ids, named. */
#include "analyzers/count/leaf.h"
#include "analyzers/count/shares_read.h"
#include "parser/base/buf.h"
#include "parser/base/idmap.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What is known of the locations of a capture while its entries are named. */
struct naming {
	struct shares *shares;
	const struct share_rule *rule;
	const struct session *session;
	uint32_t *rows;		   /* by location: row + 1, 0: not known yet */
	uint64_t *frames, *leaves; /* by location: the groups that match it there */
	struct idmap comm_ids;	   /* command -> index of comms[] */
	uint64_t *comms;	   /* the groups that match it */
	size_t comm_count, comm_cap;
};

static void comm_text(const struct session *s, uint32_t comm, struct buf *out)
{
	const char *text = session_comm(s, comm);

	buf_str(out, text ? text : "[unknown]");
	/* as it looks in folded stacks, so that the two compare */
	for (size_t i = 0; i < out->len; i++)
		out->data[i] = isspace((unsigned char)out->data[i]) ? '_' : out->data[i];
}

static void loc_text(const struct loc *l, const struct loc_name *n, enum share_by by,
		     struct buf *out)
{
	if (by == BY_DSO)
		buf_str(out, place_of(l, n));
	else if (n->name)
		buf_str(out, n->name);
	else
		buf_printf(out, "[%s]", place_of(l, n));
}

static void loc_groups(struct naming *n, size_t i)
{
	const struct pattern_list *groups = n->rule->groups;
	const struct loc_name *name = &session_names(n->session)->locs[i];
	struct buf b = { 0 };

	loc_text(&session_stacks(n->session)->locs[i], name, BY_SYMBOL, &b);
	n->frames[i] = groups_match(groups, GROUP_STACK, b.data);
	n->leaves[i] = groups_match(groups, GROUP_SYMBOL, b.data);
	if (name->module)
		n->leaves[i] |= groups_match(groups, GROUP_DSO, name->module);
	buf_release(&b);
}

static uint32_t row_of_loc(struct naming *n, uint32_t loc)
{
	struct buf b = { 0 };

	if (n->rows[loc])
		return n->rows[loc] - 1;
	loc_text(&session_stacks(n->session)->locs[loc], &session_names(n->session)->locs[loc],
		 n->rule->by, &b);
	n->rows[loc] = shares_name(n->shares, b.data, b.len) + 1;
	buf_release(&b);
	return n->rows[loc] - 1;
}

static void naming_init(struct naming *n)
{
	size_t locs = session_stacks(n->session)->loc_count;

	n->rows = xcalloc(locs + 1, sizeof(*n->rows));
	n->frames = xcalloc(locs + 1, sizeof(*n->frames));
	n->leaves = xcalloc(locs + 1, sizeof(*n->leaves));
}

static void naming_release(struct naming *n)
{
	free(n->rows);
	free(n->frames);
	free(n->leaves);
	free(n->comms);
	idmap_release(&n->comm_ids);
}

static uint64_t groups_of_comm(struct naming *n, uint32_t comm)
{
	uint32_t *slot = idmap_put(&n->comm_ids, comm);
	struct buf text = { 0 };

	if (*slot != IDMAP_NONE)
		return n->comms[*slot];
	comm_text(n->session, comm, &text);
	n->comms = xgrow(n->comms, &n->comm_cap, n->comm_count + 1, sizeof(*n->comms));
	n->comms[n->comm_count] = groups_match(n->rule->groups, GROUP_STACK, text.data);
	*slot = (uint32_t)n->comm_count++;
	buf_release(&text);
	return n->comms[*slot];
}

static uint32_t group_of(struct naming *n, const struct count_entry *e)
{
	const struct stacks *st = session_stacks(n->session);
	const struct stack *k = &st->list[e->stack];
	const uint32_t *locs = stack_locs(st, k);
	uint64_t found = groups_of_comm(n, e->comm);

	if (k->count)
		found |= n->leaves[locs[0]];
	for (uint16_t i = 0; i < k->count; i++)
		found |= n->frames[locs[i]];
	return found ? (uint32_t)__builtin_ctzll(found) : (uint32_t)n->rule->groups->count;
}

static uint32_t row_of(struct naming *n, const struct count_entry *e)
{
	const struct stacks *st = session_stacks(n->session);
	const struct stack *k = &st->list[e->stack];
	struct buf comm = { 0 };
	uint32_t id;

	if (n->rule->groups->count)
		return group_of(n, e);
	if (n->rule->by != BY_COMM)
		return k->count ? row_of_loc(n, stack_locs(st, k)[0])
				: shares_name(n->shares, "[unknown]", 9);
	comm_text(n->session, e->comm, &comm);
	id = shares_name(n->shares, comm.data, comm.len);
	buf_release(&comm);
	return id;
}

static void count_entry(struct naming *n, const struct count_entry *e, const struct filter *shown)
{
	struct share_cell cell = { .step = e->step, .weight = e->weight };
	const struct loc_name *leaf = leaf_of(n->session, e->stack);
	unsigned side = n->rule->side;
	uint32_t row;

	shares_scope(n->shares, side, e->weight, e->squares);
	if (!leaf || !leaf->name)
		n->shares->unnamed[side] = add_held(n->shares->unnamed[side], e->weight);
	if (!leaf_passes(leaf, shown, e->pid0))
		return;
	row = row_of(n, e);
	shares_add(n->shares, side, row, &cell);
	shares_add_squares(n->shares, side, row, e->squares);
}

static void count_entries(struct naming *n, const struct counts *counts, const struct filter *f)
{
	const struct event_list *events = &session_capture(n->session)->events;
	struct filter idle = { .no_idle = f->no_idle };
	struct filter shown = *f;

	shown.no_idle = false;
	for (size_t i = 0; i < counts->count; i++) {
		const struct count_entry *e = &counts->list[i];

		if (!strcmp(events->descs[e->desc]->name, n->rule->event) &&
		    leaf_passes(leaf_of(n->session, e->stack), &idle, e->pid0))
			count_entry(n, e, &shown);
	}
}

void shares_add_capture(struct shares *s, const struct share_rule *rule,
			const struct counts *counts, const struct share_source *from)
{
	struct naming n = { .shares = s, .rule = rule, .session = from->session };

	naming_init(&n);
	for (size_t i = 0; rule->groups->count && i < session_stacks(n.session)->loc_count; i++)
		loc_groups(&n, i);
	count_entries(&n, counts, from->filter);
	naming_release(&n);
}
