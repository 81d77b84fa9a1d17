/* What the parts of the writer for the Firefox Profiler share. */
#ifndef PDTOOL_EXPORT_FIREFOX_H
#define PDTOOL_EXPORT_FIREFOX_H

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

struct shared {
	const struct profile_part *p;
	struct intern texts, files; /* files: of sources */
	struct stack_nodes nodes;
	size_t lines;	      /* of all locations */
	struct idmap threads; /* by tid, the one that has its marks */
	uint32_t *tasks;      /* by thread, its name and number in texts; 0: not there yet */
};

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
/* NS of the capture's clock. */
static inline void put_when(const struct profile_part *p, uint64_t ns, struct out *out)
{
	put_ms(out, ns > p->first_ns ? ns - p->first_ns : 0);
}

/* Those that markers have; before all other texts. */
void add_words(struct shared *s);
/* What markers look like: "markerSchema". */
void write_schemas(struct out *out);
/* "markers", those of LANE; NULL: none. */
void write_markers(struct shared *s, const size_t *lane, struct out *out);

#endif
