/* What this process gives up before it looks at the first byte of an input: files that it has no
 * business with, and system calls. From there on a capture that takes it over can read what could
 * be read before in the places named here, and nothing leaves the machine. */
#ifndef PDTOOL_SANDBOX_H
#define PDTOOL_SANDBOX_H

#include <stdbool.h>

#include "cli/options.h"
#include "cli/sandbox/landlock.h"
#include "parser/base/buf.h"

struct sandbox {
	struct landlock files; /* .abi 0: not in force */
	bool calls;	       /* the filter of system calls is in force */
	bool network;	       /* for --debuginfod */
	const char *none;      /* why there is none; NULL: there is, as far as the kernel has it */
};

/* NETWORK: connections stay possible. Then sandbox_places(), or the like; sandbox_enter(). */
void sandbox_begin(struct sandbox *s, bool network);
/* What every run needs: libraries, a place for temporary files. HOST: also this host's files, but
 * not its settings, devices and processes. */
void sandbox_allow_common(struct sandbox *s, bool host);
/* The files of any directory of this host, but for those that hold no programs. */
void sandbox_allow_root(struct sandbox *s);
/* The inputs, outputs and places that the options name. */
void sandbox_allow_named(struct sandbox *s, const struct rows *rows,
			 const struct common_options *o);
/* PATH is read: an input. */
void sandbox_allow_input(struct sandbox *s, const char *path);
/* PATH is written, or replaced by a file that is made beside it. */
void sandbox_allow_output(struct sandbox *s, const char *path);
/* False: a rule for a place, s->files.path, could not be made, s->files.error. */
CHECKED bool sandbox_enter(struct sandbox *s);
void sandbox_release(struct sandbox *s);

/* All of this for a command; the same. */
CHECKED bool sandbox_for_command(struct sandbox *s, const struct rows *rows,
				 const struct common_options *o);
/* What is in force, as a line of text without its end. */
void sandbox_describe(const struct sandbox *s, struct buf *out);

#endif
