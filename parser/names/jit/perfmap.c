/* Reading perf-PID.map, and what to do where its ranges overlap. */
#include "parser/names/jit/perfmap.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A hex number with an optional 0x, then a blank; P moves behind both. */
static bool take_hex(char **p, uint64_t *v)
{
	char *s = *p;
	unsigned int digits = 0;

	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
		s += 2;
	for (*v = 0; isxdigit((unsigned char)*s); s++, digits++) {
		unsigned int c = (unsigned char)*s;

		*v = *v << 4 | (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	if (!digits || digits > 16 || (*s != ' ' && *s != '\t'))
		return false;
	*p = s + 1;
	return true;
}

/* A symbol without a size covers its very first byte, as for perf. */
static bool parse_line(char *line, struct symbol *s)
{
	uint64_t start, size;

	if (!take_hex(&line, &start) || !take_hex(&line, &size) || !*line)
		return false;
	size = size ? size : 1;
	if (start > UINT64_MAX - size)
		return false;
	*s = (struct symbol){
		.start = start, .end = start + size, .name = line, .bind = SYM_GLOBAL
	};
	return true;
}

/* The ranges that have begun, the latest line on top: a binary heap of indices into the lines. */
struct heap {
	size_t *at;
	size_t count;
	const size_t *rank; /* line number of each symbol */
};

static bool above(const struct heap *h, size_t a, size_t b)
{
	return h->rank[h->at[a]] > h->rank[h->at[b]];
}

static void heap_swap(struct heap *h, size_t a, size_t b)
{
	size_t t = h->at[a];

	h->at[a] = h->at[b];
	h->at[b] = t;
}

static void heap_push(struct heap *h, size_t v)
{
	size_t i = h->count++;

	h->at[i] = v;
	for (; i && above(h, i, (i - 1) / 2); i = (i - 1) / 2)
		heap_swap(h, i, (i - 1) / 2);
}

static void heap_pop(struct heap *h)
{
	size_t i = 0;

	h->at[0] = h->at[--h->count];
	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < h->count && above(h, child + 1, child))
			child++;
		if (child >= h->count || !above(h, child, i))
			return;
		heap_swap(h, i, child);
		i = child;
	}
}

static void emit(struct symtab *out, const struct symbol *s, uint64_t from, uint64_t to)
{
	struct symbol piece = *s;

	piece.start = from;
	piece.end = to;
	symtab_add(out, &piece);
}

/* Sweep over the sorted lines: between two starts or ends the top of the heap owns the addresses.
 */
static void flatten(struct symtab *t, const size_t *rank)
{
	struct symtab out = { 0 };
	struct heap h = { xmalloc(t->count * sizeof(size_t)), 0, rank };
	uint64_t pos = 0;

	for (size_t i = 0; i < t->count || h.count;) {
		const struct symbol *top = h.count ? &t->syms[h.at[0]] : NULL;

		if (top && top->end <= pos) {
			heap_pop(&h);
		} else if (i < t->count && (!top || t->syms[i].start <= pos)) {
			if (!top)
				pos = t->syms[i].start;
			heap_push(&h, i++);
		} else {
			uint64_t to = top->end;

			if (i < t->count && t->syms[i].start < to)
				to = t->syms[i].start;
			emit(&out, top, pos, to);
			pos = to;
		}
	}
	free(h.at);
	free(t->syms);
	t->syms = out.syms;
	t->count = out.count;
	t->cap = out.cap;
}

/* Pieces of one line that were only cut by the start of a range below it become one again. */
static void join_pieces(struct symtab *t)
{
	size_t keep = 0;

	for (size_t i = 1; i < t->count; i++) {
		struct symbol *a = &t->syms[keep], *b = &t->syms[i];

		if (a->name == b->name && a->end == b->start)
			a->end = b->end;
		else
			t->syms[++keep] = *b;
	}
	t->count = keep + 1;
}

static int finish(struct symtab *t)
{
	size_t *rank;

	if (!t->count)
		return ERR_FORMAT;
	/* The names lie in one text, so their order in memory is the order of the lines. */
	symtab_sort(t);
	rank = xmalloc(t->count * sizeof(*rank));
	for (size_t i = 0; i < t->count; i++)
		rank[i] = (size_t)(uintptr_t)t->syms[i].name;
	flatten(t, rank);
	join_pieces(t);
	free(rank);
	return 0;
}

int perfmap_parse(struct symtab *out, char *text, size_t size)
{
	char *end = text + size;

	while (text < end) {
		char *eol = memchr(text, '\n', (size_t)(end - text));
		struct symbol s;

		if (!eol)
			eol = end;
		*eol = '\0';
		if (parse_line(text, &s))
			symtab_add(out, &s);
		text = eol + 1;
	}
	return finish(out);
}

int perfmap_load(struct symtab *out, struct reach *r, const char *path)
{
	size_t size;
	char *text;
	int err = symtab_read_text(out, r, path, &text, &size);

	return err ? err : perfmap_parse(out, text, size);
}
