/* --group NAME=REGEX: stacks sorted into named groups. */
#ifndef PDTOOL_GROUPS_H
#define PDTOOL_GROUPS_H

#include <stdint.h>

#include "formats/model/option.h"

/* What of a stack a pattern looks at; without a word before its expression, at all three. */
enum group_part {
	GROUP_SYMBOL = 1, /* symbol:REGEX, the innermost frame */
	GROUP_STACK,	  /* stack:REGEX, any frame; the command is the outermost one */
	GROUP_DSO,	  /* dso:REGEX, the module of the innermost frame */
};

/* The words, in that order. */
extern const char *const group_words[];

/* The groups that TEXT, which is of this PART, belongs to: a bit for each. The lowest bit of all
 * parts together is the first match, which wins. */
uint64_t groups_match(const struct pattern_list *g, enum group_part part, const char *text);

#endif
