/* The threads of a profile's moments: their processes and the names that they had last. */
#ifndef PDTOOL_EXPORT_TASKS_H
#define PDTOOL_EXPORT_TASKS_H

#include "formats/export/readers.h"
#include "parser/base/idmap.h"

struct task {
	uint32_t pid, tid; /* pid: PROFILE_NONE: not known */
	char comm[PROFILE_COMM];
};

/* All zero is empty. */
struct task_list {
	struct idmap ids; /* by tid */
	struct task *list;
	size_t count, cap;
};

void task_list_release(struct task_list *t);
/* All that P's moments tell; errors are kept in OUT. */
void task_list_find(struct task_list *t, const struct profile_part *p, struct out *out);
/* NULL: none is known. Valid while none is added. */
const struct task *task_of(const struct task_list *t, uint32_t tid);
static inline uint32_t pid_of(const struct task_list *t, uint32_t tid)
{
	const struct task *task = task_of(t, tid);

	return task && task->pid != PROFILE_NONE ? task->pid : tid;
}

static inline bool next_moment(const struct profile_part *p, struct profile_moment *m,
			       struct out *out)
{
	return !out->error && p->next_moment(p->ctx, m, &out->error);
}

#endif
