/* Reading the text of /proc/kallsyms. */
#include "parser/symbols/kallsyms.h"
#include "parser/base/mem.h"

#include <string.h>

static const char *const ref_names[KALLSYMS_REFS] = { "_text", "_stext" };

static int hex_value(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The address at the start of LINE; what follows it, or NULL when it is no number of up to 16
 * digits. */
static char *take_address(char *line, uint64_t *addr)
{
	uint64_t v = 0;
	unsigned int n = 0;
	int d;

	while ((d = hex_value((unsigned char)line[n])) >= 0 && n < 16) {
		v = v << 4 | (unsigned int)d;
		n++;
	}
	*addr = v;
	return n && line[n] == ' ' ? line + n : NULL;
}

/* nm letters: text, weak, data, bss; capitals are global. */
static bool is_symbol_type(char type)
{
	return strchr("TWDB", type & ~0x20) && type;
}

static enum sym_bind bind_of(char type)
{
	if (type == 'W')
		return SYM_WEAK;
	return type & 0x20 ? SYM_LOCAL : SYM_GLOBAL;
}

static void note_ref(struct kallsyms *k, const struct symbol *s)
{
	for (size_t i = 0; i < KALLSYMS_REFS; i++) {
		if (!k->ref_known[i] && !s->module && !strcmp(s->name, ref_names[i])) {
			k->ref_addr[i] = s->start;
			k->ref_known[i] = true;
		}
	}
}

/* Cut "NAME\t[module]" in two. */
static const char *split_module(char *name)
{
	char *tab = strchr(name, '\t');

	if (!tab)
		return NULL;
	*tab = '\0';
	return tab[1] == '[' ? tab + 1 : NULL;
}

static void parse_line(struct kallsyms *k, char *line, uint64_t *any_address)
{
	struct symbol s = { 0 };
	char *p = take_address(line, &s.start);
	char *name;

	if (!p || !p[1] || p[2] != ' ' || !p[3])
		return;
	*any_address |= s.start;
	name = p + 3;
	if (!is_symbol_type(p[1]) || *name == '$')
		return;
	s.module = split_module(name);
	s.name = name;
	s.end = s.start;
	s.bind = bind_of(p[1]);
	note_ref(k, &s);
	symtab_add(&k->table, &s);
}

static uint64_t page_after(uint64_t addr)
{
	return ((addr + 4095) & ~4095ull) + 4096;
}

static bool same_owner(const struct symbol *a, const struct symbol *b)
{
	return !a->module == !b->module;
}

/* No line says a size: a symbol ends where the next begins, but never reaches from the kernel into
 * a module or back, since the gap between them is large. Of equal starts the last line stays. */
static void fix_up(struct symtab *t)
{
	size_t keep = 0;

	symtab_sort(t);
	for (size_t i = 0; i < t->count; i++) {
		struct symbol s = t->syms[i];
		const struct symbol *next = i + 1 < t->count ? &t->syms[i + 1] : NULL;

		if (next && next->start == s.start)
			continue;
		s.end = next && same_owner(&s, next) ? next->start : page_after(s.start);
		t->syms[keep++] = s;
	}
	t->count = keep;
}

int kallsyms_parse(struct kallsyms *k, char *text, size_t size)
{
	char *end = text + size;
	uint64_t any_address = 0;

	while (text < end) {
		char *eol = memchr(text, '\n', (size_t)(end - text));

		if (!eol)
			eol = end;
		*eol = '\0';
		parse_line(k, text, &any_address);
		text = eol + 1;
	}
	if (!k->table.count)
		return ERR_FORMAT;
	if (!any_address) {
		k->table.count = 0;
		return ERR_ABSENT;
	}
	fix_up(&k->table);
	return 0;
}

int kallsyms_load(struct kallsyms *k, const char *path)
{
	size_t size;
	char *text;
	int err;

	err = symtab_read_text(&k->table, path, &text, &size);
	return err ? err : kallsyms_parse(k, text, size);
}

void kallsyms_init(struct kallsyms *k)
{
	memset(k, 0, sizeof(*k));
	symtab_init(&k->table);
}

void kallsyms_release(struct kallsyms *k)
{
	symtab_release(&k->table);
}

int kallsyms_addr(const struct kallsyms *k, const char *name, uint64_t *addr)
{
	for (size_t i = 0; i < KALLSYMS_REFS; i++) {
		if (k->ref_known[i] && !strcmp(name, ref_names[i])) {
			*addr = k->ref_addr[i];
			return 0;
		}
	}
	for (size_t i = 0; i < k->table.count; i++) {
		if (!strcmp(name, k->table.syms[i].name)) {
			*addr = k->table.syms[i].start;
			return 0;
		}
	}
	return ERR_ABSENT;
}
