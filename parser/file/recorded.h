/* The feature sections in which recorders of phones leave names: simpleperf's FILE and FILE2 and
 * hiperf's HIPERF_FILES_SYMBOL. They hold, file by file, the functions that samples were in.
 *
 * Such a section can be large, and few who open a capture ask for names, so features_read() only
 * keeps where it is. It is read through a window, the symbols of a file twice at most. */
#ifndef PDTOOL_FILE_RECORDED_H
#define PDTOOL_FILE_RECORDED_H

#include "parser/base/recorded.h"
#include "parser/file/feature.h"

/* Tell SINK what F holds, in the order of the capture. Damage is a warning in W. */
void recorded_read(const struct capture *f, const struct recorded_sink *sink, struct warnings *w);

#endif
