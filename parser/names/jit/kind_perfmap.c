/* Code made at run time of which only a perf map may know the names. Maps are chosen for all
 * processes together. */
#include "parser/base/mem.h"
#include "parser/names/jit/jitmaps.h"
#include "parser/names/kind.h"

#include <stdlib.h>

/* The addresses that were seen of J; the caller frees them. */
static uint64_t *seen_addrs(const struct module_job *j)
{
	uint64_t *addrs = xmalloc((j->count + 1) * sizeof(*addrs));

	for (size_t i = 0; i < j->count; i++)
		addrs[i] = j->locs[j->ids[i]].addr;
	return addrs;
}

static void load_all(struct module_job *jobs, size_t count, const struct machine *machine)
{
	struct jitmap *list = NULL;
	size_t n = 0, cap = 0;

	(void)machine;
	for (size_t i = 0; i < count; i++) {
		if (jobs[i].kind != &kind_perfmap)
			continue;
		list = xgrow(list, &cap, n + 1, sizeof(*list));
		list[n++] = (struct jitmap){ .module = jobs[i].module,
					     .addrs = seen_addrs(&jobs[i]),
					     .count = jobs[i].count,
					     .table = &jobs[i].files->table };
	}
	if (n)
		jitmaps_load(list, n, jobs->o->symbols, jobs->o->warnings);
	for (size_t i = 0; i < n; i++) {
		struct module_job *j = &jobs[list[i].module->id];

		j->out->source = j->files->source = list[i].path;
		j->out->unverified = list[i].path && !list[i].here;
		free((void *)list[i].addrs);
	}
	free(list);
}

const struct kind kind_perfmap = {
	.no_code = "no code for what was compiled at run time: need a jitdump",
	.plain_as_perf = true,
	.load_all = load_all,
	.find = module_files_find,
};
