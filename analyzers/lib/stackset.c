/* Sort stacks by their folded text without ever building it.
 *
 * Compared as text, "a;foo" and "a;foo.bar;x" part at what follows "foo": the end, ';' or '.'. So a
 * frame has two ranks: one as a last frame (its name and the end), one as an inner frame (its name
 * and ';'). Then stacks compare as arrays of ranks, and a merge sort that carries the length of the
 * common prefix looks at each rank about once. */
#include "analyzers/lib/stackset.h"
#include "parser/base/buf.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <stdlib.h>
#include <string.h>

void stackset_init(struct stackset *s)
{
	memset(s, 0, sizeof(*s));
	intern_init(&s->names);
}

void stackset_release(struct stackset *s)
{
	intern_release(&s->names);
	free(s->frames);
	free(s->rows);
	free(s->name_list);
	free(s->table);
}

uint32_t stackset_frame(struct stackset *s, const char *name, size_t len)
{
	struct buf b = { 0 };
	size_t i = 0, n;
	uint32_t id;

	while (i < len && name[i] != ';' && (n = utf8_shown(name + i, len - i)))
		i += n;
	if (i == len)
		return intern_add(&s->names, name, len);
	for (i = 0; i < len; i += n ? n : 1) {
		n = utf8_shown(name + i, len - i);
		if (name[i] == ';')
			buf_char(&b, ':');
		else if (n)
			buf_add(&b, name + i, n);
		else
			buf_printf(&b, "\\x%02x", (unsigned char)name[i]);
	}
	id = intern_add(&s->names, b.data, b.len);
	buf_release(&b);
	return id;
}

void stackset_reserve(struct stackset *s, size_t frames)
{
	s->frames = xgrow(s->frames, &s->frame_cap, s->frame_count + frames, sizeof(*s->frames));
}

void stackset_begin(struct stackset *s)
{
	s->rows = xgrow(s->rows, &s->row_cap, s->row_count + 1, sizeof(*s->rows));
	s->rows[s->row_count].first = s->frame_count;
}

static uint64_t row_hash(const struct stackset *s, const struct stack_row *r)
{
	return hash_bytes(s->frames + r->first, r->count * sizeof(*s->frames));
}

static bool same_frames(const struct stackset *s, const struct stack_row *a,
			const struct stack_row *b)
{
	return a->count == b->count &&
	       !memcmp(s->frames + a->first, s->frames + b->first, a->count * sizeof(*s->frames));
}

static void grow(struct stackset *s)
{
	free(s->table);
	s->slots = s->slots ? s->slots * 2 : 1024;
	s->table = xcalloc(s->slots, sizeof(*s->table));
	for (size_t r = 0; r < s->row_count; r++) {
		size_t i = row_hash(s, &s->rows[r]) & (s->slots - 1);

		while (s->table[i])
			i = (i + 1) & (s->slots - 1);
		s->table[i] = (uint32_t)r + 1;
	}
}

/* Many processes and addresses come down to few stacks of names: an equal row is given back at
 * once. */
void stackset_end(struct stackset *s, uint64_t weight)
{
	struct stack_row *r = &s->rows[s->row_count];
	size_t i;

	r->weight = weight;
	r->count = (uint32_t)(s->frame_count - r->first);
	r->shared = 0;
	if ((s->row_count + 1) * 2 > s->slots)
		grow(s);
	for (i = row_hash(s, r) & (s->slots - 1); s->table[i]; i = (i + 1) & (s->slots - 1)) {
		struct stack_row *have = &s->rows[s->table[i] - 1];

		if (!same_frames(s, have, r))
			continue;
		have->weight += weight;
		s->frame_count = r->first;
		return;
	}
	s->table[i] = (uint32_t)++s->row_count;
}

/* ---- ranks ---- */

struct spelled {
	const char *name;
	uint32_t len;
	uint32_t slot; /* frame * 2 + 1 as an inner frame (followed by ';'), frame * 2 as a last one
			*/
};

static int by_text(const void *a, const void *b)
{
	const struct spelled *x = a, *y = b;
	uint32_t n = x->len < y->len ? x->len : y->len;
	int d = memcmp(x->name, y->name, n);
	int cx, cy;

	if (d)
		return d;
	/* what follows the common part: its next byte, ';', or the end (-1) */
	cx = x->len > n ? (unsigned char)x->name[n] : x->slot & 1 ? ';' : -1;
	cy = y->len > n ? (unsigned char)y->name[n] : y->slot & 1 ? ';' : -1;
	if (cx != cy)
		return cx < cy ? -1 : 1;
	return x->len < y->len ? -1 : x->len > y->len;
}

/* RANKS[frame * 2 + inner]. */
static uint32_t *make_ranks(const struct intern *names)
{
	size_t n = names->count * 2;
	struct spelled *list = xmalloc(n * sizeof(*list));
	uint32_t *ranks = xmalloc((n + 1) * sizeof(*ranks));

	for (size_t i = 0; i < n; i++)
		list[i] = (struct spelled){ names->list[i / 2].s, names->list[i / 2].len,
					    (uint32_t)i };
	qsort(list, n, sizeof(*list), by_text);
	for (size_t i = 0; i < n; i++)
		ranks[list[i].slot] = (uint32_t)i;
	free(list);
	return ranks;
}

/* ---- merge sort with common-prefix lengths ---- */

struct sorter {
	const struct stackset *set;
	const uint32_t *ranks;
};

static uint32_t rank_at(const struct sorter *o, const struct stack_row *r, uint32_t i)
{
	uint32_t frame = o->set->frames[r->first + i];

	return o->ranks[frame * 2 + (i + 1 < r->count)];
}

/* Compare A and B from rank *LCP on; *LCP becomes how many leading ranks they share. */
static int compare(const struct sorter *o, const struct stack_row *a, const struct stack_row *b,
		   uint32_t *lcp)
{
	const uint32_t *fa = o->set->frames + a->first, *fb = o->set->frames + b->first;
	uint32_t n = a->count < b->count ? a->count : b->count;
	uint32_t i = *lcp;

	while (i < n && fa[i] == fb[i])
		i++;
	*lcp = i;
	if (i == n) {
		if (a->count == b->count)
			return 0;
		if (i == 0)
			return a->count < b->count ? -1 : 1;
		/* the shorter one ends with a frame that is an inner one of the longer */
		*lcp = i - 1;
		return rank_at(o, a, i - 1) < rank_at(o, b, i - 1) ? -1 : 1;
	}
	/* A last frame against an inner one of another name: both ranks know it. */
	return rank_at(o, a, i) < rank_at(o, b, i) ? -1 : 1;
}

struct run {
	const struct stack_row *rows;
	size_t count;
};

/* Merge the sorted runs RA and RB into OUT; row.shared is the prefix shared with the row before in
 * the run, 0 for the first. */
static void merge(const struct sorter *o, struct run ra, struct run rb, struct stack_row *out)
{
	const struct stack_row *a = ra.rows, *b = rb.rows;
	size_t na = ra.count, nb = rb.count;
	size_t i = 0, j = 0, k = 0;
	uint32_t la = 0, lb = 0; /* prefixes that a[i], b[j] share with the last row put out */

	while (i < na && j < nb) {
		bool take_a;
		uint32_t l;

		if (la != lb) {
			take_a = la > lb; /* shares more with what is smaller than both */
			l = la < lb ? la : lb;
		} else {
			l = la;
			take_a = compare(o, &a[i], &b[j], &l) <= 0;
		}
		if (take_a) {
			out[k] = a[i++];
			out[k++].shared = la;
			la = i < na ? a[i].shared : 0;
			lb = l;
		} else {
			out[k] = b[j++];
			out[k++].shared = lb;
			lb = j < nb ? b[j].shared : 0;
			la = l;
		}
	}
	for (; i < na; la = i + 1 < na ? a[i + 1].shared : 0, i++) {
		out[k] = a[i];
		out[k++].shared = la;
	}
	for (; j < nb; lb = j + 1 < nb ? b[j + 1].shared : 0, j++) {
		out[k] = b[j];
		out[k++].shared = lb;
	}
}

/* Bottom up, so that no depth follows the data. */
static void sort_rows(struct stackset *s, const uint32_t *ranks)
{
	struct sorter o = { s, ranks };
	struct stack_row *from = s->rows;
	struct stack_row *to = xmalloc(s->row_count * sizeof(*to));
	size_t n = s->row_count;

	for (size_t width = 1; width < n; width *= 2) {
		for (size_t at = 0; at < n; at += width * 2) {
			size_t na = n - at < width ? n - at : width;
			size_t nb = n - at - na < width ? n - at - na : width;

			merge(&o, (struct run){ from + at, na }, (struct run){ from + at + na, nb },
			      to + at);
		}
		struct stack_row *t = from;

		from = to;
		to = t;
	}
	s->rows = from;
	free(to);
}

void stackset_finish(struct stackset *s)
{
	uint32_t *ranks = make_ranks(&s->names);

	sort_rows(s, ranks);
	free(ranks);
	s->name_list = xmalloc((s->names.count + 1) * sizeof(*s->name_list));
	for (size_t i = 0; i < s->names.count; i++)
		s->name_list[i] = s->names.list[i].s;
	s->part = (struct stacks_part){ s->name_list, s->frames, s->rows, s->row_count };
}
