/* GNU build-ids: which build of a file it was. */
#ifndef PDTOOL_BASE_BUILD_ID_H
#define PDTOOL_BASE_BUILD_ID_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "parser/base/buf.h"
#include "parser/base/intern.h"

#define BUILD_ID_MAX 20

struct build_id {
	uint8_t len; /* 0: none recorded */
	uint8_t bytes[BUILD_ID_MAX];
};

/* Which file was mapped, as MMAP2 tells it. */
struct file_id {
	uint32_t major, minor;
	uint64_t inode;	     /* 0: not told */
	uint64_t generation; /* 0: not told, as for what was mapped before the recording began */
};

/* What tells files of one path apart. */
struct module_ids {
	struct build_id build_id; /* len 0: unknown */
	struct file_id file;
};

/* One entry of the build-id section: which file has which id. */
struct build_id_entry {
	uint16_t misc; /* MISC_KERNEL, MISC_USER, ... */
	int32_t pid;   /* -1 host, else guest machine */
	struct build_id id;
	const char *path;
};

/* Which entry has a path: there may be as many modules to ask for as there are entries. */
struct build_id_paths {
	struct intern paths;
	uint32_t *first; /* by path id: index of its first entry */
	size_t count, cap;
};

/* Lower-case hexadecimal digits and a NUL; empty when there is none. */
static inline void build_id_text(const struct build_id *id, char out[2 * BUILD_ID_MAX + 1])
{
	out[0] = '\0';
	for (unsigned i = 0; i < id->len; i++)
		snprintf(out + 2 * i, 3, "%02x", id->bytes[i]);
}

/* Append "DIR/.build-id/xx/yyyy..." and SUFFIX: where files are kept under their build-id. */
static inline void build_id_path(struct buf *out, const char *dir, const struct build_id *id,
				 const char *suffix)
{
	char hex[2 * BUILD_ID_MAX + 1];

	build_id_text(id, hex);
	buf_printf(out, "%s/.build-id/%.2s/%s%s", dir, hex, *hex ? hex + 2 : hex, suffix);
}

/* Of LEN bytes at BYTES; what is too long to be one is none. */
static inline struct build_id build_id_make(const void *bytes, size_t len)
{
	struct build_id id = { 0 };

	if (len <= BUILD_ID_MAX) {
		id.len = (uint8_t)len;
		memcpy(id.bytes, bytes, len);
	}
	return id;
}

static inline bool build_id_equal(const struct build_id *a, const struct build_id *b)
{
	return a->len && a->len == b->len && !memcmp(a->bytes, b->bytes, a->len);
}

#endif
