/* --call-graph: the call trees below the rows of a report. */
#ifndef PDTOOL_CALL_GRAPH_H
#define PDTOOL_CALL_GRAPH_H

#include "analyzers/count/rows/call_tree.h"
#include "analyzers/count/rows/rows.h"
#include "parser/base/buf.h"

/* perf's, as its list of words sets them. */
struct call_graph_options {
	enum call_graph_type {
		CALL_GRAPH_NONE,
		CALL_GRAPH_GRAPH,   /* a tree, in percent of all */
		CALL_GRAPH_FRACTAL, /* a tree, in percent of what is above */
		CALL_GRAPH_FLAT,    /* each chain, frame by frame */
		CALL_GRAPH_FOLDED,  /* each chain in a line */
	} type;
	enum { CALL_ORDER_USUAL, CALL_ORDER_CALLER, CALL_ORDER_CALLEE } order;
	enum { CALL_VALUE_PERCENT, CALL_VALUE_PERIOD, CALL_VALUE_COUNT } value;
	enum chain_key key;
	double threshold; /* percent */
	uint64_t limit;	  /* branches at one place; 0: all */
};

/* What a value of --call-graph looks like: POSIX extended, in any case. */
#define CALL_GRAPH_PATTERN                                                                        \
	"^(graph|fractal|flat|folded|none|callee|caller|function|address|srcline|percent|period|" \
	"count|[0-9]+([.][0-9]+)?)(,(graph|fractal|flat|folded|none|callee|caller|function|"      \
	"address|srcline|percent|period|count|[0-9]+([.][0-9]+)?))*$"

/* TEXT matches it, or is empty: what it does not say is as perf has it. */
void call_graph_parse(struct call_graph_options *o, const char *text);

/* Lines of all trees together, and one more for each frame of a stack; long ones count for more.
 * Those of honest captures are a quarter of that, down to the rarest branch. */
#define CALL_GRAPH_LINES_MAX 250000

struct call_graph {
	struct call_graph_options o;
	struct row_chains chains;
	uint64_t room;	 /* lines that may come */
	bool full;	 /* there were more */
	size_t left_out; /* rows whose tree is cut, or not there */
};

/* Make ready the trees of those rows of T that WANTED (by row) says. T takes nothing more. */
void call_graph_begin(struct call_graph *g, struct rows *t, const bool *wanted);

/* One line of a tree. */
struct call_branch {
	uint32_t depth;	  /* from 1 on */
	const char *text; /* a frame, or frames joined by ';' */
	uint64_t weight, self, samples;
	uint64_t whole; /* what its percent is of */
};
/* Which tree. */
struct call_rows {
	const struct rows *rows;
	uint32_t row;
	uint64_t whole; /* the weight of its event */
};
/* The lines of the tree of a row; text is valid in the call. In a tree that is drawn, the function
 * of the row itself is left out where all begins with it. */
void call_graph_walk(struct call_graph *g, const struct call_rows *of,
		     void (*take)(void *ctx, const struct call_branch *b), void *ctx);
void call_graph_release(struct call_graph *g);

#endif
