/* By the addresses of lines: the file is in no order. */
#include "parser/pack/kernelsyms.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/names/kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct line {
	uint64_t addr;
	size_t at; /* in the text */
	bool kept;
};

static int by_addr(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return x->addr != y->addr ? compare_u64(x->addr, y->addr) : compare_u64(x->at, y->at);
}

static int by_place(const void *a, const void *b)
{
	return compare_u64(((const struct line *)a)->at, ((const struct line *)b)->at);
}

/* All lines at the address of lines[I]. */
static void keep_at(struct line *lines, size_t count, size_t i)
{
	uint64_t addr = lines[i].addr;

	while (i && lines[i - 1].addr == addr)
		i--;
	for (; i < count && lines[i].addr == addr; i++)
		lines[i].kept = true;
}

/* The symbols around ADDR, as the file has it. */
static void keep_around(struct line *lines, size_t count, uint64_t addr)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (lines[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (low)
		keep_at(lines, count, low - 1);
	if (low < count)
		keep_at(lines, count, low);
}

/* By these it is known to be the recorded kernel's (names/kernel/kernelmatch.h). */
static bool is_reference(const char *name)
{
	static const char *const marks[] = { "_text", "_stext", "_etext", "_edata" };
	size_t len = strcspn(name, "\n");

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		if (len == strlen(marks[i]) && !strncmp(name, marks[i], len))
			return true;
	}
	return false;
}

static struct line *read_lines(const char *text, size_t *count)
{
	struct line *lines = NULL;
	size_t cap = 0;

	*count = 0;
	for (const char *p = text, *end; (end = strchr(p, '\n')); p = end + 1) {
		char *rest;
		uint64_t addr = strtoull(p, &rest, 16);

		if (rest == p || rest[0] != ' ' || !rest[1] || rest[2] != ' ')
			continue;
		lines = xgrow(lines, &cap, *count + 1, sizeof(*lines));
		lines[(*count)++] =
			(struct line){ addr, (size_t)(p - text), is_reference(rest + 3) };
	}
	return lines;
}

static bool read_text(struct buf *text, int fd)
{
	char block[1 << 16];
	ssize_t n;

	while ((n = read(fd, block, sizeof(block))) > 0)
		buf_add(text, block, (size_t)n);
	return n == 0 && text->len;
}

bool kernelsyms_select(struct buf *out, int fd, const struct names *n, const struct stacks *stacks)
{
	const struct kernel_symbols *k = &n->files->kernel;
	struct buf text = { 0 };
	struct line *lines = NULL;
	size_t count = 0;
	bool read = read_text(&text, fd);

	if (read)
		lines = read_lines(text.data, &count);
	if (count)
		qsort(lines, count, sizeof(*lines), by_addr);
	for (size_t i = 0; count && i < stacks->loc_count; i++) {
		const struct loc *l = &stacks->locs[i];

		if (l->module != PDT_NONE && kind_of(n->modules[l->module].module)->of_kernel)
			keep_around(lines, count, l->addr - k->kallsyms.delta);
	}
	if (count)
		qsort(lines, count, sizeof(*lines), by_place);
	for (size_t i = 0; i < count; i++) {
		if (lines[i].kept)
			buf_add(out, text.data + lines[i].at,
				strcspn(text.data + lines[i].at, "\n") + 1);
	}
	free(lines);
	buf_release(&text);
	return read;
}
