/* What the files that were taken for a module's names tell of themselves. */
#include "parser/library/door.h"
#include "parser/pdtool_binary.h"
#include "parser/names/kind.h"
#include "parser/session/inside.h"

static const struct module_files *files_of(const struct pdt_session *s, uint32_t module)
{
	const struct names *n = s->session ? session_names(s->session) : NULL;

	return n && module < n->module_count ? &n->files->modules[module] : NULL;
}

int pdt_segment(const struct pdt_session *s, uint32_t module, size_t i, struct pdt_segment *out)
{
	const struct module_files *f = files_of(s, module);
	const struct elf_file *program = f ? f->runtime ?: f->syms : NULL;
	struct elf_code code;

	*out = (struct pdt_segment){ 0 };
	if (!program || !elf_file_code(program, i, &code))
		return 0;
	*out = (struct pdt_segment){ code.vaddr, code.offset, code.size };
	return 1;
}

int pdt_symbol(const struct pdt_session *s, uint32_t module, size_t i, struct pdt_symbol *out)
{
	const struct module_files *f = files_of(s, module);
	const struct symbol *sym;

	*out = (struct pdt_symbol){ 0 };
	if (!f || i >= f->table.count)
		return 0;
	sym = &f->table.syms[i];
	*out = (struct pdt_symbol){ .name = sym->name,
				    .offset = sym->start,
				    .end = sym->end,
				    .local = sym->bind == SYM_LOCAL };
	return 1;
}
