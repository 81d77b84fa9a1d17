/* Where the files of a module lie on the machine that recorded it, as far as the capture tells. */
#ifndef PDTOOL_MODULE_PATHS_H
#define PDTOOL_MODULE_PATHS_H

#include <stdbool.h>

#include "parser/base/buf.h"
#include "parser/base/build_id.h"
#include "parser/pdtool_module.h"

/* perf's build-id cache of the user who mostly records. */
#define RECORDER_CACHE "/root/.debug"

struct path_sink {
	void (*take)(void *ctx, const char *path);
	void *ctx;
};

/* As it was recorded, and its build-id. */
const char *module_path(const struct pdt_module *m);
struct build_id module_id(const struct pdt_module *m);

/* Append the directory that is the root of its path while the process lives that mapped it:
 * "/proc/PID/root" for what a container has, else nothing. */
void module_root(const struct pdt_module *m, struct buf *out);

/* All absolute paths that may be files and that serve for names, lines and unwinding; none of
 * special files, none marked as deleted. CACHE is the recorder's build-id cache: with
 * WHOLE_CACHE its copy of every module, else only of what is nowhere else. */
void module_paths(const struct pdt_module *m, const char *cache, bool whole_cache,
		  const struct path_sink *sink);
/* Could PATH, as it was recorded, be a regular file that is still there? */
bool is_recorded_file(const char *path);
/* A line for "tar -T": GNU tar's quoting, which undoes what would break a line or a terminal. */
void tar_line(const char *path, struct buf *out);
/* A word for a shell; false when PATH holds bytes that cannot be shown. */
bool shell_word(const char *path, struct buf *out);

#endif
