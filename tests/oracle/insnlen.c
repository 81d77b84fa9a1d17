/* insnlen [32] <LISTING: how many instructions of "objdump -d -w --insn-width=20" have another
 * length. Where objdump found none, or prefixes alone, there is nothing to compare. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/symbols/x86len.h"

/* "  26381:\te8 19 00 00 00    \tcall ..." */
static size_t bytes_of(const char *line, uint8_t *out, size_t most)
{
	const char *at = strstr(line, ":\t");
	size_t n = 0;

	if (!at || strstr(line, "(bad)"))
		return 0;
	for (at += 2; n < most && at[0] != ' ' && at[0] && at[0] != '\t'; at += at[2] ? 3 : 2)
		out[n++] = (uint8_t)strtoul((char[]){ at[0], at[1], 0 }, NULL, 16);
	return *at ? n : 0;
}

int main(int argc, char **argv)
{
	bool long_mode = argc < 2 || strcmp(argv[1], "32") != 0;
	unsigned long all = 0, other = 0;
	char line[4096];

	while (fgets(line, sizeof(line), stdin)) {
		uint8_t code[32 + X86_LENGTH_MAX];
		size_t n = bytes_of(line, code, 32);

		if (!n)
			continue;
		memset(code + n, 0xcc, X86_LENGTH_MAX);
		all++;
		if (x86_length(code, n + X86_LENGTH_MAX, long_mode) == n)
			continue;
		if (other++ < 10)
			fputs(line, stderr);
	}
	printf("%lu %lu\n", all, other);
	return 0;
}
