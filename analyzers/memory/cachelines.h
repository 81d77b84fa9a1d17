/* What was done to cache lines, or at which places in them and by which code, counted as perf c2c
 * counts it: who took a line from whom, from which nodes, how long that took.
 *
 * As there, a line of a file is one in all processes that map it, and any other one is a process's
 * own. Unlike there, what the kernel does to a line of a process counts to that line. */
#ifndef PDTOOL_MEMORY_CACHELINES_H
#define PDTOOL_MEMORY_CACHELINES_H

#include "analyzers/count/answer.h"
#include "analyzers/hardware/datasrc.h"
#include "parser/base/intern.h"
#include "parser/pdtool_record.h"

/* Who was at a line: different ones are counted, and of nodes it is told which. */
enum line_set {
	SET_CPUS,
	SET_PROCESSES,
	SET_THREADS,
	SET_NODES, /* of the CPUs */
	SET_HOMES, /* nodes of the memory, where its addresses were recorded */
	LINE_SETS
};

/* Loads by what they met, for the time that they took; each is one of these. */
enum line_met { MET_HITM_REMOTE, MET_HITM_LOCAL, MET_PEER_REMOTE, MET_PEER_LOCAL, MET_OTHER, METS };

struct line_counts {
	uint64_t weight, time; /* as in struct access_sums */
	uint32_t timed;
	uint32_t unmapped; /* by_code: nothing is mapped at the address, or the instruction */
	uint32_t tally[TALLIES];
};

/* A row. */
struct line_sums {
	struct line_counts n;
	uint64_t address;    /* of its first access: the line, or the place in it */
	uint64_t ip;	     /* of places: the instruction, and */
	uint32_t code, data; /* their locations */
	uint32_t line;	     /* of places: in whole */
	uint32_t pid;	     /* whose line it is; PDT_NONE: of all that map it */
	uint32_t sets[LINE_SETS];
	double mean[METS]; /* of places, as perf c2c has it; not a number: none */
	uint64_t median;   /* of all loads that took time; 0: none */
};

struct line_table {
	struct intern keys;
	struct line_sums *sums;
	size_t count, cap;
	uint32_t *order; /* those that are shown, the worst first */
	size_t shown;
};

struct line_node {
	uint32_t row, set, node;
};

struct cachelines {
	bool by_place; /* rows are places, of lines that are shared, or of ONLY */
	bool by_code;  /* which code it was matters */
	const char *only;
	uint64_t line_bytes; /* to be set before the first is counted: a power of two */
	uint64_t only_at;

	/* while events flow: see cachelines.c */
	struct intern keys, members, times;
	struct line_counts *counts;
	size_t count, cap;
	uint32_t *loads; /* by time */
	size_t time_count, time_cap;

	struct line_table whole, places;
	struct line_node *nodes; /* by row and set */
	size_t node_count, node_cap;
	struct line_counts all, shared; /* sums; of shared lines */
	uint64_t shared_count;
};

/* Count E, which has a data source. False: it is not at the line that was asked for. */
bool cachelines_add(struct cachelines *l, const struct pdt_event *e, const struct pdt_session *s);
/* All events were read, and there are names. */
void cachelines_finish(struct cachelines *l, const struct pdt_session *s);
/* As perf c2c has it: a core took it from another one. */
bool line_is_shared(const struct line_counts *n);
/* Append the nodes of a row of the table that is shown: "0-1,4". */
void cachelines_put_nodes(const struct cachelines *l, uint32_t row, enum line_set set,
			  struct buf *out);
void cachelines_release(struct cachelines *l);

/* ---- cachelines_rows.c: the answer ---- */

#define LINE_COLUMNS 40 /* and the one that ends them, at most */

/* The columns of rows that are lines, or places, to OUT. Returns how many of them people see, which
 * are listed in SHOWN. */
size_t cachelines_columns(const struct cachelines *l, struct column *out, uint8_t *shown);
void cachelines_answer(const struct cachelines *l, const struct pdt_session *s, uint64_t limit,
		       struct answer *a);
/* What is counted, over all lines and over those that are shared. */
extern const struct column figure_columns[];
void cachelines_answer_figures(const struct cachelines *l, struct answer *a);

#endif
