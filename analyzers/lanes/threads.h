/* Threads by what they were called, each once, for what subjects offer: a number each. */
#ifndef PDTOOL_LANES_THREADS_H
#define PDTOOL_LANES_THREADS_H

#include <stdbool.h>

#include "parser/base/intern.h"

struct lane_thread {
	const char *comm; /* NULL: it has no name */
	uint32_t pid, tid;
};

/* COMM may be NULL; what is longer than kernels have it is cut. */
uint32_t lane_thread_id(struct intern *threads, const char *comm, uint32_t pid, uint32_t tid);
/* Number I, valid as long as THREADS is not added to. False: there is none. */
bool lane_thread_at(const struct intern *threads, size_t i, struct lane_thread *out);

#endif
