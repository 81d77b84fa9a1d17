/* Formats of tracepoints for a capture that lost its own with the end of the file: perf reads no
 * tracepoint without. They tell what all tracepoints have, and nothing else; a tracepoint is called
 * tp:NUMBER, as pdtool calls it where there is no name. */
#ifndef PDTOOL_CUT_FORMATS_H
#define PDTOOL_CUT_FORMATS_H

#include "parser/base/buf.h"
#include "parser/file/feature.h"

/* Append the tracing data of F, which has none, to OUT. Nothing is appended if it has no
 * tracepoints. */
void formats_make(const struct capture *f, struct buf *out);

#endif
