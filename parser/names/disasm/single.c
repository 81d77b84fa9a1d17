/* Choose the file, find the bytes, decode one instruction of them. */
#include "parser/names/disasm/single.h"
#include "parser/base/mem.h"
#include "parser/names/demangle.h"
#include "parser/names/disasm/disasm.h"
#include "parser/names/elf/regions.h"
#include "parser/names/jit/jitcode.h"
#include "parser/names/kind.h"

#include <stdlib.h>
#include <string.h>

#define BYTES_MAX 24 /* that any instruction has */
#define TRIES_MAX 4  /* addresses of a module that has no code there, before it has none at all */

struct single {
	const struct names *names;
	const struct symbol_options *symbols;
	struct arena arena; /* of the answer */
	uint32_t module;    /* whose file is open; PDT_NONE: none */
	uint64_t wanted;    /* an address that the file must have */
	unsigned tries;	    /* that failed */
	struct elf_file *own;
	struct code_place place;
	struct disasm *disasm;
	uint8_t jit[BYTES_MAX];
	struct disasm_insn insn;
};

struct single *single_new(const struct names *n, const struct symbol_options *symbols)
{
	struct single *s = xcalloc(1, sizeof(*s));

	s->names = n;
	s->symbols = symbols;
	s->module = PDT_NONE;
	arena_init(&s->arena);
	return s;
}

static void close_file(struct single *s)
{
	elf_file_free(s->own);
	disasm_free(s->disasm);
	s->own = NULL;
	s->disasm = NULL;
	s->place = (struct code_place){ 0 };
}

void single_free(struct single *s)
{
	if (!s)
		return;
	close_file(s);
	arena_release(&s->arena);
	free(s);
}

/* ---- the file ---- */

static bool take(void *ctx, struct elf_file *f, const char *path)
{
	struct single *s = ctx;
	uint64_t vaddr;
	size_t left;

	(void)path;
	if (!s->own && elf_file_vaddr(f, s->wanted, &vaddr) == 0 && code_bytes(f, vaddr, &left))
		s->own = f;
	else
		elf_file_free(f);
	return s->own;
}

static bool is_open(const struct single *s)
{
	return s->own || s->place.file || s->place.dump;
}

/* The file with the code of LOC's module, as it is at LOC. */
static bool open_file(struct single *s, struct loc loc)
{
	const struct module *m = s->names->modules[loc.module].module;
	const struct picker picker = { .take = take, .ctx = s };

	if (s->module != loc.module) {
		close_file(s);
		s->module = loc.module;
		s->tries = 0;
	}
	if (is_open(s))
		return true;
	if (!kind_of(m)->code || s->tries == TRIES_MAX)
		return false;
	s->tries++;
	s->wanted = loc.addr;
	kind_of(m)->code(s->names, m, s->symbols, &picker, &s->place);
	return is_open(s);
}

/* ---- the bytes ---- */

/* Those at ADDR of a location: *LEFT of them, at *VADDR of the file. */
static const uint8_t *bytes_at(struct single *s, uint64_t addr, uint64_t *vaddr, size_t *left)
{
	const struct elf_file *f = s->own ?: s->place.file;

	if (s->place.dump) {
		*vaddr = jitcode_address(s->place.dump, addr);
		*left = jitcode_read(s->place.dump, addr, s->jit, sizeof(s->jit));
		return *left ? s->jit : NULL;
	}
	*vaddr = addr + s->place.shift;
	if (s->own && elf_file_vaddr(f, addr, vaddr) < 0)
		return NULL;
	return code_bytes(f, *vaddr, left);
}

/* 32-bit ARM has two kinds of code. */
static void choose_state(struct single *s, uint64_t vaddr)
{
	struct regions r = { 0 };

	if (!disasm_has_thumb(s->disasm) || !s->own)
		return;
	regions_read(&r, s->own, vaddr, vaddr + 2);
	disasm_thumb(s->disasm, r.count && r.list[0].kind == REGION_THUMB);
	regions_release(&r);
}

/* ---- what is said of it ---- */

/* The symbol at a target, ADDR of a location. */
static void name_target(struct single *s, uint64_t addr, struct pdt_instruction *out)
{
	const struct module *m = s->names->modules[s->module].module;
	struct module_files *f = &s->names->files->modules[s->module];
	struct symbol_range r;

	if (!names_range(s->names, s->module, addr, &r))
		return;
	out->symbol_offset = addr - r.start;
	out->symbol = s->symbols->no_demangle || kind_of(m)->plain_names
			      ? r.symbol
			      : demangle(r.symbol, module_files_demangling(f, r.symbol, s->symbols),
					 &s->arena, NULL);
}

bool single_at(struct single *s, struct loc loc, struct pdt_instruction *out)
{
	uint64_t vaddr;
	size_t left;
	const uint8_t *bytes;

	*out = (struct pdt_instruction){ 0 };
	if (loc.module == PDT_NONE || !open_file(s, loc))
		return false;
	bytes = bytes_at(s, loc.addr, &vaddr, &left);
	if (!bytes)
		return false;
	if (!s->disasm) {
		struct disasm_machine m = s->place.dump
						  ? jitcode_machine(s->place.dump)
						  : disasm_machine_of(s->own ?: s->place.file);

		s->disasm = disasm_new(&m, false);
	}
	choose_state(s, vaddr);
	if (!disasm_one(s->disasm, bytes, left < BYTES_MAX ? left : BYTES_MAX, vaddr, &s->insn))
		return false;
	arena_release(&s->arena);
	arena_init(&s->arena);
	out->bytes = bytes;
	out->size = s->insn.size;
	out->text = *s->insn.text ? s->insn.text : NULL;
	out->bare = s->insn.bare;
	out->own = s->insn.own;
	if (s->insn.target != DISASM_NO_TARGET) {
		out->has_target = true;
		out->target = s->insn.target - vaddr;
		if (!s->place.dump) /* there, addresses mean something else over time */
			name_target(s, loc.addr + out->target, out);
	}
	return true;
}
