/* A thread's key is its ids, and its name, if it has one. */
#include "analyzers/lanes/threads.h"

#include <stddef.h>
#include <string.h>

struct thread_key {
	uint32_t pid, tid;
	char comm[64];
};

uint32_t lane_thread_id(struct intern *threads, const char *comm, uint32_t pid, uint32_t tid)
{
	struct thread_key key = { .pid = pid, .tid = tid };
	size_t len = comm ? strnlen(comm, sizeof(key.comm) - 1) : 0;

	memcpy(key.comm, comm ?: "", len);
	return intern_add(threads, (const char *)&key,
			  offsetof(struct thread_key, comm) + len + (comm != NULL));
}

bool lane_thread_at(const struct intern *threads, size_t i, struct lane_thread *out)
{
	const struct interned *key;

	if (i >= threads->count)
		return false;
	key = &threads->list[i];
	memcpy(&out->pid, key->s + offsetof(struct thread_key, pid), sizeof(out->pid));
	memcpy(&out->tid, key->s + offsetof(struct thread_key, tid), sizeof(out->tid));
	out->comm = key->len > offsetof(struct thread_key, comm)
			    ? key->s + offsetof(struct thread_key, comm)
			    : NULL;
	return true;
}
