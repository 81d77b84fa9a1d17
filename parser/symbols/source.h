/* Lines of source files, by the paths that debug information names: below the root that the user
 * gave, or, as no build-id tells whether a source is the right one, on this host only where
 * unverified files are allowed. A path never leads out of that root by "..". */
#ifndef PDTOOL_SYMBOLS_SOURCE_H
#define PDTOOL_SYMBOLS_SOURCE_H

#include <stdint.h>

#include "parser/symbols/names.h"

#define SOURCE_FILE_MAX	 (8u << 20)  /* bytes of a file; larger ones are not read */
#define SOURCE_TOTAL_MAX (16u << 20) /* of all files */

struct sources;

struct sources *sources_new(const struct symbol_options *o);
void sources_free(struct sources *s);
/* The text of line LINE (from 1) of the file at PATH without its indentation, or NULL. As it is in
 * the file: not safe to show. Valid until sources_free(). */
const char *sources_line(struct sources *s, const char *path, uint32_t line);

#endif
