/* The first bytes of a capture: which layout, which byte order, where everything is. */
#ifndef PDTOOL_FILE_HEADER_H
#define PDTOOL_FILE_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/base/err.h"

struct source;

struct section {
	uint64_t offset; /* bytes from the start of the file */
	uint64_t size;
};

/* OFFSET SIZE MEANING (struct perf_file_header, tools/perf/util/header.h)
 *      0    8 magic "PERFILE2" as the recorder's u64 ("PERFFILE" before perf 3.4)
 *      8    8 size of this header: 104; 16 in pipe mode, which ends here; 72 before features
 * existed 16    8 size of one attr entry: perf_event_attr and a section of ids 24   16 section:
 * attr entries 40   16 section: data (records); size 0 when the recorder was killed 56   16
 * section: event types (until 3.x), unused 72   32 bitmap of features; their sections' table
 * follows the data section */
struct file_header {
	bool pipe;
	bool legacy;	 /* PERFFILE */
	bool swap;	 /* the file's byte order is not this host's */
	bool big;	 /* the file is big-endian */
	bool unfinished; /* data.size was 0 or beyond the end: the recorder was killed or the file
			    was cut */
	uint64_t attr_size;
	struct section attrs;
	struct section data;
	uint64_t features[4];
};

/* Read and check the header at the start of S; leaves S behind it. A source that cannot seek is
 * copied to a temporary file when the layout needs seeking (file mode from a pipe or a compressed
 * file). */
CHECKED int header_read(struct file_header *h, struct source *s, struct warnings *w);

static inline bool header_has_feature(const struct file_header *h, unsigned id)
{
	return h->features[id / 64] >> (id % 64) & 1;
}

#endif
