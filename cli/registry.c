/* Adding an analyzer or a format is one file and one row here. */
#include "cli/registry.h"

#include <string.h>

const struct analyzer *const analyzers[] = {
	&analyzer_abstime, &analyzer_collapse, &analyzer_diff, &analyzer_flamegraph,
	&analyzer_info,	   &analyzer_report,   NULL,
};

const struct format *const formats[] = {
	&format_folded, &format_text, &format_csv, &format_json, &format_svg, NULL,
};

const struct analyzer *analyzer_find(const char *name)
{
	for (size_t i = 0; analyzers[i]; i++) {
		if (!strcmp(analyzers[i]->name, name))
			return analyzers[i];
	}
	return NULL;
}

const struct format *format_find(const char *name)
{
	for (size_t i = 0; formats[i]; i++) {
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	}
	return NULL;
}
