/* The threads of a profile's moments, by their ids. */
#ifndef PDTOOL_EXPORT_TASKS_H
#define PDTOOL_EXPORT_TASKS_H

#include "formats/export/readers.h"
#include "parser/base/idmap.h"

static inline void task_ids_make(struct idmap *ids, const struct profile_part *p)
{
	for (size_t i = 0; i < p->task_count; i++)
		*idmap_put(ids, p->tasks[i].tid) = (uint32_t)i;
}

/* The process of TID, or else what it would be if it was one. */
static inline uint32_t pid_of(const struct profile_part *p, const struct idmap *ids, uint32_t tid)
{
	uint32_t id = idmap_get(ids, tid);

	return id == IDMAP_NONE || p->tasks[id].pid == PROFILE_NONE ? tid : p->tasks[id].pid;
}

static inline bool next_moment(const struct profile_part *p, struct profile_moment *m,
			       struct out *out)
{
	return !out->error && p->next_moment(p->ctx, m, &out->error);
}

#endif
