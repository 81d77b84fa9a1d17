/* The commands of one entry and the byte that chooses. One thread, and no file of the user's: a run
 * depends on its input alone. */
#include "tests/fuzz/choice.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void choice_init(struct choice *c)
{
	const char *lines = getenv("FUZZ_COMMANDS");
	char *copy = xstrdup(lines ? lines : "");

	*c = (struct choice){ 0 };
	for (char *line = strtok(copy, "\n"); line && c->count < COMMANDS_MAX;
	     line = strtok(NULL, "\n")) {
		struct buf text = { 0 };

		buf_printf(&text, "%s -j1 --no-config", line);
		buf_char(&text, '\0');
		c->commands[c->count++] = text.data;
	}
	free(copy);
	if (!c->count) {
		fprintf(stderr, "expected commands in FUZZ_COMMANDS, see tests/fuzz/guided.sh\n");
		exit(2);
	}
}

const char *choice_of(const struct choice *c, const uint8_t *bytes, size_t size)
{
	return size ? c->commands[bytes[size - 1] % c->count] : NULL;
}
