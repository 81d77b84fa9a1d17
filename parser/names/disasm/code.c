/* From a location to the instructions of its function: choose the file, walk the bytes, ask for
 * lines. Whatever the bytes are, each step goes at least one byte further. */
#include "parser/names/disasm/code.h"
#include "parser/base/compare.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/names/elf/regions.h"
#include "parser/names/demangle.h"
#include "parser/names/disasm/disasm.h"
#include "parser/names/jit/jitcode.h"
#include "parser/names/jit/jitlines.h"
#include "parser/names/dwarf/linerows.h"
#include "parser/names/dwarf/loclines.h"
#include "parser/names/kind.h"
#include "parser/names/dwarf/srctext.h"
#include "parser/names/sources/sources.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct loader {
	struct pdt_code *c;
	const struct names *names;
	const struct code_query *q;
	const struct pdt_code_query *asked;
	const struct module *module;
	struct symbol_range range;  /* as locations count */
	const struct jitdump *dump; /* that has the code; NULL: none */
	/* of the module: the file with the bytes, and one with symbols that tell code from data */
	struct elf_file *code, *symbols;
	char *debug; /* path of the file with lines */
	struct disasm *disasm;
	struct regions regions;
	size_t region;	     /* the one at hand */
	size_t next_sampled; /* index of the first sampled address that has no instruction yet */
	/* targets of jumps in the function and lines of the source; ascending when they are
	 * boundaries */
	uint64_t *starts;
	size_t start_count, start_cap, next_start;
	bool use_starts;
};

static const char *keep(struct pdt_code *c, const char *text)
{
	return arena_strndup(&c->arena, text, strlen(text));
}

/* ---- the files ---- */

static bool take(void *ctx, struct elf_file *f, const char *path)
{
	struct loader *l = ctx;
	uint64_t vaddr;
	size_t left;
	bool kept = false;

	if (!l->debug && elf_file_info(f)->has_dwarf)
		l->debug = xstrdup(path);
	if (!l->code && elf_file_vaddr(f, l->range.start, &vaddr) == 0 &&
	    code_bytes(f, vaddr, &left)) {
		l->code = f;
		l->c->path = keep(l->c, path);
		kept = true;
	}
	if (!l->symbols && elf_file_info(f)->has_symtab) {
		l->symbols = f;
		kept = true;
	}
	if (!kept)
		elf_file_free(f);
	return l->code && l->symbols && (l->debug || !l->asked->lines);
}

/* The file whose code it is, or NULL; sets how its addresses differ from those of locations. */
static const struct elf_file *find_file(struct loader *l)
{
	const struct picker picker = { .take = take, .ctx = l };
	const struct kind *kind = kind_of(l->module);
	struct code_place place = { 0 };
	uint64_t vaddr;

	if (kind->code)
		kind->code(l->names, l->module, l->q->symbols, &picker, &place);
	l->dump = place.dump;
	if (place.dump)
		l->c->shift = jitcode_address(place.dump, l->range.start) - l->range.start;
	if (place.file) {
		l->c->shift = place.shift;
		l->c->path = place.path;
		l->debug = xstrdup(place.path);
		return place.file;
	}
	if (l->code && elf_file_vaddr(l->code, l->range.start, &vaddr) == 0)
		l->c->shift = vaddr - l->range.start;
	else if (l->symbols && elf_file_vaddr(l->symbols, l->range.start, &vaddr) == 0)
		l->c->shift = vaddr - l->range.start;
	return l->code;
}

/* ---- the walk ---- */

static struct pdt_insn *add(struct loader *l, uint64_t addr, size_t size, enum pdt_insn_kind kind)
{
	struct pdt_code *c = l->c;

	c->insns = xgrow(c->insns, &c->cap, c->count + 1, sizeof(*c->insns));
	c->insns[c->count] =
		(struct pdt_insn){ .addr = addr,
				   .target = PDT_NO_TARGET,
				   .bytes = size && c->bytes ? c->bytes + (addr - c->start) : NULL,
				   .size = (uint32_t)size,
				   .kind = (uint8_t)kind };
	return &c->insns[c->count++];
}

static uint64_t sampled(const struct loader *l, size_t i)
{
	return i < l->asked->count ? l->asked->sampled[i] + l->c->shift : UINT64_MAX;
}

/* Sampled addresses that are not the start of what was added last but lie below END. */
static void add_sampled(struct loader *l, uint64_t end, enum pdt_insn_kind kind)
{
	struct pdt_code *c = l->c;

	if (c->count && sampled(l, l->next_sampled) == c->insns[c->count - 1].addr)
		l->next_sampled++;
	for (; l->next_sampled < l->asked->count && sampled(l, l->next_sampled) < end;
	     l->next_sampled++) {
		add(l, sampled(l, l->next_sampled), 0, kind);
		c->inside += kind == PDT_INSN_INSIDE;
	}
}

/* Where the region at POS ends; what it is goes to the disassembler and to *DATA. */
static uint64_t enter_region(struct loader *l, uint64_t pos, bool *data)
{
	const struct regions *r = &l->regions;

	*data = false;
	if (!r->count)
		return UINT64_MAX;
	while (l->region + 1 < r->count && r->list[l->region + 1].start <= pos)
		l->region++;
	*data = r->list[l->region].kind == REGION_DATA;
	if (disasm_has_thumb(l->disasm))
		disasm_thumb(l->disasm, r->list[l->region].kind == REGION_THUMB);
	return l->region + 1 < r->count ? r->list[l->region + 1].start : UINT64_MAX;
}

/* The next address after POS, up to LIMIT, where an instruction is known to begin. */
static uint64_t next_boundary(struct loader *l, uint64_t pos, uint64_t limit)
{
	size_t s = l->next_sampled;

	while (s < l->asked->count && sampled(l, s) <= pos)
		s++;
	if (sampled(l, s) < limit)
		limit = sampled(l, s);
	while (l->use_starts && l->next_start < l->start_count && l->starts[l->next_start] <= pos)
		l->next_start++;
	if (l->use_starts && l->next_start < l->start_count && l->starts[l->next_start] < limit)
		limit = l->starts[l->next_start];
	return limit;
}

static void add_start(struct loader *l, uint64_t addr)
{
	if (l->use_starts || addr < l->c->start || addr >= l->c->end)
		return;
	l->starts = xgrow(l->starts, &l->start_cap, l->start_count + 1, sizeof(*l->starts));
	l->starts[l->start_count++] = addr;
}

static void add_decoded(struct loader *l, uint64_t pos, const struct disasm_insn *d)
{
	struct pdt_insn *i = add(l, pos, d->size, PDT_INSN);

	if (*d->text)
		i->text = keep(l->c, d->text);
	else
		l->c->unnamed++;
	i->target = d->target;
	i->jump = d->jump;
	add_start(l, d->target);
}

/* What begins at POS; returns where it ends. */
static uint64_t step(struct loader *l, uint64_t pos, uint64_t end)
{
	struct pdt_code *c = l->c;
	struct disasm_insn d;
	bool data;
	uint64_t limit = enter_region(l, pos, &data), next;

	limit = limit < end ? limit : end;
	if (data) {
		next = limit;
		add(l, pos, next - pos, PDT_INSN_DATA);
	} else if (disasm_one(l->disasm, c->bytes + (pos - c->start), limit - pos, pos, &d)) {
		next = pos + d.size;
		add_decoded(l, pos, &d);
	} else {
		next = next_boundary(l, pos, limit);
		add(l, pos, next - pos, PDT_INSN_BYTES);
		c->stretches++;
		c->stretch_bytes += next - pos;
	}
	add_sampled(l, next, PDT_INSN_INSIDE);
	return next;
}

static void walk(struct loader *l, uint64_t end)
{
	for (uint64_t pos = l->c->start; pos < end;)
		pos = step(l, pos, end);
}

static void add_lines(struct loader *l)
{
	struct linerows rows = { 0 };

	if (l->debug)
		linerows_read(&rows, l->debug, l->q->symbols, l->c->start, l->c->end);
	for (size_t i = 0; i < rows.count; i++)
		add_start(l, rows.addrs[i]);
	linerows_release(&rows);
}

/* Once more, when there were bytes that could not be decoded, with all that is known of where
 * instructions begin. */
static void walk_again(struct loader *l, uint64_t end)
{
	struct pdt_code *c = l->c;

	add_lines(l);
	if (!l->start_count)
		return;
	qsort(l->starts, l->start_count, sizeof(*l->starts), compare_numbers);
	l->use_starts = true;
	l->region = l->next_sampled = 0;
	c->count = c->unnamed = c->stretches = c->inside = 0;
	c->stretch_bytes = 0;
	walk(l, end);
}

/* The code is COUNT bytes at BYTES, made for M. */
static void load_insns(struct loader *l, const struct disasm_machine *m, const uint8_t *bytes,
		       size_t count)
{
	struct pdt_code *c = l->c;

	l->disasm = disasm_new(m, l->asked->intel);
	c->machine = keep(c, disasm_name(l->disasm));
	if (disasm_refusal(l->disasm))
		c->refusal = keep(c, disasm_refusal(l->disasm));
	c->cut_bytes = c->end - c->start - count;
	c->bytes = bytes;
	walk(l, c->start + count);
	if (c->stretches)
		walk_again(l, c->start + count);
}

/* Bytes that are wanted of LEFT. */
static size_t wanted(const struct loader *l, size_t left)
{
	uint64_t size = l->c->end - l->c->start;

	left = left < l->asked->max_bytes ? left : l->asked->max_bytes;
	return size < left ? (size_t)size : left;
}

static void load_elf(struct loader *l, const struct elf_file *f)
{
	struct disasm_machine m = disasm_machine_of(f);
	struct pdt_code *c = l->c;
	size_t count = 0;
	const uint8_t *bytes = code_bytes(f, c->start, &count);

	if (!bytes) {
		c->refusal = "the file has no code there";
		return;
	}
	count = wanted(l, count);
	regions_read(&l->regions, l->symbols ?: f, c->start, c->end);
	load_insns(l, &m, memcpy(arena_bytes(&c->arena, count), bytes, count), count);
}

static void load_jit(struct loader *l)
{
	struct disasm_machine m = jitcode_machine(l->dump);
	struct pdt_code *c = l->c;
	size_t count = wanted(l, SIZE_MAX);
	uint8_t *bytes = (uint8_t *)arena_bytes(&c->arena, count);

	count = jitcode_read(l->dump, l->range.start, bytes, count);
	c->path = keep(c, l->dump->path);
	if (count)
		load_insns(l, &m, bytes, count);
	else
		c->refusal = "the jitdump has no code there";
}

/* ---- what is said of instructions ---- */

static const char *readable(struct loader *l, const char *symbol)
{
	const struct symbol_options *o = l->q->symbols;
	struct module_files *f = &l->names->files->modules[l->module->id];

	if (o->no_demangle || kind_of(l->module)->plain_names)
		return symbol;
	return demangle(symbol, module_files_demangling(f, symbol, o), &l->c->arena, NULL);
}

/* Targets outside the function, by the symbol that is there. */
static void label_targets(struct loader *l)
{
	struct pdt_code *c = l->c;
	struct symbol_range r;
	struct buf b = { 0 };

	for (size_t i = 0; i < c->count; i++) {
		uint64_t target = c->insns[i].target, addr = target - c->shift;

		if (target == PDT_NO_TARGET || (target >= c->start && target < c->end) ||
		    !names_range(l->names, l->module->id, addr, &r))
			continue;
		b.len = 0;
		buf_str(&b, readable(l, r.symbol));
		if (addr > r.start)
			buf_printf(&b, "+0x%" PRIx64, addr - r.start);
		c->insns[i].label = arena_strndup(&c->arena, b.data, b.len);
	}
	buf_release(&b);
}

static void load_lines(struct loader *l)
{
	struct symbol_options o = *l->q->symbols;
	struct pdt_code *c = l->c;
	struct loc *locs = xcalloc(c->count + 1, sizeof(*locs));
	struct loc_name *names = xcalloc(c->count + 1, sizeof(*names));
	uint32_t *ids = xmalloc((c->count + 1) * sizeof(*ids));
	struct loclines_job job = {
		.path = l->debug, .locs = locs, .ids = ids, .count = c->count, .symbols = &o
	};

	o.lines = true;
	o.inlines = false; /* the line of the instruction itself, whatever was inlined */
	for (size_t i = 0; i < c->count; i++) {
		locs[i].addr = c->insns[i].addr;
		ids[i] = (uint32_t)i;
	}
	if (loclines_fill(c->lines, &job, names))
		c->debug = keep(c, l->debug);
	for (size_t i = 0; i < c->count; i++) {
		c->insns[i].file = names[i].file;
		c->insns[i].line = names[i].line;
	}
	free(locs);
	free(names);
	free(ids);
}

static void load_jit_lines(struct loader *l)
{
	struct jit_lines *lines = jit_lines_open(l->dump);
	struct pdt_code *c = l->c;
	const char *last = NULL, *file;

	for (size_t i = 0; lines && i < c->count; i++) {
		struct pdt_insn *n = &c->insns[i];

		if (!jit_lines_find(lines, n->addr - c->shift, &file, &n->line))
			continue;
		if (!last || strcmp(last, file))
			last = keep(c, file);
		n->file = last;
		c->debug = c->path;
	}
	jit_lines_close(lines);
}

static void load_sources(struct loader *l)
{
	struct pdt_code *c = l->c;

	c->sources = srctext_new(l->q->symbols);
	for (size_t i = 0; i < c->count; i++) {
		struct pdt_insn *n = &c->insns[i];

		if (n->file && !(i && n[-1].file == n->file && n[-1].line == n->line))
			n->source = srctext_line(c->sources, n->file, n->line);
		if (n->source)
			n->source += strspn(n->source, " \t");
	}
}

/* ---- the whole ---- */

static void release_loader(struct loader *l)
{
	if (l->symbols != l->code)
		elf_file_free(l->symbols);
	elf_file_free(l->code);
	free(l->debug);
	disasm_free(l->disasm);
	regions_release(&l->regions);
	free(l->starts);
}

/* A file in a pack is called what it was called where the pack was made. */
static const char *known_as(const struct loader *l, const char *path)
{
	struct buf origin = { 0 };
	const char *name = path;

	if (path && sources_origin(l->q->symbols->sources, path, &origin))
		name = keep(l->c, origin.data ?: "");
	buf_release(&origin);
	return name;
}

bool code_load(struct pdt_code *c, const struct names *n, const struct code_query *q)
{
	struct loader l = { .c = c, .names = n, .q = q, .asked = q->asked };
	const struct elf_file *f;

	memset(c, 0, sizeof(*c));
	arena_init(&c->arena);
	c->lines = xcalloc(1, sizeof(*c->lines));
	lines_init(c->lines);
	if (q->loc.module == PDT_NONE || !names_range(n, q->loc.module, q->loc.addr, &l.range) ||
	    l.range.end <= l.range.start)
		return false;
	l.module = n->modules[q->loc.module].module;
	f = find_file(&l);
	c->start = l.range.start + c->shift;
	c->end = l.range.end + c->shift;
	if (l.dump)
		load_jit(&l);
	else if (f)
		load_elf(&l, f);
	else
		c->refusal = kind_of(l.module)->no_code;
	add_sampled(&l, UINT64_MAX, PDT_INSN_ABSENT);
	if (!l.dump)
		label_targets(&l); /* of a dump, addresses mean something else over time */
	if (q->asked->lines && l.dump)
		load_jit_lines(&l);
	else if (q->asked->lines && l.debug)
		load_lines(&l);
	if (q->asked->sources)
		load_sources(&l);
	c->path = known_as(&l, c->path);
	c->debug = known_as(&l, c->debug);
	release_loader(&l);
	return true;
}

void code_release(struct pdt_code *c)
{
	free(c->insns);
	if (c->lines)
		lines_release(c->lines);
	free(c->lines);
	srctext_free(c->sources);
	arena_release(&c->arena);
}
