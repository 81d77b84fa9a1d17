/* The file of a split unit (a .dwo, or what a .dwp has of it) as it goes into a pack: an ELF file
 * of the sections with debug information, and of those what the unit's functions need. */
#ifndef PDTOOL_PACK_SPLITFILE_H
#define PDTOOL_PACK_SPLITFILE_H

#include <sys/types.h>

#include "parser/base/buf.h"
#include "parser/names/dwarf/split.h"
#include "parser/pack/reduce.h"

struct splitfile_piece {
	uint64_t start; /* in the file */
	const void *data;
	size_t size; /* bytes */
};

struct splitfile {
	uint64_t size_bytes;
	struct reduced of; /* what is kept: the rest are zeros */
	struct splitfile_piece *list;
	size_t count, cap;
	struct buf head, names, sections;
};

/* It has pieces of SPLIT, which must outlive it. False: it cannot be read, or not be stripped of
 * paths. To be released also then. */
bool splitfile_make(struct splitfile *out, const struct split *split, bool strip_paths);
void splitfile_release(struct splitfile *f);

/* A tar_member's read, of the splitfile at CTX. */
ssize_t splitfile_read(void *ctx, void *buf, size_t len, uint64_t offset);

#endif
