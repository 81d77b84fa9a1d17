/* Write a jitdump from text, for tests/oracle/jit.sh:   jitfile little|big MACHINE PID FLAGS <TEXT
 * >DUMP
 *
 *   load TIME ADDRESS SIZE INDEX NAME        move TIME OLD ADDRESS SIZE INDEX
 *   line ADDRESS AT LINE FILE                (of the function at ADDRESS; one entry)
 *   unwind SIZE CFA                          (of the next load)
 *   other TYPE BYTES
 *
 * All but the names are numbers as C writes them. */
#include "tests/lib/jitimage.h"

#include <stdio.h>
#include <stdlib.h>

#define NUMBERS_MAX 5

static void add(struct jit_image *im, char kind, const uint64_t v[NUMBERS_MAX], const char *text)
{
	struct jit_line line = { v[1], (uint32_t)v[2], text };

	if (kind == 'l')
		jit_load(im, v[0], (struct jit_code){ v[1], v[2], v[3] }, text);
	else if (kind == 'm')
		jit_move(im, v[0], v[1], (struct jit_code){ v[2], v[3], v[4] });
	else if (kind == 'd')
		jit_debug(im, v[0], &line, 1);
	else if (kind == 'u')
		jit_unwinding(im, v[0], (uint8_t)v[1]);
	else
		jit_other(im, (uint32_t)v[0], (unsigned)v[1]);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *word;
		char kind;
		unsigned numbers;
	} forms[] = {
		{ "load", 'l', 4 },   { "move", 'm', 5 },  { "line", 'd', 3 },
		{ "unwind", 'u', 2 }, { "other", 'o', 2 },
	};
	struct jit_image im = { 0 };
	char text[1024];

	if (argc != 5)
		return 2;
	im.big = !strcmp(argv[1], "big");
	jit_header(&im, (uint32_t)strtoul(argv[2], NULL, 0), (uint32_t)strtoul(argv[3], NULL, 0),
		   strtoull(argv[4], NULL, 0));
	while (fgets(text, sizeof(text), stdin)) {
		for (unsigned f = 0; f < sizeof(forms) / sizeof(forms[0]); f++) {
			size_t len = strlen(forms[f].word);
			uint64_t v[NUMBERS_MAX] = { 0 };
			char *p = text + len;

			if (strncmp(text, forms[f].word, len))
				continue;
			for (unsigned i = 0; i < forms[f].numbers; i++)
				v[i] = strtoull(p, &p, 0);
			p += strspn(p, " ");
			p[strcspn(p, "\n")] = '\0';
			add(&im, forms[f].kind, v, p);
		}
	}
	return fwrite(im.b.data, im.b.len, 1, stdout) != 1;
}
