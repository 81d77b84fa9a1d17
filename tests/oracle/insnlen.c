/* What symbols/ makes of the instructions in LISTING, by "objdump -d -w --insn-width=20". Where
 * objdump found no instruction there is nothing to compare.
 *   insnlen length|length32 <LISTING   how many there are, and how many have another length
 *   insnlen att|intel <LISTING         the text of those that x86_mask_text() knows, a tab, and
 *                                      objdump's */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/names/disasm/x86len.h"
#include "parser/names/disasm/x86mask.h"

#define BYTES_MAX 32

struct line {
	uint8_t code[BYTES_MAX + X86_LENGTH_MAX];
	size_t size;
	const char *text;
};

/* "  26381:\te8 19 00 00 00    \tcall ..." */
static bool parse(char *text, struct line *l)
{
	const char *at = strstr(text, ":\t");

	memset(l, 0, sizeof(*l));
	if (!at || strstr(text, "(bad)"))
		return false;
	for (at += 2; l->size < BYTES_MAX && *at && !strchr(" \t", *at); at += at[2] ? 3 : 2)
		l->code[l->size++] = (uint8_t)strtoul((char[]){ at[0], at[1], 0 }, NULL, 16);
	at = strchr(at, '\t');
	text[strcspn(text, "\n")] = 0;
	l->text = at ? at + 1 : "";
	return at && l->size;
}

static bool same_length(const struct line *l, bool long_mode)
{
	return x86_length(l->code, l->size + X86_LENGTH_MAX, long_mode) == l->size;
}

static void print_text(const struct line *l, bool intel)
{
	struct buf b = { 0 };

	if (same_length(l, true) && x86_mask_text(l->code, l->size, intel, &b))
		printf("%s\t%s\n", b.data, l->text);
	buf_release(&b);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "length";
	unsigned long all = 0, other = 0;
	char text[4096];
	struct line l;

	while (fgets(text, sizeof(text), stdin)) {
		if (!parse(text, &l))
			continue;
		all++;
		if (strncmp(mode, "length", 6)) {
			print_text(&l, !strcmp(mode, "intel"));
		} else if (!same_length(&l, !strcmp(mode, "length"))) {
			other++;
			fprintf(stderr, "%s\n", text);
		}
	}
	if (!strncmp(mode, "length", 6))
		printf("%lu %lu\n", all, other);
	return 0;
}
