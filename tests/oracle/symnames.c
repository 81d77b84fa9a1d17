/* Names of addresses by parser/symbols, and captures that make perf name the same addresses.
 *
 *   symnames addresses KIND FILE COUNT SEED    print COUNT addresses of FILE, one per line
 *   symnames lookup KIND FILE                  read addresses, print "ADDRESS NAME"
 *   symnames as-perf KIND FILE                 the same by symtab_find_as_perf()
 *   symnames covers KIND FILE                  read "ADDRESS NAME" lines, print those where no
 *                                              symbol NAME covers ADDRESS
 *   symnames capture KIND FILE NAME            read addresses, write a perf.data with a sample at
 *                                              each
 *
 * KIND is elf (addresses are file offsets; NAME is the path that the capture gives the file),
 * elf=DEBUG (the symbols come from the file DEBUG), kallsyms (run-time addresses), or perfmap. Made
 * for tests/oracle/symbols.sh; not installed. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <linux/perf_event.h>

#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/names/demangle.h"
#include "parser/names/elf/elfsyms.h"
#include "parser/names/kernel/kallsyms.h"
#include "parser/names/jit/perfmap.h"

/* Where the capture maps an ELF file: far from 0, so that a lookup without the map would be
 * noticed. */
#define MAP_BASE 0x7f0000000000ull
#define PID	 1000

struct source {
	bool kernel;
	bool elf;
	const char *path;
	struct symtab table; /* of a kernel: made here, for choosing addresses and for maps */
	uint64_t text;	     /* of a kernel: where _text is, 0 when it is not told */
	struct elf_file *file;
	struct elf_file *debug; /* NULL: the symbols are in file itself */
};

/* One line of kallsyms, which ends with a NUL. */
static void read_kernel_line(struct source *s, char *line)
{
	char *p, *tab;
	struct symbol sym = { .start = strtoull(line, &p, 16) };

	if (p == line || *p != ' ' || !p[1] || p[2] != ' ' || !strchr("TWDBtwdb", p[1]) ||
	    p[3] == '$')
		return;
	sym.name = p + 3;
	tab = strchr(p + 3, '\t');
	if (tab) {
		*tab = '\0';
		sym.module = tab + 1;
	}
	if (!strcmp(sym.name, "_text"))
		s->text = sym.start;
	symtab_add(&s->table, &sym);
}

/* The plain way to read a kallsyms, without a query: all symbols, sorted. */
static int read_kernel(struct source *s)
{
	struct symtab *t = &s->table;
	size_t size, keep = 0;
	char *text, *line;
	int err = symtab_read_text(t, NULL, s->path, &text, &size);

	while (!err && (line = strsep(&text, "\n")))
		read_kernel_line(s, line);
	if (err || !t->count)
		return err ? err : ERR_FORMAT;
	symtab_sort(t);
	if (!t->syms[t->count - 1].start)
		return ERR_ABSENT;
	for (size_t i = 1; i < t->count; i++) {
		keep += t->syms[i].start != t->syms[keep].start;
		t->syms[keep] = t->syms[i];
	}
	t->count = keep + 1;
	for (size_t i = 0; i < t->count; i++) {
		struct symbol *a = &t->syms[i], *b = i + 1 < t->count ? a + 1 : NULL;

		a->end = b && !a->module == !b->module ? b->start
						       : ((a->start + 4095) & ~4095ull) + 4096;
	}
	return 0;
}

static int source_open(struct source *s, const char *kind, const char *path, bool as_perf)
{
	memset(s, 0, sizeof(*s));
	symtab_init(&s->table);
	if (as_perf)
		symtab_keep_order(&s->table);
	s->table.counts_plt = as_perf; /* the peer is perf 6.1 */
	s->path = path;
	s->kernel = !strcmp(kind, "kallsyms");
	s->elf = !strncmp(kind, "elf", 3);
	if (s->kernel)
		return read_kernel(s);
	if (!s->elf)
		return perfmap_load(&s->table, NULL, path);
	s->file = elf_file_open(NULL, path, NULL);
	if (kind[3] == '=')
		s->debug = elf_file_open(NULL, kind + 4, NULL);
	if (!s->file || (kind[3] && !s->debug))
		return ERR_FORMAT;
	return elfsyms_load(&s->table, s->debug ? s->debug : s->file, s->file);
}

static void source_close(struct source *s)
{
	symtab_release(&s->table);
	elf_file_free(s->file);
	elf_file_free(s->debug);
}

/* splitmix64: the same addresses on every machine. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/* Half of the addresses lie at the ends of symbols, where mistakes show; the others anywhere
 * between the first symbol and the last (of the kernel's: in a symbol, since the gaps between
 * modules are not mapped). */
static uint64_t pick_address(const struct source *s, uint64_t *state)
{
	const struct symtab *t = &s->table;
	const struct symbol *sym = &t->syms[next_random(state) % t->count];
	uint64_t low = t->syms[0].start, high = t->syms[t->count - 1].end;
	uint64_t size = sym->end > sym->start ? sym->end - sym->start : 1;

	switch (next_random(state) % 8) {
	case 0:
		return sym->start;
	case 1:
		return sym->start + size - 1;
	case 2:
		return s->kernel ? sym->start : sym->start + size;
	case 3:
		return s->kernel || !sym->start ? sym->start : sym->start - 1;
	case 4:
	case 5:
		return sym->start + next_random(state) % size;
	default:
		return s->kernel ? sym->start + next_random(state) % size
				 : low + next_random(state) % (high - low);
	}
}

static int cmd_addresses(struct source *s, unsigned long count, uint64_t seed)
{
	for (unsigned long i = 0; i < count && s->table.count; i++)
		printf("%" PRIx64 "\n", pick_address(s, &seed));
	return 0;
}

static bool read_address(uint64_t *addr)
{
	return scanf("%" SCNx64, addr) == 1;
}

static void print_name(const struct source *s, uint64_t addr, const struct symbol *sym)
{
	const char *name = sym ? sym->name : "[unknown]";
	struct arena names;

	arena_init(&names);
	printf("%" PRIx64 " %s\n", addr,
	       s->elf ? demangle(name, DEMANGLE_AS_PERF, &names, NULL) : name);
	arena_release(&names);
}

static int cmd_lookup(struct source *s,
		      const struct symbol *(*find)(const struct symtab *, uint64_t))
{
	uint64_t addr;

	while (read_address(&addr))
		print_name(s, addr, find(&s->table, addr));
	return 0;
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* As the program does it: the addresses are known before the file is read. */
static int cmd_lookup_kernel(struct source *s)
{
	struct kallsyms_query q = { 0 };
	struct kallsyms k;
	struct buf asked = { 0 }, sorted = { 0 };
	uint64_t addr;
	int err;

	while (read_address(&addr))
		buf_add(&asked, &addr, sizeof(addr));
	buf_add(&sorted, asked.data, asked.len);
	q.count = asked.len / sizeof(addr);
	if (q.count)
		qsort(sorted.data, q.count, sizeof(addr), compare_u64);
	q.addrs = (const uint64_t *)sorted.data;
	kallsyms_init(&k);
	err = kallsyms_load(&k, s->path, &q);
	for (size_t i = 0; !err && i < q.count; i++) {
		memcpy(&addr, asked.data + i * sizeof(addr), sizeof(addr));
		print_name(s, addr, kallsyms_find(&k, addr));
	}
	kallsyms_release(&k);
	buf_release(&asked);
	buf_release(&sorted);
	return err ? 1 : 0;
}

/* Does any symbol that is called NAME cover ADDR, be it not the one that symtab_find() chooses? */
static bool covered_by(const struct source *s, uint64_t addr, const char *name, struct arena *names)
{
	for (size_t i = 0; i < s->table.count; i++) {
		const struct symbol *sym = &s->table.syms[i];

		if (addr >= sym->start && addr < sym->end &&
		    !strcmp(name, s->elf ? demangle(sym->name, DEMANGLE_AS_PERF, names, NULL)
					 : sym->name))
			return true;
	}
	return false;
}

static int cmd_covers(struct source *s)
{
	struct arena names;
	char *line = NULL, *name;
	size_t cap = 0;
	ssize_t len;

	arena_init(&names);
	while ((len = getline(&line, &cap, stdin)) > 0) {
		uint64_t addr = strtoull(line, &name, 16);

		line[strcspn(line, "\n")] = '\0';
		if (*name != ' ' || !covered_by(s, addr, name + 1, &names))
			printf("%s\n", line);
	}
	free(line);
	arena_release(&names);
	return 0;
}

static void put32(struct buf *b, uint32_t v)
{
	buf_add(b, &v, sizeof(v));
}

static void put64(struct buf *b, uint64_t v)
{
	buf_add(b, &v, sizeof(v));
}

static void put_header(struct buf *b, uint32_t type, uint16_t misc)
{
	struct perf_event_header h = { .type = type, .misc = misc };

	buf_add(b, &h, sizeof(h));
}

/* Pad the record that began at AT, and write its size. */
static void put_size(struct buf *b, size_t at)
{
	struct perf_event_header *h;

	while (b->len % 8)
		buf_char(b, 0);
	h = (struct perf_event_header *)(b->data + at);
	h->size = (uint16_t)(b->len - at);
}

/* What sample_id_all appends to records that are no samples: TID, TIME. */
static void put_id(struct buf *b, uint64_t time)
{
	put32(b, PID);
	put32(b, PID);
	put64(b, time);
}

static void put_text(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s) + 1);
	while (b->len % 8)
		buf_char(b, 0);
}

static void put_comm(struct buf *b)
{
	size_t at = b->len;

	put_header(b, PERF_RECORD_COMM, 0);
	put32(b, PID);
	put32(b, PID);
	put_text(b, "symnames");
	put_id(b, 1);
	put_size(b, at);
}

static void put_mmap2(struct buf *b, uint64_t start, uint64_t len, const char *name)
{
	size_t at = b->len;

	put_header(b, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	put32(b, PID);
	put32(b, PID);
	put64(b, start);
	put64(b, len);
	put64(b, 0); /* pgoff */
	put64(b, 0); /* major, minor */
	put64(b, 0); /* inode */
	put64(b, 0); /* generation */
	put32(b, PROT_READ | PROT_EXEC);
	put32(b, MAP_PRIVATE);
	put_text(b, name);
	put_id(b, 2);
	put_size(b, at);
}

static void put_kernel_mmap(struct buf *b, uint64_t start, uint64_t end, const char *name)
{
	size_t at = b->len;

	put_header(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	put32(b, UINT32_MAX);
	put32(b, 0);
	put64(b, start);
	put64(b, end - start);
	put64(b, *name == '[' && name[1] == 'k' && strstr(name, "_text") ? start : 0);
	put_text(b, name);
	put_id(b, 2);
	put_size(b, at);
}

/* A map for each stretch of symbols with one owner: the kernel, or one module. */
static void put_kernel_maps(struct buf *b, const struct source *s)
{
	const struct symtab *t = &s->table;
	uint64_t end;

	if (!s->text)
		return;
	for (size_t i = 0, j; i < t->count; i = j) {
		const char *mod = t->syms[i].module;

		for (j = i + 1; j < t->count; j++) {
			const char *other = t->syms[j].module;

			if (!mod != !other || (mod && strcmp(mod, other)))
				break;
		}
		end = (t->syms[j - 1].end + 4095) & ~4095ull;
		if (j < t->count && end > (t->syms[j].start & ~4095ull))
			end = t->syms[j].start & ~4095ull;
		if (mod)
			put_kernel_mmap(b, t->syms[i].start & ~4095ull, end, mod);
		else if (t->syms[j - 1].start >= s->text)
			put_kernel_mmap(b, s->text, t->syms[j - 1].end, "[kernel.kallsyms]_text");
	}
}

static void put_sample(struct buf *b, const struct source *s, uint64_t ip, uint64_t time)
{
	size_t at = b->len;

	put_header(b, PERF_RECORD_SAMPLE,
		   s->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);
	put64(b, s->elf ? ip + MAP_BASE : ip);
	put32(b, PID);
	put32(b, PID);
	put64(b, time);
	put_size(b, at);
}

/* tools/perf/Documentation/perf.data-file-format.txt: header, one attribute without ids, data. */
static void write_file(const struct buf *data)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER5,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
	};
	struct buf b = { 0 };

	buf_add(&b, "PERFILE2", 8);
	put64(&b, 104);
	put64(&b, PERF_ATTR_SIZE_VER5 + 16);
	put64(&b, 104); /* attributes: offset, size */
	put64(&b, PERF_ATTR_SIZE_VER5 + 16);
	put64(&b, 104 + PERF_ATTR_SIZE_VER5 + 16); /* data: offset, size */
	put64(&b, data->len);
	for (int i = 0; i < 6; i++)
		put64(&b, 0); /* event types, features */
	buf_add(&b, &attr, PERF_ATTR_SIZE_VER5);
	put64(&b, 0); /* ids: offset, size */
	put64(&b, 0);
	fwrite(b.data, 1, b.len, stdout);
	fwrite(data->data, 1, data->len, stdout);
	buf_release(&b);
}

static int cmd_capture(struct source *s, const char *name)
{
	struct buf b = { 0 };
	uint64_t time = 1000, addr;

	put_comm(&b);
	if (s->kernel) {
		put_kernel_maps(&b, s);
		/* perf fills its modules when it first names an address of the kernel proper */
		if (s->text)
			put_sample(&b, s, s->text, time++);
	} else {
		put_mmap2(&b, s->elf ? MAP_BASE : 0, s->elf ? 1ull << 32 : 1ull << 47, name);
	}
	while (read_address(&addr))
		put_sample(&b, s, addr, time++);
	write_file(&b);
	buf_release(&b);
	return ferror(stdout) ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct source s;
	int err = 2;

	if (argc < 4 || source_open(&s, argv[2], argv[3], !strcmp(argv[1], "as-perf"))) {
		fprintf(stderr, "symnames: usage, or no symbols in %s\n",
			argc < 4 ? "it" : argv[3]);
		return 2;
	}
	if (!strcmp(argv[1], "addresses") && argc == 6)
		err = cmd_addresses(&s, strtoul(argv[4], NULL, 10), strtoull(argv[5], NULL, 10));
	else if (!strcmp(argv[1], "lookup") && s.kernel)
		err = cmd_lookup_kernel(&s);
	else if (!strcmp(argv[1], "lookup"))
		err = cmd_lookup(&s, symtab_find);
	else if (!strcmp(argv[1], "as-perf"))
		err = cmd_lookup(&s, symtab_find_as_perf);
	else if (!strcmp(argv[1], "covers"))
		err = cmd_covers(&s);
	else if (!strcmp(argv[1], "capture") && argc == 5)
		err = cmd_capture(&s, argv[4]);
	source_close(&s);
	return err;
}
