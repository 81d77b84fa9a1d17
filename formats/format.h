/* One way to write a result. */
#ifndef PDTOOL_FORMAT_H
#define PDTOOL_FORMAT_H

#include <stdbool.h>

#include "formats/lib/out.h"
#include "formats/model/result.h"

struct style {
	bool colour; /* a terminal that wants it */
};

struct format {
	const char *name, *summary;
	bool stacks, table; /* the shapes it can draw */
	/* Errors of writing are kept in OUT. */
	void (*render)(const struct result *r, const struct style *style, struct out *out);
};

extern const struct format format_folded;
extern const struct format format_text;
extern const struct format format_csv;

#endif
