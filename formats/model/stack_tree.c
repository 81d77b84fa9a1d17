/* Builds the call tree from rows of stacks. */
#include "formats/model/stack_tree.h"
#include "parser/base/held.h"
#include "parser/base/idmap.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

struct build {
	struct stack_tree *tree;
	size_t cap;
	struct idmap paths; /* (parent's SAME, name) -> first node */
	uint32_t *open;	    /* the nodes of the row before, root first */
	size_t open_cap;
};

static uint32_t add_node(struct build *b, uint32_t parent, uint32_t name)
{
	struct stack_tree *t = b->tree;
	uint32_t id = (uint32_t)t->count++;
	struct stack_node *n;
	uint32_t *first;

	t->nodes = xgrow(t->nodes, &b->cap, t->count, sizeof(*t->nodes));
	n = &t->nodes[id];
	*n = (struct stack_node){ .name = name, .parent = parent, .same = id };
	if (id == 0)
		return id;
	n->depth = t->nodes[parent].depth + 1;
	t->depth = n->depth > t->depth ? n->depth : t->depth;
	first = idmap_put(&b->paths, (uint64_t)t->nodes[parent].same << 32 | name);
	if (*first == IDMAP_NONE)
		*first = id;
	n->same = *first;
	return id;
}

/* Nodes are closed from the row's end down to DEPTH: what follows is not below them. */
static void close_nodes(struct build *b, uint32_t from, uint32_t depth)
{
	while (from > depth)
		b->tree->nodes[b->open[from--]].next = (uint32_t)b->tree->count;
}

/* The sums of a node's children are its own but for its self weight; children come after it. */
static void add_up(struct stack_tree *t)
{
	for (size_t i = t->count - 1; i; i--) {
		struct stack_node *n = &t->nodes[i], *up = &t->nodes[n->parent];

		n->total += n->self;
		n->before += n->before_self;
		up->total += n->total;
		up->before += n->before;
	}
	t->nodes[0].total += t->nodes[0].self;
	t->nodes[0].before += t->nodes[0].before_self;
}

double stack_fit(const struct stacks_part *p)
{
	uint64_t sums[2] = { 0, 0 };
	double all[2] = { 0, 0 }, most;
	bool held = false;

	for (size_t i = 0; i < p->count; i++) {
		held |= add_held(&sums[0], p->rows[i].weight);
		all[0] += (double)p->rows[i].weight;
		if (!p->before)
			continue;
		held |= add_held(&sums[1], p->before[i]);
		all[1] += (double)p->before[i];
	}
	most = all[0] > all[1] ? all[0] : all[1];
	return held ? (1 - 0x1p-40) * 0x1p64 / most : 1; /* less than what rounding can add */
}

/* KINDS of the frames of the row that is open, root first. */
static void merge_kinds(struct build *b, const uint8_t *kinds, const struct stack_row *r)
{
	for (uint32_t i = 0; i < r->count; i++) {
		struct stack_node *n = &b->tree->nodes[b->open[i + 1]];

		if (i >= r->shared || kinds[i] < n->kind)
			n->kind = kinds[i];
	}
}

void stack_tree_build(struct stack_tree *t, const struct stacks_part *p)
{
	struct build b = { .tree = t };
	uint32_t depth = 0;

	memset(t, 0, sizeof(*t));
	t->fit = stack_fit(p);
	b.open = xgrow(NULL, &b.open_cap, 1, sizeof(*b.open));
	b.open[0] = add_node(&b, 0, UINT32_MAX);
	for (size_t i = 0; i < p->count; i++) {
		const struct stack_row *r = &p->rows[i];

		close_nodes(&b, depth, r->shared);
		b.open = xgrow(b.open, &b.open_cap, r->count + 1, sizeof(*b.open));
		for (depth = r->shared; depth < r->count; depth++)
			b.open[depth + 1] =
				add_node(&b, b.open[depth], p->frames[r->first + depth]);
		if (p->kinds)
			merge_kinds(&b, &p->kinds[r->first], r);
		t->nodes[b.open[depth]].self += stack_fitted(r->weight, t->fit);
		if (p->before)
			t->nodes[b.open[depth]].before_self += stack_fitted(p->before[i], t->fit);
	}
	close_nodes(&b, depth, 0);
	t->nodes[0].next = (uint32_t)t->count;
	add_up(t);
	idmap_release(&b.paths);
	free(b.open);
}

void stack_tree_release(struct stack_tree *t)
{
	free(t->nodes);
	memset(t, 0, sizeof(*t));
}
