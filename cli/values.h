/* The values of options, by the types of their rows. */
#ifndef PDTOOL_VALUES_H
#define PDTOOL_VALUES_H

#include "formats/model/option.h"
#include "parser/base/buf.h"
#include "parser/base/err.h"

/* Does an option of this type come with a value? */
bool value_is_taken(const struct option *o);
/* Does TEXT match the pattern that O has for its values? False where it has none. */
bool value_looks_right(const struct option *o, const char *text);
/* Put TEXT, which must live as long as AT, into AT. ERR_USAGE when it is no value of O: then WHY
 * holds what one is; ERR_IO when the file that it names could not be read. */
CHECKED int value_set(const struct option *o, void *at, const char *text, struct buf *why);
void value_release(const struct option *o, void *at);

/* How a value is called: "KEYS", "samples|period"; nothing where there is none. */
void value_name(const struct option *o, struct buf *out);
/* The help of O: its text, its words and what holds if it is not given. */
void value_help(const struct option *o, struct buf *out);
/* The first of the words that entry I of O's words is, *LEN bytes long; NULL behind the last. */
const char *value_word(const struct option *o, size_t i, size_t *len);

#endif
