/* The analyzers and formats that exist. Adding one is one file, which ends in a const struct
 * analyzer_NAME or format_NAME, and its row here. */
#include "cli/registry.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/store.h"

#include <string.h>
#include <unistd.h>

#define ANALYZERS(ROW)      \
	ROW(abstime)        \
	ROW(annotate)       \
	ROW(block)          \
	ROW(branches)       \
	ROW(bundle_list)    \
	ROW(collapse)       \
	ROW(cut)            \
	ROW(diff)           \
	ROW(doctor)         \
	ROW(events)         \
	ROW(export)         \
	ROW(flamegraph)     \
	ROW(heatmap)        \
	ROW(info)           \
	ROW(mem)            \
	ROW(offcpu)         \
	ROW(pack)           \
	ROW(page)           \
	ROW(report)         \
	ROW(sched_blame)    \
	ROW(sched_latency)  \
	ROW(sched_map)      \
	ROW(sched_timehist) \
	ROW(sched_timeline) \
	ROW(script)         \
	ROW(stat)           \
	ROW(store_add)      \
	ROW(store_query)    \
	ROW(store_rename)   \
	ROW(store_sql)      \
	ROW(summary)        \
	ROW(syscalls)       \
	ROW(wakeup)

#define FORMATS(ROW) \
	ROW(folded)  \
	ROW(text)    \
	ROW(csv)     \
	ROW(json)    \
	ROW(export)  \
	ROW(html)    \
	ROW(svg)

#define ANALYZER(name) extern const struct analyzer analyzer_##name;
#define FORMAT(name)   extern const struct format format_##name;
ANALYZERS(ANALYZER)
FORMATS(FORMAT)
#undef ANALYZER
#undef FORMAT

#define ANALYZER(name) &analyzer_##name,
#define FORMAT(name)   &format_##name,
const struct analyzer *const analyzers[] = { ANALYZERS(ANALYZER) NULL };
const struct format *const formats[] = { FORMATS(FORMAT) NULL };

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

/* ---- questions to a store that other commands answer ---- */

/* The part of STORE, which may be one already. It lasts as long as the command. */
static char *part_of(const char *store, const char *what)
{
	struct buf out = { 0 };
	bool has_part = store_is_remote(store) ? store[store_path_bytes(store)] != '\0'
					       : access(store, F_OK) != 0;

	buf_printf(&out, "%s%c%s", store, has_part ? ',' : ':', what);
	if (!strstr(what, "each="))
		buf_str(&out, ",each=host");
	return out.data;
}

const struct analyzer *question_command(char **argv)
{
	static const char *const names[][2] = { { "top", "report" },
						{ "flame", "flamegraph" },
						{ "diff", "diff" } };
	const char *command = NULL;
	int used;

	while (*argv && argv[0][0] == '-')
		argv++;
	for (size_t i = 0; argv[0] && argv[1] && i < ARRAY_SIZE(names); i++) {
		if (!strcmp(argv[1], names[i][0]))
			command = names[i][1];
	}
	if (!command)
		return NULL;
	if (!strcmp(command, "diff") && argv[2] && argv[3] && argv[2][0] != '-' &&
	    argv[3][0] != '-') {
		char *before = part_of(argv[0], argv[2]), *after = part_of(argv[0], argv[3]);

		argv[0] = "--before";
		argv[1] = before;
		argv[2] = "--after";
		argv[3] = after;
	} else {
		for (char **at = argv + 1; *at; at++)
			at[0] = at[1];
	}
	return analyzer_find((char *[]){ (char *)command, NULL }, &used);
}

const struct format *format_find(const char *name)
{
	for (size_t i = 0; formats[i]; i++) {
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	}
	return NULL;
}
