/* Bits that only grow. */
#include "parser/feed/passed.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

static void grow(struct passed_part *p, size_t want)
{
	size_t old = p->bytes;

	p->bits = xgrow(p->bits, &p->bytes, want, 1);
	memset(p->bits + old, 0, p->bytes - old);
}

struct passed *passed_new(void)
{
	return xcalloc(1, sizeof(struct passed));
}

void passed_add(struct passed *k, size_t part, uint64_t number)
{
	struct passed_part *p;

	if (number >= PASSED_MAX) {
		k->full = true;
		return;
	}
	if (part >= k->count) {
		k->parts = xrealloc(k->parts, (part + 1) * sizeof(*k->parts));
		memset(k->parts + k->count, 0, (part + 1 - k->count) * sizeof(*k->parts));
		k->count = part + 1;
	}
	p = &k->parts[part];
	if (number / 8 >= p->bytes)
		grow(p, (size_t)(number / 8) + 1);
	p->bits[number / 8] |= (uint8_t)(1u << number % 8);
}

bool passed_has(const struct passed *k, size_t part, uint64_t number)
{
	return part < k->count && number / 8 < k->parts[part].bytes &&
	       k->parts[part].bits[number / 8] >> number % 8 & 1;
}

void passed_free(struct passed *k)
{
	for (size_t i = 0; k && i < k->count; i++)
		free(k->parts[i].bits);
	if (k)
		free(k->parts);
	free(k);
}
