/* Modules, functions and locations of a capture that was read and named, as a profile has them. */
#ifndef PDTOOL_EXPORT_PLACES_H
#define PDTOOL_EXPORT_PLACES_H

#include "formats/model/profile.h"
#include "parser/base/buf.h"
#include "parser/base/intern.h"
#include "parser/pdtool_module.h"

/* All zero is empty. */
struct profile_places {
	struct intern texts; /* all that others point to */
	struct intern known; /* functions, by all that makes one */
	struct profile_module *modules;
	struct profile_function *functions;
	struct profile_location *locations;
	struct profile_line *lines;
	uint32_t unknown, others; /* locations that stand for stacks of which nothing is known */
	size_t module_count, function_count, function_cap, location_count, line_count, line_cap;
	struct buf key, text;
};

void profile_places_make(struct profile_places *p, const struct pdt_session *s);
void profile_places_release(struct profile_places *p);

#endif
