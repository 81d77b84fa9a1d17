/* A temporary file without a name: nothing of it stays behind. */
#ifndef PDTOOL_BASE_TEMPFILE_H
#define PDTOOL_BASE_TEMPFILE_H

#include <stdio.h>

/* Open, empty, in TMPDIR, or in memory where that cannot be; negative: neither can. The caller
 * closes it. */
int temp_file(void) __attribute__((warn_unused_result));
/* The same to be written and read as a stream, by *BUFFER, which is freed after it is closed; NULL:
 * errno says why not. */
FILE *temp_stream(char **buffer) __attribute__((warn_unused_result));

#endif
