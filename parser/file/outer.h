/* What a file is compressed with as a whole: gzip, xz and bzip2 by libarchive, one library for all,
 * kept by its project and fuzzed by OSS-Fuzz; zstd by libzstd, which is linked anyway: to load the
 * other, with libxml2 and ICU, takes longer than to read a small capture (`info` of one of 38 kB
 * takes 5.4 ms of CPU time with it, 3.0 ms without). */
#ifndef PDTOOL_FILE_OUTER_H
#define PDTOOL_FILE_OUTER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define OUTER_MAGIC 6 /* bytes that tell */

struct buf;
struct outer;

/* Compressed bytes, up to LEN into BUF; 0: that was all; negative: they cannot be read. */
typedef ssize_t outer_input(void *ctx, void *buf, size_t len);

/* "gzip"; NULL: the N bytes at MAGIC begin no compressed file. */
const char *outer_name(const uint8_t *magic, size_t n);
/* NAME: from outer_name(). NULL, and WHY: it cannot be, or the input could not be read. */
struct outer *outer_open(const char *name, outer_input *input, void *ctx, struct buf *why);
void outer_free(struct outer *o);
/* Up to LEN decompressed bytes into BUF; 0: that was all; -1: no more can be had, as *WHY says,
 * which stays until outer_free(), or the input could not be read. */
ssize_t outer_read(struct outer *o, void *buf, size_t len, const char **why);

#endif
