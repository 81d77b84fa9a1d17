/* Modules, locations and stacks of a session as columns of numbers, LEB128, and the other way. Who
 * keeps them compresses them.
 *
 *   modules    count; of each: kind, flags, path, build-id, pid, start, end, pgoff, code_pgoff + 1,
 *              reference symbol; how many locations are in none, and in each; the modes and flags
 *              of these
 *   addresses  of the locations, ascending in each module, as differences
 *   shapes     count of stacks; how many locations each shares with the one before; how many
 *              follow; flags; ascending by their locations, the root first
 *   ids        those that follow, as differences, zigzag
 *
 * What comes back is not believed. */
#include "parser/session/keep.h"
#include "parser/base/compare.h"
#include "parser/base/cursor.h"
#include "parser/base/mem.h"
#include "parser/session/inside.h"

#include <endian.h>
#include <stdlib.h>

enum { KEPT_KERNEL = 1, KEPT_GUEST = 2, KEPT_SYMFILE = 4 };
enum { KEPT_MODE = 7, KEPT_ALONE = 8, KEPT_TWIN = 16 };

static void put_bytes(struct buf *out, const void *bytes, size_t len)
{
	put_uleb(out, len);
	if (len)
		buf_add(out, bytes, len);
}

/* A list of COUNT that is to come: each takes a byte at least. */
static size_t take_count(struct cursor *c)
{
	uint64_t count = cursor_uleb(c);

	c->bad |= count > cursor_left(c);
	return c->bad ? 0 : count;
}

/* ---- modules ---- */

static void put_module(const struct session *s, const struct module *m, struct buf *out)
{
	const struct build_id *id = &s->names.modules[m->id].recorded;

	put_uleb(out, m->kind);
	put_uleb(out, (m == s->machine.kernel ? KEPT_KERNEL : 0) |
			      (m == s->machine.guest ? KEPT_GUEST : 0) |
			      (m->symfile ? KEPT_SYMFILE : 0));
	put_bytes(out, m->path, strlen(m->path));
	put_bytes(out, id->bytes, id->len);
	put_uleb(out, m->pid);
	put_uleb(out, m->start);
	put_step(out, m->end, m->start);
	put_uleb(out, m->pgoff);
	put_uleb(out, m->code_pgoff + 1);
	put_bytes(out, m->ref_symbol, m->ref_symbol ? strlen(m->ref_symbol) : 0);
}

/* Those that locations are in, and those whose places tell which kernel it was. By id: the number
 * of what is kept, + 1; the caller frees it. */
static uint32_t *put_modules(const struct session *s, struct buf *out, uint32_t *kept)
{
	const struct modules *list = &s->machine.modules;
	uint32_t *number = xcalloc(list->count + 1, sizeof(*number)), count = 0;

	for (size_t i = 0; i < s->stacks.loc_count; i++) {
		if (s->stacks.locs[i].module != PDT_NONE)
			number[s->stacks.locs[i].module] = 1;
	}
	for (size_t i = 0; i < list->count; i++) {
		const struct module *m = list->list[i];

		if (number[i] || m == s->machine.kernel || m == s->machine.guest ||
		    m->kind == PDT_MODULE_KMODULE)
			number[i] = ++count;
	}
	put_uleb(out, count);
	for (size_t i = 0; i < list->count; i++) {
		if (number[i])
			put_module(s, list->list[i], out);
	}
	*kept = count;
	return number;
}

static struct build_id take_id(struct cursor *c)
{
	size_t len = cursor_uleb(c);
	const void *bytes = cursor_take(c, len);

	return bytes ? build_id_make(bytes, len) : (struct build_id){ 0 };
}

static struct module *take_module(struct session *s, struct cursor *c)
{
	uint64_t kind = cursor_uleb(c), flags = cursor_uleb(c);
	size_t len = cursor_uleb(c);
	const char *path = cursor_take(c, len), *symbol;
	struct module_ids ids = { .build_id = take_id(c) };
	struct module *m;

	c->bad |= kind >= PDT_MODULE_KINDS;
	if (c->bad)
		return NULL;
	m = modules_get(&s->machine.modules, (enum pdt_module_kind)kind, path ?: "", len, &ids);
	m->symfile = flags & KEPT_SYMFILE;
	m->pid = (uint32_t)cursor_uleb(c);
	m->start = cursor_uleb(c);
	m->end = cursor_step(c, m->start);
	m->pgoff = cursor_uleb(c);
	m->code_pgoff = cursor_uleb(c) - 1;
	len = cursor_uleb(c);
	symbol = cursor_take(c, len);
	m->ref_symbol =
		symbol && len ? arena_strndup(&s->machine.modules.arena, symbol, len) : NULL;
	if (flags & KEPT_KERNEL)
		s->machine.kernel = m;
	if (flags & KEPT_GUEST)
		s->machine.guest = m;
	return m;
}

/* Their ids, by number; the caller frees the list. */
static uint32_t *take_modules(struct session *s, struct cursor *c, size_t *count)
{
	uint32_t *ids;

	*count = take_count(c);
	ids = xcalloc(*count + 1, sizeof(*ids));
	for (size_t i = 0; !c->bad && i < *count; i++) {
		const struct module *m = take_module(s, c);

		ids[i] = m ? m->id : 0;
	}
	return ids;
}

/* ---- locations ---- */

struct placed {
	struct loc loc; /* its module: the number of what is kept */
	uint32_t id;
};

static int by_place(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return compare_u64(x->loc.module, y->loc.module)
		       ?: compare_u64(x->loc.addr, y->loc.addr)
		       ?: compare_u64(x->loc.mode, y->loc.mode) ?: compare_u64(x->id, y->id);
}

/* A twin is a caller wherever it is: it has none of what the other one is alone. */
static char flags_of(const struct loc *l)
{
	return (char)(l->mode | (l->twin ? KEPT_TWIN : l->alone ? KEPT_ALONE : 0));
}

/* By their places; the caller frees them. */
static struct placed *place_locations(const struct stacks *st, const uint32_t *number,
				      struct kept_stacks *out)
{
	struct placed *list = xcalloc(st->loc_count + 1, sizeof(*list));

	for (uint32_t i = 0; i < st->loc_count; i++) {
		list[i] = (struct placed){ st->locs[i], i };
		list[i].loc.module =
			st->locs[i].module == PDT_NONE ? 0 : number[st->locs[i].module];
	}
	if (st->loc_count)
		qsort(list, st->loc_count, sizeof(*list), by_place);
	out->location_count = st->loc_count;
	out->locations = xcalloc(st->loc_count + 1, sizeof(*out->locations));
	for (size_t i = 0; i < st->loc_count; i++)
		out->locations[i] = list[i].id;
	return list;
}

/* MODULES: how many are kept. */
static void put_locations(const struct session *s, const uint32_t *number, uint32_t modules,
			  struct kept_stacks *out)
{
	struct placed *list = place_locations(&s->stacks, number, out);
	struct buf *about = &out->columns[KEPT_MODULES], *at = &out->columns[KEPT_ADDRESSES];
	size_t i = 0, count = s->stacks.loc_count;

	for (uint32_t m = 0; m <= modules; m++) {
		uint64_t last = 0;
		size_t first = i;

		for (; i < count && list[i].loc.module == m; i++) {
			put_uleb(at, list[i].loc.addr - last);
			last = list[i].loc.addr;
		}
		put_uleb(about, i - first);
	}
	for (i = 0; i < count; i++)
		buf_char(about, flags_of(&list[i].loc));
	free(list);
}

/* COUNT of module ID, or of none. */
static void take_located(struct stacks *st, uint32_t id, uint64_t count, struct cursor *c)
{
	uint64_t last = 0;

	c->bad |= count > cursor_left(c);
	if (c->bad)
		return;
	st->locs = xgrow(st->locs, &st->loc_cap, st->loc_count + count + 1, sizeof(*st->locs));
	for (; count-- > 0; st->loc_count++) {
		last += cursor_uleb(c);
		st->locs[st->loc_count] = (struct loc){ .addr = last, .module = id };
	}
}

static bool take_locations(struct session *s, struct cursor c, struct cursor at)
{
	struct stacks *st = &s->stacks;
	size_t modules;
	uint32_t *ids = take_modules(s, &c, &modules);

	take_located(st, PDT_NONE, cursor_uleb(&c), &at);
	for (size_t m = 0; m < modules && !c.bad; m++)
		take_located(st, ids[m], cursor_uleb(&c), &at);
	for (size_t i = 0; i < st->loc_count; i++) {
		uint8_t flags = cursor_u8(&c);

		st->locs[i].mode = flags & KEPT_MODE;
		st->locs[i].alone = flags & KEPT_ALONE;
		st->locs[i].twin = flags & KEPT_TWIN;
		st->twins += st->locs[i].twin;
		c.bad |= st->locs[i].mode >= PDT_MODES;
	}
	free(ids);
	return !c.bad && !at.bad && !cursor_left(&c) && !cursor_left(&at);
}

/* ---- stacks ---- */

/* The ids of a stack, the root first; of an own address that lies apart it comes last. */
struct listed {
	uint64_t first; /* in the list of all */
	uint64_t key;	/* while they are sorted: key_at() the depth where its range is */
	uint32_t count, stack;
	uint8_t flags;
};

/* The id at DEPTH, + 1; 0: the stack ends before. */
static inline uint32_t id_at(const struct listed *l, uint32_t depth, const uint32_t *ids)
{
	return depth < l->count ? ids[l->first + depth] + 1 : 0;
}

#define KEY_IDS 2

/* Those of KEY_IDS depths, as one number; its lower half is 0: the stack ends among them. */
static inline uint64_t key_at(const struct listed *l, uint32_t depth, const uint32_t *ids)
{
	return (uint64_t)id_at(l, depth, ids) << 32 | id_at(l, depth + 1, ids);
}

/* Each stack's ids lie elsewhere: from DEPTH on those of a stack a few places behind I. */
static inline void want_ids(const struct listed *list, size_t i, size_t count, uint32_t depth,
			    const uint32_t *ids)
{
	if (i + 12 < count)
		__builtin_prefetch(ids + list[i + 12].first + depth);
}

/* Of stacks with the same ids. */
static int by_end(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;

	return x->flags != y->flags ? x->flags - y->flags
				    : (x->stack > y->stack) - (x->stack < y->stack);
}

/* Of stacks that are alike up to DEPTH. */
static bool is_before(const struct listed *x, const struct listed *y, uint32_t depth,
		      const uint32_t *ids)
{
	uint64_t a = x->key, b = y->key;

	while (a == b && (uint32_t)a) {
		depth += KEY_IDS;
		a = key_at(x, depth, ids);
		b = key_at(y, depth, ids);
	}
	return a != b ? a < b : by_end(x, y) < 0;
}

static uint64_t middle_of(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t low = a < b ? a : b, high = a < b ? b : a;

	return c < low ? low : c > high ? high : c;
}

/* Stacks [FROM, TO) that are alike up to DEPTH. */
struct range {
	size_t from, to;
	uint32_t depth;
};

struct ranges {
	struct range *list; /* to be sorted yet */
	size_t count, cap;
};

static void push_range(struct ranges *r, struct range one)
{
	if (one.to - one.from < 2)
		return;
	r->list = xgrow(r->list, &r->cap, r->count + 1, sizeof(*r->list));
	r->list[r->count++] = one;
}

/* Those below the middle one's key, those of it and those above it become ranges. */
static void split_range(struct ranges *r, struct range one, struct listed *list,
			const uint32_t *ids)
{
	uint64_t middle = middle_of(list[one.from].key, list[(one.from + one.to) / 2].key,
				    list[one.to - 1].key);
	size_t low = one.from, at = one.from, high = one.to;

	while (at < high) {
		uint64_t key = list[at].key;
		size_t with = key < middle ? low++ : key > middle ? --high : at;
		struct listed swapped = list[at];

		list[at] = list[with];
		list[with] = swapped;
		at += key <= middle;
	}
	push_range(r, (struct range){ one.from, low, one.depth });
	push_range(r, (struct range){ high, one.to, one.depth });
	if (!(uint32_t)middle) {
		qsort(list + low, high - low, sizeof(*list), by_end);
		return;
	}
	for (at = low; at < high; at++) {
		want_ids(list, at, high, one.depth + KEY_IDS, ids);
		list[at].key = key_at(&list[at], one.depth + KEY_IDS, ids);
	}
	push_range(r, (struct range){ low, high, one.depth + KEY_IDS });
}

#define FEW 8

static void sort_few(struct range one, struct listed *list, const uint32_t *ids)
{
	for (size_t i = one.from + 1; i < one.to; i++) {
		struct listed moved = list[i];
		size_t at = i;

		for (; at > one.from && is_before(&moved, &list[at - 1], one.depth, ids); at--)
			list[at] = list[at - 1];
		list[at] = moved;
	}
}

/* By a few ids after the others, as long beginnings are the same (Bentley and Sedgewick, "Fast
 * Algorithms for Sorting and Searching Strings", 1997). The keys lie in the list, as each look at
 * the ids themselves is one at memory. */
static void sort_stacks(struct listed *list, size_t count, const uint32_t *ids)
{
	struct ranges todo = { 0 };

	for (size_t i = 0; i < count; i++)
		list[i].key = key_at(&list[i], 0, ids);
	push_range(&todo, (struct range){ 0, count, 0 });
	while (todo.count) {
		struct range one = todo.list[--todo.count];

		if (one.to - one.from > FEW)
			split_range(&todo, one, list, ids);
		else
			sort_few(one, list, ids);
	}
	free(todo.list);
}

static uint32_t ids_of(const struct stack *k)
{
	return k->count + !!(k->flags & PDT_STACK_APART);
}

/* The caller frees them, and IDS. PLACES: by location. */
static struct listed *list_stacks(const struct stacks *st, const uint32_t *places, uint32_t **ids)
{
	struct listed *list = xcalloc(st->count + 1, sizeof(*list));
	size_t count = 0;

	for (uint32_t i = 0; i < st->count; i++)
		count += ids_of(&st->list[i]);
	*ids = xmalloc((count + 1) * sizeof(**ids));
	count = 0;
	for (uint32_t i = 0; i < st->count; i++) {
		const struct stack *k = &st->list[i];
		uint32_t n = ids_of(k);
		const uint32_t *from = n ? stack_ids(st, k) : NULL;

		list[i] = (struct listed){
			.first = count, .count = n, .stack = i, .flags = k->flags
		};
		for (uint32_t j = n; j-- > 0;)
			(*ids)[count++] = places[from[j]];
	}
	sort_stacks(list, st->count, *ids);
	return list;
}

static uint32_t shared(const struct listed *a, const struct listed *b, const uint32_t *ids)
{
	uint32_t n = 0;

	while (n < a->count && n < b->count && ids[a->first + n] == ids[b->first + n])
		n++;
	return n;
}

static void put_stacks(const struct stacks *st, struct kept_stacks *out)
{
	uint32_t *ids, *same = xcalloc(st->count + 1, sizeof(*same));
	uint32_t *places = xcalloc(st->loc_count + 1, sizeof(*places));
	struct buf *shapes = &out->columns[KEPT_SHAPES];
	struct listed *list;

	for (uint32_t i = 0; i < st->loc_count; i++)
		places[out->locations[i]] = i;
	list = list_stacks(st, places, &ids);
	out->order = xcalloc(st->count + 1, sizeof(*out->order));
	for (size_t i = 0; i < st->count; i++) {
		const uint32_t *at = ids + list[i].first;

		want_ids(list, i, st->count, 0, ids);
		same[i] = i ? shared(&list[i - 1], &list[i], ids) : 0;
		for (uint32_t j = same[i]; j < list[i].count; j++)
			put_step(&out->columns[KEPT_IDS], at[j], j ? at[j - 1] : 0);
		out->order[i] = list[i].stack;
	}
	put_uleb(shapes, st->count);
	for (size_t i = 0; i < st->count; i++)
		put_uleb(shapes, same[i]);
	for (size_t i = 0; i < st->count; i++)
		put_uleb(shapes, list[i].count - same[i]);
	for (size_t i = 0; i < st->count; i++)
		buf_char(shapes, (char)list[i].flags);
	out->stack_count = st->count;
	free(same);
	free(places);
	free(list);
	free(ids);
}

/* One more, of these ids, the root first. */
static void add_stack(struct stacks *st, const uint32_t *ids, uint32_t count, uint8_t flags)
{
	struct stack k = { .flags = flags, .hits = 1 };
	uint32_t *to;

	st->loc_ids = xgrow(st->loc_ids, &st->id_cap, st->id_count + count, sizeof(*st->loc_ids));
	to = st->loc_ids + st->id_count;
	for (uint32_t i = 0; i < count; i++)
		to[i] = ids[count - 1 - i];
	k.count = (uint16_t)(count - !!(flags & PDT_STACK_APART));
	k.first = (uint32_t)st->id_count;
	if (stack_is_deep(&k)) {
		st->whole = st->whole ?: xcalloc(1 + 1 + UINT16_MAX, sizeof(*st->whole));
		k.first = pieces_put(&st->pieces, to, count);
	} else {
		st->id_count += count;
	}
	st->list = xgrow(st->list, &st->cap, st->count + 1, sizeof(*st->list));
	st->list[st->count++] = k;
}

/* The columns of numbers, which follow each other, side by side. */
struct columns {
	struct cursor same, more, flags, ids;
};

static void skip_numbers(struct cursor *c, size_t count)
{
	while (count-- > 0 && !c->bad)
		(void)cursor_uleb(c);
}

static bool take_stack(struct stacks *st, struct columns *in, uint32_t *ids, uint32_t *had)
{
	uint64_t same = cursor_uleb(&in->same), more = cursor_uleb(&in->more);
	uint8_t flags = cursor_u8(&in->flags);
	uint32_t apart = !!(flags & PDT_STACK_APART);

	if (same > *had || more > UINT16_MAX + apart - same || same + more < apart)
		return false;
	for (uint64_t i = same; i < same + more; i++) {
		uint64_t id = cursor_step(&in->ids, i ? ids[i - 1] : 0);

		if (in->ids.bad || id >= st->loc_count)
			return false;
		ids[i] = (uint32_t)id;
	}
	*had = (uint32_t)(same + more);
	add_stack(st, ids, *had, flags);
	return true;
}

static bool take_stacks(struct session *s, struct cursor c, struct cursor numbers)
{
	size_t count = take_count(&c), left;
	struct columns in = { .same = c, .ids = numbers };
	uint32_t *ids = xcalloc(UINT16_MAX + 2, sizeof(*ids)), had = 0;
	bool good;

	skip_numbers(&c, count);
	in.more = c;
	skip_numbers(&c, count);
	in.flags = cursor_sub(&c, count);
	good = !c.bad && !in.flags.bad && !cursor_left(&c);
	for (left = count; good && left; left--)
		good = take_stack(&s->stacks, &in, ids, &had);
	free(ids);
	return good && !cursor_left(&in.ids);
}

/* ---- all of it ---- */

void session_keep(const struct session *s, struct kept_stacks *out)
{
	uint32_t *number, modules;

	*out = (struct kept_stacks){ 0 };
	number = put_modules(s, &out->columns[KEPT_MODULES], &modules);
	put_locations(s, number, modules, out);
	put_stacks(&s->stacks, out);
	free(number);
}

static struct cursor column_of(const struct kept_capture *k, unsigned column)
{
	return cursor_make(k->columns[column].bytes, k->columns[column].len, false);
}

int session_take_kept(struct session *s, const struct kept_capture *k)
{
	bool good = take_locations(s, column_of(k, KEPT_MODULES), column_of(k, KEPT_ADDRESSES)) &&
		    take_stacks(s, column_of(k, KEPT_SHAPES), column_of(k, KEPT_IDS));

	return good ? 0 : ERR_FORMAT;
}

/* ---- a capture of no events ---- */

/* As it comes through a pipe: tools/perf/Documentation/perf.data-file-format.txt, "Pipe-mode data";
 * little-endian. */
#define RECORD_ATTR    64
#define RECORD_FEATURE 80
#define ATTR_BYTES     64 /* PERF_ATTR_SIZE_VER0 */

static void put_little(struct buf *out, uint64_t v, size_t bytes)
{
	v = htole64(v);
	buf_add(out, &v, bytes);
}

static void put_head(struct buf *out, uint32_t type, size_t payload)
{
	put_little(out, type, 4);
	put_little(out, 0, 2);
	put_little(out, 8 + payload, 2);
}

#define TEXT_MAX 4096

static void put_feature(struct buf *out, unsigned feature, const char *text)
{
	size_t len = text ? strnlen(text, TEXT_MAX) : 0, room = (len + 8) & ~(size_t)7;

	if (!len)
		return;
	put_head(out, RECORD_FEATURE, 8 + 4 + room + 4);
	put_little(out, feature, 8);
	put_little(out, room, 4);
	buf_add(out, text, len);
	buf_fill(out, 0, room - len + 4);
}

void kept_head(const struct kept_capture *k, struct buf *out)
{
	buf_str(out, "PERFILE2");
	put_little(out, 16, 8);
	put_head(out, RECORD_ATTR, ATTR_BYTES);
	put_little(out, 1, 4); /* PERF_TYPE_SOFTWARE: PERF_COUNT_SW_CPU_CLOCK is 0 */
	put_little(out, ATTR_BYTES, 4);
	buf_fill(out, 0, ATTR_BYTES - 8);
	put_feature(out, FEAT_HOSTNAME, k->host);
	put_feature(out, FEAT_OSRELEASE, k->release);
	put_feature(out, FEAT_ARCH, k->arch);
}
