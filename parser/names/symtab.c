/* The table of symbols itself: growing, sorting, finding. Knows nothing of where symbols come from.
 */
#include "parser/names/symtab.h"
#include "parser/base/buf.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/base/numbered.h"
#include "parser/names/perftree.h"
#include "parser/names/reach.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* So many symbols are not worth dropping. */
#define ADDS_MIN 1024

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
	free(t->wanted);
	memset(t, 0, sizeof(*t));
}

void symtab_keep_order(struct symtab *t)
{
	t->perftree = perftree_new();
}

/* ---- what is wanted ---- */

void symtab_want(struct symtab *t, const uint64_t *addrs, size_t count)
{
	t->wanted = xmalloc((count + 1) * sizeof(*addrs));
	memcpy(t->wanted, addrs, count * sizeof(*addrs));
	t->wanted_count = count;
}

void symtab_want_also(struct symtab *t, const uint64_t *addrs, size_t count)
{
	size_t all = t->wanted_count + count;

	if (!t->wanted_count || !count)
		return;
	t->wanted = xrealloc(t->wanted, all * sizeof(*addrs));
	memcpy(t->wanted + t->wanted_count, addrs, count * sizeof(*addrs));
	qsort(t->wanted, all, sizeof(*addrs), compare_numbers);
	t->wanted_count = all;
}

size_t symtab_wanted_from(const struct symtab *t, uint64_t addr)
{
	return first_number(t->wanted, t->wanted_count, addr);
}

bool symtab_wants(const struct symtab *t, uint64_t start, uint64_t end)
{
	size_t i = symtab_wanted_from(t, start);

	return !t->wanted_count || (i < t->wanted_count && t->wanted[i] < end);
}

/* The wanted addresses cut the others into gaps; where to begin to look for one. */
struct gaps {
	const uint64_t *addrs;
	size_t count;
	unsigned shift;	 /* cells of that size */
	uint32_t *first; /* by cell: the first address in it or after it */
};

static void gaps_init(struct gaps *g, const uint64_t *addrs, size_t count)
{
	uint64_t span = addrs[count - 1] - addrs[0];
	size_t cells, at = 0;

	g->addrs = addrs;
	g->count = count;
	for (g->shift = 0; span >> g->shift > 2 * count;)
		g->shift++;
	cells = (size_t)(span >> g->shift) + 1;
	g->first = xmalloc(cells * sizeof(*g->first));
	for (size_t cell = 0; cell < cells; cell++) {
		while ((addrs[at] - addrs[0]) >> g->shift < cell)
			at++;
		g->first[cell] = (uint32_t)at;
	}
}

/* How many addresses are below START. */
static size_t gap_of(const struct gaps *g, uint64_t start)
{
	size_t i;

	if (start <= g->addrs[0])
		return 0;
	if (start > g->addrs[g->count - 1])
		return g->count;
	i = g->first[(start - g->addrs[0]) >> g->shift];
	while (g->addrs[i] < start)
		i++;
	return i;
}

/* In each gap the last start decides about the address above it, and the first one where that of an
 * address below it ends: those, and all symbols that begin there, are kept. */
static void drop_unwanted(struct symtab *t)
{
	size_t gaps = t->wanted_count + 1, keep = 0;
	uint64_t *lowest = xmalloc(2 * gaps * sizeof(*lowest)), *highest = lowest + gaps;
	uint32_t *gap = xmalloc((t->count + 1) * sizeof(*gap));
	struct gaps g;

	gaps_init(&g, t->wanted, t->wanted_count);
	memset(lowest, 0xff, gaps * sizeof(*lowest));
	memset(highest, 0, gaps * sizeof(*highest));
	for (size_t i = 0; i < t->count; i++) {
		uint64_t start = t->syms[i].start;

		gap[i] = (uint32_t)gap_of(&g, start);
		if (start < lowest[gap[i]])
			lowest[gap[i]] = start;
		if (start > highest[gap[i]])
			highest[gap[i]] = start;
	}
	for (size_t i = 0; i < t->count; i++) {
		uint64_t start = t->syms[i].start;

		if (start == lowest[gap[i]] || start == highest[gap[i]])
			t->syms[keep++] = t->syms[i];
	}
	t->count = keep;
	free(lowest);
	free(gap);
	free(g.first);
}

void symtab_add(struct symtab *t, const struct symbol *s)
{
	size_t room = t->count + 1;

	/* for what is kept, and for as much before it is sifted again; most modules have no file */
	if (t->wanted_count && !t->cap) {
		t->cap = 4 * t->wanted_count + ADDS_MIN;
		t->syms = xmalloc(t->cap * sizeof(*t->syms));
	}
	if (t->wanted_count && t->count == t->cap) {
		drop_unwanted(t);
		/* not again for the next few */
		room = t->count > t->cap / 2 ? t->cap + 1 : t->count + 1;
	}
	t->syms = xgrow(t->syms, &t->cap, room, sizeof(*t->syms));
	t->syms[t->count] = *s;
	if (t->perftree)
		t->syms[t->count].order = perftree_insert(t->perftree, s->start);
	t->count++;
}

/* ---- order ---- */

/* How many symbols are in order, from the first on. */
static size_t in_order(const struct symtab *t)
{
	size_t i = 1;

	while (i < t->count && t->syms[i].start >= t->syms[i - 1].start)
		i++;
	return i < t->count ? i : t->count;
}

/* Put symbols where their keys are: follow each cycle of places. Uses the keys up. */
static void permute(struct symbol *syms, struct numbered *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct symbol first = syms[i];
		size_t to = i;

		while (keys[to].id != i) {
			size_t from = keys[to].id;

			syms[to] = syms[from];
			keys[to].id = to;
			to = from;
		}
		syms[to] = first;
		keys[to].id = to;
	}
}

/* Equals stay as they are: the rules for aliases depend on the order in the file. */
static void sort(struct symbol *syms, size_t n)
{
	struct numbered *keys = xmalloc(n * sizeof(*keys));

	for (size_t i = 0; i < n; i++)
		keys[i] = (struct numbered){ syms[i].start, i };
	numbered_sort(keys, n);
	permute(syms, keys, n);
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
	size_t done;

	if (t->wanted_count)
		drop_unwanted(t);
	done = in_order(t);
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
	if (t->perftree && perftree_nests(t->perftree, t))
		return perftree_find(t->perftree, t, addr);
	return symtab_find(t, addr);
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

int symtab_read_text(struct symtab *t, struct reach *r, const char *path, char **text, size_t *size)
{
	struct buf b = { 0 };
	struct stat st;
	int err, fd, error;

	fd = reach_open(r, path, REACH_PROGRAM);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st))
		err = ERR_IO;
	else if (st.st_size > (off_t)SYMTAB_TEXT_MAX)
		err = ERR_FORMAT;
	else
		err = read_all(fd, &b);
	error = errno;
	close(fd);
	if (err == ERR_FORMAT)
		reach_limit(r, path, "a perf map of more than 1 GiB is not used");
	if (!err) {
		*text = arena_strndup(&t->strings, b.data, b.len);
		*size = b.len;
	}
	buf_release(&b);
	if (err == ERR_IO) {
		reach_fault(r, path, error);
		errno = error;
	}
	return err;
}
