/* What the parts of the writer for the Firefox Profiler share. */
#ifndef PDTOOL_EXPORT_FIREFOX_H
#define PDTOOL_EXPORT_FIREFOX_H

#include "formats/export/pieces.h"
#include "formats/export/readers.h"
#include "formats/export/stack_nodes.h"
#include "formats/model/result.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"

#include <string.h>

/* An array NAME of COUNT elements, of which PUT writes the one numbered I. */
#define COLUMN(name, count, i, put)                    \
	do {                                           \
		out_str(out, ",\n\"" name "\":[");     \
		for (size_t i = 0; i < (count); i++) { \
			out_str(out, i ? "," : "");    \
			put;                           \
		}                                      \
		out_str(out, "]");                     \
	} while (0)

#define TASK_WORDS 256

struct shared {
	const struct profile_part *p;
	struct intern texts, files; /* files: of sources */
	struct stack_nodes nodes;
	size_t lines;	      /* of all locations */
	struct idmap threads; /* by tid, the one that has its marks */
	uint32_t *tasks;      /* by thread, its name and number in texts; 0: not there yet */
	struct task_words {
		uint32_t tid, id; /* id: in texts; 0: none */
	} recent[TASK_WORDS];	  /* that were asked for last */
	struct request_words {
		char rwbs[PROFILE_COMM];
		uint32_t dev, operation, device; /* device: 0: there was none */
	} last_request;
	uint32_t *causes; /* by stack, the node of a mark's + 2; 0: not yet, 1: it is no news */
	size_t cause_count, cause_cap;
	struct piece_high high; /* of times */
};

#define ROOM 256 /* of what is written at once: short texts and numbers */

static inline uint32_t text_id(struct shared *s, const char *text)
{
	return intern_add(&s->texts, text, strlen(text));
}

/* Categories: those of enum frame_kind, but for the last. */
#define CATEGORY_IDLE FRAME_INLINED
#define CATEGORIES    FRAME_KINDS

/* NS in a unit of 10^DIGITS ns: 6 for ms, 3 for us. */
void put_ns(struct out *out, uint64_t ns, unsigned digits);
static inline void put_ms(struct out *out, uint64_t ns)
{
	put_ns(out, ns, 6);
}

/* A piece: NS of the capture's clock in ms, without zeros at the end. */
static inline char *piece_when(struct shared *s, char *to, uint64_t ns)
{
	uint64_t since = ns > s->p->first_ns ? ns - s->p->first_ns : 0;
	uint64_t high = since / DIGITS_EIGHT, low = digits_eight((uint32_t)(since % DIGITS_EIGHT));
	uint64_t left = low & 0x0f0f0f0f0f0f0000; /* behind the point */
	uint64_t two = htole64(low), six = htole64(low >> 16);
	unsigned zeros = high ? 0 : digits_zeros(low, 2);

	if (high)
		to = piece_high(&s->high, to, high);
	if (zeros)
		two = htole64(low >> 8);
	memcpy(to, &two, 2);
	to += 2 - zeros;
	if (!left)
		return to;
	*to = '.';
	memcpy(to + 1, &six, sizeof(six));
	return to + 7 - (unsigned)__builtin_clzll(left) / 8;
}
static inline void put_when(struct shared *s, uint64_t ns, struct out *out)
{
	out_filled(out, piece_when(s, out_room(out, ROOM), ns));
}

/* Those that markers have; before all other texts. */
void add_words(struct shared *s);
/* What markers look like: "markerSchema". */
void write_schemas(struct out *out);
/* "markers", those of LANE; NULL: none. */
void write_markers(struct shared *s, const size_t *lane, struct out *out);

#endif
