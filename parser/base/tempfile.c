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
