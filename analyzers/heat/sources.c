/* The sources of points, one row each. */
#include "analyzers/heat/source.h"

const struct heat_source *const heat_sources[] = { &heat_ios, &heat_pairs, &heat_single, NULL };

const struct option heat_source_options[] = {
	{ .type = OPT_TABLE, .table = heat_ios_options, .offset = 0 * HEAT_OPTIONS_SIZE },
	{ 0 },
};
