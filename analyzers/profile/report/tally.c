/* Threads and who made them, and the records of a capture by type. */
#include "analyzers/profile/report/tally.h"
#include "analyzers/count/namer.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TASK_NONE UINT32_MAX

/* ---- threads ---- */

static uint32_t add_task(struct tasks *t, uint32_t pid, uint32_t tid)
{
	uint32_t id = (uint32_t)t->count;

	t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
	t->list[t->count++] = (struct task){ .pid = pid,
					     .tid = tid,
					     .comm = PDT_NONE,
					     .parent = TASK_NONE,
					     .child = TASK_NONE,
					     .next = TASK_NONE };
	*idmap_put(&t->by_tid, tid) = id;
	return id;
}

/* The thread that is TID now. */
static uint32_t task_of(struct tasks *t, uint32_t pid, uint32_t tid)
{
	uint32_t id = idmap_get(&t->by_tid, tid);

	return id == IDMAP_NONE ? add_task(t, pid, tid) : id;
}

/* A parent is always older, so that there is no circle. */
static void take_fork(struct tasks *t, const struct pdt_event *e)
{
	uint32_t old = idmap_get(&t->by_tid, e->tid), id;
	uint32_t parent = e->other_tid == UINT32_MAX || e->other_tid == e->tid
				  ? TASK_NONE
				  : task_of(t, e->other_pid, e->other_tid);

	if (old != IDMAP_NONE)
		t->list[old].gone = !t->list[old].exited && !t->list[old].announced;
	id = add_task(t, e->pid, e->tid);
	t->list[id].parent = parent;
	t->list[id].announced = true;
	if (parent != TASK_NONE)
		t->list[id].comm = t->list[parent].comm;
}

void tasks_event(struct tasks *t, const struct pdt_event *e)
{
	uint32_t id;

	if (e->tid == UINT32_MAX || e->kind == PDT_LOST)
		return;
	if (e->kind == PDT_FORK) {
		take_fork(t, e);
		return;
	}
	id = task_of(t, e->pid, e->tid);
	t->list[id].announced |= e->kind == PDT_COMM;
	t->list[id].exited |= e->kind == PDT_EXIT;
	if (e->comm != PDT_NONE)
		t->list[id].comm = e->comm;
}

void tasks_finish(struct tasks *t, const struct pdt_session *s)
{
	struct buf b = { 0 };

	for (; t->first < t->count; t->first++) {
		struct task *k = &t->list[t->first];

		b.len = 0;
		comm_text(pdt_comm(s, k->comm), k->tid, &b);
		k->name = intern_add(&t->names, b.data, b.len);
	}
	buf_release(&b);
	idmap_release(&t->by_tid);
	memset(&t->by_tid, 0, sizeof(t->by_tid));
}

static int compare_tasks(const void *a, const void *b, void *tasks)
{
	const struct task *list = ((const struct tasks *)tasks)->list;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return compare_u64(list[x].tid, list[y].tid) ?: compare_u64(x, y);
}

/* Let each thread know its children, by tid; returns the first of those without a parent. */
static uint32_t link_tasks(struct tasks *t)
{
	uint32_t *order = xmalloc((t->count + 1) * sizeof(*order)), first = TASK_NONE;

	for (size_t i = 0; i < t->count; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, t->count, sizeof(*order), compare_tasks, t);
	for (size_t i = t->count; i--;) {
		struct task *k = &t->list[order[i]];
		uint32_t *list = k->parent == TASK_NONE ? &first : &t->list[k->parent].child;

		k->next = *list;
		*list = order[i];
	}
	free(order);
	return first;
}

static void add_task_row(struct answer *a, const struct tasks *t, const struct task *k,
			 uint32_t depth)
{
	const struct task *parent = k->parent == TASK_NONE ? NULL : &t->list[k->parent];

	answer_cell_count_if(a, k->pid != UINT32_MAX, k->pid);
	answer_cell_count(a, k->tid);
	answer_cell_count_if(a, parent, parent ? parent->tid : 0);
	answer_cell_count(a, depth);
	answer_cell_text(a, intern_str(&t->names, k->name));
}

void tasks_result(struct tasks *t, struct answer *a, struct result *out)
{
	static const struct column columns[] = { { "pid", COLUMN_ID },
						 { "tid", COLUMN_ID },
						 { "ppid", COLUMN_ID, 0, "Parent" },
						 { "depth", COLUMN_COUNT },
						 { "comm", COLUMN_TEXT },
						 { 0 } };
	static const uint8_t summary[] = { 0, 1, 2, 4 };
	uint32_t id = link_tasks(t), depth = 0;
	size_t rows = 0;

	t->depths = xcalloc(t->count + 1, sizeof(*t->depths));
	t->indents = xcalloc(t->count + 1, sizeof(*t->indents));
	while (id != TASK_NONE) {
		const struct task *k = &t->list[id];

		if (!k->gone) {
			t->indents[rows++] = depth;
			add_task_row(a, t, k, depth);
		}
		if (k->child != TASK_NONE) {
			id = k->child;
			depth++;
			continue;
		}
		while (id != TASK_NONE && t->list[id].next == TASK_NONE) {
			id = t->list[id].parent;
			depth -= id != TASK_NONE;
		}
		id = id == TASK_NONE ? id : t->list[id].next;
	}
	answer_result(a, columns, out);
	t->tree = (struct table_tree){ .depth = t->depths, .indent = t->indents };
	a->table.summary = summary;
	a->table.summary_columns = ARRAY_SIZE(summary);
	a->table.as_written = true;
	a->table.tree = &t->tree;
}

void tasks_release(struct tasks *t)
{
	free(t->list);
	free(t->depths);
	free(t->indents);
	idmap_release(&t->by_tid);
	intern_release(&t->names);
}

/* ---- records ---- */

static void add_sum(struct records *r, uint32_t type, const char *name, uint64_t count)
{
	uint32_t id = intern_add(&r->names, name, strlen(name));
	uint32_t *place = idmap_put(&r->places, (uint64_t)type << 32 | id);

	if (*place == IDMAP_NONE) {
		*place = (uint32_t)r->count;
		r->list = xgrow(r->list, &r->cap, r->count + 1, sizeof(*r->list));
		r->list[r->count++] = (struct record_sum){ type, id, 0 };
	}
	r->list[*place].count += count;
}

void records_finish(struct records *r, const struct pdt_session *s)
{
	const struct pdt_desc *d;
	uint64_t count;
	uint32_t type;
	char number[24];

	for (size_t i = 0; pdt_record_count(s, i, &type, &count); i++) {
		snprintf(number, sizeof(number), "type %u", type);
		add_sum(r, type, pdt_record_name(type) ?: number, count);
		r->all += count;
	}
	for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++)
		add_sum(r, RECORDS_EVENT, pdt_desc_name(d), pdt_desc_samples(s, d));
}

static int compare_sums(const void *a, const void *b)
{
	const struct record_sum *x = a, *y = b;

	return compare_u64(x->type, y->type) ?: compare_u64(x->name, y->name);
}

void records_result(struct records *r, struct answer *a, struct result *out)
{
	static const struct column columns[] = { { "records", COLUMN_COUNT },
						 { "records_percent", COLUMN_PERCENT, 2, "Share" },
						 { "record", COLUMN_TEXT },
						 { "event", COLUMN_TEXT },
						 { 0 } };

	if (r->count)
		qsort(r->list, r->count, sizeof(*r->list), compare_sums);
	for (size_t i = 0; i < r->count; i++) {
		const struct record_sum *k = &r->list[i];
		const char *name = intern_str(&r->names, k->name);
		bool event = k->type == RECORDS_EVENT;

		answer_cell_count(a, k->count);
		answer_cell_real(a, percent_of((double)k->count, (double)r->all));
		answer_cell_text(a, event ? "SAMPLE" : name);
		answer_cell_text(a, event ? name : "");
	}
	answer_fact(a, "records", "%s", COUNT_TEXT(r->all));
	answer_result(a, columns, out);
}

void records_release(struct records *r)
{
	free(r->list);
	intern_release(&r->names);
	idmap_release(&r->places);
}
