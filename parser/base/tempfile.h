/* A temporary file without a name: nothing of it stays behind. */
#ifndef PDTOOL_BASE_TEMPFILE_H
#define PDTOOL_BASE_TEMPFILE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "parser/base/err.h"

#define TEMP_BUFFER (1u << 18)

/* What is said where that fails, behind what it is; by strerror(). */
#define TEMP_FAILED "cannot be kept in a temporary file: %s (TMPDIR names another directory)"

/* Open, empty, in TMPDIR, or in memory where that cannot be; negative: neither can. The caller
 * closes it. */
int temp_file(void) __attribute__((warn_unused_result));

/* All SIZE bytes to or from OFFSET of it: 0, or an errno; EIO where it ends before. */
int temp_write(int fd, const void *data, size_t size_bytes, uint64_t offset) CHECKED;
int temp_read(int fd, void *data, size_t size_bytes, uint64_t offset) CHECKED;

/* One that is written and read as a stream. All zero is empty. What the buffer holds needs no file.
 */
struct temp_stream {
	char *buffer; /* NULL: nothing is there */
	size_t used,
		at;    /* bytes of it that are not written yet, or were read; handed out of those */
	uint64_t end;  /* of the file */
	uint64_t next; /* of the file: what is read next */
	int fd;	       /* valid with end */
	int error;     /* errno of the first failure */
};

void temp_stream_release(struct temp_stream *t);
/* All that was added lies in the file. */
void temp_stream_flush(struct temp_stream *t);
/* The same where SIZE bytes more do not fit. */
void temp_stream_add_beyond(struct temp_stream *t, const void *data, size_t size);
bool temp_stream_next_beyond(struct temp_stream *t, void *row, size_t size);

/* SIZE bytes at its end: a row, where temp_stream_next() is to read them. */
static inline void temp_stream_add(struct temp_stream *t, const void *data, size_t size)
{
	if (!t->buffer || size > TEMP_BUFFER - t->used) {
		temp_stream_add_beyond(t, data, size);
		return;
	}
	memcpy(t->buffer + t->used, data, size);
	t->used += size;
}

/* No more come. The next row that is read is the first one. */
void temp_stream_rewind(struct temp_stream *t);

/* A row of SIZE bytes. False: there are no more, or error says why they cannot be read. */
static inline bool temp_stream_next(struct temp_stream *t, void *row, size_t size)
{
	if (size > t->used - t->at)
		return temp_stream_next_beyond(t, row, size);
	memcpy(row, t->buffer + t->at, size);
	t->at += size;
	return true;
}

#endif
