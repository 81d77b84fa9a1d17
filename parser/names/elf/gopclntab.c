/* Reading .gopclntab. Every count and place in it is checked against its size; entries that make no
 * sense are left out. */
#include "parser/names/elf/gopclntab.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#include <gelf.h>
#include <libelf.h>

enum { GO_1_2, GO_1_16, GO_1_18, GO_1_20 };

static const uint32_t magics[] = {
	[GO_1_2] = 0xfffffffb,
	[GO_1_16] = 0xfffffffa,
	[GO_1_18] = 0xfffffff0,
	[GO_1_20] = 0xfffffff1,
};

#define HEADER_SIZE 8
#define TABLE_ALIGN 8 /* at least; where a table is looked for in other data */

/* ---- numbers ---- */

static struct cursor at(const struct gopclntab *t, uint64_t offset)
{
	struct cursor c = t->whole;

	if (offset > cursor_left(&c))
		c.bad = true;
	cursor_skip(&c, c.bad ? cursor_left(&c) : offset);
	return c;
}

static uint64_t word(struct cursor *c, unsigned size)
{
	return size == 4 ? cursor_u32(c) : cursor_u64(c);
}

/* The size of an address in the list of functions. */
static unsigned addr_size(const struct gopclntab *t)
{
	return t->version >= GO_1_18 ? 4 : t->ptrsize;
}

/* The text at OFFSET, or NULL. */
static const char *text_at(const struct gopclntab *t, uint64_t offset)
{
	return offset < t->terminated ? t->text + offset : NULL;
}

/* ---- the header ---- */

static bool read_magic(struct gopclntab *t)
{
	struct cursor c = t->whole;
	uint32_t magic = cursor_u32(&c);
	uint16_t zero = cursor_u16(&c);

	t->quantum = cursor_u8(&c);
	t->ptrsize = cursor_u8(&c);
	for (t->version = 0; t->version < ARRAY_SIZE(magics); t->version++) {
		if (magics[t->version] == magic)
			break;
	}
	return !c.bad && t->version < ARRAY_SIZE(magics) && !zero &&
	       (t->quantum == 1 || t->quantum == 2 || t->quantum == 4) &&
	       (t->ptrsize == 4 || t->ptrsize == 8);
}

/* How many functions there are room for. */
static bool count_fits(const struct gopclntab *t)
{
	size_t size = cursor_left(&t->whole);

	return t->functions < size && t->count < (size - t->functions) / (2 * (size_t)addr_size(t));
}

static bool read_header(struct gopclntab *t)
{
	struct cursor c = at(t, HEADER_SIZE);
	unsigned size = t->ptrsize;

	t->count = word(&c, size);
	t->functions = HEADER_SIZE + size;
	if (t->version >= GO_1_16) {
		word(&c, size); /* files */
		t->code = t->version >= GO_1_18 ? word(&c, size) : 0;
		t->names = word(&c, size);
		t->units = word(&c, size);
		t->files = word(&c, size);
		t->tables = word(&c, size);
		t->functions = word(&c, size);
	}
	if (c.bad || !t->count || !count_fits(t))
		return false;
	if (t->version == GO_1_2) {
		c = at(t, t->functions + (2 * t->count + 1) * size);
		t->files = cursor_u32(&c);
	}
	return true;
}

static bool open_bytes(struct gopclntab *t, const uint8_t *data, size_t size, bool swap)
{
	t->whole = cursor_make(data, size, swap);
	return read_magic(t) && read_header(t);
}

/* ---- relocations ---- */

static void put_word(uint8_t *p, uint64_t v, unsigned size, bool big)
{
	for (unsigned i = 0; i < size; i++)
		p[i] = (uint8_t)(v >> 8 * (big ? size - 1 - i : i));
}

/* A program that can be loaded anywhere may leave its own addresses to the loader: what is in the
 * file is then zero, and the address in a relocation without a symbol. */
static void relocate(struct gopclntab *t, Elf_Data *relocs, uint64_t start, bool big)
{
	size_t size = cursor_left(&t->whole);
	GElf_Rela r;

	for (int i = 0; gelf_getrela(relocs, i, &r); i++) {
		uint64_t offset = r.r_offset - start;

		if (r.r_offset < start || offset > size || size - offset < t->ptrsize ||
		    GELF_R_SYM(r.r_info))
			continue;
		if (!t->copy) {
			t->copy = xmalloc(size);
			memcpy(t->copy, t->whole.pos, size);
		}
		put_word(t->copy + offset, (uint64_t)r.r_addend, t->ptrsize, big);
	}
}

static void relocate_all(struct gopclntab *t, struct elf_file *f, uint64_t start)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf_file_elf(f), scn))) {
		Elf_Data *data;
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_RELA ||
		    !(sh.sh_flags & SHF_ALLOC) || !(data = elf_getdata(scn, NULL)))
			continue;
		relocate(t, data, start, elf_file_info(f)->big_endian);
	}
}

/* ---- finding it ---- */

static int open_at(struct gopclntab *t, struct elf_file *f, const struct elf_section *s,
		   size_t offset)
{
	bool host_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	bool swap = elf_file_info(f)->big_endian != host_is_big;

	memset(t, 0, sizeof(*t));
	if (!open_bytes(t, s->data + offset, s->size - offset, swap))
		return ERR_FORMAT;
	t->text = (const char *)s->data + offset;
	t->terminated = s->size - offset;
	while (t->terminated && t->text[t->terminated - 1])
		t->terminated--;
	relocate_all(t, f, s->addr + offset);
	if (!t->copy || open_bytes(t, t->copy, s->size - offset, swap))
		return 0;
	gopclntab_close(t);
	return ERR_FORMAT;
}

/* Some linkers put the table into .data.rel.ro together with other data. */
static int search(struct gopclntab *t, struct elf_file *f)
{
	struct elf_section s;

	if (elf_file_contents(f, ".data.rel.ro", &s) < 0)
		return ERR_ABSENT;
	for (size_t i = 0; i + HEADER_SIZE < s.size; i += TABLE_ALIGN) {
		if (open_at(t, f, &s, i) == 0)
			return 0;
	}
	return ERR_ABSENT;
}

int gopclntab_open(struct gopclntab *t, struct elf_file *f)
{
	static const char *const sections[] = { ".gopclntab", ".data.rel.ro.gopclntab" };
	struct elf_section s;

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		if (elf_file_contents(f, sections[i], &s) == 0)
			return open_at(t, f, &s, 0);
	}
	if (!elf_file_section(f, ".go.buildinfo") && !elf_file_section(f, ".note.go.buildid"))
		return ERR_ABSENT; /* not a Go program */
	return search(t, f);
}

void gopclntab_close(struct gopclntab *t)
{
	free(t->copy);
	memset(t, 0, sizeof(*t));
}

/* ---- functions ---- */

struct function {
	uint64_t start, end;
	uint64_t entry; /* where its fields begin, behind the address */
};

static bool function_at(const struct gopclntab *t, uint64_t i, struct function *out)
{
	unsigned size = addr_size(t);
	struct cursor c = at(t, t->functions + i * 2 * size);
	size_t base = t->version == GO_1_2 ? 0 : t->functions;

	out->start = t->code + word(&c, size);
	out->entry = base + word(&c, size) + size;
	out->end = t->code + word(&c, size);
	return !c.bad && out->start < out->end;
}

static const char *function_name(const struct gopclntab *t, const struct function *fn)
{
	struct cursor c = at(t, fn->entry);
	uint32_t name = cursor_u32(&c);

	return c.bad ? NULL : text_at(t, t->names + (uint64_t)name);
}

/* Functions that have no name in OUT. */
static void collect(struct symtab *names, const struct gopclntab *t, const struct symtab *out,
		    struct elf_file *f)
{
	for (uint64_t i = 0; i < t->count; i++) {
		struct function fn;
		const char *name;
		uint64_t offset;

		if (!function_at(t, i, &fn) || elf_file_offset(f, fn.start, &offset) < 0 ||
		    symtab_find(out, offset))
			continue;
		name = function_name(t, &fn);
		if (!name || !*name || offset > UINT64_MAX - (fn.end - fn.start))
			continue;
		symtab_add(names, &(struct symbol){ .start = offset,
						    .end = offset + (fn.end - fn.start),
						    .name = name,
						    .bind = SYM_GLOBAL });
	}
}

void gopclntab_add(struct symtab *out, struct elf_file *f)
{
	struct gopclntab t;
	struct symtab names;

	if (gopclntab_open(&t, f) < 0)
		return;
	symtab_init(&names);
	collect(&names, &t, out, f);
	for (size_t i = 0; i < names.count; i++)
		symtab_add(out, &names.syms[i]);
	symtab_sort(out);
	symtab_release(&names);
	gopclntab_close(&t);
}

/* ---- lines ---- */

/* The function that holds ADDR. */
static bool find_function(const struct gopclntab *t, uint64_t addr, struct function *out)
{
	uint64_t lo = 0, hi = t->count;

	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;
		struct cursor c = at(t, t->functions + mid * 2 * addr_size(t));

		if (t->code + word(&c, addr_size(t)) <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && function_at(t, lo - 1, out) && addr < out->end;
}

/* The value that the table at OFFSET has for ADDR in FN. */
static bool table_value(const struct gopclntab *t, uint64_t offset, const struct function *fn,
			uint64_t addr, uint32_t *out)
{
	struct cursor c = at(t, t->tables + offset);
	uint64_t pc = fn->start;
	uint32_t value = UINT32_MAX;

	for (bool first = true; !c.bad && pc < fn->end; first = false) {
		uint32_t change = (uint32_t)cursor_uleb(&c);

		if (!change && !first)
			return false;
		value += change & 1 ? ~(change >> 1) : change >> 1;
		pc += (uint32_t)cursor_uleb(&c) * (uint64_t)t->quantum;
		if (addr < pc) {
			*out = value;
			return !c.bad;
		}
	}
	return false;
}

static const char *file_name(const struct gopclntab *t, uint32_t number, uint32_t unit)
{
	bool old = t->version == GO_1_2;
	struct cursor c = at(t, (old ? t->files : t->units) + 4 * ((uint64_t)number + unit));
	uint32_t place = cursor_u32(&c);

	if (c.bad || place == UINT32_MAX)
		return NULL;
	return text_at(t, (old ? 0 : (uint64_t)t->files) + place);
}

bool gopclntab_line(const struct gopclntab *t, uint64_t addr, const char **file, uint32_t *line)
{
	struct function fn;
	struct cursor c;
	uint32_t files, lines, unit, number, value;
	const char *name;

	if (!find_function(t, addr, &fn))
		return false;
	c = at(t, fn.entry + 16);
	files = cursor_u32(&c);
	lines = cursor_u32(&c);
	cursor_skip(&c, 4);
	unit = t->version == GO_1_2 ? 0 : cursor_u32(&c);
	/* what the linker made has a table, but with -1 for the line */
	if (c.bad || !table_value(t, files, &fn, addr, &number) ||
	    !table_value(t, lines, &fn, addr, &value) || value > INT32_MAX)
		return false;
	name = file_name(t, number, unit);
	if (!name)
		return false;
	*file = name;
	*line = value;
	return true;
}

/* ---- directories ---- */

struct directories {
	const struct gopclntab *table;
	void (*take)(void *ctx, uint64_t start, uint64_t end);
	void *ctx;
};

/* Of the name at OFFSET; how long that is. */
static size_t take_directory(const struct directories *d, uint64_t offset)
{
	const char *name = text_at(d->table, offset);
	size_t len = name ? strlen(name) : 0;
	const char *slash = len ? memrchr(name, '/', len) : NULL;

	if (slash)
		d->take(d->ctx, offset, offset + (uint64_t)(slash - name));
	return len;
}

/* Up to Go 1.15 there is a list, the first number of which is how many numbers it has. */
static int take_listed(const struct directories *d)
{
	struct cursor c = at(d->table, d->table->files);
	uint32_t count = cursor_u32(&c);

	if (count > cursor_left(&c) / 4 + 1)
		return ERR_FORMAT;
	while (count-- > 1 && !c.bad)
		take_directory(d, cursor_u32(&c));
	return c.bad ? ERR_FORMAT : 0;
}

/* Since then they follow one another, up to the next part. */
static int take_part(const struct directories *d)
{
	const struct gopclntab *t = d->table;

	if (t->tables < t->files || t->tables > t->terminated)
		return ERR_FORMAT;
	for (uint64_t at = t->files; at < t->tables;)
		at += take_directory(d, at) + 1;
	return 0;
}

int gopclntab_directories(struct elf_file *f, void (*take)(void *ctx, uint64_t start, uint64_t end),
			  void *ctx)
{
	struct gopclntab t;
	struct directories d = { &t, take, ctx };
	int rc;

	if (gopclntab_open(&t, f) < 0)
		return ERR_FORMAT;
	rc = t.version == GO_1_2 ? take_listed(&d) : take_part(&d);
	gopclntab_close(&t);
	return rc;
}
