/* Rows of frames, each once: the weights of equal ones add up. Lines of text that come sorted are
 * not looked up. */
#include "analyzers/count/stackset.h"
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

/* NAME is not there, and perhaps it is not as it must be. */
static __attribute__((noinline)) uint32_t new_frame(struct stackset *s, const char *name,
						    size_t len)
{
	struct buf b = { 0 };
	size_t i = 0, n;
	uint32_t id;

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

uint32_t stackset_frame(struct stackset *s, const char *name, size_t len)
{
	uint32_t id = intern_find(&s->names, name, len);

	return id != INTERN_NONE ? id : new_frame(s, name, len);
}

void stackset_reserve(struct stackset *s, size_t frames)
{
	if (frames > s->frame_cap - s->frame_count)
		s->frames = xgrow(s->frames, &s->frame_cap, s->frame_count + frames,
				  sizeof(*s->frames));
}

void stackset_begin(struct stackset *s)
{
	if (s->row_count == s->row_cap)
		s->rows = xgrow(s->rows, &s->row_cap, s->row_count + 1, sizeof(*s->rows));
	s->rows[s->row_count].first = s->frame_count;
}

static bool is_behind(const char *text, size_t len, const struct last_line *l, size_t same)
{
	return same < len && (same == l->len || (uint8_t)text[same] > (uint8_t)l->text[same]);
}

/* Let L become TEXT, but for its frames; returns where those begin that it has not. */
static size_t take_text(struct last_line *l, const char *text, size_t len)
{
	size_t same = common_bytes(l->text, text, len < l->len ? len : l->len);

	l->ascends = is_behind(text, len, l, same);
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
	if (is_ascending(s, r)) {
		if (s->kinds)
			take_kinds(s, r);
		*had = false;
		s->ascending = ++s->row_count;
		return r;
	}
	take_kinds(s, r);
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

/* Does the text of row 0 of S come behind that of LAST? */
static bool begins_behind(const struct stackset *s, const struct last_line *last)
{
	const struct stack_row *r = &s->rows[0];
	struct buf text = { 0 };
	size_t same;
	bool behind;

	for (uint32_t i = 0; i < r->count; i++) {
		const struct interned *name = &s->names.list[s->frames[r->first + i]];

		if (i)
			buf_char(&text, ';');
		buf_add(&text, name->s, name->len);
	}
	same = common_bytes(text.data, last->text, text.len < last->len ? text.len : last->len);
	behind = is_behind(text.data, text.len, last, same);
	buf_release(&text);
	return behind;
}

/* All rows of both came as lines of text, those of FROM behind those of TO: there are no equal
 * ones. */
static bool is_continued(const struct stackset *to, const struct stackset *from)
{
	return to->row_count && to->ascending == to->row_count && !to->sides && !to->kinds &&
	       from->row_count && from->ascending == from->row_count && !from->kinds &&
	       to->decimals == from->decimals && begins_behind(from, to->last);
}

static void continue_rows(struct stackset *to, struct stackset *from, const uint32_t *ids)
{
	size_t frames = to->frame_count, rows = to->row_count;
	struct last_line *last = to->last;

	stackset_reserve(to, from->frame_count);
	for (size_t i = 0; i < from->frame_count; i++)
		to->frames[frames + i] = ids[from->frames[i]];
	to->frame_count += from->frame_count;
	to->rows = xgrow(to->rows, &to->row_cap, rows + from->row_count, sizeof(*to->rows));
	for (size_t i = 0; i < from->row_count; i++) {
		to->rows[rows + i] = from->rows[i];
		to->rows[rows + i].first += frames;
	}
	to->row_count += from->row_count;
	to->ascending = to->row_count;
	to->last = from->last;
	from->last = last;
	for (uint32_t i = 0; i < to->last->count; i++)
		to->last->ids[i] = ids[to->last->ids[i]];
	to->overflow |= from->overflow;
}

void stackset_append(struct stackset *to, struct stackset *from)
{
	const struct intern *names = &from->names;
	uint32_t *ids = xmalloc((names->count + 1) * sizeof(*ids));

	for (size_t i = 0; i < names->count; i++)
		ids[i] = intern_add(&to->names, names->list[i].s, names->list[i].len);
	if (is_continued(to, from))
		continue_rows(to, from, ids);
	else
		stackset_add_set(to, 0, from, ids);
	free(ids);
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
