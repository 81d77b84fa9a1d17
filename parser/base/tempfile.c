/* The kernel's own nameless files (open(2), O_TMPFILE), or memfd_create(2). */
#include "parser/base/tempfile.h"

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
