/* Names of locations as commands show them. Nothing here looks a name up: that was done, for all
 * locations at once, before. */
#include "analyzers/count/namer.h"
#include "analyzers/count/idle.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"
#include "parser/base/pool.h"

#include <stdlib.h>
#include <string.h>

#define ALIKE_SLOTS 1024
#define RANGE_MIN 4096 /* locations: fewer are named before a thread has begun */

/* ---- names ---- */

const char *place_of(struct place p)
{
	static const char *const modes[PDT_MODES] = {
		[PDT_HYPERVISOR] = "hypervisor",
		[PDT_GUEST_USER] = "guest",
	};
	const char *mode = modes[pdt_location_mode(p.session, p.loc)];
	const char *module = pdt_location_module(p.session, p.loc);

	return module ? base_name(module) : mode ? mode : "unknown";
}

void place_text(struct place p, struct buf *out)
{
	buf_char(out, '[');
	buf_str(out, place_of(p));
	buf_char(out, ']');
}

void comm_text(const char *comm, uint32_t tid, struct buf *out)
{
	if (comm)
		buf_str(out, comm);
	else
		buf_printf(out, ":%d", (int)tid);
}

void who_comm(struct who *who, const struct pdt_event *e, const struct pdt_session *s)
{
	who->comm = e->comm;
	if (!pdt_comm(s, e->comm))
		who->tid = e->tid;
}

#define AT(member) offsetof(struct namer_options, member)

const struct option namer_option_rows[] = {
	{ "kernel", 0, OPT_FLAG, AT(kernel), NULL, "mark kernel functions with _[k]" },
	{ "jit", 0, OPT_FLAG, AT(jit), NULL, "mark JIT functions with _[j]" },
	{ "inline", 0, OPT_FLAG, AT(inlines), NULL,
	  "mark inlined functions with _[i]; with --compat: show them" },
	{ "all", 0, OPT_FLAG, AT(all), NULL,
	  "--kernel --jit --inline; with --compat: --kernel --jit" },
	{ "srcline", 0, OPT_FLAG, AT(srcline), NULL, "show source lines: FUNCTION:FILE:LINE" },
	{ "addrs", 0, OPT_FLAG, AT(addrs), NULL, "show the address where there is no symbol" },
	{ 0 },
};

void namer_configure(const struct namer_options *o, struct asked *asked)
{
	asked->wants |= asked->no_inline ? 0 : PDT_WANT_INLINES;
	asked->wants |= o->srcline ? PDT_WANT_LINES : 0;
}

/* A module of just-in-time compiled code: perf-PID.map, jit-PID.dump, or what perf inject makes of
 * that. */
static bool is_jit(struct place p)
{
	const char *module = pdt_location_module(p.session, p.loc) ?: "";
	const char *name = base_name(module), *dot = strrchr(name, '.');

	return !strncmp(module, "/tmp/perf-", 10) || !strncmp(name, "jitted-", 7) ||
	       (!strncmp(name, "jit-", 4) && dot && !strcmp(dot, ".dump"));
}

enum frame_kind function_kind(const struct pdt_function *f, struct place p)
{
	if (f->inlined)
		return FRAME_INLINED;
	if (pdt_location_mode(p.session, p.loc) == PDT_KERNEL)
		return FRAME_KERNEL;
	return is_jit(p) ? FRAME_JIT : FRAME_USER;
}

/* Without directories, as perf script shows it. */
void functions_text(struct place p, size_t count, struct buf *out)
{
	for (size_t i = count; i-- > 0;) {
		struct pdt_function f = pdt_function_at(p.session, p.loc, i);

		function_text(&(struct namer_options){ 0 }, &f, p, out);
		buf_str(out, i ? ";" : "");
	}
}

void function_line(const struct namer_options *o, const struct pdt_function *f, struct buf *out)
{
	if (o->srcline && f->file)
		buf_printf(out, ":%s:%u", base_name(f->file), f->line);
}

static void put_mark(const struct namer_options *o, enum frame_kind kind, struct buf *out)
{
	if (kind == FRAME_INLINED && (o->inlines || o->all))
		buf_str(out, "_[i]");
	else if (kind == FRAME_KERNEL && (o->kernel || o->all))
		buf_str(out, "_[k]");
	else if (kind == FRAME_JIT && (o->jit || o->all))
		buf_str(out, "_[j]");
}

void function_text(const struct namer_options *o, const struct pdt_function *f, struct place p,
		   struct buf *out)
{
	if (f->name || f->inlined)
		buf_str(out, f->name ?: "[inlined]");
	else if (o->addrs)
		buf_printf(out, "[%s <%llx>]", place_of(p),
			   (unsigned long long)pdt_location_offset(p.session, p.loc));
	else
		place_text(p, out);
	put_mark(o, function_kind(f, p), out);
	function_line(o, f, out);
}

/* ---- where a sample was ---- */

struct place where_of(const struct pdt_session *s, uint32_t stack)
{
	return (struct place){ s, pdt_stack_at(s, stack).ip };
}

void where_text(struct place where, struct buf *out)
{
	struct pdt_function f;

	if (where.loc == PDT_NONE) {
		buf_str(out, "[unknown]");
		return;
	}
	f = pdt_function_at(where.session, where.loc, 0);
	function_text(&(struct namer_options){ 0 }, &f, where, out);
}

bool where_passes_any(struct place where, const struct filter *f, bool idle)
{
	const struct pdt_session *s = where.session;

	if (f->dsos.count && !filter_module(f, pdt_location_module(s, where.loc)))
		return false;
	if (f->symbols.count && !filter_function(f, pdt_function_at(s, where.loc, 0).name,
						 pdt_location_name(s, where.loc)))
		return false;
	return !(f->no_idle && idle && where.loc != PDT_NONE &&
		 is_idle_function(pdt_location_name(s, where.loc)));
}

_Static_assert(!PDT_USER && PDT_MODES <= WHERE_NAMED, "a mode stands beside the mark");

void where_marks_init(struct where_marks *m, const struct pdt_session *s)
{
	m->count = pdt_location_count(s);
	m->of = xmalloc(m->count + 1);
	for (uint32_t i = 0; i < m->count; i++)
		m->of[i] = (uint8_t)(pdt_location_mode(s, i) |
				     (pdt_location_name(s, i) ? WHERE_NAMED : 0));
}

void where_marks_release(struct where_marks *m)
{
	free(m->of);
}

/* ---- frames ---- */

void frames_push(struct frames *f, uint32_t id)
{
	f->ids = xgrow(f->ids, &f->cap, f->count + 1, sizeof(*f->ids));
	f->ids[f->count++] = id;
}

void frames_forget(struct frames *f)
{
	f->locations = f->count = f->most = 0;
}

/* What the frames of a location depend on, if it is that alone; they are the COUNT at FIRST. */
struct alike {
	const char *name, *symbol, *module;
	int mode;
	uint32_t first, count;
};

/* Where the last location like P is noted. */
static struct alike *alike_of(struct alike *table, const struct alike *l)
{
	uint64_t hash = hash_fold((uintptr_t)l->name ^ HASH_K0, (uintptr_t)l->module ^ HASH_K1);

	return &table[(hash + (unsigned)l->mode) & (ALIKE_SLOTS - 1)];
}

/* Push the frames of P, which are those of one that was named before, if it is still noted. */
static void push_alike(struct frames *f, struct alike *table, struct place p, frames_namer *name,
		       void *ctx)
{
	struct alike like = { pdt_location_name(p.session, p.loc),
			      pdt_location_symbol(p.session, p.loc),
			      pdt_location_module(p.session, p.loc),
			      pdt_location_mode(p.session, p.loc),
			      (uint32_t)f->count,
			      0 };
	struct alike *at = alike_of(table, &like);

	if (at->count && at->name == like.name && at->symbol == like.symbol &&
	    at->module == like.module && at->mode == like.mode) {
		for (uint32_t i = 0; i < at->count; i++)
			frames_push(f, f->ids[at->first + i]);
		return;
	}
	name(ctx, f, p);
	like.count = (uint32_t)f->count - like.first;
	*at = like;
}

void frames_name(struct frames *f, struct places p, frames_namer *name, void *ctx)
{
	struct alike *table = f->by_symbol ? xcalloc(ALIKE_SLOTS, sizeof(*table)) : NULL;

	frames_forget(f);
	f->first = xrealloc(f->first, (p.to - p.from + 1) * sizeof(*f->first));
	for (size_t i = p.from; i < p.to; i++) {
		struct place at = { p.session, (uint32_t)i };
		size_t before = f->count;

		f->first[f->locations++] = (uint32_t)before;
		if (table && pdt_function_count(p.session, at.loc) == 1)
			push_alike(f, table, at, name, ctx);
		else
			name(ctx, f, at);
		if (f->count - before > f->most)
			f->most = f->count - before;
	}
	f->first[f->locations] = (uint32_t)f->count;
	free(table);
}

void frames_append(struct frames *to, const struct frames *from, const uint32_t *now)
{
	size_t locations = to->locations + from->locations;

	to->first = xrealloc(to->first, (locations + 1) * sizeof(*to->first));
	for (size_t i = 0; i <= from->locations; i++)
		to->first[to->locations + i] = (uint32_t)to->count + from->first[i];
	to->ids = xgrow(to->ids, &to->cap, to->count + from->count, sizeof(*to->ids));
	for (size_t i = 0; i < from->count; i++)
		to->ids[to->count + i] =
			now[from->ids[i] & ~to->ignored] | (from->ids[i] & to->ignored);
	to->locations = locations;
	to->count += from->count;
	to->most = from->most > to->most ? from->most : to->most;
}

/* A range of locations. */
struct range {
	struct frames frames;
	struct places places;
	void *ctx;
};

struct ranges {
	const struct frames_jobs *how;
	struct range *list;
};

static void name_range(void *ctx, size_t i)
{
	const struct ranges *r = ctx;
	struct range *range = &r->list[i];

	frames_name(&range->frames, range->places, r->how->name, range->ctx);
}

void frames_name_all(struct frames *f, const struct pdt_session *s, unsigned jobs,
		     const struct frames_jobs *how, void *ctx)
{
	size_t all = pdt_location_count(s), n = all / RANGE_MIN < jobs ? all / RANGE_MIN : jobs;
	struct ranges r = { .how = how };

	if (n < 2) {
		frames_name(f, all_places(s), how->name, ctx);
		return;
	}
	r.list = xcalloc(n, sizeof(*r.list));
	for (size_t i = 0; i < n; i++) {
		r.list[i].frames.by_symbol = f->by_symbol;
		r.list[i].places = (struct places){ s, all * i / n, all * (i + 1) / n };
		r.list[i].ctx = how->begin(ctx);
	}
	pool_for((unsigned)n, n, name_range, &r);
	frames_forget(f);
	for (size_t i = 0; i < n; i++) {
		uint32_t *now = how->end(ctx, r.list[i].ctx);

		frames_append(f, &r.list[i].frames, now);
		frames_release(&r.list[i].frames);
		free(now);
	}
	free(r.list);
}

void frames_release(struct frames *f)
{
	free(f->first);
	free(f->ids);
	memset(f, 0, sizeof(*f));
}

/* Put the frames of LOC at TO; mostly it is one. */
static inline uint32_t *put_loc(uint32_t *to, const struct frames *f, uint32_t loc)
{
	for (uint32_t i = f->first[loc]; i < f->first[loc + 1]; i++)
		*to++ = f->ids[i];
	return to;
}

static bool same_function(const struct frames *f, uint32_t a, uint32_t b)
{
	return !((a ^ b) & ~f->ignored);
}

/* Do the locations A and B show the same functions? */
static bool same_frames(const struct frames *f, uint32_t a, uint32_t b)
{
	size_t n = f->first[a + 1] - f->first[a];
	const uint32_t *x = f->ids + f->first[a], *y = f->ids + f->first[b];

	if (n != f->first[b + 1] - f->first[b])
		return false;
	for (; n && same_function(f, *x, *y); n--) {
		x++;
		y++;
	}
	return !n;
}

void frame_list_fill(struct frame_list *l, const struct frames *f, const struct pdt_session *s,
		     uint32_t stack)
{
	struct pdt_stack k = pdt_stack_at(s, stack);
	const uint32_t *locs = k.locations;
	uint32_t own = k.ip, *to;
	size_t count = l->max && l->max < k.depth ? l->max : k.depth;
	bool other =
		own != PDT_NONE && (!k.depth || (own != locs[0] && !same_frames(f, own, locs[0])));

	l->ids = xgrow(l->ids, &l->cap, (count + other) * f->most, sizeof(*l->ids));
	to = other ? put_loc(l->ids, f, own) : l->ids;
	l->own = (size_t)(to - l->ids);
	l->apart = other && (!k.depth ||
			     !same_function(f, f->ids[f->first[own]], f->ids[f->first[locs[0]]]));
	for (size_t i = 0; i < count; i++)
		to = put_loc(to, f, locs[i]);
	l->count = (size_t)(to - l->ids);
}

void frame_list_push(struct frame_list *l, uint32_t id)
{
	l->ids = xgrow(l->ids, &l->cap, l->count + 1, sizeof(*l->ids));
	l->ids[l->count++] = id;
}

void frame_list_release(struct frame_list *l)
{
	free(l->ids);
	memset(l, 0, sizeof(*l));
}
