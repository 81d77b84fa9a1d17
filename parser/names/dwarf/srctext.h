/* Lines of source files, by the paths that debug information names: below the root or the prefix
 * that the user gave, or, as no build-id tells whether a source is the right one, on this host only
 * where unverified files are allowed. A path never leads out of that root by "..". */
#ifndef PDTOOL_SYMBOLS_SRCTEXT_H
#define PDTOOL_SYMBOLS_SRCTEXT_H

#include <stdint.h>

#include "parser/names/names.h"

#define SOURCE_FILE_MAX	 (8u << 20)  /* bytes of a file; larger ones are not read */
#define SOURCE_TOTAL_MAX (16u << 20) /* of all files */

struct srctext;

struct srctext *srctext_new(const struct symbol_options *o);
void srctext_free(struct srctext *s);
/* The text of line LINE (from 1) of the file at PATH, or NULL. As it is in the file: not safe to
 * show. Valid until srctext_free(). */
const char *srctext_line(struct srctext *s, const char *path, uint32_t line);

#endif
