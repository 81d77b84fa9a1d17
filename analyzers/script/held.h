/* Events that wait until there are names: rows in the order of time, in a temporary file once they
 * are many, so that memory does not grow with them. */
#ifndef PDTOOL_SCRIPT_HELD_H
#define PDTOOL_SCRIPT_HELD_H

#include "parser/base/err.h"
#include "parser/pdtool_record.h"

#include <stdio.h>

struct held {
	FILE *file;   /* NULL: nothing is there */
	char *buffer; /* its */
	uint8_t *raw; /* of the event that was read last */
	size_t cap;
	uint64_t count;
	int error; /* errno of the first failure */
};

/* An event, and what was found out about it while it was there. */
struct held_row {
	struct pdt_event event;
	struct pdt_values values; /* event.values points here, unless it is NULL */
	uint32_t place;		  /* location of the values' address; PDT_NONE: not looked up */
};

/* All zero is empty. */
void held_release(struct held *h);
void held_add(struct held *h, const struct pdt_event *e, uint32_t place);
/* From now on held_next() begins with the first one. ERR_IO with a message in W: they could not be
 * kept. */
CHECKED int held_rewind(struct held *h, struct warnings *w);
/* The next event; its payload stays until the next call. False: there are no more, or error says
 * why they cannot be read. */
bool held_next(struct held *h, struct held_row *row);

#endif
