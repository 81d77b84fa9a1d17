/* A file that a run is to write over. Who opens files (parser/names) tells who writes that it was
 * read. */
#ifndef PDTOOL_BASE_WATCHED_H
#define PDTOOL_BASE_WATCHED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

struct watched {
	dev_t dev;
	ino_t inode;
	const char *path; /* as the user has it */
	atomic_bool met;  /* it was opened, by whatever name */
};

#endif
