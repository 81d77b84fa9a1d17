/* A list of files that may hold symbols, with what is needed to choose among them: members of an
 * archive, or files that were found in a directory. */
#ifndef PDTOOL_SYMBOLS_SYMFILES_H
#define PDTOOL_SYMBOLS_SYMFILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/arena.h"
#include "parser/base/build_id.h"
#include "parser/base/intern.h"
#include "parser/names/sources/spool.h"

enum symfile_kind {
	SYMFILE_NONE,	  /* none of these: of no use */
	SYMFILE_ELF,	  /* by its contents, or a packed kernel module; others by their names */
	SYMFILE_KALLSYMS, /* in the form of /proc/kallsyms */
	SYMFILE_JIT,	  /* perf-PID.map, jit-PID.dump */
	SYMFILE_MANIFEST, /* of a pack: manifest.h */
};

struct symfile {
	const char *path; /* on disk, or ARCHIVE:MEMBER */
	const char *name; /* within its source, without "/" or "./" in front */
	enum symfile_kind kind;
	struct build_id id;    /* of the file itself; only ELF has one */
	struct build_id filed; /* of the directory that it lies in, where that is one; not proof */
	bool is_member;
	uint64_t offset; /* of a member: where in the spool, and how long */
	size_t size_bytes;
};

struct symfiles {
	struct symfile *list;
	size_t count, cap;
	struct intern paths; /* no path comes twice: ids are positions in the list */
};

void symfiles_init(struct symfiles *l);
void symfiles_release(struct symfiles *l);
/* Add a copy of F, whose path and name are copied and cleaned; a file of the same path is replaced.
 * The result is valid until the next is added. */
struct symfile *symfiles_add(struct symfiles *l, const struct symfile *f);
/* The one at PATH, or NULL. */
const struct symfile *symfiles_find(const struct symfiles *l, const char *path);

/* What a file called NAME is, that begins with the SIZE bytes at HEAD. */
enum symfile_kind symfile_kind(const char *name, const void *head, size_t size_bytes);
/* The build-id that the directories in NAME speak of: .build-id/xx/yyyy..., or a name that is one;
 * len 0: none. */
struct build_id symfile_filed(const char *name);
/* The last part of a path. */
const char *symfile_base(const char *path);
/* Is F what was at PATH, or the debug file of that? Whatever directories come before it: a root,
 * that of debug files, the one that was packed. */
bool symfile_is_at(const struct symfile *f, const char *path);

#endif
