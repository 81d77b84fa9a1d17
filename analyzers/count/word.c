#include "analyzers/count/word.h"

#include <string.h>

int word_of(const char *value, const char *const *words)
{
	for (int i = 0; words[i]; i++) {
		if (!strcmp(value, words[i]))
			return i;
	}
	return -1;
}
