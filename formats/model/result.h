/* Results: a few shapes, no perf vocabulary. Analyzers fill them, formats draw them. All pointers
 * are the analyzer's and stay valid until its release(). */
#ifndef PDTOOL_MODEL_RESULT_H
#define PDTOOL_MODEL_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/model/amount.h"
#include "formats/model/column.h"
#include "formats/model/grid.h"
#include "formats/model/page.h"
#include "formats/model/profile.h"
#include "formats/model/series.h"
#include "formats/model/table.h"
#include "formats/model/timeline.h"

enum shape {
	SHAPE_STACKS = 1,
	SHAPE_TABLE = 2,
	SHAPE_GRID = 4,
	SHAPE_TIMELINE = 8,
	SHAPE_TABLES = 16,
	SHAPE_CHANGES = 32, /* stacks of two sides */
	SHAPE_LINES = 64,
	SHAPE_PROFILE = 128,
	SHAPE_PAGE = 256,
};

struct buf;

/* ---- LINES: text as another program prints it, too much to be held: made while it is written.
 * ---- */

/* A file that has the records of one kind. */
struct lines_file {
	char *name;	/* behind that of the output, ".cycles.dump"; no '/', safe to show */
	uint64_t count; /* of records so far */
};

#define LINES_ALONE UINT32_MAX

struct lines_part {
	/* Append the text of the next record, with its ends of lines, safe to show. False: there
	 * are no more, or *ERROR, an errno, says why they cannot be had. */
	bool (*next)(void *ctx, struct buf *out, int *error);
	void *ctx;
	uint64_t count; /* of records, at most */
	/* The same records as cells, for who writes a line for each: NULL: there is no such form.
	 * COLUMNS to CELLS is room for their number; empty cells are not there. */
	bool (*cells)(void *ctx, struct cell *cells, int *error);
	const struct column *columns;
	size_t column_count;
	/* Files beside the output, none of the same name, and where the record that next() made
	 * last belongs: its file, or LINES_ALONE: the output. AS_PERF: what is said of them. */
	const struct lines_file *files;
	size_t file_count;
	uint32_t at;
	bool as_perf;
};

/* ---- STACKS: sorted bytewise by their folded text, each once, root first. A flame chart
 * has them in the order of time instead, and then equal ones may come again. ---- */

struct stack_row {
	uint64_t weight;
	uint64_t first;	 /* index of its first frame in frames[] */
	uint32_t count;	 /* frames */
	uint32_t shared; /* leading frames that equal the row before */
};

/* What the function of a frame is, as far as it is known. Where frames are merged, the lesser one
 * stands: inlined is what always is. */
enum frame_kind { FRAME_OTHER, FRAME_USER, FRAME_JIT, FRAME_KERNEL, FRAME_INLINED, FRAME_KINDS };

struct stacks_part {
	const char *const *names; /* by frame id; no ';', no control bytes */
	const uint32_t *frames;
	const struct stack_row *rows;
	size_t count;
	unsigned decimals; /* weights, here and in BEFORE, count 10^-decimals */
	/* Of a difference, by row: the weight in the side before; row.weight is the side after.
	 * NULL: there is one side only. To be comparable, before is multiplied by scale. */
	const uint64_t *before;
	double scale;
	/* Of a difference, by node of stack_tree_build(): enum mark. NULL: nothing is known. */
	const uint8_t *marks;
	/* For folded text: a line that tells what the weights are; NULL: nothing is known */
	const char *unit_line;
	/* By index in frames[]: enum frame_kind. NULL: nothing is known. */
	const uint8_t *kinds;
};

/* FlameGraph's palettes: what a user chooses, or else the analyzer. */
enum palette {
	PALETTE_USUAL, /* not chosen */
	PALETTE_HOT,
	PALETTE_MEM,
	PALETTE_IO,
	PALETTE_WAKEUP,
	PALETTE_CHAIN,
	PALETTE_JAVA,
	PALETTE_JS,
	PALETTE_PERL,
	PALETTE_RUST,
	PALETTE_PYTHON,
	PALETTE_RED,
	PALETTE_GREEN,
	PALETTE_BLUE,
	PALETTE_AQUA,
	PALETTE_YELLOW,
	PALETTE_PURPLE,
	PALETTE_ORANGE,
};

/* How soon people have to read a fact. */
enum fact_rank {
	FACT_PLAIN, /* where the figures come from, how they were made */
	FACT_WARNS, /* what one must know to believe them: losses, filters, what is not resolved */
	FACT_LEADS, /* the verdict, or the sum */
};

/* What the result is made of: shown where the format has a place for it. VALUE may hold amounts. */
struct fact {
	const char *name, *value;
	enum fact_rank rank;
};

/* What is said of a result with HELD. */
#define RESULT_HELD "sums beyond 2^64 - 1 are held there"

/* A format takes the first of these that it can draw and that is there: text and csv the table,
 * then the grid, csv then the stacks and the timeline; folded the stacks; json all that is there;
 * svg the timeline, the stacks, the grid, the table. */
struct result {
	const char *title;	/* default title of a drawing; may be NULL */
	enum palette palette;	/* its colours, the same */
	const char *count_name; /* what weights count: "samples", "ns"; NULL: not known */
	const char *separator;	/* text: what people see of the table, as machines read it, and this
				   between two columns; NULL: none */
	bool bare; /* the table's first column is lines for another program: text has them alone */
	const struct stacks_part *stacks; /* NULL: no such part */
	const struct table_part *table;
	/* beside TABLE: sums of it, which follow it, behind an empty line in CSV. Without it:
	 * several small ones, a screen for people; GRID is what happened in the time that they are
	 * about. */
	const struct table_part *tables;
	size_t table_count;
	const struct grid_part *grid;
	/* the same by device, by command: lanes as GRID, which holds the sums of their cells */
	const struct grid_part *grid_lanes;
	size_t grid_lane_count;
	bool lanes_overlap; /* they may hold the same once more: sums over them say nothing */
	const struct timeline_part *timeline;
	const struct series_part *series; /* beside TABLE, for a drawing in its place; NULL: none */
	const struct lines_part *lines;
	const struct profile_part *profile;
	const struct page_part *page;
	const struct fact *facts; /* also the health: losses, shares that could not be resolved */
	size_t fact_count;
	bool facts_answer; /* they are what was asked for, not what is said of the figures */
	/* short texts for the subtitle of a drawing, and the names of the inputs */
	const char *const *told, *const *inputs;
	size_t told_count, input_count;
	bool held; /* a sum went beyond 2^64 - 1, and is held there */
	/* a part of what was asked for could not be had: exit status 3, also without --strict */
	bool partial;
	/* What it means that there is nothing in the parts: "no wait of at least 1 s"; NULL: not
	 * known. NONE_ANSWERS: that is what was asked, not a slip. */
	const char *none;
	bool none_answers;
	const char *lacking; /* why an input leaves nothing to compare; NULL: none does */
};

/* Is there anything to show, but for the facts? */
bool result_is_empty(const struct result *r);

#endif
