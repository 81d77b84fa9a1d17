/* Where the result goes, and in which form: a file, a pipe, or a terminal that somebody looks at.
 */
#ifndef PDTOOL_OUTPUT_H
#define PDTOOL_OUTPUT_H

#include "analyzers/analyzer.h"
#include "cli/options.h"
#include "formats/format.h"

struct output {
	const struct common_options *options;
	const struct rows *rows;
	const char *command;
	const struct format *format, *instead; /* INSTEAD: of which a terminal is no place for */
	struct style style;
	bool makes_file, terminal;
};

/* The format, and how it is to look. O and ROWS must live as long as OUT. 0, or EXIT_USAGE after a
 * message. */
int output_choose(struct output *out, const struct analyzer *a, const struct common_options *o,
		  const struct rows *rows);
/* Is there a part that the format can draw? What an analyzer gives can depend on its options. */
bool output_can_show(const struct output *out, const struct result *result);
/* Were options given of the format that mean nothing in a drawing of RESULT? 0, or EXIT_USAGE after
 * a message. */
int output_check_options(const struct output *out, const struct rows *rows,
			 const struct result *result);
/* Write RESULT. What there is to say about it later goes into SAID. Returns the exit status. */
int output_write(struct output *out, const struct result *result, struct buf *said);

#endif
