/* Names in place of names: the same one for the same one, numbered as they come. What names no one
 * is left: "[vdso]", "//anon", what shows that a file is the kernel's or a module of it. */
#ifndef PDTOOL_CUT_PSEUDONYM_H
#define PDTOOL_CUT_PSEUDONYM_H

#include "parser/base/buf.h"
#include "parser/base/intern.h"

enum pseudonym {
	NAME_COMM,   /* comm-1 */
	NAME_DIR,    /* dir-1 */
	NAME_FILE,   /* file-1 */
	NAME_CGROUP, /* cgroup-1 */
	NAME_SYMBOL, /* symbol-1 */
	NAME_EVENT,  /* event_1: perf takes no other sign there */
	NAME_ARG,    /* arg-1 */
	NAME_TEXT,   /* text-1 */
	NAMES
};

/* All zero is empty. */
struct pseudonyms {
	struct intern seen[NAMES];
};

/* Append what stands for TEXT; nothing for none. */
void pseudonym_add(struct pseudonyms *p, enum pseudonym kind, struct interned text,
		   struct buf *out);
/* The same of the path of a file or mapping: as many directories and files as there were, and the
 * same file in two directories is that here, too. */
void pseudonym_path(struct pseudonyms *p, struct interned path, struct buf *out);
void pseudonyms_release(struct pseudonyms *p);

#endif
