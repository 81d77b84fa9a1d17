/* Patterns of fnmatch(3) in the words of an engine. */
#ifndef PDTOOL_STORE_QUESTIONS_GLOB_H
#define PDTOOL_STORE_QUESTIONS_GLOB_H

#include <stdbool.h>

struct buf;

#define GLOB_SPECIAL "*?[\\" /* a text without these lets itself pass, and nothing else */

/* What PATTERN lets pass, for SQLite's GLOB and as a regular expression of RE2; '?', and what is
 * between brackets, is a character of UTF-8. False: it lets nothing pass. */
bool glob_sqlite(struct buf *out, const char *pattern);
bool glob_re2(struct buf *out, const char *pattern);

#endif
