/* BPF programs and other code that the kernel made and named (KSYMBOL): one symbol, all of it. */
#include "parser/names/kind.h"

static bool find(const struct names *n, const struct module *m, uint64_t addr, bool as_perf,
		 struct symbol_range *out)
{
	(void)n;
	(void)addr;
	(void)as_perf;
	*out = (struct symbol_range){ m->path, m->start, m->end };
	return true;
}

const struct kind kind_bpf = {
	.no_code = "no code for BPF programs",
	.named_by_kernel = true,
	.plain_names = true,
	.find = find,
};
