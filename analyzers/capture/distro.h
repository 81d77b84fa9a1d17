/* Which distribution a capture comes from, as far as the release of its kernel tells, and the
 * commands that find packages of debug information there, by build-id. Nothing is run. */
#ifndef PDTOOL_DISTRO_H
#define PDTOOL_DISTRO_H

#include <stdbool.h>

#include "parser/base/buf.h"
#include "parser/base/build_id.h"

struct distro;

/* RELEASE is "6.1.0-18-amd64" and such; NULL for one that tells nothing, or for NULL. */
const struct distro *distro_of(const char *release);
const char *distro_name(const struct distro *d);
/* Its public server of debug information, a URL. */
const char *distro_debuginfod(const struct distro *d);
/* How to find the packages, where that is not plain from the commands. May be NULL. */
const char *distro_note(const struct distro *d);
/* The command for the file with this build-id, at least two bytes of it. Nothing where the
 * distribution has no such packages. */
void distro_package(const struct distro *d, const struct build_id *id, struct buf *out);
/* The command for the kernel RELEASE, of which distro_of() made D. */
void distro_kernel_package(const struct distro *d, const char *release, struct buf *out);

#endif
