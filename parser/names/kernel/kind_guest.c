/* The kernel of a guest, and its modules, as samples of the host saw them. The capture tells
 * nothing of the guest's symbols: only the kallsyms that the user named for it has them. */
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/names/kernel/kmodule.h"
#include "parser/names/kind.h"

#include <stdlib.h>
#include <string.h>

/* Not a module of it? */
static bool is_kernel(const struct module *m)
{
	static const char prefix[] = "[guest.kernel";

	return !strncmp(m->path, prefix, sizeof(prefix) - 1);
}

/* That kallsyms is the default guest's: perf kvm calls the kernel of another one
 * [guest.kernel.kallsyms.PID]. */
static bool is_default(const struct module *m, const struct machine *machine)
{
	return m == machine->guest || !is_kernel(m);
}

static void load_all(struct module_job *jobs, size_t count, const struct machine *machine)
{
	struct kernel_query q = { .kernel = machine->guest };
	struct kernel_symbols *k = &jobs->names->files->guest;
	uint64_t *addrs = NULL;
	size_t cap = 0;

	for (size_t m = 0; m < count; m++) {
		bool known = jobs[m].kind == &kind_guest && is_default(jobs[m].module, machine);

		for (size_t i = 0; known && i < jobs[m].count; i++) {
			addrs = xgrow(addrs, &cap, q.count + 1, sizeof(*addrs));
			addrs[q.count++] = jobs[m].locs[jobs[m].ids[i]].addr;
		}
	}
	if (q.count) {
		qsort(addrs, q.count, sizeof(*addrs), compare_numbers);
		q.addrs = addrs;
		kernel_symbols_load_guest(k, &q, jobs->o->symbols, jobs->o->warnings);
	}
	for (size_t m = 0; m < count && k->source; m++) {
		if (jobs[m].kind != &kind_guest || !is_default(jobs[m].module, machine))
			continue;
		jobs[m].out->source = k->source;
		jobs[m].out->unverified = k->unverified;
	}
	free(addrs);
}

static const char *shown(const struct module *m, struct arena *arena)
{
	return kmodule_shown(m->path, arena);
}

static bool find(const struct names *n, const struct module *m, uint64_t addr, bool as_perf,
		 struct symbol_range *out)
{
	uint64_t offset;
	const struct symbol *s = n->modules[m->id].source
					 ? kernel_symbols_find(&n->files->guest, addr, &offset)
					 : NULL;

	(void)as_perf;
	if (s && s->module && !is_kernel(m) && strcmp(s->module, n->files->modules[m->id].shown))
		return false; /* the guest has loaded it elsewhere since */
	if (s)
		*out = symbol_range(s, addr - offset);
	return s != NULL;
}

const struct kind kind_guest = {
	.no_code = "no code for the kernel of a guest",
	.plain_names = true,
	.shown = shown,
	.load_all = load_all,
	.find = find,
};
