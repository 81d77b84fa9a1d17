/* A result in several files: a file for each event. */
#ifndef PDTOOL_FILES_DUMPS_H
#define PDTOOL_FILES_DUMPS_H

#include "cli/options.h"
#include "formats/format.h"

/* Write LINES, at most LIMIT of them, into its files beside the output that O names, or else beside
 * the input; to standard output what is in none of them, and what was written. All appear, or none
 * does. Returns the exit status, after a message. */
int dumps_write(const struct lines_part *lines, uint64_t limit, const struct common_options *o,
		const struct rows *rows);

#endif
