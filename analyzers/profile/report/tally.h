/* --tasks and --stats: what there is beside samples. */
#ifndef PDTOOL_TALLY_H
#define PDTOOL_TALLY_H

#include "analyzers/count/answer.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"

struct task {
	uint32_t pid, tid;
	uint32_t comm;	 /* of the capture; PDT_NONE: none */
	uint32_t parent; /* index; TASK_NONE: not known */
	uint32_t child, next;
	uint32_t name; /* in names, once the capture is read */
	bool exited, announced;
	bool gone; /* another one is what it was taken for */
};

/* All threads of all captures. All zero is empty. */
struct tasks {
	struct task *list;
	size_t count, cap;
	size_t first; /* of the capture at hand */
	struct idmap by_tid;
	struct intern names;
	uint32_t *depths, *indents; /* by row, for text */
	struct table_tree tree;
};

void tasks_event(struct tasks *t, const struct pdt_event *e);
/* A capture is read. */
void tasks_finish(struct tasks *t, const struct pdt_session *s);
/* The table: each thread below the one that made it. */
void tasks_result(struct tasks *t, struct answer *a, struct result *out);
void tasks_release(struct tasks *t);

/* How many records of each type there are, and samples of each event: all captures together. */
struct records {
	struct record_sum {
		uint32_t type; /* RECORDS_EVENT: samples of the event NAME */
		uint32_t name; /* in names */
		uint64_t count;
	} * list;
	size_t count, cap;
	uint64_t all;
	struct intern names;
	struct idmap places; /* by type and name: in the list */
};

#define RECORDS_EVENT UINT32_MAX

void records_finish(struct records *r, const struct pdt_session *s);
void records_result(struct records *r, struct answer *a, struct result *out);
void records_release(struct records *r);

#endif
