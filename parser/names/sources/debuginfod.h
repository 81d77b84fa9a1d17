/* Asking debuginfod servers for the files of a build-id, when the user wants that: the only place
 * that uses the network.
 *
 * It is done by elfutils' libdebuginfod, which puts what it gets into its cache directory, where
 * the providers look anyway (locate.c). The library is loaded when it is needed: it brings a whole
 * HTTP client along, for which no other run should pay, nor every build. */
#ifndef PDTOOL_SYMBOLS_DEBUGINFOD_H
#define PDTOOL_SYMBOLS_DEBUGINFOD_H

#include <stdbool.h>

#include "parser/base/build_id.h"
#include "parser/base/err.h"
#include "parser/names/names.h"

struct debuginfod;

/* Seconds without a byte: the transfer is given up. DEBUGINFOD_TIMEOUT in the environment says
 * another number. */
#define DEBUGINFOD_STALL_S 20
#define DEBUGINFOD_TRIES   2 /* servers that fail so often in a row are not asked again */

enum debuginfod_kind { DEBUGINFOD_EXECUTABLE, DEBUGINFOD_DEBUGINFO };

/* A client of the servers in the environment variable DEBUGINFOD_URLS, with a cache where
 * DEBUGINFOD_CACHE_PATH says. NULL, with the reason in W: the library is not there. */
struct debuginfod *debuginfod_new(struct warnings *w);
void debuginfod_free(struct debuginfod *d);
/* Get a file into the cache: true when it came. The same is not asked for twice. D may be NULL. */
bool debuginfod_get(struct debuginfod *d, const struct build_id *id, enum debuginfod_kind kind);
/* Tell whether the servers could not be reached. */
void debuginfod_report(const struct debuginfod *d, struct warnings *w);

#endif
