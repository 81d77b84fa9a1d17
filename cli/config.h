/* The user's settings: $XDG_CONFIG_HOME/pdtool/config, in the form of git's and perf's files.
 *
 *   [report]
 *       sort = dso,sym
 *
 * What is wrong with the file is said once, with its line; then nothing of it holds. */
#ifndef PDTOOL_CONFIG_H
#define PDTOOL_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "parser/base/buf.h"
#include "parser/base/err.h"

struct setting {
	char *section; /* "core", "report", "sched-latency" */
	char *key;
	char *value; /* NULL: the key stands alone */
	unsigned line;
};

struct config {
	struct buf path; /* empty: there is no file */
	struct setting *list;
	size_t count, cap;
};

/* Read it, if there is one. ERR_USAGE when it cannot be used, ERR_IO when the system did
 * not give it: then WHY says so, with path and
 * line. To be released also then. */
CHECKED int config_read(struct config *c, struct buf *why);
void config_release(struct config *c);

#endif
