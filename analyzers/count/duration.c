#include "analyzers/count/duration.h"
#include "parser/base/mem.h"
#include "parser/filter.h"

#include <string.h>

int duration_parse(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t parts; /* of a second */
	} units[] = {
		{ "", 1 }, { "s", 1 }, { "ms", 1000 }, { "us", 1000000 }, { "ns", 1000000000 },
	};
	size_t len = strspn(text, "0123456789.");
	uint64_t v;

	if (seconds_parse(text, len, &v) < 0)
		return ERR_USAGE;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(text + len, units[i].name) != 0)
			continue;
		*ns = v / units[i].parts;
		return v % units[i].parts ? ERR_USAGE : 0;
	}
	return ERR_USAGE;
}
