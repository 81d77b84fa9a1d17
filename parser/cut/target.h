/* Where a cut is written to: a file that is there when it is whole; or what cannot seek (standard
 * output, a FIFO), which gets it from a temporary file. */
#ifndef PDTOOL_CUT_TARGET_H
#define PDTOOL_CUT_TARGET_H

#include "parser/base/newfile.h"
#include "parser/names/sources/spool.h"

struct target {
	const char *path;
	struct newfile file;
	bool is_file; /* else standard output */
	bool through; /* by way of the temporary file */
};

/* Begin PATH; OUT gets the descriptor to write to. ERR_IO, with a message in W: there is nothing to
 * end. */
int target_open(struct target *t, const char *path, struct spool *out, struct warnings *w) CHECKED;
/* All is in OUT; FAILED: it is not wanted. ERR_IO, with a message in W: there is no file. */
int target_close(struct target *t, struct spool *out, bool failed, struct warnings *w) CHECKED;

#endif
