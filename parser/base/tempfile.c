/* The kernel's own nameless files (open(2), O_TMPFILE), or memfd_create(2). */
#include "parser/base/tempfile.h"
#include "parser/base/mem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

int temp_file(void)
{
	const char *dir = getenv("TMPDIR") ?: "/tmp";
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return fd >= 0 ? fd : memfd_create("pdtool", MFD_CLOEXEC);
}

int temp_write(int fd, const void *data, size_t size, uint64_t offset)
{
	for (size_t done = 0; done < size;) {
		ssize_t n =
			pwrite(fd, (const char *)data + done, size - done, (off_t)(offset + done));

		if (!n || (n < 0 && errno != EINTR))
			return n ? errno : EIO;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

int temp_read(int fd, void *data, size_t size, uint64_t offset)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = pread(fd, (char *)data + done, size - done, (off_t)(offset + done));

		if (!n || (n < 0 && errno != EINTR))
			return n ? errno : EIO;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* ---- streams ---- */

void temp_stream_release(struct temp_stream *t)
{
	if (t->end)
		close(t->fd);
	free(t->buffer);
	*t = (struct temp_stream){ 0 };
}

static void put(struct temp_stream *t, const void *data, size_t size)
{
	int fd = t->end || t->error ? t->fd : temp_file();

	if (t->error)
		return;
	if (fd < 0) {
		t->error = errno;
		return;
	}
	t->fd = fd;
	t->error = temp_write(fd, data, size, t->end);
	t->end += size;
}

void temp_stream_flush(struct temp_stream *t)
{
	if (t->used)
		put(t, t->buffer, t->used);
	t->used = 0;
}

void temp_stream_add_beyond(struct temp_stream *t, const void *data, size_t size)
{
	t->buffer = t->buffer ?: xmalloc(TEMP_BUFFER);
	if (size > TEMP_BUFFER - t->used)
		temp_stream_flush(t);
	if (size > TEMP_BUFFER) {
		put(t, data, size);
		return;
	}
	memcpy(t->buffer + t->used, data, size);
	t->used += size;
}

void temp_stream_rewind(struct temp_stream *t)
{
	if (t->end && !t->next) /* nothing was read */
		temp_stream_flush(t);
	if (t->end)
		t->used = 0;
	t->at = t->next = 0;
}

bool temp_stream_next_beyond(struct temp_stream *t, void *row, size_t size)
{
	size_t left = t->used - t->at, more = TEMP_BUFFER - left;

	if (t->next == t->end || t->error)
		return false;
	more = t->end - t->next < more ? (size_t)(t->end - t->next) : more;
	memmove(t->buffer, t->buffer + t->at, left);
	t->error = temp_read(t->fd, t->buffer + left, more, t->next);
	t->next += more;
	t->at = 0;
	t->used = left + more;
	if (t->error || size > t->used)
		return false;
	memcpy(row, t->buffer, size);
	t->at = size;
	return true;
}
