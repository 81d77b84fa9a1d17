/* Adding an analyzer or a format is one file and one row here. */
#include "cli/registry.h"

#include <string.h>

const struct analyzer *const analyzers[] = {
	&analyzer_abstime,
	&analyzer_annotate,
	&analyzer_block,
	&analyzer_bundle_list,
	&analyzer_collapse,
	&analyzer_diff,
	&analyzer_doctor,
	&analyzer_flamegraph,
	&analyzer_heatmap,
	&analyzer_info,
	&analyzer_offcpu,
	&analyzer_report,
	&analyzer_sched_blame,
	&analyzer_sched_latency,
	&analyzer_sched_map,
	&analyzer_sched_timehist,
	&analyzer_sched_timeline,
	&analyzer_wakeup,
	NULL,
};

const struct format *const formats[] = {
	&format_folded, &format_text, &format_csv, &format_json, &format_svg, NULL,
};

/* How many of the words at ARGV does NAME consist of? 0: they are others. */
static int words_used(const char *name, char **argv)
{
	size_t len = strcspn(name, " ");

	if (!argv[0] || strlen(argv[0]) != len || strncmp(argv[0], name, len) != 0)
		return 0;
	if (!name[len])
		return 1;
	return argv[1] && !strcmp(argv[1], name + len + 1) ? 2 : 0;
}

const struct analyzer *analyzer_find(char **argv, int *used)
{
	for (size_t i = 0; analyzers[i]; i++) {
		*used = words_used(analyzers[i]->name, argv);
		if (*used)
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
