/* The places that --symbols names, in the order given. What each of them is was found out by
 * looking at it: an archive, a directory, a single file. Providers ask here (locate.c); so do those
 * who need a file by its name (perf-PID.map, jitdump).
 *
 * A source is looked into when it is first needed, which may be in several threads at once. A path
 * that comes from here may be ARCHIVE:MEMBER: it is opened by sources_elf() and sources_fd() alone.
 * Both take any other path, too, by the rules of reach.h. */
#ifndef PDTOOL_SYMBOLS_SOURCES_H
#define PDTOOL_SYMBOLS_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "parser/base/err.h"

struct buf;
struct elf_file;
struct sources;
struct symbol_options;
struct symfiles;

/* Where a file is. Both paths are valid as long as the sources are. */
struct source_path {
	const char *shown; /* for the user */
	const char *open;  /* for open(): a member of an archive has a copy without a name */
};

struct sources *sources_new(void);
void sources_free(struct sources *s);
/* Append PATH. ERR_USAGE, with the reason in W, when it is not there or nothing of ours. */
int sources_add(struct sources *s, const char *path, struct warnings *w) CHECKED;
/* A pack at PATH, before NEXT, which stays the caller's: FD is what follows its capture, at its
 * start, and stays the caller's. */
struct sources *sources_pack(struct sources *next, const char *path, int fd);
/* The text of its manifest (manifest.h), with a line end before the first line, valid as long as S;
 * NULL: S is no pack, or has none. */
const char *sources_manifest(struct sources *s);
/* Append the path of the pack's member NAME, LEN characters. */
void sources_member(const struct sources *s, const char *name, int len, struct buf *out);
/* Append where a member of it was when it was made; false: PATH is none, or it is not told. */
bool sources_origin(struct sources *s, const char *path, struct buf *out);
/* Report what could not be read of them. Call it after their last use. */
void sources_report(const struct sources *s, struct warnings *w);

size_t sources_count(const struct sources *s);
/* The I-th: a directory, to be asked by its layouts, or NULL. */
const char *sources_dir(const struct sources *s, size_t i);
/* The I-th: one file, by its path, or NULL. */
const char *sources_file(const struct sources *s, size_t i);
/* The files that were found in the I-th. */
const struct symfiles *sources_files(struct sources *s, size_t i);

/* Open an ELF file; see elf_file_open() and, for PRIVATE, elf_file_open_private(). */
struct elf_file *sources_elf(const struct symbol_options *o, const char *path, bool private,
			     int *err) CHECKED;
/* A descriptor on a regular file, at its start, for the caller to close. ERR_ABSENT, ERR_IO, or
 * ERR_FORMAT: not a regular file. */
int sources_fd(const struct symbol_options *o, const char *path) CHECKED;
/* The file called BASE ("perf-12.map", "jit-12.dump") in the first of them that has one; false:
 * there is none. */
bool sources_find(struct sources *s, const char *base, struct source_path *out) CHECKED;

#endif
