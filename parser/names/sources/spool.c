/* The temporary file for members of archives. */
#include "parser/names/sources/spool.h"
#include "parser/base/tempfile.h"

#include <errno.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_ALIGN (64u << 10) /* the largest page of a machine that this may run on */

int spool_begin(struct spool *s, uint64_t *offset)
{
	if (s->fd < 0)
		s->fd = temp_file();
	if (s->fd < 0)
		return ERR_IO;
	s->size = (s->size + PIECE_ALIGN - 1) & ~(uint64_t)(PIECE_ALIGN - 1);
	*offset = s->size;
	return 0;
}

int spool_write(struct spool *s, const void *data, size_t size)
{
	int error;

	if (!s->unbound && (size > SPOOL_MAX || s->size > SPOOL_MAX - size))
		return ERR_FORMAT;
	error = temp_write(s->fd, data, size, s->size);
	if (error) {
		errno = error;
		return ERR_IO;
	}
	s->size += size;
	return 0;
}

int spool_hole(struct spool *s, uint64_t size)
{
	if (size > SPOOL_MAX || s->size > SPOOL_MAX - size)
		return ERR_FORMAT;
	if (ftruncate(s->fd, (off_t)(s->size + size)) < 0)
		return ERR_IO;
	s->size += size;
	return 0;
}

void spool_cut(struct spool *s, uint64_t offset)
{
	if (s->fd < 0 || ftruncate(s->fd, (off_t)offset) < 0)
		return;
	s->size = offset;
}

int spool_copy(const struct spool *s, uint64_t offset, size_t size)
{
	int fd = temp_file();
	off_t at = (off_t)offset;

	if (fd < 0)
		return ERR_IO;
	while (size) {
		ssize_t n = sendfile(fd, s->fd, &at, size);

		if (n <= 0)
			break;
		size -= (size_t)n;
	}
	if (!size && lseek(fd, 0, SEEK_SET) == 0)
		return fd;
	close(fd);
	return ERR_IO;
}

void spool_release(struct spool *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}
