/* Finds the functions of capstone. */
#include "parser/names/disasm/capstone.h"
#include "parser/base/dynlib.h"
#include "parser/base/mem.h"

const char capstone_library[] = DYNLIB_NAME("libcapstone", CS_API_MAJOR);

#ifdef STATIC

static bool find_functions(struct capstone_calls *c)
{
	*c = (struct capstone_calls){ .open = cs_open,
				      .close = cs_close,
				      .option = cs_option,
				      .malloc = cs_malloc,
				      .free = cs_free,
				      .iter = cs_disasm_iter,
				      .group = cs_insn_group };
	return true;
}

#else

static bool find_functions(struct capstone_calls *c)
{
	const struct dynlib_function wanted[] = {
		{ &c->open, "cs_open" },	{ &c->close, "cs_close" },
		{ &c->option, "cs_option" },	{ &c->malloc, "cs_malloc" },
		{ &c->free, "cs_free" },	{ &c->iter, "cs_disasm_iter" },
		{ &c->group, "cs_insn_group" },
	};

	return dynlib_find(dlopen(capstone_library, RTLD_LAZY | RTLD_LOCAL), wanted,
			   ARRAY_SIZE(wanted));
}

#endif

void capstone_library_load(void)
{
	struct capstone_calls ignored;

	(void)find_functions(&ignored);
}

struct capstone *capstone_open(struct capstone *c, cs_arch arch, cs_mode mode, bool *installed)
{
	*installed = find_functions(&c->calls);
	if (!*installed || c->calls.open(arch, mode, &c->cs) != CS_ERR_OK)
		return NULL;
	c->calls.option(c->cs, CS_OPT_DETAIL,
			CS_OPT_ON); /* before there is an instruction for it */
	c->insn = c->calls.malloc(c->cs);
	return c;
}

int capstone_end(struct capstone *c)
{
	if (c->insn)
		c->calls.free(c->insn, 1);
	return c->calls.close(&c->cs);
}
