/* The formats of tracepoints, from the tracing data that perf record puts into a capture, and the
 * fields of their RAW payloads. Formats are text from a stranger: lines are checked here and
 * nothing of them is handed on that does not lie where it says. */
#ifndef PDTOOL_RECORD_TRACEPOINT_H
#define PDTOOL_RECORD_TRACEPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "parser/base/arena.h"
#include "parser/base/err.h"
#include "parser/base/idmap.h"
#include "parser/pdtool_capture.h"

enum field_kind {
	FIELD_NUMBER,	/* 1, 2, 4 or 8 bytes */
	FIELD_TEXT,	/* char[N], padded with NUL */
	FIELD_BYTES,	/* any other array or struct */
	FIELD_DATA_LOC, /* u32: offset in the payload, above it the length */
	FIELD_REL_LOC,	/* the same, the offset counts from the end of this field (5.17) */
};

/* Where a field lies: a handle to read it by, for any payload of its event. */
struct pdt_field {
	const char *name, *type; /* "prev_comm", "char prev_comm[16]" */
	uint32_t offset, size;
	enum field_kind kind;
	bool is_signed;
	bool swap; /* the payload's byte order is not this host's */
};

struct pdt_format {
	const char *system, *name; /* "sched", "sched_switch" */
	uint32_t id;		   /* attr.config of its events */
	const struct pdt_field *fields;
	size_t field_count;
	const char *print; /* what follows "print fmt:", not checked; "" when there is none */
};

struct trace_formats {
	struct arena arena;
	struct pdt_format *list; /* in the order of the capture */
	size_t count, cap;
	struct idmap by_id;
	uint8_t long_size; /* bytes of the recorder's long */
	bool swap;
};

/* The RAW bytes of one sample. */
struct payload {
	const uint8_t *bytes;
	uint32_t size;
};

void trace_formats_init(struct trace_formats *t);
void trace_formats_release(struct trace_formats *t);
/* Read the tracing data. ERR_FORMAT, with a message in W, when its frame is damaged: the formats
 * before the damage are there. Single formats that make no sense are left out and counted in W. */
CHECKED int trace_formats_read(struct trace_formats *t, const void *data, size_t size,
			       struct warnings *w);
/* NULL when there is none. */
const struct pdt_format *trace_format_by_id(const struct trace_formats *t, uint64_t id);
/* The field called NAME, or NULL, which can be read from as well: nothing is there. */
const struct pdt_field *trace_field(const struct pdt_format *f, const char *name);

/* The pairs of the __print_flags() list that shows field NAME, in its order; returns how many of at
 * most MAX. 0 when the print format holds no such list, or one that is not of plain numbers. */
size_t trace_flags(const struct pdt_format *f, const char *name, struct pdt_flag *out, size_t max);

/* Its bytes up to the first NUL, *LEN of them; NULL when there are none. In P's bytes. */
const char *trace_text(const struct pdt_field *f, const struct payload *p, size_t *len);
/* All its bytes: the array's, or those that a data_loc points to. NULL when they are not there. */
const uint8_t *trace_bytes(const struct pdt_field *f, const struct payload *p, size_t *len);

/* trace_number() for fields of any size and byte order. */
bool trace_number_any(const struct pdt_field *f, const struct payload *p, uint64_t *out);

/* The number in F; a signed one is widened with its sign. False, and *OUT is 0, when F is NULL, no
 * number, or outside of the payload. */
static inline bool trace_number(const struct pdt_field *f, const struct payload *p, uint64_t *out)
{
	uint32_t v;

	if (!f || f->kind != FIELD_NUMBER || f->swap || f->size < 4 || f->offset > p->size ||
	    f->size > p->size - f->offset)
		return trace_number_any(f, p, out);
	if (f->size == 8) {
		memcpy(out, p->bytes + f->offset, 8);
		return true;
	}
	memcpy(&v, p->bytes + f->offset, 4);
	*out = f->is_signed ? (uint64_t)(int32_t)v : v;
	return true;
}

/* The number in F, or 0. */
static inline uint64_t trace_u64(const struct pdt_field *f, const struct payload *p)
{
	uint64_t v;

	(void)trace_number(f, p, &v);
	return v;
}

#endif
