/* Where the members of a ZIP archive lie that are stored as they are: the libraries of an Android
 * package are mapped from within it. Nothing is decompressed, and nothing of ZIP64 is read. */
#ifndef PDTOOL_SYMBOLS_ZIP_H
#define PDTOOL_SYMBOLS_ZIP_H

#include <stdint.h>

#include "parser/base/err.h"

struct reach;

struct zip_member {
	uint64_t offset, size_bytes; /* in the archive */
};

/* The member NAME of the archive at PATH, or the one that holds the byte at OFFSET. ERR_ABSENT:
 * there is none, or it is compressed; ERR_FORMAT: not such an archive; ERR_IO. It
 * is opened by the rules of reach.h. */
int zip_find(struct reach *r, const char *path, const char *name, struct zip_member *out) CHECKED;
int zip_at(struct reach *r, const char *path, uint64_t offset, struct zip_member *out) CHECKED;

#endif
