/* The threads of a profile's moments. */
#ifndef PDTOOL_EXPORT_TASKS_H
#define PDTOOL_EXPORT_TASKS_H

#include "formats/export/readers.h"

/* The process of T, or else what it would be if it was one. */
static inline uint32_t task_pid(const struct profile_thread *t)
{
	return t->pid == PROFILE_NONE ? t->tid : t->pid;
}

static inline bool next_moment(const struct profile_part *p, struct profile_moment *m,
			       struct out *out)
{
	return !out->error && p->next_moment(p->ctx, m, &out->error);
}

#endif
