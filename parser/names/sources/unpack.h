/* Bytes compressed as a whole by gzip, xz or zstd: kernel modules as distributions ship them, and
 * .gnu_debugdata. Decompressed in memory, never more than an honest ELF file would become. By
 * libarchive, which reads all three and is linked for captures already; liblzma alone would do for
 * xz only. */
#ifndef PDTOOL_SYMBOLS_UNPACK_H
#define PDTOOL_SYMBOLS_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/buf.h"
#include "parser/base/err.h"

#define UNPACK_MAGIC_MAX 6 /* bytes */

/* What the SIZE bytes at DATA may become: code deflates to a third, debug information to a sixth.
 */
#define UNPACK_RATIO 32
#define UNPACK_FREE  (1u << 20) /* bytes, whatever they came from */
#define UNPACK_MAX   (512u << 20)

/* Do the first SIZE bytes say that the file is compressed? */
bool unpack_is_packed(const void *data, size_t size_bytes);
/* Put what the SIZE bytes at DATA hold behind what OUT holds. ERR_FORMAT: not compressed, damaged,
 * compressed more than once, or more than the bounds above; then OUT is empty. */
int unpack(const void *data, size_t size_bytes, struct buf *out) CHECKED;

#endif
