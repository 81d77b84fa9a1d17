/* What a pack says of its files: lines of fields with tabs between them.
 *
 *   pdtool-pack 1
 *   file NAME ORIGIN
 *   module PATH MAJOR:MINOR:INODE BUILD-ID NAME
 *   unverified PATH ...
 *
 * Where a member was when the pack was made. And a module that the capture has no build-id of: its
 * path and the numbers of its file as recorded (0:0:0: not told), the build-id that the file had
 * where the pack was made ("-": none), and which member of the pack the file is; unverified,
 * where it was taken on trust then. In a path, control characters and % are %XX. */
#ifndef PDTOOL_SYMBOLS_MANIFEST_H
#define PDTOOL_SYMBOLS_MANIFEST_H

#include "parser/base/buf.h"
#include "parser/state/module.h"

#define MANIFEST_NAME "pdtool-pack"
#define MANIFEST_HEAD MANIFEST_NAME "\t1\n"
#define MANIFEST_MAX  (64u << 20) /* bytes */

struct manifest_file {
	struct build_id id; /* len 0: none */
	bool unverified;
	const char *name; /* NAME_LEN characters */
	int name_len;
};

/* Append the line of module M, of the file called NAME that was at ORIGIN. */
void manifest_module(struct buf *out, const struct module *m, const struct manifest_file *f);
void manifest_origin(struct buf *out, const char *name, const char *origin);
/* What TEXT, a manifest with a line end before its first line, says of M. */
bool manifest_find(const char *text, const struct module *m, struct manifest_file *out);
/* Append where it says that the member NAME was; false: it does not. */
bool manifest_find_origin(const char *text, const char *name, struct buf *out);

#endif
