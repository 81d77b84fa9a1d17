/* The same list as a script for the recording machine, which also finds what only the binaries
 * there know of. */
#ifndef PDTOOL_BUNDLE_SCRIPT_H
#define PDTOOL_BUNDLE_SCRIPT_H

#include "analyzers/count/answer.h"
#include "parser/base/buf.h"
#include "parser/base/intern.h"
#include "parser/pdtool_capture.h"
#include "parser/pdtool_module.h"

struct bundle_script {
	struct buf list;
	struct intern lines;
};

/* B is initialised to zero. M's entries; the others are as module_paths() has them. */
void bundle_script_add(struct bundle_script *b, const struct pdt_module *m, const char *cache,
		       bool whole_cache);
/* The script, a cell a line. */
void bundle_script_write(struct bundle_script *b, const struct pdt_session *s, struct answer *a);
void bundle_script_release(struct bundle_script *b);

#endif
