/* Memory that cannot be had ends pdtool with one line, whoever asked for it.
 *
 * What pdtool asks for itself goes through parser/base/mem.c, which ends it. The libraries that it
 * stands on do not all look at what malloc() gives: libdw (0.188) uses a unit's table of
 * abbreviations, capstone (4.0.2) its tables and libarchive (3.6.2) its headers without; others
 * take the lack for damage of the file, and libc's qsort() for a reason to do something else. So
 * pdtool has a malloc() of its own, which is libc's (or a preloaded one's) and never returns NULL.
 *
 * One NULL remains: for what no machine has, which a damaged file asks for ("a table of 2^60
 * bytes"). That is the file's fault, and the library says so.
 *
 * Facts: a program's malloc() stands before libc's for all libraries ("Replacing malloc" in the
 * manual of the GNU C Library, which free() may be left out of when what it frees is libc's). A
 * static program has none before which to stand: there the linker's --wrap does it (Makefile). The
 * sanitizers have a malloc() of their own. */
#include "parser/base/die.h"
#include "parser/base/sanitized.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/sysinfo.h>

#if !SANITIZED

/* TYPE NAME(PARAMETERS), and next.NAME(), the one behind it. */
#ifdef STATIC
#define OURS(type, name, parameters)   \
	type __wrap_##name parameters; \
	type __real_##name parameters; \
	type __wrap_##name parameters
#define NEXT(name) __real_##name
#else
static struct {
	__typeof__(malloc) *malloc;
	__typeof__(calloc) *calloc;
	__typeof__(realloc) *realloc;
	__typeof__(aligned_alloc) *aligned_alloc;
	__typeof__(posix_memalign) *posix_memalign;
} next;

/* All at once, when memory is asked for first: dlsym() takes back what the last dlerror() gave, and
 * dlerror() asks for memory itself. */
static void find_next(void)
{
	next.malloc = (__typeof__(next.malloc))dlsym(RTLD_NEXT, "malloc");
	next.calloc = (__typeof__(next.calloc))dlsym(RTLD_NEXT, "calloc");
	next.realloc = (__typeof__(next.realloc))dlsym(RTLD_NEXT, "realloc");
	next.aligned_alloc = (__typeof__(next.aligned_alloc))dlsym(RTLD_NEXT, "aligned_alloc");
	next.posix_memalign = (__typeof__(next.posix_memalign))dlsym(RTLD_NEXT, "posix_memalign");
}

#define OURS(type, name, parameters)                                 \
	__attribute__((visibility("default"))) type name parameters; \
	type name parameters
#define NEXT(name) (next.malloc ? (void)0 : find_next(), next.name)
#endif

/* More than there is, even when nothing else runs. */
static bool is_absurd(size_t size)
{
	struct sysinfo have;

	if (sysinfo(&have) < 0)
		return size > PTRDIFF_MAX;
	return size / have.mem_unit > have.totalram + have.totalswap;
}

static void *checked(void *p, size_t size)
{
	if (!p && !is_absurd(size))
		mem_die(size);
	return p;
}

OURS(void *, malloc, (size_t size))
{
	return checked(NEXT(malloc)(size), size);
}

OURS(void *, calloc, (size_t count, size_t size))
{
	size_t all;

	if (__builtin_mul_overflow(count, size, &all))
		all = SIZE_MAX;
	return checked(NEXT(calloc)(count, size), all);
}

OURS(void *, realloc, (void *old, size_t size))
{
	void *p = NEXT(realloc)(old, size);

	return size ? checked(p, size) : p; /* 0: it was freed */
}

OURS(void *, aligned_alloc, (size_t alignment, size_t size))
{
	return checked(NEXT(aligned_alloc)(alignment, size), size);
}

OURS(int, posix_memalign, (void **p, size_t alignment, size_t size))
{
	int error = NEXT(posix_memalign)(p, alignment, size);

	if (error == ENOMEM)
		checked(NULL, size);
	return error;
}

#endif
