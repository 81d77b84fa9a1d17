/* What is written from the rows of options: sections of the manual, and what shells complete. The
 * text around them in the files is kept. */
#ifndef PDTOOL_DOCS_H
#define PDTOOL_DOCS_H

#include "cli/options.h"
#include "parser/base/buf.h"

/* The page of A, or another one where A is NULL, from what it was. False when it has no place for
 * the options. */
bool man_page(const struct analyzer *a, const char *old, struct buf *out);
/* A page to begin with. */
void man_skeleton(const struct analyzer *a, struct buf *out);

enum shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH };

/* The tables of a completion. */
void shell_tables(enum shell shell, struct buf *out);

#endif
