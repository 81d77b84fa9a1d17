/* Android packages that are mapped as such: "base.apk" and an offset in it, where a library is
 * stored as it is. Recorders for Android call that library "base.apk!/lib/..."; perf does not. */
#ifndef PDTOOL_SYMBOLS_PACKAGE_H
#define PDTOOL_SYMBOLS_PACKAGE_H

#include "parser/names/kind.h"

/* Load the symbols of J's locations from the libraries in the package that it is. No build-id is
 * recorded for what has none, so the user must have asked for files at recorded paths. */
void package_load(struct module_job *j);

#endif
