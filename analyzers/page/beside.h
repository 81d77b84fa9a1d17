/* Rows of numbers beside the samples of a capture (lanes/series.h): they wait in temporary files
 * until there are names. Memory follows the threads and the different stacks. */
#ifndef PDTOOL_PAGE_BESIDE_H
#define PDTOOL_PAGE_BESIDE_H

#include "analyzers/count/fold/folding.h"
#include "analyzers/lanes/series.h"
#include "analyzers/lanes/threads.h"
#include "analyzers/page/tree.h"
#include "parser/base/intern.h"
#include "parser/base/tempfile.h"

#define BESIDE_SOURCES 2
#define BESIDE_SERIES  7

struct beside {
	struct beside_source {
		const struct series_source *of;
		struct beside *beside;
		struct series_sink sink;
		void *state;
		size_t first;	     /* of its series */
		struct idmap leaves; /* by its keys: their nodes */
	} sources[BESIDE_SOURCES];
	struct beside_series {
		struct beside_source *source; /* NULL: gaps, what was recorded */
		const char *name;
		const struct page_column *columns;
		size_t width;
		struct temp_stream stream; /* of width numbers a row */
		uint64_t rows;		   /* that have a place in the tree */
	} list[BESIDE_SERIES];
	struct intern *texts; /* the caller's, by series: of all captures */
	size_t count;
	struct lane_threads threads;
	uint32_t *thread_list; /* by it: in the page's list */
	uint64_t first_ns, last_ns;
	bool any;  /* there are any */
	int error; /* errno of the first failure */
};

#define BESIDE_MOST 16 /* columns of a series */

/* What the session has to give, enum pdt_want. */
unsigned beside_wants(void);
/* TEXTS: BESIDE_SERIES of them. */
void beside_begin(struct beside *b, struct intern *texts);
void beside_release(struct beside *b);
void beside_event(struct beside *b, const struct pdt_event *e, const struct pdt_session *s);
/* Of a store: from FIRST_NS on something was recorded, for so long. */
void beside_recorded(struct beside *b, uint64_t first_ns, uint64_t length_ns);
/* All events were there. */
void beside_end(struct beside *b, const struct pdt_session *s);
/* The I-th thread; false: there is none. COMM: NULL when it is not known. */
bool beside_thread(const struct beside *b, size_t i, struct page_thread *t);
/* FOLDING is named: its stacks become part of TREE. */
void beside_stacks(struct beside *b, const struct pdt_session *s, struct folding *folding,
		   struct page_tree *tree);
/* The tree has its order. */
void beside_order(struct beside *b, const struct page_tree *tree);
/* Begin with the first row of series I; the next one, as the page wants it. False: there are no
 * more, or error says why they cannot be had. */
void beside_rewind(struct beside *b, size_t i);
bool beside_next(struct beside *b, size_t i, uint64_t *row);

#endif
