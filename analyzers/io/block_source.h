/* Finished I/Os of a capture: its block tracepoints, decoded and put through the block model, and
 * the filters, which hold for an I/O as a whole. */
#ifndef PDTOOL_BLOCK_SOURCE_H
#define PDTOOL_BLOCK_SOURCE_H

#include "analyzers/count/answer.h"
#include "analyzers/heat/picked.h"
#include "analyzers/io/block_model.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"
#include "formats/model/option.h"
#include "parser/base/err.h"
#include "parser/filter.h"
#include "parser/pdtool_capture.h"

struct block_binding;

/* What options ask for. */
struct block_options {
	enum pairing pair;
	uint64_t timeout_ns;   /* 0: none */
	struct name_list ops;  /* only these */
	struct num_list sizes; /* only I/Os of so many bytes */
	const char *part;      /* a field that parts I/Os; NULL: none */
};

extern const struct option block_limits[]; /* of a struct block_options, but for its pairing */

struct block_source {
	struct block_model model;
	const struct block_options *options;
	const struct pdt_session *session; /* while it is read */
	bool filtering;			   /* it has filters */
	struct block_binding *bindings;	   /* by event_desc.index */
	size_t binding_count, binding_cap;
	struct picked part;  /* options.part */
	struct intern parts; /* its values, by block_io.part */
	uint64_t used;	     /* events put into the model */
	uint64_t unreadable; /* block events without a format or without their fields */
	uint64_t filtered;   /* finished I/Os that a filter took out */
	uint64_t first_ns, last_ns;
	/* set by the caller */
	void (*finished)(void *ctx, const struct block_io *io);
	void (*noted)(void *ctx, const struct block_event *e, const char *op); /* may be NULL */
	void *ctx;
};

void block_source_begin(struct block_source *b, const struct block_options *o);
void block_source_release(struct block_source *b);
/* Take E if it is of the block layer. */
void block_source_event(struct block_source *b, const struct pdt_event *e,
			const struct pdt_session *s);
/* The capture is read. ERR_USAGE with a message in W when it holds no block I/O to speak of. */
CHECKED int block_source_end(struct block_source *b, const struct pdt_session *s,
			     struct warnings *w);
/* What was used and what was not: facts, and a note in W when something could not be matched. */
void block_source_facts(const struct block_source *b, struct answer *a, struct warnings *w);
/* Does the capture record requests from their issue to their completion, or bios? */
bool block_source_holds(const struct pdt_session *s);

/* "254:0 R": what I/Os of one device and operation are, each text at a place of its own. All zero
 * is empty. */
struct block_parts {
	struct idmap ids;
	struct intern texts;
};
const char *block_part_text(struct block_parts *p, uint32_t dev, const char op[BLOCK_OP]);
void block_parts_release(struct block_parts *p);

/* What options.part, which is given, makes of IO: who submitted it ("comm", "pid", "tid"), or what
 * the field was in the first of its events that has it. In TEXT, IO or B. */
#define BLOCK_PART_TEXT 24
const char *block_source_part(const struct block_source *b, const struct block_io *io,
			      char text[BLOCK_PART_TEXT]);

/* "254:0" */
#define BLOCK_DEV_TEXT 24
void block_dev_text(char text[BLOCK_DEV_TEXT], uint32_t dev);

#endif
