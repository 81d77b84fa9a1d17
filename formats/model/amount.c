/* The text of a capture never keeps the two control bytes, so that amounts are told from it. */
#include "formats/model/amount.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *amount_of(char text[AMOUNT_MAX], enum column_type type, uint64_t n)
{
	snprintf(text, AMOUNT_MAX, "%c%c%" PRIu64 "%c", AMOUNT_BEGIN, 'A' + (int)type, n,
		 AMOUNT_END);
	return text;
}

const char *amount_real(char text[AMOUNT_MAX], bool in_ns, double n)
{
	if (n >= 0 && n < 1e18 && (in_ns || n == floor(n)))
		return amount_of(text, in_ns ? COLUMN_NS : COLUMN_COUNT, (uint64_t)round(n));
	snprintf(text, AMOUNT_MAX, "%.15g", n);
	return text;
}

const char *amount_percent(char text[AMOUNT_MAX], double percent)
{
	double shown = isfinite(percent) && fabs(percent) < 1e18 ? percent : 0;

	snprintf(text, AMOUNT_MAX, "%c%c%.2f%c", AMOUNT_BEGIN, 'A' + COLUMN_PERCENT, shown,
		 AMOUNT_END);
	return text;
}

size_t amount_length(const char *text)
{
	size_t n;

	if (text[0] != AMOUNT_BEGIN || text[1] < 'A' || text[1] >= 'A' + COLUMN_TYPES)
		return 0;
	n = 2 + strspn(text + 2, "-0123456789.");
	return n > 2 && n < AMOUNT_MAX && text[n] == AMOUNT_END ? n + 1 : 0;
}

double percent_of(double part, double whole)
{
	return whole > 0 ? 100 * (part / whole) : 0;
}
