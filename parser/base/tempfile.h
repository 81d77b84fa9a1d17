/* A temporary file without a name: nothing of it stays behind. */
#ifndef PDTOOL_BASE_TEMPFILE_H
#define PDTOOL_BASE_TEMPFILE_H

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "parser/base/mem.h"

#define TEMP_BUFFER (1u << 18)

/* Open, empty, in TMPDIR, or in memory where that cannot be; negative: neither can. The caller
 * closes it. */
int temp_file(void) __attribute__((warn_unused_result));

/* The same to be written and read as a stream, by *BUFFER, which is freed after it is closed; NULL:
 * errno says why not. Here, as the library itself has no streams. */
static inline __attribute__((warn_unused_result)) FILE *temp_stream(char **buffer)
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
	*buffer = xmalloc(TEMP_BUFFER);
	setvbuf(file, *buffer, _IOFBF, TEMP_BUFFER);
	return file;
}

#endif
