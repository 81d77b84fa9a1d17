/* Bytes compressed as a row of zstd frames, which zstd and tar read as one file.
 *
 * Each frame stands for itself and holds FRAME_BYTES of what was added, but the last before a
 * frames_end(): so they are compressed several at a time, and the result does not depend on how
 * many. Small windows cost little here, as records repeat at once. Measured with two captures of
 * 525 MB, of one program and of a whole machine: level 1 as one stream took 0.45 s and 0.88 s and
 * gave 27.4 MB and 66.6 MB, level 3 in such frames took 0.35 s and 0.75 s, 20.3 MB and 57.8 MB. */
#ifndef PDTOOL_FILE_FRAMES_H
#define PDTOOL_FILE_FRAMES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "parser/base/err.h"

#define FRAME_BYTES ((size_t)1 << 20)
#define FRAMES_ONCE 16 /* most that are compressed at a time */

struct frames;

/* They are written to FD, which stays the caller's, by JOBS threads. */
struct frames *frames_new(int fd, unsigned jobs);
void frames_free(struct frames *f);
/* ERR_IO: it could not be written, for the reason in errno. */
int frames_add(struct frames *f, const void *data, size_t len) CHECKED;
/* What was added is written; what comes begins a frame. ERR_IO as above. */
int frames_end(struct frames *f) CHECKED;

/* Something large: threads read of it what they compress. */
struct frames_input {
	uint64_t size_bytes;
	/* LEN bytes from OFFSET on to BUF; fewer, or a negative number: it failed. Called by
	 * several threads at a time. */
	ssize_t (*read)(void *ctx, void *buf, size_t len, uint64_t offset);
	void *ctx;
};

/* frames_end(), and then all of IN in frames of its own. ERR_IO as above; ERR_FORMAT: IN cannot be
 * read. */
int frames_take(struct frames *f, const struct frames_input *in) CHECKED;

#endif
