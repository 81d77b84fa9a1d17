/* Help: the commands by what they answer, the options of one in short, and the manual. */
#ifndef PDTOOL_HELP_H
#define PDTOOL_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "analyzers/analyzer.h"

/* By enum question, in words. */
extern const char *const help_questions[];

void help_commands(FILE *to);
/* The commands that begin with WORD ("sched"), on stdout; false: there are none. */
bool help_group(const char *word);
/* The commands and the formats. */
void help_list(void);
/* The options of A and the common ones. */
void help_options(const struct analyzer *a);
/* The manual page of a command, of pdtool (""), or "config", "peers". False: there is none. */
bool help_page(const char *name);

#endif
