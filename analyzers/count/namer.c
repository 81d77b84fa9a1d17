/* Names of locations as commands show them. Nothing here looks a name up: that was done, for all
 * locations at once, before. */
#include "analyzers/count/namer.h"
#include "analyzers/count/idle.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

const char *place_of(const struct loc *l, const struct loc_name *n)
{
	static const char *const modes[MODE_COUNT] = {
		[MODE_HV] = "hypervisor",
		[MODE_GUEST_USER] = "guest",
		[MODE_GUEST_KERNEL] = "guest.kernel",
	};

	if (modes[l->mode])
		return modes[l->mode];
	return n->module ? base_name(n->module) : "unknown";
}

void comm_text(const char *comm, uint32_t tid, struct buf *out)
{
	if (comm)
		buf_str(out, comm);
	else
		buf_printf(out, ":%d", (int)tid);
}

void who_comm(struct who *who, const struct event *e, const struct session *s)
{
	who->comm = e->comm;
	if (!session_comm(s, e->comm))
		who->tid = e->tid;
}

struct function function_at(const struct loc_name *n, uint32_t i)
{
	const struct source_frame *in = &n->inlines[i];

	if (i >= n->inline_count)
		return (struct function){ n->name, n->file, n->line, false };
	return (struct function){ in->name, in->file, in->line, true };
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

void namer_configure(const struct namer_options *o, struct session_options *session)
{
	session->symbols.inlines = !session->symbols.no_inline;
	session->symbols.lines |= o->srcline;
}

/* A module of just-in-time compiled code: perf-PID.map, jit-PID.dump, or what perf inject makes of
 * that. */
static bool is_jit(const char *module)
{
	const char *name = base_name(module), *dot = strrchr(name, '.');

	return !strncmp(module, "/tmp/perf-", 10) || !strncmp(name, "jitted-", 7) ||
	       (!strncmp(name, "jit-", 4) && dot && !strcmp(dot, ".dump"));
}

/* Without directories, as perf script shows it. */
void function_line(const struct namer_options *o, const struct function *f, struct buf *out)
{
	if (o->srcline && f->file)
		buf_printf(out, ":%s:%u", base_name(f->file), f->line);
}

void function_text(const struct namer_options *o, const struct function *f, struct place p,
		   struct buf *out)
{
	const char *module = p.name->module;

	if (f->name || f->inlined)
		buf_str(out, f->name ?: "[inlined]");
	else if (o->addrs)
		buf_printf(out, "[%s <%llx>]", place_of(p.loc, p.name),
			   (unsigned long long)p.loc->addr);
	else
		buf_printf(out, "[%s]", place_of(p.loc, p.name));
	if (f->inlined)
		buf_str(out, o->inlines || o->all ? "_[i]" : "");
	else if ((o->kernel || o->all) && p.loc->mode == MODE_KERNEL)
		buf_str(out, "_[k]");
	else if ((o->jit || o->all) && module && is_jit(module))
		buf_str(out, "_[j]");
	function_line(o, f, out);
}

/* ---- where a sample was ---- */

uint32_t where_of(const struct session *s, uint32_t stack)
{
	const struct stacks *st = session_stacks(s);

	return stack_ip(st, &st->list[stack]);
}

const struct loc_name *where_name(const struct session *s, uint32_t stack)
{
	uint32_t loc = where_of(s, stack);

	return loc == LOC_NONE ? NULL : &session_names(s)->locs[loc];
}

void where_text(const struct session *s, uint32_t stack, struct buf *out)
{
	uint32_t loc = where_of(s, stack);
	const struct loc_name *n = where_name(s, stack);
	struct function f;

	if (!n) {
		buf_str(out, "[unknown]");
		return;
	}
	f = function_at(n, 0);
	function_text(&(struct namer_options){ 0 }, &f,
		      (struct place){ &session_stacks(s)->locs[loc], n }, out);
}

static bool is_module(const struct name_list *list, const char *module)
{
	return name_list_has(list, module) || name_list_has(list, base_name(module));
}

/* A function is asked for as it is shown; one that others were inlined into, also by its symbol. */
static bool is_function(const struct name_list *list, const struct loc_name *n)
{
	const char *shown = function_at(n, 0).name;

	return (shown && name_list_has(list, shown)) || (n->name && name_list_has(list, n->name));
}

bool where_passes(const struct loc_name *where, const struct filter *f, bool idle)
{
	if (f->dsos.count && !(where && where->module && is_module(&f->dsos, where->module)))
		return false;
	if (f->symbols.count && !(where && is_function(&f->symbols, where)))
		return false;
	return !(f->no_idle && idle && where && is_idle_function(where->name));
}

/* ---- frames ---- */

void frames_push(struct frames *f, uint32_t id)
{
	f->ids = xgrow(f->ids, &f->cap, f->count + 1, sizeof(*f->ids));
	f->ids[f->count++] = id;
}

void frames_name(struct frames *f, const struct session *s, frames_namer *name, void *ctx)
{
	const struct stacks *st = session_stacks(s);
	const struct names *names = session_names(s);

	f->first = xrealloc(f->first, (st->loc_count + 1) * sizeof(*f->first));
	f->count = f->most = 0;
	for (size_t i = 0; i < st->loc_count; i++) {
		f->first[i] = (uint32_t)f->count;
		name(ctx, f, &st->locs[i], &names->locs[i]);
		if (f->count - f->first[i] > f->most)
			f->most = f->count - f->first[i];
	}
	f->first[st->loc_count] = (uint32_t)f->count;
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

/* Do the locations A and B show the same functions? */
static bool same_frames(const struct frames *f, uint32_t a, uint32_t b)
{
	size_t n = f->first[a + 1] - f->first[a];

	return n == f->first[b + 1] - f->first[b] &&
	       !memcmp(f->ids + f->first[a], f->ids + f->first[b], n * sizeof(*f->ids));
}

void frame_list_fill(struct frame_list *l, const struct frames *f, const struct session *s,
		     uint32_t stack)
{
	const struct stacks *st = session_stacks(s);
	const struct stack *k = &st->list[stack];
	const uint32_t *locs = stack_locs(st, k);
	uint32_t own = stack_ip(st, k), *to;
	size_t count = l->max && l->max < k->count ? l->max : k->count, room = 0;
	bool other =
		own != LOC_NONE && (!k->count || (own != locs[0] && !same_frames(f, own, locs[0])));

	for (size_t i = 0; i < count; i++)
		room += f->first[locs[i] + 1] - f->first[locs[i]];
	room += other ? f->first[own + 1] - f->first[own] : 0;
	l->ids = xgrow(l->ids, &l->cap, room, sizeof(*l->ids));
	to = other ? put_loc(l->ids, f, own) : l->ids;
	l->own = (size_t)(to - l->ids);
	l->apart = other && (!k->count || f->ids[f->first[own]] != f->ids[f->first[locs[0]]]);
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
