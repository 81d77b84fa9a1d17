/* Reads an amount from text: digits, a fraction, a unit. What is no number is refused, never
 * guessed. */
#include "analyzers/heat/amount.h"

#include <ctype.h>

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
