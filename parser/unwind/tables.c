/* Read the sections that tell about frames. */
#include "parser/unwind/tables.h"
#include "parser/base/mem.h"
#include "parser/names/jit/jitdump.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* More modules than any capture has; a damaged one cannot ask for more memory than this. */
#define MODULES_MAX (1u << 24)

static void load_cfi(struct cfi *t, struct elf_file *f, const char *name,
		     const struct unwind_arch *arch)
{
	const struct elf_info *info = elf_file_info(f);

	if (elf_file_contents(f, name, &t->section) < 0)
		return;
	/* without it all entries are looked at */
	if (!strcmp(name, ".eh_frame") && elf_file_contents(f, ".eh_frame_hdr", &t->header) < 0)
		t->header.size = 0;
	t->arch = arch;
	t->eh = !strcmp(name, ".eh_frame");
	t->is_64 = info->is_64;
	t->swap = info->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	t->base = elf_file_base(f);
	memcpy(t->ident, elf_file_ident(f), sizeof(t->ident));
	cfi_index(t);
}

static void load_exidx(struct tables *t, struct elf_file *f)
{
	struct exidx *x = &t->exidx;

	if (elf_file_contents(f, ".ARM.exidx", &x->section) < 0)
		return;
	x->file = f;
	x->swap = elf_file_info(f)->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	exidx_index(x);
}

static void load_jit(struct tables *t, const struct unwind_arch *arch)
{
	uint16_t machine = t->files.dump->machine;

	if (machine && machine != arch->machine)
		return;
	t->arch = arch;
	t->jit = jit_tables_new(t->files.dump, arch);
}

static void load(struct tables *t, const struct unwind_arch *arch)
{
	struct elf_file *run = t->files.runtime, *debug = t->files.debug ? t->files.debug : run;

	if (t->files.dump) {
		load_jit(t, arch);
		return;
	}
	if (!run)
		run = debug;
	if (!run || elf_file_info(run)->machine != arch->machine)
		return;
	t->arch = arch;
	load_cfi(&t->eh, run, ".eh_frame", arch);
	if (elf_file_info(debug)->machine == arch->machine)
		load_cfi(&t->debug, debug, ".debug_frame", arch);
	if (!cfi_has_entries(&t->debug) && debug != run) {
		cfi_release(&t->debug);
		load_cfi(&t->debug, run, ".debug_frame", arch);
	}
	if (arch->machine == EM_ARM)
		load_exidx(t, run);
	t->has_rules = cfi_has_entries(&t->eh) || cfi_has_entries(&t->debug) || t->exidx.count;
}

static void tables_free(struct tables *t)
{
	if (!t)
		return;
	cfi_release(&t->eh);
	cfi_release(&t->debug);
	exidx_release(&t->exidx);
	jit_tables_free(t->jit);
	if (t->files.debug != t->files.runtime)
		elf_file_free(t->files.debug);
	elf_file_free(t->files.runtime);
	free(t);
}

void table_set_release(struct table_set *s)
{
	for (size_t i = 0; i < s->count; i++)
		tables_free(s->list[i]);
	free(s->list);
	memset(s, 0, sizeof(*s));
}

static uint64_t bad_of(const struct tables *t)
{
	return t->eh.bad + t->debug.bad + (t->jit ? jit_tables_bad(t->jit) : 0);
}

static uint64_t over_of(const struct tables *t)
{
	return t->eh.over + t->debug.over + t->exidx.over + (t->jit ? jit_tables_over(t->jit) : 0);
}

static void drop(struct table_set *s, size_t module)
{
	struct tables *t = s->list[module];

	s->bytes -= t->bytes;
	if (t->jit)
		s->bytes -= jit_tables_part_bytes(t->jit);
	s->bad_entries += bad_of(t);
	s->over_entries += over_of(t);
	s->evicted++;
	s->list[module] = NULL;
	tables_free(t);
}

bool table_set_trim(struct table_set *s, size_t bytes_max)
{
	bool any = false;

	while (s->bytes > bytes_max) {
		size_t oldest = SIZE_MAX;

		for (size_t i = 0; i < s->count; i++) {
			if (s->list[i] && s->list[i]->last_use != s->clock &&
			    (oldest == SIZE_MAX ||
			     s->list[i]->last_use < s->list[oldest]->last_use))
				oldest = i;
		}
		if (oldest == SIZE_MAX)
			break;
		drop(s, oldest);
		any = true;
	}
	return any;
}

void table_set_grown(struct table_set *s, struct tables *t)
{
	size_t bytes = sizeof(*t) + cfi_bytes(&t->eh) + cfi_bytes(&t->debug) +
		       t->exidx.count * sizeof(*t->exidx.entries);

	if (t->jit)
		bytes += jit_tables_index_bytes(t->jit);
	if (t->in)
		bytes += t->eh.section.size;
	s->bytes += bytes - t->bytes;
	t->bytes = bytes;
}

struct tables *table_set_get(struct table_set *s, const struct unwind_source *source,
			     uint32_t module, const struct unwind_arch *arch)
{
	struct tables *t;

	if (module >= MODULES_MAX)
		return NULL;
	if (module >= s->count) {
		size_t count = ((size_t)module + 64) & ~(size_t)63;

		s->list = xrealloc(s->list, count * sizeof(*s->list));
		memset(s->list + s->count, 0, (count - s->count) * sizeof(*s->list));
		s->count = count;
	}
	t = s->list[module];
	if (!t) {
		t = s->list[module] = xcalloc(1, sizeof(*t));
		source->open(source->ctx, module, &t->files);
		load(t, arch);
		table_set_grown(s, t);
	}
	t->last_use = ++s->clock;
	return t;
}

struct tables *table_set_part(struct table_set *s, struct tables *t, uint64_t offset)
{
	struct tables *part;

	if (!t->jit)
		return t;
	part = jit_tables_at(t->jit, offset);
	table_set_grown(s, t);
	return part;
}

uint64_t table_set_bad(const struct table_set *s)
{
	uint64_t bad = s->bad_entries;

	for (size_t i = 0; i < s->count; i++) {
		if (s->list[i])
			bad += bad_of(s->list[i]);
	}
	return bad;
}

uint64_t table_set_over(const struct table_set *s)
{
	uint64_t over = s->over_entries;

	for (size_t i = 0; i < s->count; i++) {
		if (s->list[i])
			over += over_of(s->list[i]);
	}
	return over;
}

int tables_addr(const struct tables *t, uint64_t offset, uint64_t *addr)
{
	const struct elf_file *f = t->files.runtime ? t->files.runtime : t->files.debug;
	const struct jit_tables *jit = t->in ?: t->jit;

	if (jit)
		return jit_tables_addr(jit, offset, addr);
	return elf_file_vaddr(f, offset, addr);
}
