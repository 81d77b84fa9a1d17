/* --group NAME=REGEX: stacks sorted into named groups. */
#ifndef PDTOOL_GROUPS_H
#define PDTOOL_GROUPS_H

#include <regex.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/err.h"
#include "parser/filter.h"

#define GROUPS_MAX 64

/* What of a stack an expression looks at. REGEX alone looks at all three. */
enum group_part {
	GROUP_SYMBOL = 1, /* symbol:REGEX, the innermost frame */
	GROUP_STACK = 2,  /* stack:REGEX, any frame; the command is the outermost one */
	GROUP_DSO = 4,	  /* dso:REGEX, the module of the innermost frame */
};

struct groups {
	struct group {
		char *name;
		regex_t regex; /* POSIX extended */
		unsigned parts;
	} list[GROUPS_MAX];
	size_t count;
};

/* ERR_USAGE with a message in W when one of TEXTS makes no sense. */
CHECKED int groups_parse(struct groups *g, const struct name_list *texts, struct warnings *w);
void groups_release(struct groups *g);
/* The groups that TEXT, which is of this PART, belongs to: a bit for each. The lowest bit of all
 * parts together is the first match, which wins. */
uint64_t groups_match(const struct groups *g, enum group_part part, const char *text);

#endif
