/* Which namespaces threads are in (setns(2)), by NAMESPACES records, as of now. */
#ifndef PDTOOL_STATE_SPACES_H
#define PDTOOL_STATE_SPACES_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/record/record.h"

/* Different ones that threads are in together: containers have one, more or less. */
#define SPACES_MAX 65536

/* As the kernel numbers them (enum perf_ns_type, linux/perf_event.h). */
#define SPACE_KINDS 7

struct space_id {
	uint64_t device, inode; /* both 0: not told */
};

struct spaces;

/* *S, which is made where it is NULL. */
void spaces_apply(struct spaces **s, const struct record_namespaces *n);
/* A new thread has the id TID: the kernel tells of its namespaces, too. S may be NULL. */
void spaces_forget(struct spaces *s, uint32_t tid);
/* *OUT is the namespace KIND of the thread TID. False: it is not told, as where S is NULL. */
bool spaces_find(const struct spaces *s, uint32_t tid, unsigned kind, struct space_id *out);
/* Records that were not used: past SPACES_MAX, or of more threads than there can be. */
uint64_t spaces_refused(const struct spaces *s);
void spaces_free(struct spaces *s);

#endif
