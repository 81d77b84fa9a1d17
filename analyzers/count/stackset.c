/* Sort stacks by their folded text without ever building it.
 *
 * Compared as text, "a;foo" and "a;foo.bar;x" part at what follows "foo": the end, ';' or '.'. So a
 * frame has two ranks: one as a last frame (its name and the end), one as an inner frame (its name
 * and ';'). Then stacks compare as arrays of ranks, and a merge sort that carries the length of the
 * common prefix looks at each rank about once. */
#include "analyzers/count/stackset.h"
#include "analyzers/count/stacksort.h"
#include "parser/base/buf.h"
#include "parser/base/compare.h"
#include "parser/base/hash.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define LAST_BYTES (1u << 16) /* of a line that the next one is compared with */

/* Lines mostly come sorted, and begin as the one before: what is equal need not be looked up. */
struct last_line {
	size_t len;
	uint32_t count;		   /* of frames, at most one for each byte */
	bool ascends;		   /* it comes behind the one before, and is no row yet */
	char text[LAST_BYTES];	   /* without empty frames at its end */
	uint32_t ids[LAST_BYTES];  /* of the frames */
	uint32_t ends[LAST_BYTES]; /* of the same, in the text */
};

void stackset_release(struct stackset *s)
{
	intern_release(&s->names);
	free(s->frames);
	free(s->kinds);
	free(s->rows);
	free(s->name_list);
	slots_release(&s->places);
	free(s->amounts);
	free(s->before);
	free(s->last);
}

uint32_t stackset_frame(struct stackset *s, const char *name, size_t len)
{
	struct buf b = { 0 };
	size_t i = 0, n;
	uint32_t id = intern_find(&s->names, name, len);

	if (id != INTERN_NONE) /* then it is as it must be */
		return id;
	while (i < len && name[i] != ';' && (n = utf8_shown(name + i, len - i)))
		i += n;
	if (i == len)
		return intern_add(&s->names, name, len);
	s->ascending = SIZE_MAX; /* other texts may come to the same name */
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

static size_t common_bytes(const char *a, const char *b, size_t max)
{
	uint64_t x, y;
	size_t n;

	for (n = 0; n + sizeof(x) <= max; n += sizeof(x)) {
		memcpy(&x, a + n, sizeof(x));
		memcpy(&y, b + n, sizeof(y));
		if (x != y)
			break;
	}
	while (n < max && a[n] == b[n])
		n++;
	return n;
}

/* Let L become TEXT, but for its frames; returns where those begin that it has not. */
static size_t take_text(struct last_line *l, const char *text, size_t len)
{
	size_t same = common_bytes(l->text, text, len < l->len ? len : l->len);

	l->ascends = same < len && (same == l->len || (uint8_t)text[same] > (uint8_t)l->text[same]);
	if (same == len && same == l->len)
		return len;
	while (l->count && l->ends[l->count - 1] >= same)
		l->count--;
	memcpy(l->text + same, text + same, len - same);
	l->len = len;
	return l->count ? l->ends[l->count - 1] + 1 : 0;
}

/* The frame called NAME, which mostly is the I-th of the row NEXT, if there is one. */
static uint32_t frame_like(struct stackset *s, const struct stack_row *next, uint32_t i,
			   const char *name, size_t len)
{
	uint32_t id = next && i < next->count ? s->frames[next->first + i] : INTERN_NONE;
	const struct interned *have = id != INTERN_NONE ? &s->names.list[id] : NULL;

	return have && have->len == len && !memcmp(have->s, name, len)
		       ? id
		       : stackset_frame(s, name, len);
}

static void push_long_text(struct stackset *s, const char *p, const char *end)
{
	while (p < end) {
		const char *semi = memchr(p, ';', (size_t)(end - p));
		const char *stop = semi ? semi : end;

		stackset_reserve(s, 1);
		stackset_push(s, stackset_frame(s, p, (size_t)(stop - p)));
		p = stop + 1;
	}
}

void stackset_push_text(struct stackset *s, const char *text, size_t len)
{
	struct last_line *l = s->last;
	const struct stack_row *next = s->next < s->row_count ? &s->rows[s->next] : NULL;
	size_t at;

	while (len && text[len - 1] == ';')
		len--;
	if (len > LAST_BYTES) {
		s->ascending = SIZE_MAX;
		push_long_text(s, text, text + len);
		return;
	}
	if (!l) {
		l = s->last = xmalloc(sizeof(*l));
		l->len = l->count = 0;
	}
	at = take_text(l, text, len);
	if (!l->ascends)
		s->ascending = SIZE_MAX;
	while (at < len) {
		const char *semi = memchr(text + at, ';', len - at);
		size_t end = semi ? (size_t)(semi - text) : len;

		l->ids[l->count] = frame_like(s, next, l->count, text + at, end - at);
		l->ends[l->count++] = (uint32_t)end;
		at = end + 1;
	}
	stackset_reserve(s, l->count);
	if (l->count)
		memcpy(s->frames + s->frame_count, l->ids, l->count * sizeof(*l->ids));
	s->frame_count += l->count;
}

/* Kinds leave the ids of row R, so that rows are equal by their names alone. */
static void take_kinds(struct stackset *s, const struct stack_row *r)
{
	uint32_t any = 0;

	for (uint64_t i = r->first; i < s->frame_count; i++)
		any |= s->frames[i];
	if (!s->kinds && !(any & ~STACKSET_ID))
		return;
	if (s->frame_count > s->kind_cap) {
		size_t had = s->kind_cap;

		s->kinds = xgrow(s->kinds, &s->kind_cap, s->frame_count, 1);
		memset(s->kinds + had, FRAME_OTHER, s->kind_cap - had);
	}
	for (uint64_t i = r->first; i < s->frame_count; i++) {
		s->kinds[i] = (uint8_t)(s->frames[i] >> STACKSET_KIND_SHIFT);
		s->frames[i] &= STACKSET_ID;
	}
}

/* Row R is given back: what HAVE is may be no more than what both are. */
static void merge_kinds(struct stackset *s, const struct stack_row *have, const struct stack_row *r)
{
	for (uint32_t i = 0; s->kinds && i < r->count; i++) {
		uint8_t kind = s->kinds[r->first + i], *to = &s->kinds[have->first + i];

		*to = kind < *to ? kind : *to;
	}
}

static uint64_t row_hash(const struct stackset *s, const struct stack_row *r)
{
	return r->count ? hash_bytes(s->frames + r->first, r->count * sizeof(*s->frames)) : 0;
}

static bool same_frames(const struct stackset *s, const struct stack_row *a,
			const struct stack_row *b)
{
	size_t size = a->count * sizeof(*s->frames);

	return a->count == b->count &&
	       (!size || !memcmp(s->frames + a->first, s->frames + b->first, size));
}

static void add(struct stackset *s, uint64_t *sum, uint64_t weight)
{
	s->overflow |= add_held(sum, weight);
}

/* The row that was begun is HAVE, and given back. */
static struct stack_row *give_back(struct stackset *s, struct stack_row *have)
{
	const struct stack_row *r = &s->rows[s->row_count];

	merge_kinds(s, have, r);
	s->frame_count = r->first;
	s->next = (size_t)(have - s->rows) + 1;
	return have;
}

/* Row R is the line of text that came last, and all rows are lines before it: it is a new one. */
static bool is_ascending(struct stackset *s, const struct stack_row *r)
{
	struct last_line *l = s->last;

	if (!l || !l->ascends || s->ascending != s->row_count)
		return false;
	l->ascends = false;
	return r->count && r->count == l->count &&
	       !memcmp(s->frames + r->first, l->ids, r->count * sizeof(*l->ids));
}

/* Rows that were not looked up get their places. */
static void place_rows(struct stackset *s)
{
	while (s->places.used < s->row_count) {
		uint64_t hash = row_hash(s, &s->rows[s->places.used]);
		uint32_t row;
		size_t at;

		slots_reserve(&s->places);
		SLOTS_EACH(&s->places, hash, at, row)
		continue; /* each is another */
		slots_set(&s->places, at, hash, (uint32_t)s->places.used);
	}
}

/* Many processes and addresses come down to few stacks of names: an equal row is given back at
 * once. Returns the row, and whether it was there before. */
static struct stack_row *find_or_keep(struct stackset *s, bool *had)
{
	struct stack_row *r = &s->rows[s->row_count];
	uint64_t hash;
	uint32_t row;
	size_t at;

	*had = true;
	r->count = (uint32_t)(s->frame_count - r->first);
	r->shared = 0;
	take_kinds(s, r);
	if (is_ascending(s, r)) {
		*had = false;
		s->ascending = ++s->row_count;
		return r;
	}
	if (s->next < s->row_count && same_frames(s, &s->rows[s->next], r))
		return give_back(s, &s->rows[s->next]);
	place_rows(s);
	hash = row_hash(s, r);
	slots_reserve(&s->places);
	SLOTS_EACH(&s->places, hash, at, row)
	{
		struct stack_row *have = &s->rows[row];

		if (same_frames(s, have, r))
			return give_back(s, have);
	}
	*had = false;
	slots_set(&s->places, at, hash, (uint32_t)s->row_count++);
	return r;
}

void stackset_end(struct stackset *s, uint64_t weight)
{
	bool had;
	struct stack_row *r;

	if (s->sides) {
		stackset_end_side(s, s->sides - 1, weight);
		return;
	}
	r = find_or_keep(s, &had);
	if (had)
		add(s, &r->weight, weight);
	else
		r->weight = weight;
}

void stackset_sides(struct stackset *s, unsigned n)
{
	s->sides = n;
}

void stackset_end_side(struct stackset *s, unsigned side, uint64_t weight)
{
	bool had;
	struct stack_row *r = find_or_keep(s, &had);

	if (!had) {
		r->weight = s->row_count - 1;
		s->amounts = xgrow(s->amounts, &s->amount_cap, s->row_count * s->sides,
				   sizeof(*s->amounts));
		memset(s->amounts + r->weight * s->sides, 0, s->sides * sizeof(*s->amounts));
	}
	add(s, &s->amounts[r->weight * s->sides + side], weight);
}

static void scale(struct stackset *s, uint64_t *value, unsigned digits)
{
	while (digits--) {
		if (__builtin_mul_overflow(*value, 10, value)) {
			*value = SUM_HELD;
			s->overflow = true;
		}
	}
}

/* All weights count the same power of ten: the finest that came. */
static void need_decimals(struct stackset *s, unsigned decimals)
{
	unsigned more = decimals - s->decimals;

	for (size_t i = 0; i < s->row_count; i++) {
		for (unsigned k = 0; k < s->sides; k++)
			scale(s, &s->amounts[i * s->sides + k], more);
		if (!s->sides)
			scale(s, &s->rows[i].weight, more);
	}
	s->decimals = decimals;
}

void stackset_end_text(struct stackset *s, const struct folded_line *line)
{
	uint64_t weight[2] = { line->weight[0], line->weight[1] };

	if (line->decimals > s->decimals)
		need_decimals(s, line->decimals);
	scale(s, &weight[0], s->decimals - line->decimals);
	scale(s, &weight[1], s->decimals - line->decimals);
	if (!s->sides) {
		stackset_end(s, weight[0]);
		return;
	}
	/* the row was begun: ended twice, it is found the second time */
	for (unsigned side = 0; side < 2; side++) {
		uint64_t first = s->rows[s->row_count].first;
		size_t count = s->frame_count - first;

		stackset_end_side(s, side, weight[side]);
		if (side)
			break;
		stackset_begin(s);
		stackset_reserve(s, count);
		memmove(s->frames + s->frame_count, s->frames + first, count * sizeof(*s->frames));
		s->frame_count += count;
	}
}

static uint32_t stackset_kind(const struct stackset *s, uint64_t i)
{
	return s->kinds && i < s->kind_cap ? (uint32_t)s->kinds[i] << STACKSET_KIND_SHIFT : 0;
}

void stackset_add_set(struct stackset *to, unsigned side, const struct stackset *from,
		      const uint32_t *ids)
{
	if (from->decimals > to->decimals)
		need_decimals(to, from->decimals);
	for (size_t i = 0; i < from->row_count; i++) {
		const struct stack_row *r = &from->rows[i];
		uint64_t weight = r->weight;

		scale(to, &weight, to->decimals - from->decimals);
		stackset_begin(to);
		stackset_reserve(to, r->count);
		for (uint32_t k = 0; k < r->count; k++) {
			uint32_t frame = from->frames[r->first + k];

			stackset_push(to, (ids ? ids[frame] : frame) |
						  stackset_kind(from, r->first + k));
		}
		if (to->sides)
			stackset_end_side(to, side, weight);
		else
			stackset_end(to, weight);
	}
	to->overflow |= from->overflow;
}

/* TO has no rows: it becomes FROM, but for what it is asked for and the names. */
static void become(struct stackset *to, struct stackset *from)
{
	struct stackset was = *to;

	*to = *from;
	to->names = was.names;
	to->by_line = was.by_line;
	to->overflow |= was.overflow;
	to->made_room += was.made_room;
	was.names = from->names;
	stackset_release(&was);
	*from = (struct stackset){ 0 };
}

void stackset_take(struct stackset *to, struct stackset *from)
{
	if (!to->row_count && !to->sides && !to->decimals) {
		become(to, from);
		return;
	}
	stackset_add_set(to, to->sides ? to->sides - 1 : 0, from, NULL);
	stackset_release(from);
	*from = (struct stackset){ 0 };
}

/* ---- the rarest ---- */

/* What else there may be of each: rows of tables, nodes of trees, tables of names. */
#define FRAME_BYTES 24
#define ROW_BYTES   128
#define NAME_BYTES  128
#define OTHERS	    "[others]"

size_t stackset_bytes(const struct stackset *s)
{
	return s->frame_count * FRAME_BYTES + s->row_count * (ROW_BYTES + s->sides * 8) +
	       s->names.count * NAME_BYTES + s->names.bytes;
}

struct ranked {
	uint64_t weight;
	size_t row;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return compare_u64(y->weight, x->weight) ?: compare_u64(x->row, y->row);
}

/* The weights of R, one for each side. */
static const uint64_t *weights_of(const struct stackset *s, const struct stack_row *r)
{
	return s->sides ? &s->amounts[r->weight * s->sides] : &r->weight;
}

/* The rows, the heaviest first. */
static struct ranked *rank_rows(const struct stackset *s)
{
	struct ranked *list = xmalloc((s->row_count + 1) * sizeof(*list));

	for (size_t i = 0; i < s->row_count; i++) {
		const uint64_t *weights = weights_of(s, &s->rows[i]);

		list[i] = (struct ranked){ 0, i };
		for (unsigned k = 0; k < (s->sides ?: 1); k++)
			(void)add_held(&list[i].weight, weights[k]);
	}
	if (s->row_count)
		qsort(list, s->row_count, sizeof(*list), by_rank);
	return list;
}

/* Row R of FROM, or with OTHERS its weight. IDS: of FROM's names in TO, as far as they are there.
 */
static void move_row(struct stackset *to, const struct stackset *from, size_t row, uint32_t *ids)
{
	const struct stack_row *r = &from->rows[row];

	for (unsigned k = 0; k < (from->sides ?: 1); k++) {
		uint64_t weight = weights_of(from, r)[k];

		stackset_begin(to);
		stackset_reserve(to, r->count + 1u);
		for (uint32_t i = 0; ids && i < r->count; i++) {
			uint64_t at = r->first + i;
			uint32_t *id = &ids[from->frames[at]];
			const struct interned *name = &from->names.list[from->frames[at]];

			if (*id == INTERN_NONE)
				*id = intern_add(&to->names, name->s, name->len);
			stackset_push(to, *id | stackset_kind(from, at));
		}
		if (!ids)
			stackset_push(to, stackset_frame(to, OTHERS, strlen(OTHERS)));
		if (to->sides)
			stackset_end_side(to, k, weight);
		else
			stackset_end(to, weight);
	}
}

void stackset_make_room(struct stackset *s, size_t bytes)
{
	struct stackset to = { .sides = s->sides,
			       .decimals = s->decimals,
			       .by_line = s->by_line,
			       .overflow = s->overflow,
			       .made_room = s->made_room };
	size_t size = (s->names.count + 1) * sizeof(uint32_t);
	uint32_t *ids = memset(xmalloc(size), 0xff, size);
	struct ranked *list = rank_rows(s);
	size_t i;

	for (i = 0; i < s->row_count && stackset_bytes(&to) < bytes; i++)
		move_row(&to, s, list[i].row, ids);
	to.made_room += s->row_count - i;
	for (; i < s->row_count; i++)
		move_row(&to, s, list[i].row, NULL);
	free(list);
	free(ids);
	stackset_release(s);
	*s = to;
}

double stackset_one(const struct stackset *s)
{
	double one = 1;

	for (unsigned i = 0; i < s->decimals; i++)
		one *= 10;
	return one;
}

double stackset_sum(const struct stackset *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->row_count && !s->sides; i++)
		sum += (double)s->rows[i].weight;
	return sum / stackset_one(s);
}

void stackset_collapse_recursion(struct stackset *s)
{
	uint64_t first = s->rows[s->row_count].first, to = first;

	for (uint64_t i = first; i < s->frame_count; i++) {
		uint32_t frame = s->frames[i], *last = to > first ? &s->frames[to - 1] : NULL;

		if (!last || (*last ^ frame) & STACKSET_ID)
			s->frames[to++] = frame;
		else if (frame < *last)
			*last = frame; /* of the lesser kind */
	}
	s->frame_count = to;
}

void stackset_reverse(struct stackset *s)
{
	uint64_t a = s->rows[s->row_count].first, z = s->frame_count;

	while (a < z) {
		uint32_t t = s->frames[--z];

		s->frames[z] = s->frames[a];
		s->frames[a++] = t;
	}
}

/* ---- ranks ---- */

/* A frame's name and what follows it. Its first bytes, as a number in their order, mostly tell it
 * from others. */
struct spelled {
	uint64_t head;
	uint32_t frame;
	bool inner; /* followed by ';' */
};

struct spelling {
	const struct interned *names;
	bool in_line;
};

/* The I-th byte, -1 at the end; in a line of folded text a weight follows a last frame, taken for
 * 0. */
static int byte_at(const struct spelling *o, const struct spelled *x, uint32_t i)
{
	const struct interned *name = &o->names[x->frame];
	const char *tail = x->inner ? ";" : o->in_line ? " 0" : "";

	if (i < name->len)
		return (unsigned char)name->s[i];
	return i - name->len < strlen(tail) ? (unsigned char)tail[i - name->len] : -1;
}

static uint64_t head_of(const struct spelling *o, const struct spelled *x)
{
	uint64_t head = 0;
	int c = 0;

	for (uint32_t i = 0; i < sizeof(head); i++) {
		c = c < 0 ? c : byte_at(o, x, i);
		head = head << 8 | (c < 0 ? 0 : (uint64_t)c);
	}
	return head;
}

static int by_text(const void *a, const void *b, void *spelling)
{
	const struct spelling *o = spelling;
	const struct spelled *x = a, *y = b;
	const struct interned *left, *right;
	uint32_t n;
	int d, cx, cy;

	if (x->head != y->head)
		return x->head < y->head ? -1 : 1;
	left = &o->names[x->frame];
	right = &o->names[y->frame];
	n = left->len < right->len ? left->len : right->len;
	d = memcmp(left->s, right->s, n);
	if (d)
		return d;
	do {
		cx = byte_at(o, x, n);
		cy = byte_at(o, y, n++);
	} while (cx == cy && cx >= 0);
	return (cx > cy) - (cx < cy);
}

enum place { AS_LAST = 1, AS_INNER = 2 };

/* As what each frame is in the rows, enum place. */
static uint8_t *find_places(const struct stackset *s)
{
	uint8_t *places = xcalloc(s->names.count + 1, sizeof(*places));

	for (size_t r = 0; r < s->row_count; r++) {
		const uint32_t *frames = s->frames + s->rows[r].first;
		uint32_t n = s->rows[r].count;

		for (uint32_t i = 0; i + 1 < n; i++)
			places[frames[i]] |= AS_INNER;
		if (n)
			places[frames[n - 1]] |= AS_LAST;
	}
	return places;
}

/* RANKS[frame * 2 + inner], of those that are in the rows. */
static uint32_t *make_ranks(const struct stackset *s)
{
	struct spelling o = { s->names.list, s->by_line };
	uint8_t *places = find_places(s);
	struct spelled *list = xmalloc((s->names.count * 2 + 1) * sizeof(*list));
	uint32_t *ranks = xmalloc((s->names.count * 2 + 1) * sizeof(*ranks));
	size_t n = 0;

	for (size_t i = 0; i < s->names.count * 2; i++) {
		struct spelled *x = &list[n];

		if (!(places[i / 2] & (i & 1 ? AS_INNER : AS_LAST)))
			continue;
		*x = (struct spelled){ .frame = (uint32_t)(i / 2), .inner = i & 1 };
		x->head = head_of(&o, x);
		n++;
	}
	free(places);
	qsort_r(list, n, sizeof(*list), by_text, &o);
	for (size_t i = 0; i < n; i++)
		ranks[(size_t)list[i].frame * 2 + list[i].inner] = (uint32_t)i;
	free(list);
	return ranks;
}

/* To the sort a last frame and an inner one of the same name are two; to those who draw, one. */
static void share_last_frames(struct stackset *s)
{
	for (size_t i = 1; i < s->row_count; i++) {
		const struct stack_row *before = &s->rows[i - 1];
		struct stack_row *r = &s->rows[i];
		uint32_t k = r->shared;

		if (k < r->count && k < before->count &&
		    s->frames[r->first + k] == s->frames[before->first + k])
			r->shared++;
	}
}

/* Amounts follow their rows; a row's weight becomes that of the last side. */
static void sort_amounts(struct stackset *s)
{
	uint64_t *sorted = xmalloc((s->row_count * s->sides + 1) * sizeof(*sorted));

	s->before = xrealloc(s->before, (s->row_count + 1) * sizeof(*s->before));
	for (size_t i = 0; i < s->row_count; i++) {
		memcpy(sorted + i * s->sides, s->amounts + s->rows[i].weight * s->sides,
		       s->sides * sizeof(*sorted));
		s->rows[i].weight = sorted[(i + 1) * s->sides - 1];
		s->before[i] = sorted[i * s->sides];
	}
	free(s->amounts);
	s->amounts = sorted;
}

/* Whoever draws the rows adds them up. */
static void check_sums(struct stackset *s)
{
	for (unsigned side = 0; side < (s->sides ?: 1); side++) {
		uint64_t sum = 0;

		for (size_t i = 0; i < s->row_count; i++)
			add(s, &sum,
			    s->sides ? s->amounts[i * s->sides + side] : s->rows[i].weight);
	}
}

void stackset_finish(struct stackset *s)
{
	uint32_t *ranks;

	stackset_reserve(s, 1); /* rows without frames, too, lie somewhere */
	ranks = make_ranks(s);
	s->rows = stack_rows_sort(&(struct stack_order){ s->frames, ranks, s->jobs }, s->rows,
				  s->row_count);
	share_last_frames(s);
	free(ranks);
	s->name_list = xmalloc((s->names.count + 1) * sizeof(*s->name_list));
	for (size_t i = 0; i < s->names.count; i++)
		s->name_list[i] = s->names.list[i].s;
	if (s->sides)
		sort_amounts(s);
	check_sums(s);
	s->part = (struct stacks_part){ .names = s->name_list,
					.frames = s->frames,
					.kinds = s->kinds,
					.rows = s->rows,
					.count = s->row_count,
					.decimals = s->decimals,
					.before = s->sides == 2 ? s->before : NULL,
					.scale = 1 };
}
