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

#define LINE_BYTES 256 /* what else a line takes */

/* ---- the trees ---- */

static int compare_branches(const struct call_piece *a, const struct call_piece *b, void *ctx)
{
	const struct rows *t = ctx;

	return compare_u64(b->total, a->total)
		       ?: strcmp(intern_str(&t->texts, a->path[a->above]),
				 intern_str(&t->texts, b->path[b->above]));
}

void call_graph_begin(struct call_graph *g, struct rows *t, const bool *wanted)
{
	rows_chains(t, wanted, &g->chains);
	g->room = CALL_GRAPH_LINES_MAX + t->kept.frames;
}

/* ---- their lines ---- */

/* A frame of the tree; piece NULL: there is none. */
struct call_node {
	const struct call_piece *piece;
	uint32_t depth;
};

struct walk {
	struct call_graph *g;
	const struct rows *t;
	const struct call_tree *tree;
	struct call_node root;
	uint64_t whole; /* of the event */
	void (*take)(void *ctx, const struct call_branch *b);
	void *ctx;
};

/* The first frame of piece ID. */
static struct call_node node_of(const struct walk *w, uint32_t id)
{
	const struct call_piece *p = id == CALL_NONE ? NULL : &w->tree->pieces[id];

	return (struct call_node){ p, p ? p->above + 1 : 0 };
}

static struct call_node child_of(const struct walk *w, struct call_node n)
{
	if (n.depth < n.piece->end)
		return (struct call_node){ n.piece, n.depth + 1 };
	return node_of(w, n.piece->child);
}

static struct call_node brother_of(const struct walk *w, struct call_node n)
{
	return node_of(w, n.depth == n.piece->above + 1 ? n.piece->next : CALL_NONE);
}

static uint32_t name_of(struct call_node n)
{
	return n.piece->path[n.depth - 1];
}

static uint64_t self_of(struct call_node n)
{
	return n.depth == n.piece->end ? n.piece->self : 0;
}

static uint64_t least_of(uint64_t whole, double percent)
{
	return (uint64_t)((double)whole * (percent / 100));
}

/* What a child of N must weigh at least. */
static uint64_t least(const struct walk *w, struct call_node n)
{
	double share = w->g->o.threshold / 100;

	if (w->g->o.type == CALL_GRAPH_FRACTAL)
		return (uint64_t)ceil((double)(n.piece->total - self_of(n)) * share);
	return least_of(w->whole, w->g->o.threshold);
}

/* What the percent of a child of N is of: as long as there is one line, the whole tree. */
static uint64_t whole_of(const struct walk *w, struct call_node n)
{
	if (w->g->o.type != CALL_GRAPH_FRACTAL)
		return w->whole;
	return n.piece->total == w->root.piece->total ? n.piece->total
						      : n.piece->total - self_of(n);
}

/* True: there is room for a line with LENGTH bytes of text, which counts for more if that is long.
 */
static bool take_room(const struct walk *w, size_t length)
{
	uint64_t lines = 1 + length / LINE_BYTES;

	w->g->full |= w->g->room < lines;
	w->g->room -= w->g->full ? 0 : lines;
	return !w->g->full;
}

static void take_node(const struct walk *w, struct call_node n, struct call_node up, uint32_t depth)
{
	if (take_room(w, w->t->texts.list[name_of(n)].len))
		w->take(w->ctx, &(struct call_branch){ depth, intern_str(&w->t->texts, name_of(n)),
						       n.piece->total, self_of(n),
						       n.piece->total_samples, whole_of(w, up) });
}

/* What of N's children is not shown, as perf's fractal graph tells it. */
static void take_rest(const struct walk *w, struct call_node n, uint64_t shown, uint32_t depth)
{
	uint64_t rest = whole_of(w, n) - shown;

	if (w->g->o.type == CALL_GRAPH_FRACTAL && rest && shown && take_room(w, 0))
		w->take(w->ctx,
			&(struct call_branch){ depth, "[...]", rest, 0, 0, whole_of(w, n) });
}

/* Where the walk is below one frame. */
struct place_in {
	struct call_node node, next; /* the child that comes next */
	uint64_t shown, taken;
};

/* Depth first, without recursion: chains are as deep as a capture says. */
static void walk_tree(const struct walk *w)
{
	struct place_in *stack = NULL;
	size_t depth = 1, cap = 0;

	stack = xgrow(stack, &cap, 2, sizeof(*stack));
	stack[0] = (struct place_in){ w->root, child_of(w, w->root), 0, 0 };
	while (depth && !w->g->full) {
		struct place_in *at = &stack[depth - 1];
		struct call_node n = at->next;

		if (!n.piece || n.piece->total < least(w, at->node) || !n.piece->total ||
		    (w->g->o.limit && at->taken == w->g->o.limit)) {
			take_rest(w, at->node, at->shown, (uint32_t)depth);
			depth--;
			continue;
		}
		at->next = brother_of(w, n);
		at->shown += n.piece->total;
		at->taken++;
		take_node(w, n, at->node, (uint32_t)depth);
		stack = xgrow(stack, &cap, depth + 2, sizeof(*stack));
		stack[depth++] = (struct place_in){ n, child_of(w, n), 0, 0 };
	}
	free(stack);
}

/* The chains that end somewhere, the heaviest first; of those that are as heavy, what came first.
 */
static int compare_ends(const void *a, const void *b)
{
	const struct call_piece *x = *(const struct call_piece *const *)a;
	const struct call_piece *y = *(const struct call_piece *const *)b;

	return compare_u64(y->self, x->self)
		       ?: compare_u64(x->first, y->first) ?: compare_u64(x->end, y->end);
}

/* The chain from the root to the end of P, joined by ';'. */
static void put_chain(const struct walk *w, const struct call_piece *p, struct buf *out)
{
	out->len = 0;
	for (uint32_t i = 0; i < p->end; i++) {
		const char *name = intern_str(&w->t->texts, p->path[i]);

		buf_str(out, i ? ";" : "");
		for (; *name; name++)
			buf_char(out, *name == ';' ? ':' : *name);
	}
}

static void walk_chains(const struct walk *w)
{
	const struct call_piece **ends = xmalloc((w->tree->count + 1) * sizeof(*ends));
	uint64_t least_weight = least_of(w->whole, w->g->o.threshold);
	struct buf text = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < w->tree->count; i++) {
		const struct call_piece *p = &w->tree->pieces[i];

		if (p->end && p->self && p->self >= least_weight)
			ends[count++] = p;
	}
	if (count)
		qsort(ends, count, sizeof(*ends), compare_ends);
	for (size_t i = 0; i < count && (!w->g->o.limit || i < w->g->o.limit); i++) {
		put_chain(w, ends[i], &text);
		if (!take_room(w, text.len))
			break;
		w->take(w->ctx, &(struct call_branch){ 1, text.data, ends[i]->self, ends[i]->self,
						       ends[i]->self_samples, w->whole });
	}
	free(ends);
	buf_release(&text);
}

/* The frame below which the drawing begins. */
static struct call_node begin_at(const struct walk *w, const struct row *row)
{
	struct call_node only = child_of(w, w->root);

	if (w->tree->roots != 1 || !only.piece || row_key(w->t, row, KEY_SYM) != name_of(only))
		return w->root;
	return only;
}

/* The shares of a fractal graph are of what is above: none is too small for all of them. */
static void make_tree(struct call_graph *g, const struct call_rows *of, struct call_tree *t)
{
	bool fractal = g->o.type == CALL_GRAPH_FRACTAL;

	call_tree_build(t, &g->chains, of->row, fractal ? 0 : least_of(of->whole, g->o.threshold));
	call_tree_sort(t, compare_branches, (void *)of->rows);
}

void call_graph_walk(struct call_graph *g, const struct call_rows *of,
		     void (*take)(void *ctx, const struct call_branch *b), void *ctx)
{
	struct call_tree tree = { 0 };
	struct walk w = { g, of->rows, &tree, { NULL, 0 }, of->whole, take, ctx };

	g->left_out += g->full;
	if (g->full)
		return;
	make_tree(g, of, &tree);
	w.root.piece = &tree.pieces[tree.count - 1];
	if (g->o.type == CALL_GRAPH_FLAT || g->o.type == CALL_GRAPH_FOLDED) {
		walk_chains(&w);
	} else {
		w.root = begin_at(&w, &of->rows->rows[of->row]);
		walk_tree(&w);
	}
	g->left_out += g->full;
	call_tree_release(&tree);
}

void call_graph_release(struct call_graph *g)
{
	row_chains_release(&g->chains);
}
