/* Which command an input of the guided campaign is for: its last byte tells, so that what mutates
 * inputs changes the command, too. The input proper ends before that byte. */
#ifndef PDTOOL_FUZZ_CHOICE_H
#define PDTOOL_FUZZ_CHOICE_H

#include <stddef.h>
#include <stdint.h>

#define COMMANDS_MAX 64

struct choice {
	const char *commands[COMMANDS_MAX]; /* as runner.h has them */
	size_t count;
};

/* The lines of the environment's FUZZ_COMMANDS; ends the program where there are none. */
void choice_init(struct choice *c);

/* NULL: there is not even the last byte. */
const char *choice_of(const struct choice *c, const uint8_t *bytes, size_t size);

#endif
