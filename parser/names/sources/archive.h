/* The files with symbols in a tar archive (perf archive's, or any), compressed by bzip2, gzip, xz
 * or zstd or not at all. It is read once, from its begin to its end, never unpacked: what may be
 * needed later goes to the spool, whatever the names in the archive are. An archive in the archive
 * (perf 6.12's `perf archive --all`) is read too; deeper ones are not. */
#ifndef PDTOOL_SYMBOLS_ARCHIVE_H
#define PDTOOL_SYMBOLS_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "parser/names/sources/spool.h"
#include "parser/names/sources/symfiles.h"

#define ARCHIVE_ENTRIES_MAX 500000
/* What an archive may become: beyond the first, so many times what it is on disk. */
#define ARCHIVE_FREE  (64u << 20) /* bytes */
#define ARCHIVE_RATIO 100

/* Does a file that begins with the SIZE bytes (512 are enough) at HEAD look like an archive? */
bool archive_is(const void *head, size_t size_bytes);

/* Load libarchive, where it is not linked. */
void archive_library(void);
/* Add what is in the archive at PATH, open as FD (-1: it is not), to OUT. NULL, or why it was not
 * read to its end, to be freed; what came before stays. */
char *archive_read(struct symfiles *out, struct spool *spool, const char *path, int fd);

#endif
