/* Where bytes come from: a file, a pipe, standard input, or one of these compressed as a whole
 * (gzip, xz, bzip2, zstd, recognised by content), or the capture in a pack.
 *
 * Reading is sequential; pread is for what is seekable. source_spool() turns what is not into a
 * file. */
#ifndef PDTOOL_FILE_SOURCE_H
#define PDTOOL_FILE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "parser/base/buf.h"
#include "parser/base/err.h"

struct source;

/* Is PATH a directory? "-" is none. 1, 0, or ERR_IO, with the message in W: the system does not
 * tell. */
CHECKED int source_is_directory(const char *path, struct warnings *w);
/* Open PATH ("-" is standard input). On failure *OUT is NULL and the message is in W. */
CHECKED int source_open(struct source **out, const char *path, struct warnings *w);
/* The same of BYTES, which are called PATH. */
CHECKED int source_of(struct source **out, const char *path, const struct buf *bytes,
		      struct warnings *w);
void source_close(struct source *s);

/* Up to LEN bytes; fewer only at the end. Negative enum err on failure, with a message in W. */
CHECKED ssize_t source_read(struct source *s, void *buf, size_t len, struct warnings *w);
/* Up to LEN bytes at OFFSET, without moving the reading position. Only when seekable. Negative enum
 * err on failure; the message is source_failed()'s. */
CHECKED ssize_t source_pread(struct source *s, void *buf, size_t len, uint64_t offset);
/* 0, or, when a read failed, ERR_IO with a message in W: whoever finds less than there should be
 * asks first. */
int source_failed(const struct source *s, struct warnings *w);
/* The next LEN (at most 4096) bytes without consuming them; returns how many there are. */
size_t source_peek(struct source *s, void *buf, size_t len);
/* Move the reading position. Only when seekable. */
void source_seek(struct source *s, uint64_t offset);
/* All source_size() bytes of a regular file that is read as it is, mapped until source_close();
 * NULL for any other source. For reading only. */
uint8_t *source_map(struct source *s);
/* Copy what is left into an unlinked temporary file and read from that. */
CHECKED int source_spool(struct source *s, struct warnings *w);

bool source_seekable(const struct source *s);
/* Opened again by its path, has it a position of its own? Standard input has not. */
bool source_reopens(const struct source *s);
/* Are both the same file, as it was when they were opened? */
bool source_is(const struct source *a, const struct source *b);
/* Bytes in all; UINT64_MAX when that is not known (a pipe). */
uint64_t source_size(const struct source *s);
/* In a pack (pack/pack.h: a tar archive that begins with SOURCE_PACKED, which is the capture that
 * is read): a descriptor of what follows the capture, from its begin on; it stays the source's. -1:
 * it is none. */
#define SOURCE_PACKED "perf.data"
int source_pack(const struct source *s);
/* The first file of a directory, as perf record --threads makes it, and the I-th of the others, as
 * a pack calls them: there they come one after the other. */
#define SOURCE_PACKED_FIRST SOURCE_PACKED "/data"
#define SOURCE_PACKED_NEXT  SOURCE_PACKED "/data.%u"
/* S is the first file: *OUT becomes the I-th of the others, for the caller to close, or NULL: there
 * is none. Those out of a pack share their position of reading. */
CHECKED int source_part(struct source **out, const struct source *s, unsigned i,
			struct warnings *w);
/* Modification time in seconds since 1970, 0 when the source is no regular file. */
int64_t source_mtime(const struct source *s);
const char *source_path(const struct source *s);
/* "gzip", "zstd" ... when the whole input is compressed, else NULL. */
const char *source_compression(const struct source *s);

#endif
