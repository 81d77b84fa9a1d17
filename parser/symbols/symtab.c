/* The table of symbols itself: growing, sorting, finding. Knows nothing of where symbols come from.
 */
#include "parser/symbols/symtab.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/symbols/perftree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void symtab_init(struct symtab *t)
{
	memset(t, 0, sizeof(*t));
	arena_init(&t->strings);
}

void symtab_release(struct symtab *t)
{
	free(t->syms);
	perftree_free(t->perftree);
	arena_release(&t->strings);
	memset(t, 0, sizeof(*t));
}

void symtab_keep_order(struct symtab *t)
{
	t->perftree = perftree_new();
}

void symtab_add(struct symtab *t, const struct symbol *s)
{
	t->syms = xgrow(t->syms, &t->cap, t->count + 1, sizeof(*t->syms));
	t->syms[t->count] = *s;
	if (t->perftree)
		t->syms[t->count].order = perftree_insert(t->perftree, s->start);
	t->count++;
}

struct key {
	uint64_t start;
	size_t index;
};

/* How many symbols are in order, from the first on. */
static size_t in_order(const struct symtab *t)
{
	size_t i = 1;

	while (i < t->count && t->syms[i].start >= t->syms[i - 1].start)
		i++;
	return i < t->count ? i : t->count;
}

/* One pass of a radix sort, on the byte at SHIFT; false when all keys share that byte. */
static bool radix_pass(struct key *to, const struct key *from, size_t n, unsigned int shift)
{
	size_t at[256] = { 0 };
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		at[from[i].start >> shift & 0xff]++;
	if (at[from[0].start >> shift & 0xff] == n)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(at); i++) {
		size_t here = at[i];

		at[i] = sum;
		sum += here;
	}
	for (size_t i = 0; i < n; i++)
		to[at[from[i].start >> shift & 0xff]++] = from[i];
	return true;
}

/* Put symbols where their keys are: follow each cycle of places. Uses the keys up. */
static void permute(struct symbol *syms, struct key *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct symbol first = syms[i];
		size_t to = i;

		while (keys[to].index != i) {
			size_t from = keys[to].index;

			syms[to] = syms[from];
			keys[to].index = to;
			to = from;
		}
		syms[to] = first;
		keys[to].index = to;
	}
}

/* Radix, because it must be stable (the rules for aliases depend on the order in the file) and
 * quick: addresses of one module differ in three or four bytes. */
static void sort(struct symbol *syms, size_t n)
{
	struct key *keys = xmalloc(2 * n * sizeof(*keys));
	struct key *a = keys, *b = keys + n;

	for (size_t i = 0; i < n; i++)
		a[i] = (struct key){ syms[i].start, i };
	for (unsigned int shift = 0; shift < 64; shift += 8) {
		if (radix_pass(b, a, n, shift)) {
			struct key *swap = a;

			a = b;
			b = swap;
		}
	}
	permute(syms, a, n);
	free(keys);
}

/* The first MID of N symbols are in order, and so is the rest, which comes after its equals. */
static void merge(struct symbol *syms, size_t mid, size_t n)
{
	size_t i = mid, j = n - mid, bytes = j * sizeof(*syms);
	struct symbol *rest = xmalloc(bytes);

	memcpy(rest, syms + mid, bytes);
	while (j) {
		bool left = i && syms[i - 1].start > rest[j - 1].start;

		syms[i + j - 1] = left ? syms[i - 1] : rest[j - 1];
		i -= left;
		j -= !left;
	}
	free(rest);
}

/* Tables grow by what another section of the file has: what was there is in order. */
void symtab_sort(struct symtab *t)
{
	size_t done = in_order(t);

	if (done == t->count)
		return;
	if (done < t->count / 2)
		done = 0;
	sort(t->syms + done, t->count - done);
	if (done)
		merge(t->syms, done, t->count);
}

const struct symbol *symtab_find(const struct symtab *t, uint64_t addr)
{
	size_t lo = 0, hi = t->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->syms[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || addr >= t->syms[lo - 1].end)
		return NULL;
	return &t->syms[lo - 1];
}

const struct symbol *symtab_find_as_perf(const struct symtab *t, uint64_t addr)
{
	return t->perftree ? perftree_find(t->perftree, t, addr) : symtab_find(t, addr);
}

/* Read to the end rather than to st_size, which is 0 under /proc. */
static int read_all(int fd, struct buf *b)
{
	for (;;) {
		ssize_t n = read(fd, buf_reserve(b, 1 << 18), 1 << 18);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return ERR_IO;
		if (!n)
			return 0;
		b->len += (size_t)n;
		if (b->len > SYMTAB_TEXT_MAX)
			return ERR_FORMAT;
	}
}

int symtab_read_text(struct symtab *t, const char *path, char **text, size_t *size)
{
	struct buf b = { 0 };
	struct stat st;
	int err, fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? ERR_ABSENT : ERR_IO;
	if (fstat(fd, &st))
		err = ERR_IO;
	else if (!S_ISREG(st.st_mode) || st.st_size > (off_t)SYMTAB_TEXT_MAX)
		err = ERR_FORMAT;
	else
		err = read_all(fd, &b);
	close(fd);
	if (!err) {
		*text = arena_strndup(&t->strings, b.data, b.len);
		*size = b.len;
	}
	buf_release(&b);
	return err;
}
