/* Allocation that reports and aborts when memory runs out. */
#include "parser/base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void mem_die(size_t size) __attribute__((noreturn));

static void mem_die(size_t size)
{
	fprintf(stderr, "pdtool: out of memory (%zu bytes wanted)\n", size);
	abort();
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		mem_die(size);
	return p;
}

void *xcalloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (!p)
		mem_die(count * size);
	return p;
}

void *xrealloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (!p)
		mem_die(size);
	return p;
}

char *xstrdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(xmalloc(n), s, n);
}

void *xgrow(void *p, size_t *cap, size_t want, size_t size)
{
	size_t n = *cap ? *cap : 16;

	if (want <= *cap)
		return p;
	while (n < want)
		n += n / 2;
	if (n > SIZE_MAX / size)
		mem_die(SIZE_MAX);
	*cap = n;
	return xrealloc(p, n * size);
}
