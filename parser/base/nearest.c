/* Slips in words, by their distance. */
#include "parser/base/nearest.h"
#include "parser/base/mem.h"

#include <stddef.h>
#include <string.h>

/* Optimal string alignment would be finer; plain edit distance finds the usual slips. */
static unsigned distance(const char *a, const char *b)
{
	size_t n = strlen(b);
	unsigned row[64];

	if (n >= ARRAY_SIZE(row) || strlen(a) >= ARRAY_SIZE(row))
		return 99;
	for (size_t j = 0; j <= n; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; a[i - 1]; i++) {
		unsigned diagonal = row[0];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= n; j++) {
			unsigned best = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[n];
}

const char *nearest(const char *word, const char *const *list)
{
	const char *best = NULL;
	unsigned least = 3; /* farther than two slips is another word */

	for (; *list; list++) {
		unsigned d = distance(word, *list);

		if (d < least && d < strlen(*list)) {
			least = d;
			best = *list;
		}
	}
	return best;
}
