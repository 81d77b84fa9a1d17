/* What names of a capture can be found by when the capture itself is not at hand any more: its
 * modules, the locations in them, and its stacks. A session is made of it that names them as that
 * of the capture would have, by whatever symbols are at hand then.
 *
 * Of this host's files it takes those that a build-id vouches for: what inodes, clocks and
 * processes tell belongs to the time of the recording. */
#ifndef PDTOOL_KEPT_H
#define PDTOOL_KEPT_H

#include <stddef.h>
#include <stdint.h>

#include "parser/base/buf.h"
#include "parser/base/err.h"

struct pdt_session;
struct session;
struct session_options;
struct warnings;

/* What is to be kept: numbers of a kind, which are alike, for each. */
enum { KEPT_MODULES, KEPT_ADDRESSES, KEPT_SHAPES, KEPT_IDS, KEPT_COLUMNS };

struct kept_column {
	const void *bytes;
	size_t len;
};

struct kept_stacks {
	struct buf columns[KEPT_COLUMNS];
	uint32_t *locations, *order; /* by place in them: the id of its location, its stack */
	size_t location_count, stack_count;
};

/* All that S has, once there are names; to be released by kept_stacks_release(). */
void kept_make(const struct pdt_session *s, struct kept_stacks *out);
void kept_stacks_release(struct kept_stacks *k);

/* A capture of which this is known. Texts may be NULL. */
struct kept_capture {
	const char *path, *host, *release, *arch;
	struct kept_column columns[KEPT_COLUMNS];
};

/* As session_open(), at the end of its events: location and stack I are the I-th that were kept.
 * ERR_FORMAT: they are damaged. */
CHECKED int door_open_kept(struct pdt_session **out, const struct kept_capture *k,
			   const struct session_options *o, struct warnings *w);

#endif
