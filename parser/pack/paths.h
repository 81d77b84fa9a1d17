/* Paths of the recording machine without their directories.
 *
 * What is told apart by its path stays so: "/usr/lib/libx.so" becomes "/.../libx.so", the
 * "/opt/libx.so" that comes later "/...2/libx.so", each wherever it stands, with " (deleted)"
 * behind it or not. There is no such directory, so by its path no other file is taken for it. Names
 * that are no paths stay: "[vdso]", "//anon", "/memfd:x", "/tmp/perf-12.map", what has no
 * directory. Within a package ("base.apk!/lib/x.so") there are no directories of the machine. */
#ifndef PDTOOL_PACK_PATHS_H
#define PDTOOL_PACK_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/buf.h"
#include "parser/base/intern.h"

struct paths {
	struct intern names; /* paths that were met, without " (deleted)" */
	struct intern bases; /* their last parts */
	uint32_t *number,
		*count; /* by id in names: which one of its base; by id in bases: how many */
	size_t number_cap, count_cap;
};

/* All zero is empty. */
void paths_release(struct paths *p);
/* Append the path of LEN bytes as it may leave the house. */
void paths_strip(struct paths *p, const char *path, size_t len, struct buf *out);

/* Append TEXT, in each of its words nothing up to the last '/': for command lines. */
void paths_strip_words(const char *text, size_t len, struct buf *out);
/* Append TEXT without what is between its first word that begins with '/' and its last '/': for
 * names that have a file in them ("py::main:/home/me/x.py"), whose path may hold blanks. */
void paths_strip_within(const char *text, size_t len, struct buf *out);

#endif
