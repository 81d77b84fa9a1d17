/* A tar archive, compressed by zstd, that is written member by member; the same input gives the
 * same bytes, by however many threads. By libarchive. */
#ifndef PDTOOL_PACK_TARFILE_H
#define PDTOOL_PACK_TARFILE_H

#include <sys/types.h>

#include "parser/base/err.h"
#include "parser/pack/reduce.h"

struct tarfile;

struct tar_member {
	const char *name;
	uint64_t size_bytes;
	int64_t mtime;		   /* seconds since 1970 */
	const struct ranges *keep; /* clean: the rest are zeros, and need no room; NULL: all */
	/* LEN bytes from OFFSET to BUF; how many, 0 at the end, or a negative enum err. Called by
	 * several threads at a time. */
	ssize_t (*read)(void *ctx, void *buf, size_t len, uint64_t offset);
	void *ctx;
};

/* PATH "-" is standard output. By JOBS threads. ERR_IO, with the message in W; *OUT is to be closed
 * also then. */
int tarfile_open(struct tarfile **out, const char *path, unsigned jobs, struct warnings *w) CHECKED;
int tarfile_add(struct tarfile *t, const struct tar_member *m, struct warnings *w) CHECKED;
/* The file takes its place; not when it FAILED, nor when that fails. */
int tarfile_close(struct tarfile *t, bool failed, struct warnings *w) CHECKED;

/* A tar_member's read: of the bytes at CTX. */
ssize_t tar_read_memory(void *ctx, void *buf, size_t len, uint64_t offset);

#endif
