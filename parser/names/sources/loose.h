/* The files with symbols in a directory that has no layout of its own: found by looking at each,
 * known by its build-id. */
#ifndef PDTOOL_SYMBOLS_LOOSE_H
#define PDTOOL_SYMBOLS_LOOSE_H

#include "parser/base/err.h"
#include "parser/names/sources/symfiles.h"

#define LOOSE_FILES_MAX 20000 /* that are looked at */
#define LOOSE_DEPTH_MAX 16    /* directories within each other */

/* Add what is in the directory DIR and below it to OUT, in the order of the names. Links to
 * directories are not followed, those to files are. NULL, or why not all was looked at, to be
 * freed. */
char *loose_read(struct symfiles *out, const char *dir);

/* The file at PATH, if it is one with symbols; its name begins NAME_AT bytes into it. ERR_FORMAT:
 * it is none; ERR_IO: errno says why, as of reach_open(). */
int loose_add(struct symfiles *out, const char *path, size_t name_at);

#endif
