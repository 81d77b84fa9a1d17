/* What a session looks for files with: the files of this host that may be the recorded ones
 * (hostfile.h), and the way to those whose paths the input chose (reach.h). */
#ifndef PDTOOL_SYMBOLS_ACCESS_H
#define PDTOOL_SYMBOLS_ACCESS_H

#include "parser/names/hostfile.h"
#include "parser/names/names.h"

/* Set O->reach and O->host by what else O tells; see host_files_new() for the others. */
void access_begin(struct symbol_options *o, const struct machine *machine,
		  void (*tell)(void *ctx, struct capture_clock *out), void *ctx);
/* Tell which paths were refused since the last time. */
void access_report(const struct symbol_options *o, struct warnings *w);
/* None of O's watched files was opened so far; else ERR_USAGE, with the message in W. */
int access_check_watched(const struct symbol_options *o, struct warnings *w) CHECKED;
/* After the last use. */
void access_end(struct symbol_options *o, struct warnings *w);

#endif
