/* A red-black tree that takes the same shape as Linux's lib/rbtree.c, for perftree.h.
 *
 * The algorithm is the textbook's (Cormen et al., "Introduction to Algorithms", chapter 13); where
 * that leaves a choice, it is made as Linux makes it: a symbol goes to the right of its equals, a
 * node with two children is replaced by its successor, and of two red nephews the outer one counts.
 * Any other choice gives a valid tree of another shape, and other names. */
#include "parser/names/perftree.h"
#include "parser/base/mem.h"

#include <stdlib.h>

enum { LEFT, RIGHT };

/* Nodes are indices, in order of insertion from 1. Node 0 stands for every absent child, and is
 * black. It is also the parent of the root, which is its right child: so the root needs no case of
 * its own. Its field `parent` is scratch while a node is being erased. */
#define NIL 0

struct node {
	uint64_t start;
	uint32_t child[2];
	uint32_t parent;
	uint32_t sym; /* index in the finished table; erased symbols have none */
	bool red;
};

struct erasure {
	uint32_t node;
	uint32_t before; /* it happened before this node was inserted */
};

enum state { RECORDING, DISJOINT, BUILT };

struct perftree {
	struct node *nodes;
	size_t count; /* with NIL */
	size_t cap;
	struct erasure *erased;
	size_t erased_count;
	size_t erased_cap;
	enum state state;
};

/* ---- the history ---- */

struct perftree *perftree_new(void)
{
	struct perftree *p = xcalloc(1, sizeof(*p));

	p->nodes = xgrow(p->nodes, &p->cap, 1, sizeof(*p->nodes));
	p->nodes[p->count++] = (struct node){ 0 };
	return p;
}

void perftree_free(struct perftree *p)
{
	if (!p)
		return;
	free(p->nodes);
	free(p->erased);
	free(p);
}

uint32_t perftree_insert(struct perftree *p, uint64_t start)
{
	p->nodes = xgrow(p->nodes, &p->cap, p->count + 1, sizeof(*p->nodes));
	p->nodes[p->count] = (struct node){ .start = start };
	return (uint32_t)p->count++;
}

void perftree_erase(struct perftree *p, uint32_t order)
{
	p->erased = xgrow(p->erased, &p->erased_cap, p->erased_count + 1, sizeof(*p->erased));
	p->erased[p->erased_count++] = (struct erasure){ order, (uint32_t)p->count };
}

/* ---- the tree ---- */

static int side_of(const struct node *t, uint32_t n)
{
	return t[t[n].parent].child[RIGHT] == n ? RIGHT : LEFT;
}

/* Put NEW, which may be NIL, under the parent of OLD in OLD's place. */
static void take_place(struct node *t, uint32_t old, uint32_t new)
{
	t[t[old].parent].child[side_of(t, old)] = new;
	t[new].parent = t[old].parent;
}

/* N goes down to SIDE; its child on the other side takes its place. */
static void rotate(struct node *t, uint32_t n, int side)
{
	uint32_t up = t[n].child[!side];
	uint32_t middle = t[up].child[side];

	t[n].child[!side] = middle;
	if (middle)
		t[middle].parent = n;
	take_place(t, n, up);
	t[up].child[side] = n;
	t[n].parent = up;
}

/* N is red. While its parent is red too: colour the parent and a red uncle black and go on above,
 * or rotate the two apart. */
static void fix_red_pair(struct node *t, uint32_t n)
{
	while (t[t[n].parent].red) {
		uint32_t parent = t[n].parent, grand = t[parent].parent, uncle;
		int side = side_of(t, parent);

		uncle = t[grand].child[!side];
		t[grand].red = true;
		if (t[uncle].red) {
			t[parent].red = t[uncle].red = false;
			n = grand;
			continue;
		}
		if (side_of(t, n) != side) {
			rotate(t, parent, side);
			parent = n;
		}
		rotate(t, grand, !side);
		t[parent].red = false;
		break;
	}
	t[t[NIL].child[RIGHT]].red = false;
}

static void insert(struct node *t, uint32_t n)
{
	uint32_t parent = NIL, at = t[NIL].child[RIGHT];
	int side = RIGHT;

	while (at) {
		parent = at;
		side = t[n].start < t[at].start ? LEFT : RIGHT;
		at = t[at].child[side];
	}
	t[parent].child[side] = n;
	t[n].parent = parent;
	t[n].red = true;
	fix_red_pair(t, n);
}

/* The paths through N, which may be NIL, have one black node less than the others: borrow one from
 * its sibling, or take one from the sibling as well and go on above. */
static void fix_black_count(struct node *t, uint32_t n)
{
	while (t[n].parent && !t[n].red) {
		uint32_t parent = t[n].parent;
		int side = side_of(t, n), away = !side;
		uint32_t sibling = t[parent].child[away];

		if (t[sibling].red) {
			t[sibling].red = false;
			t[parent].red = true;
			rotate(t, parent, side);
			sibling = t[parent].child[away];
		}
		if (!t[t[sibling].child[LEFT]].red && !t[t[sibling].child[RIGHT]].red) {
			t[sibling].red = true;
			n = parent;
			continue;
		}
		if (!t[t[sibling].child[away]].red) {
			uint32_t near = t[sibling].child[side];

			rotate(t, sibling, away);
			sibling = near;
		}
		t[sibling].red = t[parent].red;
		t[parent].red = false;
		t[t[sibling].child[away]].red = false;
		rotate(t, parent, side);
		return;
	}
	t[n].red = false;
}

static void erase(struct node *t, uint32_t n)
{
	uint32_t gap = n; /* the node whose place becomes empty: N, or the one that replaces N */
	uint32_t filler;
	bool was_red;

	if (t[n].child[LEFT] && t[n].child[RIGHT]) {
		gap = t[n].child[RIGHT];
		while (t[gap].child[LEFT])
			gap = t[gap].child[LEFT];
	}
	was_red = t[gap].red;
	filler = t[gap].child[LEFT] ? t[gap].child[LEFT] : t[gap].child[RIGHT];
	take_place(t, gap, filler);
	if (gap != n) {
		/* NIL has a parent just now, and it may be N */
		if (t[filler].parent == n)
			t[filler].parent = gap;
		take_place(t, n, gap);
		t[gap].red = t[n].red;
		for (int side = LEFT; side <= RIGHT; side++) {
			t[gap].child[side] = t[n].child[side];
			if (t[gap].child[side])
				t[t[gap].child[side]].parent = gap;
		}
	}
	if (!was_red)
		fix_black_count(t, filler);
	t[NIL].parent = NIL;
}

/* ---- the lookup ---- */

/* Then at most one symbol holds an address, and every tree finds it. An empty symbol is found at
 * its start, which symtab_find() would not do. */
static bool all_disjoint(const struct symtab *t)
{
	for (size_t i = 0; i < t->count; i++) {
		if (t->syms[i].start == t->syms[i].end ||
		    (i && t->syms[i].start < t->syms[i - 1].end))
			return false;
	}
	return true;
}

static void build(struct perftree *p, const struct symtab *t)
{
	const struct erasure *e = p->erased, *end = e ? e + p->erased_count : NULL;

	for (uint32_t n = 1; n < p->count; n++) {
		for (; e < end && e->before == n; e++)
			erase(p->nodes, e->node);
		insert(p->nodes, n);
	}
	for (; e < end; e++)
		erase(p->nodes, e->node);
	for (size_t i = 0; i < t->count; i++)
		p->nodes[t->syms[i].order].sym = (uint32_t)i;
}

bool perftree_nests(struct perftree *p, const struct symtab *t)
{
	if (p->state != RECORDING)
		return p->state == BUILT;
	if (all_disjoint(t)) {
		free(p->nodes);
		p->nodes = NULL;
		p->state = DISJOINT;
	} else {
		build(p, t);
		p->state = BUILT;
	}
	free(p->erased);
	p->erased = NULL;
	return p->state == BUILT;
}

const struct symbol *perftree_find(const struct perftree *p, const struct symtab *t, uint64_t addr)
{
	for (uint32_t n = p->nodes[NIL].child[RIGHT]; n;) {
		const struct symbol *s = &t->syms[p->nodes[n].sym];

		if (addr < s->start)
			n = p->nodes[n].child[LEFT];
		else if (addr < s->end || addr == s->start)
			return s;
		else
			n = p->nodes[n].child[RIGHT];
	}
	return NULL;
}
