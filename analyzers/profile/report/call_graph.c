/* Call trees below rows, with perf's threshold and limit (tools/perf/util/callchain.c: sort_chain_*
 * and tools/perf/ui/stdio/hist.c say what they mean). */
#include "analyzers/profile/report/call_graph.h"
#include "analyzers/count/samples.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- the option ---- */

/* All words that are no numbers; the member that each sets, and to what. */
static const struct {
	const char *word;
	size_t member;
	unsigned value;
} words[] = {
	{ "graph", offsetof(struct call_graph_options, type), CALL_GRAPH_GRAPH },
	{ "fractal", offsetof(struct call_graph_options, type), CALL_GRAPH_FRACTAL },
	{ "flat", offsetof(struct call_graph_options, type), CALL_GRAPH_FLAT },
	{ "folded", offsetof(struct call_graph_options, type), CALL_GRAPH_FOLDED },
	{ "none", offsetof(struct call_graph_options, type), CALL_GRAPH_NONE },
	{ "caller", offsetof(struct call_graph_options, order), CALL_ORDER_CALLER },
	{ "callee", offsetof(struct call_graph_options, order), CALL_ORDER_CALLEE },
	{ "function", offsetof(struct call_graph_options, key), CHAIN_FUNCTION },
	{ "address", offsetof(struct call_graph_options, key), CHAIN_ADDRESS },
	{ "srcline", offsetof(struct call_graph_options, key), CHAIN_SRCLINE },
	{ "percent", offsetof(struct call_graph_options, value), CALL_VALUE_PERCENT },
	{ "period", offsetof(struct call_graph_options, value), CALL_VALUE_PERIOD },
	{ "count", offsetof(struct call_graph_options, value), CALL_VALUE_COUNT },
};

static bool take_word(struct call_graph_options *o, const char *text, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strlen(words[i].word) != len || strncasecmp(words[i].word, text, len))
			continue;
		*(unsigned *)((char *)o + words[i].member) = words[i].value;
		return true;
	}
	return false;
}

void call_graph_parse(struct call_graph_options *o, const char *text)
{
	bool threshold = false;

	*o = (struct call_graph_options){ .type = CALL_GRAPH_GRAPH, .threshold = 0.5 };
	while (*text) {
		size_t len = strcspn(text, ",");

		if (!take_word(o, text, len)) {
			if (threshold)
				o->limit = strtoull(text, NULL, 10);
			else
				o->threshold = strtod(text, NULL);
			threshold = true;
		}
		text += len + (text[len] == ',');
	}
}

/* ---- the trees ---- */

static void take_chain(void *ctx, const struct row_chain *c)
{
	struct call_graph *g = ctx;

	if (g->roots[c->row] != CALL_NONE)
		call_tree_add(&g->trees, g->roots[c->row],
			      &(struct call_chain){ c->names, c->count, c->weight, c->samples });
}

static int compare_branches(const struct call_node *a, const struct call_node *b, void *ctx)
{
	const struct rows *t = ctx;

	return compare_u64(b->total, a->total)
		       ?: strcmp(intern_str(&t->texts, a->name), intern_str(&t->texts, b->name));
}

void call_graph_build(struct call_graph *g, struct rows *t, const bool *wanted)
{
	g->roots = xmalloc((t->row_count + 1) * sizeof(*g->roots));
	for (size_t i = 0; i < t->row_count; i++)
		g->roots[i] = wanted[i] ? call_tree_new(&g->trees) : CALL_NONE;
	rows_chains(t, take_chain, g);
	call_trees_sort(&g->trees, compare_branches, t);
}

/* ---- their lines ---- */

struct walk {
	const struct call_graph *g;
	const struct rows *t;
	uint32_t root;
	uint64_t whole; /* of the event */
	void (*take)(void *ctx, const struct call_branch *b);
	void *ctx;
};

static const struct call_node *node(const struct walk *w, uint32_t id)
{
	return &w->g->trees.nodes[id];
}

static uint64_t least_of(uint64_t whole, double percent)
{
	return (uint64_t)((double)whole * (percent / 100));
}

/* What a child of N must weigh at least. */
static uint64_t least(const struct walk *w, const struct call_node *n)
{
	double share = w->g->o.threshold / 100;

	if (w->g->o.type == CALL_GRAPH_FRACTAL)
		return (uint64_t)ceil((double)(n->total - n->self) * share);
	return least_of(w->whole, w->g->o.threshold);
}

/* What the percent of a child of N is of: as long as there is one line, the whole tree. */
static uint64_t whole_of(const struct walk *w, const struct call_node *n)
{
	if (w->g->o.type != CALL_GRAPH_FRACTAL)
		return w->whole;
	return n->total == node(w, w->root)->total ? n->total : n->total - n->self;
}

static void take_node(const struct walk *w, uint32_t id, uint32_t depth)
{
	const struct call_node *n = node(w, id);

	w->take(w->ctx,
		&(struct call_branch){ depth, intern_str(&w->t->texts, n->name), n->total, n->self,
				       n->total_samples, whole_of(w, node(w, n->parent)) });
}

/* What of N's children is not shown, as perf's fractal graph tells it. */
static void take_rest(const struct walk *w, const struct call_node *n, uint64_t shown,
		      uint32_t depth)
{
	uint64_t rest = whole_of(w, n) - shown;

	if (w->g->o.type == CALL_GRAPH_FRACTAL && rest && shown)
		w->take(w->ctx,
			&(struct call_branch){ depth, "[...]", rest, 0, 0, whole_of(w, n) });
}

/* Where the walk is below one node. */
struct place_in {
	uint32_t node, next; /* the child that comes next */
	uint64_t shown, taken;
};

/* Depth first, without recursion: chains are as deep as a capture says. */
static void walk_tree(const struct walk *w)
{
	struct place_in *stack = NULL;
	size_t depth = 1, cap = 0;

	stack = xgrow(stack, &cap, 2, sizeof(*stack));
	stack[0] = (struct place_in){ w->root, node(w, w->root)->child, 0, 0 };
	while (depth) {
		struct place_in *at = &stack[depth - 1];
		const struct call_node *up = node(w, at->node);
		uint32_t id = at->next;

		if (id == CALL_NONE || node(w, id)->total < least(w, up) || !node(w, id)->total ||
		    (w->g->o.limit && at->taken == w->g->o.limit)) {
			take_rest(w, up, at->shown, (uint32_t)depth);
			depth--;
			continue;
		}
		at->next = node(w, id)->next;
		at->shown += node(w, id)->total;
		at->taken++;
		take_node(w, id, (uint32_t)depth);
		stack = xgrow(stack, &cap, depth + 2, sizeof(*stack));
		stack[depth++] = (struct place_in){ id, node(w, id)->child, 0, 0 };
	}
	free(stack);
}

/* The chains that end somewhere, the heaviest first. */
struct ends {
	uint32_t *list;
	size_t count, cap;
	const struct walk *walk;
};

static int compare_ends(const void *a, const void *b, void *walk)
{
	const struct call_node *x = node(walk, *(const uint32_t *)a);
	const struct call_node *y = node(walk, *(const uint32_t *)b);

	return compare_u64(y->self, x->self)
		       ?: compare_u64(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* The node after ID, depth first; CALL_NONE: there is none. */
static uint32_t node_after(const struct walk *w, uint32_t id)
{
	if (node(w, id)->child != CALL_NONE)
		return node(w, id)->child;
	while (id != w->root && node(w, id)->next == CALL_NONE)
		id = node(w, id)->parent;
	return id == w->root ? CALL_NONE : node(w, id)->next;
}

static void find_ends(struct ends *e, uint64_t least_weight)
{
	for (uint32_t id = node_after(e->walk, e->walk->root); id != CALL_NONE;
	     id = node_after(e->walk, id)) {
		if (!node(e->walk, id)->self || node(e->walk, id)->self < least_weight)
			continue;
		e->list = xgrow(e->list, &e->cap, e->count + 1, sizeof(*e->list));
		e->list[e->count++] = id;
	}
	qsort_r(e->list, e->count, sizeof(*e->list), compare_ends, (void *)e->walk);
}

/* The chain from the root to ID, joined by ';'. */
static void put_chain(const struct walk *w, uint32_t id, struct buf *out)
{
	uint32_t *path = NULL;
	size_t count = 0, cap = 0;

	for (; id != w->root; id = node(w, id)->parent) {
		path = xgrow(path, &cap, count + 1, sizeof(*path));
		path[count++] = node(w, id)->name;
	}
	out->len = 0;
	while (count--) {
		const char *name = intern_str(&w->t->texts, path[count]);

		for (; *name; name++)
			buf_char(out, *name == ';' ? ':' : *name);
		buf_str(out, count ? ";" : "");
	}
	free(path);
}

static void walk_chains(const struct walk *w)
{
	struct ends e = { .walk = w };
	struct buf text = { 0 };

	find_ends(&e, least_of(w->whole, w->g->o.threshold));
	for (size_t i = 0; i < e.count && (!w->g->o.limit || i < w->g->o.limit); i++) {
		const struct call_node *n = node(w, e.list[i]);

		put_chain(w, e.list[i], &text);
		w->take(w->ctx, &(struct call_branch){ 1, text.data, n->self, n->self,
						       n->self_samples, w->whole });
	}
	free(e.list);
	buf_release(&text);
}

/* The node below which the drawing begins. */
static uint32_t begin_at(const struct walk *w, const struct row *row)
{
	uint32_t only = node(w, w->root)->child;

	if (only == CALL_NONE || node(w, only)->next != CALL_NONE ||
	    row->key[KEY_SYM] != node(w, only)->name)
		return w->root;
	return only;
}

void call_graph_walk(const struct call_graph *g, const struct call_rows *of,
		     void (*take)(void *ctx, const struct call_branch *b), void *ctx)
{
	struct walk w = { g, of->rows, g->roots[of->row], of->whole, take, ctx };

	if (w.root == CALL_NONE)
		return;
	if (g->o.type == CALL_GRAPH_FLAT || g->o.type == CALL_GRAPH_FOLDED) {
		walk_chains(&w);
		return;
	}
	w.root = begin_at(&w, &of->rows->rows[of->row]);
	walk_tree(&w);
}

void call_graph_release(struct call_graph *g)
{
	call_trees_release(&g->trees);
	free(g->roots);
}
