/* The directories and files at the head of a line table (DWARF 5 section 6.2.4).
 *
 * libdw spells out the path of each file as soon as it reads a table: the unit's directory, the
 * file's, its name. A small crafted table, one long directory and very many files of one byte,
 * makes that terabytes; so the head is looked at before the table is given to libdw. */
#ifndef PDTOOL_SYMBOLS_LINEHEAD_H
#define PDTOOL_SYMBOLS_LINEHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/cursor.h"
#include "parser/base/err.h"

#define LINEHEAD_PATHS_MAX (64u << 20) /* bytes; the largest units of large programs have one */

/* Sections that forms of DWARF 5 point into; each may have no bytes. */
struct line_texts {
	const uint8_t *line_str, *str;
	size_t line_str_bytes, str_bytes;
};

/* Bytes that all paths of the table at C take, where the unit's directory has DIR_BYTES; more than
 * LINEHEAD_PATHS_MAX as soon as they are too many. A head that makes no sense counts as far as it
 * does. */
uint64_t linehead_path_bytes(struct cursor c, size_t dir_bytes, const struct line_texts *texts);

/* Told of each text that the head of a table has or points to, where it stands: is it a file's
 * path? The others are directories and such. */
struct line_sink {
	void (*text)(void *ctx, const char *text, size_t len, bool is_file);
	void *ctx;
};

/* ERR_FORMAT: the head of the table at C makes no sense, or is too large; what was told is not all.
 */
int linehead_texts(struct cursor c, const struct line_texts *texts,
		   const struct line_sink *sink) CHECKED;

#endif
