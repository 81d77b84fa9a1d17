/* The kernel's own nameless files (open(2), O_TMPFILE), or memfd_create(2). */
#include "parser/base/tempfile.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define BUFFER_SIZE (1u << 18)

int temp_file(void)
{
	const char *dir = getenv("TMPDIR") ?: "/tmp";
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return fd >= 0 ? fd : memfd_create("pdtool", MFD_CLOEXEC);
}

FILE *temp_stream(char **buffer)
{
	int fd = temp_file(), error;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w+");

	if (!file) {
		error = errno;
		if (fd >= 0)
			close(fd);
		errno = error;
		return NULL;
	}
	*buffer = xmalloc(BUFFER_SIZE);
	setvbuf(file, *buffer, _IOFBF, BUFFER_SIZE);
	return file;
}
