/* What a run reads, so that it does not write over it. */
#ifndef PDTOOL_INPUTS_H
#define PDTOOL_INPUTS_H

#include "cli/options.h"

/* Are all files that the options have written none of those that they have read, by whatever name?
 * Also: from now on nothing unfinished of them is left by a signal. 0, or EXIT_USAGE after a
 * message. */
int inputs_check(struct common_options *o, const struct rows *rows);
/* Is the file to be made at PATH none of them? 0, or EXIT_USAGE after a message. */
int inputs_check_path(const struct common_options *o, const struct rows *rows, const char *path);
/* The same of the files that S found for itself, so far. ERR_USAGE, with the message in W. */
CHECKED int inputs_check_found(const struct common_options *o, const struct rows *rows,
			       const struct pdt_session *s, struct warnings *w);

#endif
