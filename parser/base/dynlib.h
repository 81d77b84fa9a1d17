/* Functions of a library that need not be installed, and is never unloaded: what it leaves behind
 * is its own affair. */
#ifndef PDTOOL_BASE_DYNLIB_H
#define PDTOOL_BASE_DYNLIB_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* NUMBER, a macro of its header: the name of the library that the header is of. */
#define DYNLIB_NAME(base, number)     DYNLIB_NAME_ARG(base, number)
#define DYNLIB_NAME_ARG(base, number) base ".so." #number

struct dynlib_function {
	void *to; /* a pointer to it */
	const char *name;
};

/* LIBRARY: NULL: it is not here. False: not all COUNT are there. */
static inline bool dynlib_find(void *library, const struct dynlib_function *wanted, size_t count)
{
	for (size_t i = 0; library && i < count; i++) {
		void *f = dlsym(library, wanted[i].name);

		if (!f)
			return false;
		memcpy(wanted[i].to, &f, sizeof(f));
	}
	return library != NULL;
}

#endif
