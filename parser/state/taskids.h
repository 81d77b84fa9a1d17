/* Threads and processes by their ids. The table has places in the list of them alone, as each holds
 * its id itself: a capture may tell of four million. */
#ifndef PDTOOL_STATE_TASKIDS_H
#define PDTOOL_STATE_TASKIDS_H

#include <stddef.h>
#include <stdint.h>

#define TASKIDS_NONE UINT32_MAX

/* All zero is empty. */
struct taskids {
	uint32_t *table; /* place + 1; 0 is free */
	size_t slots;	 /* power of two */
	size_t used;
};

/* What a table is of: elements of SIZE bytes, each of which begins with its id, a u32. */
struct tasklist {
	const void *list;
	size_t size;
};

void taskids_release(struct taskids *t);
/* The place of ID, or TASKIDS_NONE. */
uint32_t taskids_get(const struct taskids *t, struct tasklist of, uint32_t id);
/* From now on the element at PLACE is the one of its id. */
void taskids_put(struct taskids *t, struct tasklist of, uint32_t place);

#endif
