/* Bytes that are needed later, in one temporary file without a name: nothing that an archive says
 * decides where anything is written, and nothing stays behind. */
#ifndef PDTOOL_SYMBOLS_SPOOL_H
#define PDTOOL_SYMBOLS_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/err.h"

#define SPOOL_MAX (4ull << 30) /* bytes of all pieces together */

struct spool {
	int fd;	       /* -1: nothing was put there yet */
	uint64_t size; /* bytes, up to the end of the last piece */
	bool unbound;  /* SPOOL_MAX does not hold: it is a file that the user asked for */
};

/* Where the next piece begins: at a page, so that it can be mapped. ERR_IO: there is no place for
 * a temporary file. */
int spool_begin(struct spool *s, uint64_t *offset) CHECKED;
/* Append to the last piece. ERR_IO: the disk is full; ERR_FORMAT: SPOOL_MAX is reached. */
int spool_write(struct spool *s, const void *data, size_t size_bytes) CHECKED;
/* The same with zeros, which need no room. */
int spool_hole(struct spool *s, uint64_t size_bytes) CHECKED;
/* Drop all from OFFSET on. */
void spool_cut(struct spool *s, uint64_t offset);
/* A temporary file of its own with these bytes, at its start, for the caller to close; or ERR_IO.
 */
int spool_copy(const struct spool *s, uint64_t offset, size_t size_bytes) CHECKED;
void spool_release(struct spool *s);

#endif
