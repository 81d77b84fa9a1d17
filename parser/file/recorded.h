/* Where recorders of phones leave names: simpleperf's features FILE and FILE2 and hiperf's
 * HIPERF_FILES_SYMBOL hold, file by file, the functions that samples were in; simpleperf's record
 * KERNEL_SYMBOL holds /proc/kallsyms.
 *
 * Such a section can be large, and few who open a capture ask for names, so only where it is is
 * kept. It is read through a window, the symbols of a file twice at most. */
#ifndef PDTOOL_FILE_RECORDED_H
#define PDTOOL_FILE_RECORDED_H

#include "parser/base/recorded.h"
#include "parser/file/feature.h"

/* Tell SINK what F holds, in the order of the capture. Damage is a warning in W. */
void recorded_read(const struct capture *f, const struct recorded_sink *sink, struct warnings *w);

#endif
