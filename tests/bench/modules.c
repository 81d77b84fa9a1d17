// SPDX-License-Identifier: MIT
/*
 * modules LIBRARY...: load them all, and call work() of each in turn, for
 * modules.data: a process of thousands of modules. It runs until perf record
 * ends it. Built with -DLIBRARY it is such a library.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef LIBRARY
uint64_t work(uint64_t n);

uint64_t work(uint64_t n)
{
	for (unsigned int i = 0; i < 5000; i++)
		n = n * 6364136223846793005u + 1442695040888963407u;
	return n;
}
#else
int main(int argc, char **argv)
{
	uint64_t (**work)(uint64_t) = calloc((size_t)argc, sizeof(*work));
	volatile uint64_t sink = 0;

	for (int i = 1; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);

		*(void **)&work[i] = library ? dlsym(library, "work") : NULL;
		if (!work[i]) {
			fprintf(stderr, "modules: %s\n", dlerror());
			return 1;
		}
	}
	for (uint64_t n = 0; argc > 1; n++)
		sink += work[1 + n % (uint64_t)(argc - 1)](n);
	return 2;
}
#endif
