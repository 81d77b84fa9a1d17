/* Threads by what they were called, each once, for what subjects offer: a number each. */
#ifndef PDTOOL_LANES_THREADS_H
#define PDTOOL_LANES_THREADS_H

#include <stdbool.h>

#include "parser/base/intern.h"

#define LANE_RECENT 256

/* All zero is empty. */
struct lane_threads {
	struct intern all;
	/* those of short names that were asked for lately, by tid */
	struct lane_recent {
		uint32_t pid, tid, id; /* id: + 1; 0: there is none here */
		uint8_t size;	       /* of the name, + 1; 0: none */
		char comm[15];
	} recent[LANE_RECENT];
};

void lane_threads_release(struct lane_threads *t);

struct lane_thread {
	const char *comm; /* NULL: it has no name */
	uint32_t pid, tid;
};

/* COMM may be NULL; what is longer than kernels have it is cut. */
uint32_t lane_thread_id(struct lane_threads *t, const char *comm, uint32_t pid, uint32_t tid);
/* Number I, valid as long as T is not added to. False: there is none. */
bool lane_thread_at(const struct lane_threads *t, size_t i, struct lane_thread *out);

#endif
