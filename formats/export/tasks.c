/* The thread of a moment tells its process; names come with switches and wake-ups, too. */
#include "formats/export/tasks.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

void task_list_release(struct task_list *t)
{
	idmap_release(&t->ids);
	free(t->list);
	*t = (struct task_list){ 0 };
}

static struct task *task_put(struct task_list *t, uint32_t tid)
{
	uint32_t *id = idmap_put(&t->ids, tid);

	if (*id == IDMAP_NONE) {
		*id = (uint32_t)t->count;
		t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
		t->list[t->count++] = (struct task){ .pid = PROFILE_NONE, .tid = tid };
	}
	return &t->list[*id];
}

static void name(struct task_list *t, uint32_t tid, const char comm[PROFILE_COMM])
{
	struct task *task = task_put(t, tid);

	if (*comm)
		memcpy(task->comm, comm, sizeof(task->comm));
}

void task_list_find(struct task_list *t, const struct profile_part *p, struct out *out)
{
	struct profile_moment m;

	for (p->begin_moments(p->ctx); next_moment(p, &m, out);) {
		if (m.tid != PROFILE_NONE)
			task_put(t, m.tid)->pid = m.pid;
		if (m.kind == PROFILE_SWITCH) {
			name(t, m.sched_switch.prev, m.comm);
			name(t, m.sched_switch.next, m.sched_switch.next_comm);
		} else if (m.kind == PROFILE_SAMPLE || m.kind == PROFILE_ISSUE) {
			name(t, m.tid, m.comm);
		} else if (m.kind != PROFILE_COMPLETE) {
			name(t, m.wakeup.tid, m.comm);
		}
	}
}

const struct task *task_of(const struct task_list *t, uint32_t tid)
{
	uint32_t id = idmap_get(&t->ids, tid);

	return id == IDMAP_NONE ? NULL : &t->list[id];
}
