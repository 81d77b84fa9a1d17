/* Readable names from mangled ones: Itanium C++, Rust (legacy and v0) and D, by libiberty; OCaml,
 * Java and Haskell (langnames.h).
 *
 * The text is that of cplus_demangle(s, DMGL_NO_OPTS): no parameters, no return type, clone
 * suffixes dropped; but `x@plt` keeps its suffix, and D, which has no form without them, keeps its
 * parameters. Thread safe: no state outside the call. Uses up to about 1 MiB of stack. */
#ifndef PDTOOL_SYMBOLS_DEMANGLE_H
#define PDTOOL_SYMBOLS_DEMANGLE_H

#include <stddef.h>
#include <stdint.h>

#include "parser/base/arena.h"

#define DEMANGLE_INPUT_MAX  (16u << 10) /* bytes of a mangled name; longer ones stay as they are */
#define DEMANGLE_OUTPUT_MAX (64u << 10) /* bytes of readable name */

enum demangle_how {
	DEMANGLE_AS_PERF = 1, /* with perf's faults; else those of no file */
	DEMANGLE_GHC = 2,     /* of a file that GHC made */
	DEMANGLE_BY_CXA = 4,  /* C++ and legacy Rust only, as __cxa_demangle() does: parameters and
				 clone suffixes are kept, and types are mangled names, too */
};

/* The readable form of MANGLED, stored in OUT; or MANGLED itself, when it is not a mangled name or
 * a limit was hit, which *LIMITED (may be NULL) counts. Never NULL. HOW: enum demangle_how, or-ed.
 */
const char *demangle(const char *mangled, unsigned how, struct arena *out, uint64_t *limited)
	__attribute__((returns_nonnull));

#endif
