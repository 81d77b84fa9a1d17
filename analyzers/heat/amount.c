#include "analyzers/heat/amount.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

uint64_t amount_unit(const char *name)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (!strcmp(units[i].name, name))
			return units[i].ns;
	}
	return 0;
}

bool amount_decimal(const char **text, const char *end, uint64_t unit, uint64_t *out)
{
	const char *p = *text, *first = p;
	uint64_t place = unit;

	for (*out = 0; p < end && isdigit((unsigned char)*p); p++) {
		if (__builtin_mul_overflow(*out, 10, out) ||
		    __builtin_add_overflow(*out, (uint64_t)(*p - '0'), out))
			return false;
	}
	if (__builtin_mul_overflow(*out, unit, out))
		return false;
	if (p < end && *p == '.' && (p > first || (p + 1 < end && isdigit((unsigned char)p[1])))) {
		for (p++; p < end && isdigit((unsigned char)*p); p++) {
			place /= 10; /* units are powers of ten */
			if (__builtin_add_overflow(*out, place * (uint64_t)(*p - '0'), out))
				return false;
		}
	}
	*text = p;
	return p > first;
}

bool amount_parse(const char *text, uint64_t unit, uint64_t *out)
{
	const char *end = text + strlen(text), *p = text + strspn(text, "0123456789.");

	if (*p) {
		unit = amount_unit(p);
		end = p;
	}
	return unit && amount_decimal(&text, end, unit, out) && text == end;
}
