/* Turn chains into stacks of locations. A chain is looked at once for each address space that shows
 * it. */
#include "parser/stacks/stacking.h"
#include "parser/stacks/addresses.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"
#include "parser/base/quirks.h"
#include "parser/base/abi.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN    1024
#define CACHE_SLOTS  (1u << 9) /* at first: of a large one each entry costs a page */
#define SHARED_SLOTS (1u << 16)
#define NEAR_SLOTS   (1u << 15) /* half a megabyte: stays in a second-level cache */
#define FEW_LOCS     (1u << 16) /* and their table stay in a second-level cache */
#define FEW_PLACES   (1u << 12) /* the same where that table is all that is looked at */
#define TAG_MASK     0xffffffff00000000ull
/* Of frames that came later: one record may be for as many stacks as a damaged file likes. */
#define JOINED_MAX (32u << 20)

struct near {
	uint64_t ip;
	uint32_t space, loc;
};

struct space_chain {
	uint32_t space, chain, stack;
};

void stacks_init(struct stacks *s)
{
	memset(s, 0, sizeof(*s));
}

void stacks_release(struct stacks *s)
{
	free(s->locs);
	slots_release(&s->loc_places);
	free(s->list);
	free(s->loc_ids);
	big_free(s->table, s->slots * sizeof(*s->table));
	free(s->shared);
	free(s->near);
	free(s->execs);
	pieces_release(&s->pieces);
	free(s->whole);
	free(s->user_ids);
	idmap_release(&s->junk);
	deferred_release(&s->deferred);
}

static uint64_t loc_hash(struct loc l)
{
	return hash_fold(l.addr ^ HASH_K0, ((uint64_t)l.mode << 32 | l.module) ^ HASH_K1);
}

uint32_t stacks_location(struct stacks *s, struct loc l)
{
	uint64_t hash = loc_hash(l);
	uint32_t id;
	size_t at;

	slots_reserve(&s->loc_places);
	SLOTS_EACH(&s->loc_places, hash, at, id)
	{
		struct loc *e = &s->locs[id];

		if (e->addr != l.addr || e->module != l.module || e->mode != l.mode)
			continue;
		if (l.alone)
			e->alone = true;
		return id;
	}
	s->locs = xgrow(s->locs, &s->loc_cap, s->loc_count + 1, sizeof(*s->locs));
	s->locs[s->loc_count] = l;
	slots_set(&s->loc_places, at, hash, (uint32_t)s->loc_count);
	return (uint32_t)s->loc_count++;
}

/* What a guest has at IP: in its kernel, unless a module of it is there. */
static uint32_t locate_guest(struct stacks *s, struct machine *m, struct process *p, uint64_t ip)
{
	struct map *map = p->guest ? NULL : maps_find(m->guest_maps, ip);

	return stacks_location(s, (struct loc){ ip, map ? map->module : machine_guest(m, p)->id,
						PDT_GUEST_KERNEL });
}

/* What has IP: *MAP, if it is not NULL. */
static struct loc find_loc(const struct machine *m, const struct process *p, uint64_t ip,
			   enum pdt_mode mode, struct map **map)
{
	struct loc l = { ip, PDT_NONE, (uint8_t)mode };
	struct maps *maps = mode == PDT_KERNEL ? m->kernel_maps : mode == PDT_USER ? p->maps : NULL;

	*map = NULL;
	if (mode == PDT_USER && p->code && codemap_find(p->code, ip, &l.addr)) {
		l.module = codemap_module(p->code);
		return l;
	}
	*map = maps ? maps_find(maps, ip) : NULL;
	if (*map) {
		l.module = (*map)->module;
		l.addr = ip - (*map)->start + (*map)->pgoff;
	} else if (mode == PDT_KERNEL && m->kernel) {
		/* the recorder maps [_text, _etext) only, but init code runs too: its symbols
		 * decide */
		l.module = m->kernel->id;
	}
	return l;
}

static uint32_t locate_anew(struct stacks *s, struct machine *m, struct process *p, uint64_t ip,
			    enum pdt_mode mode)
{
	struct map *map;
	struct loc l = find_loc(m, p, ip, mode, &map);

	if (map) {
		map->used = true;
	} else if (mode == PDT_USER && l.module == PDT_NONE) {
		p->missed = true;
		if (p->given_up && !p->maps)
			*idmap_put(&m->late, hash_fold(p->pid ^ HASH_K0, ip ^ HASH_K1)) = 1;
	}
	return stacks_location(s, l);
}

/* CACHE, or an empty one of at most MOST slots when it has become small for COUNT things. */
static void *fit(void *cache, size_t *slots, size_t most, size_t count, size_t size)
{
	if (*slots == most || count < *slots / 2)
		return cache;
	do
		*slots = !*slots ? CACHE_SLOTS : *slots * 8 < most ? *slots * 8 : most;
	while (*slots < most && count >= *slots / 2);
	free(cache);
	return xcalloc(*slots, size);
}

static inline void fit_near(struct stacks *s)
{
	s->near = fit(s->near, &s->near_slots, NEAR_SLOTS, s->loc_count, sizeof(*s->near));
}

static inline struct near *near_of(const struct stacks *s, uint32_t space, uint64_t ip)
{
	return &s->near[hash_fold(ip ^ HASH_K0, space ^ HASH_K1) & (s->near_slots - 1)];
}

/* The location of IP. Most addresses come again soon. */
static inline uint32_t locate(struct stacks *s, struct machine *m, struct process *p, uint64_t ip,
			      enum pdt_mode mode)
{
	uint32_t space = mode == PDT_KERNEL ? m->kernel_space : process_space(m, p);
	struct near *n = near_of(s, space, ip);

	if (mode == PDT_GUEST_KERNEL)
		return locate_guest(s, m, p, ip);
	if (mode != PDT_KERNEL && mode != PDT_USER)
		return locate_anew(s, m, p, ip, mode);
	if (n->ip != ip || n->space != space)
		*n = (struct near){ ip, space, locate_anew(s, m, p, ip, mode) };
	return n->loc;
}

static struct exec_seen *exec_seen(struct stacks *s, const struct process *p)
{
	s->execs = xgrow(s->execs, &s->exec_cap, p->exec + 1, sizeof(*s->execs));
	for (; s->exec_count <= p->exec; s->exec_count++)
		s->execs[s->exec_count] = (struct exec_seen){ 0, UINT64_MAX };
	return &s->execs[p->exec];
}

/* The same, but user code is the program's that called exec. */
static uint32_t locate_old(struct stacks *s, struct machine *m, struct process *p, uint64_t ip,
			   enum pdt_mode mode)
{
	struct map *map = mode == PDT_USER ? maps_find(p->old_maps, ip) : NULL;

	if (!map)
		return locate(s, m, p, ip, mode);
	if (s->in_part)
		exec_seen(s, p)->old_ns = s->now_ns + 1;
	return stacks_location(s,
			       (struct loc){ ip - map->start + map->pgoff, map->module, PDT_USER });
}

uint32_t stacks_locate(struct stacks *s, struct machine *m, struct process *p, uint64_t address,
		       enum pdt_mode mode)
{
	uint32_t id;

	fit_near(s);
	id = locate(s, m, p, address, mode);
	s->locs[id].alone = true;
	return id;
}

uint32_t stacks_place(struct stacks *s, struct machine *m, struct process *p, uint64_t address,
		      enum pdt_mode mode)
{
	uint32_t id = locate_anew(s, m, p, address, mode);

	s->locs[id].alone = true;
	return id;
}

static bool perf_knows(uint64_t marker)
{
	return marker == CONTEXT_USER || marker == CONTEXT_KERNEL || marker == CONTEXT_HV;
}

/* By chain_kind(). */
static const uint8_t stack_flags[] = {
	[CHAIN_NONE] = PDT_STACK_NO_CHAIN,
	[CHAIN_EMPTY] = PDT_STACK_EMPTY,
	[CHAIN_UNWOUND] = PDT_STACK_UNWOUND,
};

/* C has COUNT values that are neither address nor known marker: they count once, however often it
 * is looked at. */
static void count_junk(struct stacks *s, const struct chain *c, unsigned count)
{
	uint32_t *known = idmap_put(&s->junk, hash_words(c->values, c->count));

	if (*known == IDMAP_NONE)
		s->junk_entries += count;
	*known = 0;
}

/* Put the locations of C at the end of loc_ids; returns the stack's flags. */
static uint8_t resolve(struct stacks *s, struct machine *m, struct process *p,
		       const struct chain *c, uint16_t *out_count)
{
	enum pdt_mode mode = PDT_USER;
	bool alone = c->kind == CHAIN_NONE || c->kind == CHAIN_EMPTY;
	uint8_t flags = stack_flags[chain_kind(c)];
	int skip = s->skip ? s->skip(s->skip_ctx, p, c) : -1;
	bool old = p->old_maps; /* it still execs */
	bool found = false;	/* by unwinding: addresses, whatever they look like */
	unsigned junk = 0;
	uint16_t n = 0;
	uint32_t *out;

	s->loc_ids = xgrow(s->loc_ids, &s->id_cap, s->id_count + c->count, sizeof(*s->loc_ids));
	out = s->loc_ids + s->id_count;
	if (c->kind & CHAIN_APART) {
		struct chain_ip own = chain_own(c);

		*out++ = locate(s, m, p, own.ip, (enum pdt_mode)mode_of_marker(own.marker));
		flags |= PDT_STACK_APART;
	}
	for (unsigned i = chain_start(c); i < c->count; i++) {
		int to;

		if ((int)i == skip)
			continue;
		if (c->values[i] < CONTEXT_MAX || found) {
			out[n++] = (old ? locate_old : locate)(s, m, p, c->values[i], mode);
			continue;
		}
		if (n < PERF_MAX_STACK && !perf_knows(c->values[i]) && !alone)
			flags |= PDT_STACK_PERF_DROPS;
		to = mode_of_marker(c->values[i]);
		found = chain_is_unwound_from(c, i);
		i += c->values[i] == CONTEXT_USER_DEFERRED; /* a cookie follows */
		if (to >= 0)
			mode = (enum pdt_mode)to;
		else
			junk++;
	}
	if (junk)
		count_junk(s, c, junk);
	*out_count = n;
	return flags;
}

/* Does P, which called exec, still run in the kernel when it shows C? Then C has at most one user
 * address, that of the call in the old program: the stack above it is the new program's already. */
static bool still_execs(const struct process *p, const struct chain *c)
{
	unsigned user = 0;
	bool in_user = false;

	if (mode_of_marker(chain_own(c).marker) == PDT_USER)
		return false;
	for (unsigned i = chain_start(c); i < c->count; i++) {
		if (c->values[i] >= CONTEXT_MAX)
			in_user = c->values[i] == CONTEXT_USER;
		else if (in_user && (user++ || (p->maps && maps_find(p->maps, c->values[i]))))
			return false;
	}
	return true;
}

/* A chain whose user part comes later ends in a marker and a cookie. */
static bool is_deferred(const struct chain *c)
{
	return c->count >= chain_start(c) + 2 && c->values[c->count - 2] == CONTEXT_USER_DEFERRED;
}

static void stacks_grow(struct stacks *s)
{
	size_t old_slots = s->slots;
	uint64_t *old = s->table;

	s->slots = old_slots ? old_slots * 2 : SLOTS_MIN;
	s->table = big_alloc(s->slots * sizeof(*s->table));
	for (size_t i = 0; i < old_slots; i++) {
		size_t to = old[i] >> 32 & (s->slots - 1);

		if (!old[i])
			continue;
		while (s->table[to])
			to = (to + 1) & (s->slots - 1);
		s->table[to] = old[i];
	}
	big_free(old, old_slots * sizeof(*old));
}

/* Room for the deepest. */
static void reserve_whole(struct stacks *s)
{
	if (!s->whole)
		s->whole = xcalloc(1 + 1 + UINT16_MAX, sizeof(*s->whole));
}

/* A stack of the location ids that lie behind the last one in loc_ids. */
static struct stack make_stack(struct stacks *s, uint16_t count, uint8_t flags)
{
	size_t ids = stack_ids_before(flags) + count;
	struct stack made = { (uint32_t)s->id_count, count, flags, 1 };

	if (stack_is_deep(&made)) {
		reserve_whole(s);
		made.first = pieces_put(&s->pieces, s->loc_ids + s->id_count, ids);
	} else {
		s->id_count += ids;
	}
	return made;
}

static uint32_t append(struct stacks *s, uint16_t count, uint8_t flags)
{
	s->list = xgrow(s->list, &s->cap, s->count + 1, sizeof(*s->list));
	s->list[s->count] = make_stack(s, count, flags);
	return (uint32_t)s->count++;
}

const uint32_t *stacks_expand(const struct stacks *s, uint32_t pieces)
{
	if (s->whole[0] != pieces) {
		s->whole[0] = pieces;
		pieces_get(&s->pieces, pieces, s->whole + 1);
	}
	return s->whole + 1;
}

static bool is_stack(const struct stacks *s, uint32_t id, uint16_t count, uint8_t flags)
{
	const struct stack *e = &s->list[id];
	size_t ids = stack_ids_before(flags) + count;
	const uint32_t *found = s->loc_ids + s->id_count;

	if (e->count != count || e->flags != flags)
		return false;
	if (stack_is_deep(e))
		return pieces_match(&s->pieces, e->first, found, ids) == ids;
	return !memcmp(s->loc_ids + e->first, found, ids * sizeof(*found));
}

/* A chain's further meanings are looked for among those that were found before, so that a chain
 * which comes back in ever new address spaces takes no more memory. */
static uint32_t intern(struct stacks *s, uint16_t count, uint8_t flags)
{
	size_t bytes = (stack_ids_before(flags) + count) * sizeof(*s->loc_ids);
	uint64_t hash = hash_bytes(s->loc_ids + s->id_count, bytes) + flags;
	uint64_t tag = hash & TAG_MASK;
	size_t i;

	if ((s->variants + 1) * 4 > s->slots * 3)
		stacks_grow(s);
	for (i = hash >> 32 & (s->slots - 1); s->table[i]; i = (i + 1) & (s->slots - 1)) {
		uint32_t id = (uint32_t)s->table[i] - 1;

		if ((s->table[i] & TAG_MASK) == tag && is_stack(s, id, count, flags))
			return id;
	}
	s->variants++;
	s->table[i] = tag | (s->count + 1);
	return append(s, count, flags);
}

uint32_t stacks_rare(struct stacks *s)
{
	struct loc nowhere = { UINT64_MAX, PDT_NONE, PDT_USER }; /* no chain has such an address */

	if (!s->rare) {
		s->loc_ids = xgrow(s->loc_ids, &s->id_cap, s->id_count + 1, sizeof(*s->loc_ids));
		s->loc_ids[s->id_count] = stacks_location(s, nowhere);
		s->rare = append(s, 1, PDT_STACK_RARE) + 1;
	}
	return s->rare - 1;
}

void stacks_forget_near(struct stacks *s)
{
	if (s->shared)
		memset(s->shared, 0, s->shared_slots * sizeof(*s->shared));
	if (s->near)
		memset(s->near, 0, s->near_slots * sizeof(*s->near));
}

/* The location ids of the user addresses in VALUES, into user_ids: how many. */
static uint16_t resolve_user(struct stacks *s, struct machine *m, struct process *p,
			     struct cursor values)
{
	size_t room = cursor_left(&values) / 8;
	uint16_t n = 0;

	s->user_ids = xgrow(s->user_ids, &s->user_cap, room, sizeof(*s->user_ids));
	while (cursor_left(&values) >= 8 && n < UINT16_MAX / 2) {
		uint64_t value = cursor_u64(&values);

		if (value < CONTEXT_MAX)
			s->user_ids[n++] = locate(s, m, p, value, PDT_USER);
	}
	return n;
}

/* Put COUNT user_ids behind those of the stack ID. False when that would be too much. */
static bool extend(struct stacks *s, uint32_t id, uint16_t count)
{
	struct stack *e = &s->list[id];
	size_t all = (size_t)e->count + count, had;
	uint32_t *to;

	if (all > UINT16_MAX || s->joined_ids + all > JOINED_MAX || e->flags & PDT_STACK_RARE)
		return false;
	s->loc_ids = xgrow(s->loc_ids, &s->id_cap, s->id_count + 1 + all, sizeof(*s->loc_ids));
	to = s->loc_ids + s->id_count;
	if (!e->count && count && stack_ip(s, e) == s->user_ids[0])
		e->flags &= (uint8_t)~PDT_STACK_APART;
	had = stack_ids_before(e->flags) + e->count;
	memcpy(to, stack_ids(s, e), had * sizeof(*to));
	if (count)
		memcpy(to + had, s->user_ids, count * sizeof(*to));
	*e = make_stack(s, (uint16_t)all, e->flags);
	s->joined_ids += all;
	return true;
}

void stacks_join(struct stacks *s, struct machine *m, struct process *p, uint64_t cookie,
		 struct cursor values)
{
	uint32_t id = deferred_take(&s->deferred, p->pid, cookie);
	uint16_t count;

	if (id == DEFERRED_NONE)
		return;
	if (p->old_maps) /* a user part comes when the process goes back to its program */
		machine_end_exec(m, p);
	count = resolve_user(s, m, p, values);
	for (; id != DEFERRED_NONE; id = deferred_take(&s->deferred, p->pid, cookie))
		s->deferred.waiting += !extend(s, id, count);
}

/* The locations of C, and a stack only if its user part comes later. */
static void look(struct stacks *s, struct machine *m, struct process *p, const struct chain *c,
		 struct chain *to)
{
	uint16_t count;
	uint8_t flags = resolve(s, m, p, c, &count);

	if (!is_deferred(c))
		to->stack = PDT_NONE;
	else if (!to->space)
		to->stack = append(s, count, flags);
	else if (!is_stack(s, to->stack, count, flags))
		to->stack = intern(s, count, flags);
}

/* Whether P's old program was still there is known when all parts are read. */
static bool is_open(const struct stacks *s, const struct process *p)
{
	return s->in_part && p->old_maps;
}

/* Where the stack of the chain ID in SPACE was noted last. */
static struct space_chain *shared_of(const struct stacks *s, uint32_t space, uint32_t id)
{
	return &s->shared[hash_u64((uint64_t)space << 32 | id) & (s->shared_slots - 1)];
}

static inline void fit_shared(struct stacks *s, uint32_t id)
{
	s->shared = fit(s->shared, &s->shared_slots, SHARED_SLOTS, id, sizeof(*s->shared));
}

uint32_t stacks_add(struct stacks *s, struct machine *m, struct process *p, const struct chains *c,
		    uint32_t id)
{
	struct chain *chain = chains_get(c, id);
	const struct chain *whole = chains_whole(c, id);
	struct space_chain *cached;
	uint32_t space;
	size_t before = s->count;
	uint16_t count;
	uint8_t flags;

	if (chain->kind & CHAIN_RARE)
		return stacks_rare(s);
	if (p->old_maps && !still_execs(p, whole)) {
		if (s->in_part)
			exec_seen(s, p)->new_ns = s->now_ns;
		machine_end_exec(m, p);
	}
	space = chain->kernel_only ? m->kernel_space : process_space(m, p);
	fit_near(s);
	fit_shared(s, id);
	cached = shared_of(s, space, id);
	if (chain->space && cached->space == space && cached->chain == id) {
		chain->stack = cached->stack;
	} else if (s->brief) {
		look(s, m, p, whole, chain);
		*cached = (struct space_chain){ space, id, chain->stack };
	} else if (!chain->space) { /* seen for the first time */
		flags = resolve(s, m, p, whole, &count);
		chain->stack = append(s, count, flags);
	} else {
		flags = resolve(s, m, p, whole, &count);
		if (!is_stack(s, chain->stack, count, flags))
			chain->stack = intern(s, count, flags);
		if (!is_open(s, p))
			*cached = (struct space_chain){ space, id, chain->stack };
	}
	if (s->count > before && is_deferred(whole))
		deferred_wait(&s->deferred, p->pid, whole->values[whole->count - 1], chain->stack);
	chain->space = is_open(s, p) ? PDT_NONE : space;
	return chain->stack;
}

/* One stack of FROM, which is deep. */
static uint32_t take_deep(struct stacks *s, const struct stacks *from, const struct stack *e,
			  const uint32_t *locs)
{
	size_t count = stack_ids_before(e->flags) + e->count;
	const uint32_t *ids = stack_ids(from, e);

	s->user_ids = xgrow(s->user_ids, &s->user_cap, count, sizeof(*s->user_ids));
	for (size_t i = 0; i < count; i++)
		s->user_ids[i] = locs[ids[i]];
	reserve_whole(s);
	return pieces_put(&s->pieces, s->user_ids, count);
}

void stacks_take(struct stacks *s, struct stacks *from, const uint32_t *locs)
{
	uint32_t first = (uint32_t)s->id_count;

	s->loc_ids =
		xgrow(s->loc_ids, &s->id_cap, s->id_count + from->id_count, sizeof(*s->loc_ids));
	for (size_t i = 0; i < from->id_count; i++)
		s->loc_ids[s->id_count++] = locs[from->loc_ids[i]];
	free(from->loc_ids);
	from->loc_ids = NULL;
	s->list = xgrow(s->list, &s->cap, s->count + from->count, sizeof(*s->list));
	for (size_t i = 0; i < from->count; i++) {
		struct stack e = from->list[i];

		e.first = stack_is_deep(&e) ? take_deep(s, from, &e, locs) : e.first + first;
		s->list[s->count++] = e;
	}
	s->junk_entries += from->junk_entries;
	s->deferred.waiting += from->deferred.waiting;
	stacks_release(from);
	stacks_init(from);
}

/* ---- what comes ---- */

static void want_location(struct wanted *w, const struct process *p, uint64_t ip,
			  enum pdt_mode mode)
{
	const struct slots *places = &w->stacks->loc_places;
	uint32_t space = mode == PDT_KERNEL ? w->machine->kernel_space : p->space;
	const struct near *n = near_of(w->stacks, space, ip);
	struct map *map;
	uint64_t hash;

	if ((n->ip == ip && n->space == space) || w->count == WANTED_MAX)
		return;
	hash = loc_hash(find_loc(w->machine, p, ip, mode, &map));
	__builtin_prefetch(&places->table[slots_first(places, hash)]);
	w->hashes[w->count++] = hash;
}

static uint32_t space_of(const struct wanted *w, const struct process *p, const struct chain *c)
{
	return c->kernel_only ? w->machine->kernel_space : p->space;
}

/* Is it known which stack C, the chain ID, is in the process P? */
static bool is_known(const struct wanted *w, const struct process *p, const struct chain *c,
		     uint32_t id)
{
	uint32_t space = space_of(w, p, c);
	const struct space_chain *at;

	if (!c->space || c->space == space || !w->stacks->shared)
		return c->space;
	at = shared_of(w->stacks, space, id);
	return at->space == space && at->chain == id;
}

void stacks_foretell(const struct wanted *w, const struct process *p, const struct chain *c,
		     uint32_t id)
{
	uint32_t space = space_of(w, p, c);

	if (!c->space || c->space == space || !w->stacks->shared)
		return;
	__builtin_prefetch(shared_of(w->stacks, space, id));
	if (c->stack < w->stacks->count)
		__builtin_prefetch(&w->stacks->list[c->stack]);
}

bool stacks_want(struct wanted *w, const struct process *p, const struct chain *c, uint32_t id)
{
	int mode = PDT_USER;

	if (c->kind & (CHAIN_RARE | CHAIN_DEEP) || w->stacks->loc_count < FEW_LOCS ||
	    !w->stacks->near || is_known(w, p, c, id))
		return false;
	if (c->space && c->stack < w->stacks->count) /* it is compared with that one */
		__builtin_prefetch(&w->stacks->loc_ids[w->stacks->list[c->stack].first]);
	for (unsigned i = chain_start(c); i < c->count; i++) {
		if (c->values[i] >= CONTEXT_MAX)
			mode = mode_of_marker(c->values[i]);
		else if (mode == PDT_USER || mode == PDT_KERNEL)
			want_location(w, p, c->values[i], (enum pdt_mode)mode);
	}
	return true;
}

bool stacks_want_place(struct wanted *w, const struct process *p, uint64_t address,
		       enum pdt_mode mode)
{
	const struct slots *places = &w->stacks->loc_places;
	struct map *map;
	uint64_t hash;

	if (w->stacks->loc_count < FEW_PLACES || w->count == WANTED_MAX)
		return false;
	hash = loc_hash(find_loc(w->machine, p, address, mode, &map));
	__builtin_prefetch(&places->table[slots_first(places, hash)]);
	w->hashes[w->count++] = hash;
	return true;
}

void stacks_expect(const struct wanted *w)
{
	const struct slots *places = &w->stacks->loc_places;

	for (size_t i = 0; i < w->count; i++) {
		size_t at = slots_first(places, w->hashes[i]);
		uint32_t id = slots_next(places, w->hashes[i], &at);

		if (id != SLOTS_NONE)
			__builtin_prefetch(&w->stacks->locs[id]);
	}
}
