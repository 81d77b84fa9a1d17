/* A temporary file without a name: nothing of it stays behind. */
#ifndef PDTOOL_BASE_TEMPFILE_H
#define PDTOOL_BASE_TEMPFILE_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "parser/base/err.h"
#include "parser/base/mem.h"

#define TEMP_BUFFER (1u << 18)

/* What is said where that fails, behind what it is; by strerror(). */
#define TEMP_FAILED "cannot be kept in a temporary file: %s (TMPDIR names another directory)"

/* Open, empty, in TMPDIR, or in memory where that cannot be; negative: neither can. The caller
 * closes it. */
int temp_file(void) __attribute__((warn_unused_result));

/* All SIZE bytes to or from OFFSET of it: 0, or an errno; EIO where it ends before. */
int temp_write(int fd, const void *data, size_t size_bytes, uint64_t offset) CHECKED;
int temp_read(int fd, void *data, size_t size_bytes, uint64_t offset) CHECKED;

/* One that is written and read as a stream. All zero is empty. Here, as the library itself has no
 * streams. */
struct temp_stream {
	FILE *file; /* NULL: nothing is there */
	char *buffer;
	int error; /* errno of the first failure */
};

static inline void temp_stream_open(struct temp_stream *t)
{
	int fd = temp_file();

	t->file = fd < 0 ? NULL : fdopen(fd, "w+");
	if (!t->file) {
		t->error = errno;
		if (fd >= 0)
			close(fd);
		return;
	}
	t->buffer = xmalloc(TEMP_BUFFER);
	setvbuf(t->file, t->buffer, _IOFBF, TEMP_BUFFER);
}

/* SIZE bytes at its end: a row, where temp_stream_next() is to read them. */
static inline void temp_stream_add(struct temp_stream *t, const void *data, size_t size)
{
	if (!t->file && !t->error)
		temp_stream_open(t);
	if (!t->error && size && fwrite_unlocked(data, size, 1, t->file) != 1)
		t->error = errno;
}

/* The next row that is read is the first one. */
static inline void temp_stream_rewind(struct temp_stream *t)
{
	if (t->file && !t->error && fseeko(t->file, 0, SEEK_SET) < 0)
		t->error = errno;
}

/* A row of SIZE bytes. False: there are no more, or error says why they cannot be read. */
static inline bool temp_stream_next(struct temp_stream *t, void *row, size_t size)
{
	bool got = t->file && !t->error && fread_unlocked(row, size, 1, t->file) == 1;

	if (!got && t->file && ferror_unlocked(t->file))
		t->error = errno;
	return got;
}

static inline void temp_stream_release(struct temp_stream *t)
{
	if (t->file)
		fclose(t->file);
	free(t->buffer);
}

#endif
