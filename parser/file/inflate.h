/* The zstd stream that PERF_RECORD_COMPRESSED records carry: one stream over all of them, so
 * records may begin in one and end in the next. */
#ifndef PDTOOL_FILE_INFLATE_H
#define PDTOOL_FILE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/err.h"

struct inflate;

struct inflate *inflate_new(void);
void inflate_free(struct inflate *z);

/* Give the next compressed piece; it must stay valid until inflate_read() returned 0. */
void inflate_feed(struct inflate *z, const void *data, size_t len);
/* Up to LEN decompressed bytes into OUT: how many, 0 when the piece is used up, ERR_FORMAT when it
 * is damaged (the rest of the stream is lost, as its blocks refer to each other). */
CHECKED int64_t inflate_read(struct inflate *z, void *out, size_t len);
/* How the first piece that was damaged was; NULL: none was. */
const char *inflate_error(const struct inflate *z);
/* Did the last piece end within a frame? */
bool inflate_is_midway(const struct inflate *z);

#endif
