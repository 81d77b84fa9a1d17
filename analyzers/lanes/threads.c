/* A thread's key is its ids, and its name, if it has one. */
#include "analyzers/lanes/threads.h"

#include <stddef.h>
#include <string.h>

struct thread_key {
	uint32_t pid, tid;
	char comm[64];
};

void lane_threads_release(struct lane_threads *t)
{
	intern_release(&t->all);
}

static uint32_t id_of(struct lane_threads *t, const char *comm, uint32_t pid, uint32_t tid)
{
	struct thread_key key = { .pid = pid, .tid = tid };
	size_t len = comm ? strnlen(comm, sizeof(key.comm) - 1) : 0;

	memcpy(key.comm, comm ?: "", len);
	return intern_add(&t->all, (const char *)&key,
			  offsetof(struct thread_key, comm) + len + (comm != NULL));
}

uint32_t lane_thread_id(struct lane_threads *t, const char *comm, uint32_t pid, uint32_t tid)
{
	struct lane_recent *r = &t->recent[tid % LANE_RECENT];
	size_t len = comm ? strnlen(comm, sizeof(r->comm) + 1) : 0, size = len + (comm != NULL);

	if (r->id && r->tid == tid && r->pid == pid && r->size == size &&
	    !memcmp(r->comm, comm ?: "", len))
		return r->id - 1;
	if (len > sizeof(r->comm))
		return id_of(t, comm, pid, tid);
	*r = (struct lane_recent){ pid, tid, id_of(t, comm, pid, tid) + 1, (uint8_t)size, "" };
	memcpy(r->comm, comm ?: "", len);
	return r->id - 1;
}

bool lane_thread_at(const struct lane_threads *t, size_t i, struct lane_thread *out)
{
	const struct interned *key;

	if (i >= t->all.count)
		return false;
	key = &t->all.list[i];
	memcpy(&out->pid, key->s + offsetof(struct thread_key, pid), sizeof(out->pid));
	memcpy(&out->tid, key->s + offsetof(struct thread_key, tid), sizeof(out->tid));
	out->comm = key->len > offsetof(struct thread_key, comm)
			    ? key->s + offsetof(struct thread_key, comm)
			    : NULL;
	return true;
}
