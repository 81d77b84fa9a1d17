/* One pass over the text of /proc/kallsyms, keeping only what the wanted addresses need.
 *
 * The wanted addresses cut the address space into brackets. The symbol of an address is the highest
 * one of the nearest bracket at or below it that has any; it ends at the lowest one of the next
 * bracket that has any. So each bracket keeps its lowest and its highest symbol, in whatever order
 * the lines come. */
#include "parser/names/kernel/kallsyms.h"
#include "parser/base/mem.h"
#include "parser/names/reach.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK_SIZE   (1u << 18)
#define LINE_MAX_LEN 4096 /* longer ones are no kallsyms */

struct bracket {
	uint64_t low, high;	   /* addresses; valid when used */
	const char *name, *module; /* of high; owned by the table's arena */
	bool used, low_in_module;
};

/* A line that may become the highest of the current bracket: copied only when it stays. */
struct candidate {
	uint64_t addr;
	const char *name;
	size_t len;
};

struct sweep {
	struct kallsyms *k;
	const struct kallsyms_query *q;
	struct bracket *brackets; /* q->count + 1 */
	size_t at;		  /* the bracket of the last line */
	struct candidate best;	  /* name NULL: none */
	uint64_t delta;
	uint64_t any_address;
	struct kallsyms_module *module; /* of the last line with one; NULL: not in the capture */
	bool ref_known, any_symbol;
	char digits[8]; /* of the last line with 16 of them the first ones, and their value */
	uint64_t high;
};

/* Value + 1 of a hexadecimal digit, 0 for other bytes. */
static const uint8_t hex_digit[256] = {
	['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

static bool in_bracket(const struct sweep *s, size_t i, uint64_t addr)
{
	return (i == 0 || addr > s->q->addrs[i - 1] - s->delta) &&
	       (i == s->q->count || addr <= s->q->addrs[i] - s->delta);
}

static size_t bracket_of(const struct sweep *s, uint64_t addr)
{
	size_t lo = 0, hi = s->q->count;

	if (in_bracket(s, s->at, addr))
		return s->at;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->q->addrs[mid] - s->delta >= addr)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* Keep the best line so far: its bytes are about to go, or the bracket changes. */
static void commit(struct sweep *s)
{
	struct bracket *b = &s->brackets[s->at];
	struct arena *strings = &s->k->table.strings;
	const char *tab = s->best.name ? memchr(s->best.name, '\t', s->best.len) : NULL;
	size_t len = tab ? (size_t)(tab - s->best.name) : s->best.len;

	if (!s->best.name)
		return;
	b->high = s->best.addr;
	b->name = arena_strndup(strings, s->best.name, len);
	b->module = tab && tab + 1 < s->best.name + s->best.len && tab[1] == '['
			    ? arena_strndup(strings, tab + 1, s->best.len - len - 1)
			    : NULL;
	s->best.name = NULL;
}

static void take_symbol(struct sweep *s, uint64_t addr, const char *name, size_t len)
{
	size_t at = bracket_of(s, addr);
	struct bracket *b = &s->brackets[at];

	if (at != s->at)
		commit(s);
	s->at = at;
	s->any_symbol = true;
	if (!b->used || addr < b->low) {
		b->low = addr;
		b->low_in_module = memchr(name, '\t', len) != NULL;
	}
	if (!b->used || addr >= b->high) {
		b->high = addr;
		s->best = (struct candidate){ addr, name, len };
	}
	b->used = true;
}

/* Symbols by which one kernel is told from another. */
static void take_mark(struct sweep *s, uint64_t addr, const char *name, size_t len)
{
	struct kallsyms_marks *m = &s->k->marks;

	if (s->q->ref && !s->ref_known && len == strlen(s->q->ref) &&
	    !memcmp(name, s->q->ref, len)) {
		s->ref_known = true;
		m->ref = addr;
	}
	if (len == 6 && !memcmp(name, "_etext", len))
		m->etext = addr;
	else if (len == 6 && !memcmp(name, "_edata", len))
		m->edata = addr;
}

static bool is_name(const char *name, const char *text, size_t len)
{
	return !strncmp(name, text, len) && !name[len];
}

static struct kallsyms_module *module_of(const struct sweep *s, const char *name, size_t len)
{
	size_t lo = 0, hi = s->q->module_count;

	if (s->module && is_name(s->module->name, name, len))
		return s->module;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const char *have = s->q->modules[mid].name;
		int order = strncmp(have, name, len) ?: have[len] != '\0';

		if (!order)
			return &s->q->modules[mid];
		if (order < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

/* A function of a module, NAME being "name TAB [module]". */
static void take_of_module(struct sweep *s, uint64_t addr, const char *name, size_t len)
{
	const char *tab = s->q->module_count ? memchr(name, '\t', len) : NULL;

	if (!tab)
		return;
	s->module = module_of(s, tab + 1, len - (size_t)(tab + 1 - name));
	if (!s->module)
		return;
	if (addr < s->module->low)
		s->module->low = addr;
	if (addr > s->module->high)
		s->module->high = addr;
}

/* The number that LINE begins with, up to 16 digits; returns how many there are. */
static size_t take_address(const char *line, size_t len, uint64_t *addr)
{
	size_t n = 0;
	unsigned d;

	*addr = 0;
	while (n < len && n < 16 && (d = hex_digit[(unsigned char)line[n]])) {
		*addr = *addr << 4 | (d - 1);
		n++;
	}
	return n;
}

/* The same of 16 digits, of which mostly the first ones are those of the last line. */
static size_t take_full_address(struct sweep *s, const char *line, size_t len, uint64_t *addr)
{
	uint64_t low = 0;
	unsigned bad = 0;

	if (len < 17 || memcmp(line, s->digits, sizeof(s->digits)) != 0) {
		size_t n = take_address(line, len, addr);

		if (n == 16) {
			memcpy(s->digits, line, sizeof(s->digits));
			s->high = *addr & ~UINT64_C(0xffffffff);
		}
		return n;
	}
	for (size_t i = sizeof(s->digits); i < 16; i++) {
		unsigned d = hex_digit[(unsigned char)line[i]] - 1u;

		bad |= d;
		low = low << 4 | d;
	}
	if (bad > 15)
		return take_address(line, len, addr);
	*addr = s->high | low;
	return 16;
}

static void take_line(struct sweep *s, const char *line, size_t len)
{
	uint64_t addr;
	size_t n = take_full_address(s, line, len, &addr);
	char type;

	if (!n || len < n + 4 || line[n] != ' ' || line[n + 2] != ' ')
		return;
	type = (char)(line[n + 1] & ~0x20);
	s->any_address |= addr;
	line += n + 3;
	len -= n + 3;
	if ((type != 'T' && type != 'W' && type != 'D' && type != 'B') || *line == '$')
		return;
	if (*line == '_')
		take_mark(s, addr, line, len);
	if (type == 'T')
		take_of_module(s, addr, line, len);
	take_symbol(s, addr, line, len);
}

/* Whole lines of the LEN bytes at TEXT (with LAST, what has no end too); returns the bytes used. */
static size_t take_lines(struct sweep *s, const char *text, size_t len, bool last)
{
	size_t at = 0;

	while (at < len) {
		const char *eol = memchr(text + at, '\n', len - at);
		size_t n = eol ? (size_t)(eol - text) - at : len - at;

		if (!eol && !last)
			break;
		take_line(s, text + at, n);
		at += n + (eol != NULL);
	}
	commit(s);
	return at;
}

static int read_all(struct sweep *s, int fd)
{
	char *buf = xmalloc(CHUNK_SIZE);
	size_t held = 0;
	ssize_t n;

	for (;;) {
		size_t used;

		n = read(fd, buf + held, CHUNK_SIZE - held);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		held += (size_t)n;
		used = take_lines(s, buf, held, n == 0);
		held -= used;
		if (n == 0 || held > LINE_MAX_LEN)
			break;
		memmove(buf, buf + used, held);
	}
	free(buf);
	return n < 0 ? ERR_IO : 0;
}

static uint64_t page_after(uint64_t addr)
{
	return ((addr + 4095) & ~4095ull) + 4096;
}

/* ---- modules of another boot ---- */

static void begin_modules(const struct kallsyms_query *q)
{
	for (size_t i = 0; i < q->module_count; i++) {
		q->modules[i].low = UINT64_MAX;
		q->modules[i].high = 0;
		q->modules[i].elsewhere = false;
	}
}

/* A kernel that was loaded elsewhere was another boot, whose modules lay anywhere. Where most do
 * not fit into their mappings, those that happen to are of another boot, too. */
static void judge_modules(const struct kallsyms_query *q, uint64_t delta)
{
	size_t there = 0, elsewhere = 0;

	for (size_t i = 0; i < q->module_count; i++) {
		struct kallsyms_module *m = &q->modules[i];

		if (m->low > m->high)
			continue;
		m->elsewhere = delta || m->low < m->start || m->high >= m->end;
		there += !m->elsewhere;
		elsewhere += m->elsewhere;
	}
	for (size_t i = 0; elsewhere > there && i < q->module_count; i++)
		q->modules[i].elsewhere = q->modules[i].low <= q->modules[i].high;
}

static bool is_elsewhere(struct sweep *s, const char *module)
{
	struct kallsyms_module *m = module ? module_of(s, module, strlen(module)) : NULL;

	return m && m->elsewhere;
}

/* One symbol for each bracket that has one and lies below a wanted address. */
static void make_table(struct sweep *s)
{
	for (size_t i = 0; i < s->q->count; i++) {
		const struct bracket *b = &s->brackets[i], *next = b + 1;
		const struct bracket *end = s->brackets + s->q->count + 1;
		struct symbol sym = { .start = b->high, .name = b->name, .module = b->module };

		if (!b->used || is_elsewhere(s, b->module))
			continue;
		while (next < end && !next->used)
			next++;
		sym.end = next < end && next->low_in_module == (b->module != NULL)
				  ? next->low
				  : page_after(b->high);
		sym.bind = SYM_GLOBAL;
		symtab_add(&s->k->table, &sym);
	}
}

static int sweep_file(struct kallsyms *k, int fd, const struct kallsyms_query *q, bool *moved)
{
	struct sweep s = { .k = k, .q = q, .delta = k->delta };
	int rc;

	k->marks = (struct kallsyms_marks){ 0 };
	begin_modules(q);
	s.brackets = xcalloc(q->count + 1, sizeof(*s.brackets));
	rc = read_all(&s, fd);
	if (rc == 0 && !s.any_symbol)
		rc = ERR_FORMAT;
	else if (rc == 0 && !s.any_address)
		rc = ERR_ABSENT;
	judge_modules(q, k->delta);
	*moved = rc == 0 && s.ref_known && q->ref_addr && q->ref_addr - k->marks.ref != k->delta;
	if (*moved)
		k->delta = q->ref_addr - k->marks.ref;
	else if (rc == 0)
		make_table(&s);
	free(s.brackets);
	return rc;
}

int kallsyms_load_fd(struct kallsyms *k, int fd, const struct kallsyms_query *q)
{
	bool moved = false;
	int rc = sweep_file(k, fd, q, &moved);

	/* the kernel was loaded elsewhere than the text says: once more, with the addresses moved
	 */
	if (rc == 0 && moved && lseek(fd, 0, SEEK_SET) == 0)
		rc = sweep_file(k, fd, q, &moved);
	close(fd);
	return rc;
}

int kallsyms_load(struct kallsyms *k, const char *path, const struct kallsyms_query *q)
{
	int fd = reach_open(NULL, path, REACH_PROGRAM);

	return fd < 0 ? fd : kallsyms_load_fd(k, fd, q);
}

const struct symbol *kallsyms_find(const struct kallsyms *k, uint64_t addr)
{
	return symtab_find(&k->table, addr - k->delta);
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
