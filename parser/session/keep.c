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
#include "parser/base/numbered.h"
#include "parser/session/inside.h"
#include "parser/session/stackorder.h"

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

/* A twin is a caller wherever it is: it has none of what the other one is alone. */
static char flags_of(const struct loc *l)
{
	return (char)(l->mode | (l->twin ? KEPT_TWIN : l->alone ? KEPT_ALONE : 0));
}

/* NUMBER: by module; 0: in none. */
static uint64_t key_of(const struct loc *l, const uint32_t *number, unsigned which)
{
	return !which		       ? l->mode
	       : which == 1	       ? l->addr
	       : l->module == PDT_NONE ? 0
				       : number[l->module];
}

/* By module, address and mode, the last one first, as the sort keeps equals as they are. */
static uint32_t *order_locations(const struct stacks *st, const uint32_t *number)
{
	size_t n = st->loc_count;
	struct numbered *list = xmalloc((n + 1) * sizeof(*list));
	uint32_t *order = xmalloc((n + 1) * sizeof(*order));

	for (size_t i = 0; i < n; i++)
		list[i].id = i;
	for (unsigned which = 0; which < 3; which++) {
		for (size_t i = 0; i < n; i++)
			list[i].number = key_of(&st->locs[list[i].id], number, which);
		numbered_sort(list, n);
	}
	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)list[i].id;
	free(list);
	return order;
}

/* MODULES: how many are kept. */
static void put_locations(const struct session *s, const uint32_t *number, uint32_t modules,
			  struct kept_stacks *out)
{
	const struct stacks *st = &s->stacks;
	struct buf *about = &out->columns[KEPT_MODULES], *at = &out->columns[KEPT_ADDRESSES];
	size_t i = 0;

	out->location_count = st->loc_count;
	out->locations = order_locations(st, number);
	for (uint32_t m = 0; m <= modules; m++) {
		uint64_t last = 0;
		size_t first = i;

		for (; i < st->loc_count; i++) {
			const struct loc *l = &st->locs[out->locations[i]];

			if (key_of(l, number, 2) != m)
				break;
			put_uleb(at, l->addr - last);
			last = l->addr;
		}
		put_uleb(about, i - first);
	}
	for (i = 0; i < st->loc_count; i++)
		buf_char(about, flags_of(&st->locs[out->locations[i]]));
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

static uint32_t shared(const struct ordered_stacks *o, uint32_t a, uint32_t b)
{
	const uint32_t *x = o->ids + o->first[a], *y = o->ids + o->first[b];
	uint32_t n = 0, most = ordered_count(o, a);

	most = most < ordered_count(o, b) ? most : ordered_count(o, b);
	while (n < most && x[n] == y[n])
		n++;
	return n;
}

/* They lie anywhere: those of a stack a few places behind I. */
static void want_ids(const struct ordered_stacks *o, size_t i)
{
	if (i + 12 < o->count)
		__builtin_prefetch(o->ids + o->first[o->order[i + 12]]);
}

static void put_stacks(const struct stacks *st, struct kept_stacks *out)
{
	uint32_t *same = xcalloc(st->count + 1, sizeof(*same));
	uint32_t *places = xcalloc(st->loc_count + 1, sizeof(*places));
	struct buf *shapes = &out->columns[KEPT_SHAPES];
	struct ordered_stacks o;

	for (uint32_t i = 0; i < st->loc_count; i++)
		places[out->locations[i]] = i;
	ordered_stacks_make(&o, st, places);
	for (size_t i = 0; i < o.count; i++) {
		const uint32_t *at = o.ids + o.first[o.order[i]];

		want_ids(&o, i);
		same[i] = i ? shared(&o, o.order[i - 1], o.order[i]) : 0;
		for (uint32_t j = same[i]; j < ordered_count(&o, o.order[i]); j++)
			put_step(&out->columns[KEPT_IDS], at[j], j ? at[j - 1] : 0);
	}
	put_uleb(shapes, o.count);
	for (size_t i = 0; i < o.count; i++)
		put_uleb(shapes, same[i]);
	for (size_t i = 0; i < o.count; i++)
		put_uleb(shapes, ordered_count(&o, o.order[i]) - same[i]);
	for (size_t i = 0; i < o.count; i++)
		buf_char(shapes, (char)st->list[o.order[i]].flags);
	out->stack_count = o.count;
	out->order = o.order;
	o.order = NULL;
	ordered_stacks_release(&o);
	free(same);
	free(places);
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
