/* Which distribution a capture comes from, as far as the release of its kernel tells, and the
 * commands that find packages of debug information there, by build-id. Nothing is run. */
#ifndef PDTOOL_DISTRO_H
#define PDTOOL_DISTRO_H

#include <stdbool.h>

#include "parser/base/buf.h"
#include "parser/base/build_id.h"

/* In PACKAGE %I is the build-id, %2 its first two digits, %R the rest of them; in KERNEL %K is the
 * release of the kernel, %F what follows its last dash. Sources: Debian's "Build-IDs" field (dctrl-
 * tools reads it), what gdb proposes on Fedora and openSUSE. */
struct distro {
	const char *name;
	const char *debuginfod;	      /* its public server of debug information, a URL; or NULL */
	const char *package, *kernel; /* forms of commands; NULL: it has no such packages */
	const char *note; /* how to find them, where that is not plain from those; or NULL */
};

/* RELEASE is "6.1.0-18-amd64" and such; NULL for one that tells nothing, or for NULL. */
const struct distro *distro_of(const char *release);
/* The command for the file with this build-id, at least two bytes of it. Nothing where the
 * distribution has no such packages. */
void distro_package(const struct distro *d, const struct build_id *id, struct buf *out);
/* The command for the kernel RELEASE, of which distro_of() made D. */
void distro_kernel_package(const struct distro *d, const char *release, struct buf *out);

#endif
