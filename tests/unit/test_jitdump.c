/* The code that was at an address at a time, against the plain way; jitdumps and perf maps that are
 * damaged. */
#include <stdlib.h>
#include <unistd.h>

#include "parser/base/mem.h"
#include "parser/state/codemap.h"
#include "parser/names/jit/jitdump.h"
#include "parser/names/jit/jitlines.h"
#include "parser/names/jit/perfmap.h"
#include "parser/unwind/tables.h"
#include "tests/lib/jitimage.h"
#include "tests/lib/unit.h"

#define RANGES	  60
#define SPACE	  200
#define MUTATIONS 1500

/* ---- codemap ---- */

/* What is at each address, written the plain way: index of the range + 1. */
struct plain {
	unsigned at[SPACE];
};

static void check_same(struct codemap *c, const struct code_range *ranges, const struct plain *p)
{
	for (uint64_t a = 0; a < SPACE; a++) {
		uint64_t got = 0;
		bool found = codemap_find(c, a, &got);
		const struct code_range *r = p->at[a] ? &ranges[p->at[a] - 1] : NULL;

		CHECK_EQ(found, r != NULL);
		if (found && r)
			CHECK_EQ(got, a - r->start + r->pgoff);
	}
}

/* At places where ranges begin or end, so that no segment is halved. */
static void cut(struct codemap *c, struct plain *p, uint64_t *seed)
{
	const struct code_log *log = codemap_log(c);
	uint64_t from, to;

	if (!log->bound_count)
		return;
	from = log->bounds[unit_random(seed) % log->bound_count];
	to = log->bounds[unit_random(seed) % log->bound_count];
	codemap_cut(c, from, to);
	for (uint64_t a = from; a < to && a < SPACE; a++)
		p->at[a] = 0;
}

static void test_codemap(void)
{
	uint64_t seed = 11;

	for (unsigned round = 0; round < 40; round++) {
		unsigned count = (unsigned)(unit_random(&seed) % RANGES);
		struct code_range ranges[RANGES];
		struct plain plain = { 0 }, before;
		struct code_log log;
		struct codemap *c, *child;

		for (unsigned i = 0; i < count; i++) {
			uint64_t start = unit_random(&seed) % 30 * 5;

			ranges[i] =
				(struct code_range){ start, start + 5 + unit_random(&seed) % 9 * 5,
						     1000 * i, i / 2 };
		}
		code_log_init(&log, ranges, count);
		c = codemap_new(&log, 3);
		check_same(c, ranges, &plain);
		for (unsigned i = 0; i < count; i += 2) {
			CHECK_EQ(codemap_next_ns(c), i / 2);
			codemap_run(c, i / 2);
			for (unsigned k = i; k < i + 2 && k < count; k++) {
				for (uint64_t a = ranges[k].start; a < ranges[k].end; a++)
					plain.at[a] = k + 1;
			}
			if (i % 7 == 0)
				cut(c, &plain, &seed);
			check_same(c, ranges, &plain);
		}
		CHECK(codemap_next_ns(c) == UINT64_MAX);
		/* a copy stays what it was */
		before = plain;
		child = codemap_ref(c);
		CHECK(codemap_is_shared(c));
		c = codemap_unshare(c);
		cut(c, &plain, &seed);
		check_same(c, ranges, &plain);
		check_same(child, ranges, &before);
		codemap_unref(c);
		codemap_unref(child);
		code_log_release(&log);
	}
}

/* Only a change of what was looked up is one. */
static void test_looked(void)
{
	const struct code_range ranges[] = { { 10, 20, 0, 1 }, { 30, 40, 0, 2 }, { 15, 35, 0, 3 } };
	struct code_log log;
	struct codemap *c;
	uint64_t off;

	code_log_init(&log, ranges, 3);
	c = codemap_new(&log, 0);
	CHECK(!codemap_run(c, 1));
	CHECK(codemap_find(c, 19, &off));
	CHECK(!codemap_find(c, 9, &off) && !codemap_find(c, 20, &off) &&
	      !codemap_find(c, 50, &off));
	CHECK(!codemap_run(c, 2));
	CHECK(codemap_run(c, 3));
	CHECK(codemap_find(c, 19, &off) && off == 4);
	CHECK(codemap_cut(c, 19, 20));
	CHECK(!codemap_cut(c, 36, 99));
	CHECK(!codemap_cut(c, 0, 10));
	codemap_unref(c);
	code_log_release(&log);
}

/* ---- files ---- */

static char path[] = "/tmp/test_jitdump.XXXXXX";

static void write_file(const struct buf *b)
{
	/* a new file each time: where a file is emptied, ext4 waits for the disk */
	FILE *f = unlink(path) == 0 ? fopen(path, "wb") : NULL;

	CHECK(f && fwrite(b->data, b->len, 1, f) == 1);
	if (f)
		fclose(f);
}

static void make(struct jit_image *im, bool big)
{
	static const struct jit_line lines[] = { { 0x5000, 7, "/src/a.js" },
						 { 0x5010, 8, "\xff" },
						 { 0x5008, 3, "/src/b.js" } };

	*im = (struct jit_image){ .big = big };
	jit_header(im, EM_X86_64, 42, 0);
	jit_debug(im, 0x5000, lines, 3);
	jit_load(im, 100, (struct jit_code){ 0x5000, 0x20, 5 }, "first");
	jit_unwinding(im, 0x10, 16);
	jit_load(im, 90, (struct jit_code){ 0x6000, 0x10, 6 }, "second");
	jit_move(im, 200, 0x6000, (struct jit_code){ 0x7000, 0x10, 6 });
	jit_other(im, 3, 0);
}

/* Is there a rule for the code at OFFSET? */
static bool rule_at(const struct jitdump *d, uint64_t offset)
{
	struct jit_tables *j = jit_tables_new(d, unwind_arch_find("x86_64", 2));
	struct tables *t = jit_tables_at(j, offset);
	uint64_t addr = 0;
	bool is = t && tables_addr(t, offset, &addr) == 0 && cfi_find(&t->eh, addr) != RULE_NONE;

	jit_tables_free(j);
	return is;
}

static void test_contents(bool big)
{
	struct jit_image im;
	struct jitdump *d;
	struct jit_lines *l;
	const char *file;
	uint32_t line;

	make(&im, big);
	write_file(&im.b);
	CHECK(jitdump_open(&d, NULL, path) == 0 && jitdump_load(d) == 0);
	CHECK_EQ(d->pid, 42);
	CHECK_EQ(d->machine, EM_X86_64);
	CHECK_EQ(d->function_count, 2);
	CHECK_EQ(d->range_count, 3);
	CHECK_EQ(d->damaged, 0);
	CHECK_STR(d->functions[0].name, "first");
	CHECK_EQ(im.b.data[d->functions[0].offset] & 0xff, 0x90);
	CHECK_EQ(im.b.data[d->functions[0].offset + 0x1f] & 0xff, 0x90);
	CHECK_EQ(im.b.data[d->functions[0].offset - 1], 0);
	CHECK_EQ(d->ranges[0].start, 0x6000);
	CHECK_EQ(d->ranges[0].time_ns, 90);
	CHECK_EQ(d->ranges[2].start, 0x7000);
	CHECK_EQ(d->ranges[2].pgoff, d->functions[1].offset);
	l = jit_lines_open(d);
	CHECK(jit_lines_find(l, d->functions[0].offset, &file, &line) && line == 7);
	CHECK_STR(file, "/src/a.js");
	CHECK(jit_lines_find(l, d->functions[0].offset + 0xf, &file, &line) && line == 3);
	CHECK_STR(file, "/src/b.js");
	CHECK(jit_lines_find(l, d->functions[0].offset + 0x1f, &file, &line) && line == 8);
	CHECK_STR(file, "/src/a.js");
	CHECK(!jit_lines_find(l, d->functions[1].offset, &file, &line));
	CHECK(!jit_lines_find(l, 0, &file, &line));
	jit_lines_close(l);
	CHECK(!rule_at(d, d->functions[0].offset) && !rule_at(d, d->functions[1].offset - 1));
	CHECK(rule_at(d, d->functions[1].offset) && rule_at(d, d->functions[1].offset + 0xf));
	CHECK(!rule_at(d, d->functions[1].offset + 0x10));
	jitdump_free(d);
	buf_release(&im.b);
}

static void test_refused(void)
{
	struct buf b = { 0 };
	struct jitdump *d;

	buf_str(&b, "5000 10 a perf map is no jitdump, however long it is\n");
	write_file(&b);
	CHECK(jitdump_open(&d, NULL, path) == ERR_FORMAT && !d);
	buf_release(&b);
	CHECK(jitdump_open(&d, NULL, "/nowhere/jit-1.dump") == ERR_ABSENT);
	CHECK(jitdump_open(&d, NULL, "/dev/null") == ERR_FORMAT);
}

/* Whatever the file says: bounded, soon, inside it. */
static void use_dump(size_t size)
{
	struct code_log log;
	struct codemap *c;
	struct jit_lines *l;
	struct jitdump *d;
	uint64_t off;
	size_t rules = 0;

	if (jitdump_open(&d, NULL, path) < 0)
		return;
	CHECK(jitdump_load(d) == 0);
	CHECK(d->range_count <= size / 57);
	code_log_init(&log, d->ranges, d->range_count);
	c = codemap_new(&log, 0);
	codemap_run(c, UINT64_MAX - 1);
	for (uint64_t a = 0x4ff0; a < 0x7030; a += 8) {
		if (codemap_find(c, a, &off))
			CHECK(off < size);
	}
	l = jit_lines_open(d);
	for (uint64_t a = 0; a < size; a++) {
		const char *file = "";
		uint32_t line;

		if (jit_lines_find(l, a, &file, &line))
			CHECK(strlen(file) < size);
	}
	jit_lines_close(l);
	for (size_t i = 0; i < d->function_count; i++)
		rules += rule_at(d, d->functions[i].offset);
	CHECK(rules <= d->function_count);
	codemap_unref(c);
	code_log_release(&log);
	jitdump_free(d);
}

static void mutate(struct buf *b, uint64_t *seed)
{
	static const uint8_t odd[] = { 0, 1, 0x7f, 0x80, 0xff, '\n', ' ' };

	for (unsigned k = 1 + (unsigned)(unit_random(seed) % 8); k; k--) {
		size_t i = unit_random(seed) % b->len;

		b->data[i] = (char)(unit_random(seed) % 2 ? odd[unit_random(seed) % sizeof(odd)]
							  : unit_random(seed));
	}
	if (unit_random(seed) % 10 == 0)
		b->len = 1 + unit_random(seed) % b->len;
}

static void test_damaged_dumps(void)
{
	uint64_t seed = 3;

	for (unsigned n = 0; n < MUTATIONS; n++) {
		struct jit_image im;

		make(&im, n & 1);
		mutate(&im.b, &seed);
		write_file(&im.b);
		use_dump(im.b.len);
		buf_release(&im.b);
	}
}

static void test_damaged_maps(void)
{
	uint64_t seed = 5;

	for (unsigned n = 0; n < MUTATIONS; n++) {
		struct buf b = { 0 };
		struct symtab t;

		for (unsigned i = 0; i < 40; i++)
			buf_printf(&b, "%llx %llx name%u\n",
				   (unsigned long long)(0x5000 + unit_random(&seed) % 0x2000),
				   (unsigned long long)(unit_random(&seed) % 0x200), i);
		mutate(&b, &seed);
		write_file(&b);
		symtab_init(&t);
		if (perfmap_load(&t, NULL, path) == 0) {
			CHECK(t.count && t.count <= 2 * 41);
			for (size_t i = 1; i < t.count; i++)
				CHECK(t.syms[i].start >= t.syms[i - 1].end);
		}
		symtab_release(&t);
		buf_release(&b);
	}
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	test_codemap();
	test_looked();
	test_contents(false);
	test_contents(true);
	test_refused();
	test_damaged_dumps();
	test_damaged_maps();
	unlink(path);
	return unit_end();
}
