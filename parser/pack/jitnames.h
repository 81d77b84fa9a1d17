/* perf-PID.map and jit-PID.dump without the directories of the source files that names and tables
 * of lines in them tell. */
#ifndef PDTOOL_PACK_JITNAMES_H
#define PDTOOL_PACK_JITNAMES_H

#include "parser/base/buf.h"
#include "parser/base/err.h"

#define JITNAMES_MAX (512u << 20) /* bytes of a file */

/* OUT: the file FD as it may leave the house; of a dump its records are where they were. ERR_IO: it
 * cannot be read; ERR_FORMAT: it is too large, or a dump that makes no sense. */
int jitnames_perf_map(struct buf *out, int fd) CHECKED;
int jitnames_dump(struct buf *out, int fd) CHECKED;

#endif
