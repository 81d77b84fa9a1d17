/* Byte strings to small ids: 0, 1, 2 ... in order of first appearance. */
#ifndef PDTOOL_BASE_INTERN_H
#define PDTOOL_BASE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "parser/base/arena.h"

#define INTERN_NONE UINT32_MAX

struct interned {
	const char *s; /* NUL-terminated copy */
	uint32_t len;
};

/* All zero is empty, as it is again after intern_release(). */
struct intern {
	struct interned *list;
	size_t count, cap;
	uint64_t *table; /* its hash, and below it its id + 1; 0 is free */
	size_t slots;
	struct arena text;
	size_t bytes; /* of the strings */
};

void intern_init(struct intern *t);
void intern_release(struct intern *t);
uint32_t intern_add(struct intern *t, const char *s, size_t len);
/* The id of S, or INTERN_NONE. */
uint32_t intern_find(const struct intern *t, const char *s, size_t len);
static inline const char *intern_str(const struct intern *t, uint32_t id)
{
	return t->list[id].s;
}

#endif
