/* Threads are in few combinations of namespaces: each is kept once. */
#include "parser/state/spaces.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"
#include "parser/state/machine.h"

#include <stdlib.h>
#include <string.h>

#define NOT_TOLD (IDMAP_NONE - 1)

struct spaces {
	struct intern sets;  /* SPACE_KINDS of struct space_id */
	struct idmap by_tid; /* in sets; NOT_TOLD */
	uint64_t refused;
};

void spaces_apply(struct spaces **spaces, const struct record_namespaces *n)
{
	struct spaces *s = *spaces = *spaces ?: xcalloc(1, sizeof(*s));
	struct space_id set[SPACE_KINDS] = { 0 };
	struct cursor c = n->ids;
	uint32_t known;

	for (uint64_t i = 0; i < n->count && i < SPACE_KINDS && cursor_left(&c) >= 16; i++) {
		set[i].device = cursor_u64(&c);
		set[i].inode = cursor_u64(&c);
	}
	known = intern_find(&s->sets, (const char *)set, sizeof(set));
	if ((known == INTERN_NONE && s->sets.count == SPACES_MAX) ||
	    (s->by_tid.used >= TASKS_MAX && idmap_get(&s->by_tid, n->tid) == IDMAP_NONE)) {
		s->refused++;
		spaces_forget(s, n->tid);
		return;
	}
	known = intern_add(&s->sets, (const char *)set, sizeof(set));
	*idmap_put(&s->by_tid, n->tid) = known;
}

void spaces_forget(struct spaces *s, uint32_t tid)
{
	if (s && idmap_get(&s->by_tid, tid) != IDMAP_NONE)
		*idmap_put(&s->by_tid, tid) = NOT_TOLD;
}

bool spaces_find(const struct spaces *s, uint32_t tid, unsigned kind, struct space_id *out)
{
	uint32_t set = s ? idmap_get(&s->by_tid, tid) : IDMAP_NONE;

	if (set == IDMAP_NONE || set == NOT_TOLD || kind >= SPACE_KINDS)
		return false;
	memcpy(out, intern_str(&s->sets, set) + kind * sizeof(*out), sizeof(*out));
	return out->device || out->inode;
}

uint64_t spaces_refused(const struct spaces *s)
{
	return s ? s->refused : 0;
}

void spaces_free(struct spaces *s)
{
	if (!s)
		return;
	intern_release(&s->sets);
	idmap_release(&s->by_tid);
	free(s);
}
