/* Adds up call chains. */
#include "analyzers/count/rows/call_tree.h"
#include "analyzers/count/samples.h"
#include "parser/base/mem.h"

#include <stdlib.h>

static uint32_t add_node(struct call_trees *t, uint32_t parent, uint32_t name)
{
	uint32_t id = (uint32_t)t->count;

	t->nodes = xgrow(t->nodes, &t->cap, t->count + 1, sizeof(*t->nodes));
	t->nodes[t->count++] = (struct call_node){
		.name = name, .parent = parent, .child = CALL_NONE, .next = CALL_NONE
	};
	if (parent != CALL_NONE) {
		t->nodes[id].next = t->nodes[parent].child;
		t->nodes[parent].child = id;
	}
	return id;
}

uint32_t call_tree_new(struct call_trees *t)
{
	return add_node(t, CALL_NONE, CALL_NONE);
}

static uint32_t child_of(struct call_trees *t, uint32_t parent, uint32_t name)
{
	uint32_t *slot = idmap_put(&t->children, (uint64_t)parent << 32 | name);

	if (*slot == IDMAP_NONE)
		*slot = add_node(t, parent, name);
	return *slot;
}

void call_tree_add(struct call_trees *t, uint32_t root, const struct call_chain *c)
{
	uint32_t at = root;
	struct call_node *n;

	for (size_t i = 0;; i++) {
		n = &t->nodes[at];
		add_held(&n->total, c->weight);
		add_held(&n->total_samples, c->samples);
		if (i == c->count)
			break;
		at = child_of(t, at, c->names[i]);
	}
	add_held(&n->self, c->weight);
	add_held(&n->self_samples, c->samples);
}

/* ---- order ---- */

struct sorting {
	const struct call_trees *trees;
	call_compare *compare;
	void *ctx;
};

static int compare_nodes(const void *a, const void *b, void *ctx)
{
	const struct sorting *s = ctx;

	return s->compare(&s->trees->nodes[*(const uint32_t *)a],
			  &s->trees->nodes[*(const uint32_t *)b], s->ctx);
}

void call_trees_sort(struct call_trees *t, call_compare *compare, void *ctx)
{
	struct sorting s = { t, compare, ctx };
	uint32_t *list = NULL;
	size_t cap = 0;

	for (size_t i = 0; i < t->count; i++) {
		uint32_t *link = &t->nodes[i].child;
		size_t n = 0;

		for (uint32_t k = *link; k != CALL_NONE; k = t->nodes[k].next) {
			list = xgrow(list, &cap, n + 1, sizeof(*list));
			list[n++] = k;
		}
		if (n > 1)
			qsort_r(list, n, sizeof(*list), compare_nodes, &s);
		for (size_t k = 0; k < n; k++) {
			*link = list[k];
			link = &t->nodes[list[k]].next;
		}
		*link = CALL_NONE;
	}
	free(list);
}

void call_trees_release(struct call_trees *t)
{
	free(t->nodes);
	idmap_release(&t->children);
}
