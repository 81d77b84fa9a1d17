/* Walk stacks: find the rule for each address, take the step. */
#include "parser/unwind/unwind.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"
#include "parser/base/pool.h"
#include "parser/unwind/exidx.h"
#include "parser/unwind/step.h"
#include "parser/unwind/tables.h"

#include <elf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define CODE_SLOTS (1u << 14) /* half a megabyte: programs sample few addresses again and again */
#define ABREAST	   16 /* walks at a time: by then the memory that the first needs is there */
#define SOON	   4  /* as many walks ahead their registers are wished for */
#define LANES_MAX  64
#define SPINS	   1000

enum pdt_insn_kind { CODE_NO_RULE, CODE_EH, CODE_DEBUG, CODE_EXIDX };

/* What is known of the code at one address of one address space. */
struct code {
	uint64_t pc;
	struct tables *tables; /* NULL: none */
	union {
		const struct rule *rule; /* CODE_EH, CODE_DEBUG */
		const struct exidx_entry *exidx;
	};
	uint32_t space; /* 0: a free slot */
	uint8_t kind;	/* enum pdt_insn_kind */
	uint8_t end;	/* enum unwind_end: why there is no rule */
	bool leaf;	/* it calls nothing: its caller is in the link register */
};

/* What a thread has for itself: a cache of what all share. */
struct lane {
	struct unwinder *u;
	struct code *codes; /* CODE_SLOTS */
	uint64_t evicted;   /* as of when the cache was empty */
	/* what was learned in this call: places in the cache */
	uint16_t *fresh;
	size_t fresh_count;
};

struct unwinder {
	struct unwind_source source;
	size_t tables_max;
	/* holds for tables and whatever reads files: rules and entries of tables stay where they
	 * are while walks go on */
	pthread_mutex_t lock;
	bool alone; /* one thread only: no lock is needed */
	struct table_set tables;
	struct lane lanes[LANES_MAX];
	struct unwind_stats stats;
};

/* A walk on its way. */
struct walker {
	struct lane *lane;
	struct unwind_walk *w;
	struct unwind_memory memory;
	struct frame f;
	uint64_t pc;	  /* of the newest frame, as it is looked up */
	bool known;	  /* code is about it */
	bool locked;	  /* K holds the lock */
	struct code code; /* of the newest frame */
};

struct unwinder *unwinder_new(const struct unwind_source *source, size_t tables_max)
{
	struct unwinder *u = xcalloc(1, sizeof(*u));
	u->source = *source;
	u->tables_max = tables_max;
	pthread_mutex_init(&u->lock, NULL);
	return u;
}

static void lane_release(struct lane *lane)
{
	free(lane->codes);
	free(lane->fresh);
}

void unwinder_free(struct unwinder *u)
{
	if (!u)
		return;
	table_set_release(&u->tables);
	for (unsigned i = 0; i < LANES_MAX; i++)
		lane_release(&u->lanes[i]);
	pthread_mutex_destroy(&u->lock);
	free(u);
}

void unwind_count(struct unwinder *u, const struct unwind_walk *w)
{
	u->stats.stacks++;
	u->stats.frames += w->count;
	u->stats.by_frame_pointer += w->by_frame_pointer;
	u->stats.ends[w->end]++;
}

struct unwind_stats unwinder_stats(const struct unwinder *u)
{
	struct unwind_stats stats = u->stats;

	stats.evicted = u->tables.evicted;
	stats.bad_entries = table_set_bad(&u->tables);
	stats.over_entries = table_set_over(&u->tables);
	return stats;
}

void unwind_stats_add(struct unwind_stats *to, struct unwind_stats from)
{
	to->stacks += from.stacks;
	to->frames += from.frames;
	for (size_t i = 0; i < UNWIND_END_COUNT; i++)
		to->ends[i] += from.ends[i];
	to->by_frame_pointer += from.by_frame_pointer;
	to->evicted += from.evicted;
	to->bad_entries += from.bad_entries;
	to->over_entries += from.over_entries;
}

size_t unwinder_bytes(const struct unwinder *u)
{
	return u->tables.bytes;
}

const char *unwind_end_text(enum unwind_end end)
{
	static const char *const texts[UNWIND_END_COUNT] = {
		[UNWIND_GOES_ON] = "not ended",
		[UNWIND_COMPLETE] = "complete",
		[UNWIND_CUT] = "stack copy too short",
		[UNWIND_NO_CFI] = "no unwind information",
		[UNWIND_NO_MAP] = "no mapping",
		[UNWIND_NO_FILE] = "no file",
		[UNWIND_BAD_FRAME] = "impossible frame",
		[UNWIND_ENDLESS] = "expression of more than 1000 steps",
		[UNWIND_DEPTH] = "too deep",
		[UNWIND_NO_REGS] = "no registers",
		[UNWIND_NO_ARCH] = "architecture not known",
		[UNWIND_BAD_ARCH] = "architecture not supported",
	};

	return (unsigned)end < UNWIND_END_COUNT ? texts[end] : "";
}

/* ---- what is known of an address ---- */

static bool find(const struct walker *k, uint64_t addr, struct unwind_place *out)
{
	const struct unwind_source *source = &k->lane->u->source;

	return source->find(source->ctx, k->w->sample.process, addr, out);
}

/* It is held for less than a sleep takes, but for when files are opened. */
static void lock(struct unwinder *u)
{
	for (unsigned i = 0; i < SPINS && !u->alone; i++) {
		if (pthread_mutex_trylock(&u->lock) == 0)
			return;
		for (unsigned k = 0; k < 20; k++)
			__asm__ volatile("" ::: "memory");
	}
	if (!u->alone)
		pthread_mutex_lock(&u->lock);
}

static void unlock(struct unwinder *u)
{
	if (!u->alone)
		pthread_mutex_unlock(&u->lock);
}

static bool take_rule(struct code *c, const struct cfi *t, enum pdt_insn_kind kind, uint32_t id)
{
	if (id == RULE_NONE)
		return false;
	c->kind = (uint8_t)kind;
	c->rule = rules_get(&t->rules, id);
	return true;
}

static void find_rule(struct code *c, struct tables *t, uint64_t addr)
{
	if (take_rule(c, &t->eh, CODE_EH, cfi_find(&t->eh, addr)) ||
	    take_rule(c, &t->debug, CODE_DEBUG, cfi_find(&t->debug, addr)))
		return;
	c->exidx = t->exidx.count ? exidx_find(&t->exidx, addr) : NULL;
	c->kind = c->exidx ? CODE_EXIDX : CODE_NO_RULE;
}

/* arm64's vdso has no unwind tables (arch/arm64/kernel/vdso/vdso.lds.S discards them), and its
 * functions make no frames: a chain of frame pointers lacks their caller. */
static bool has_leaf_vdso(const struct walker *k)
{
	return k->f.arch->machine == EM_AARCH64 && k->w->sample.as == UNWIND_AS_IT_IS;
}

/* perf adds the addresses in a module's unwind table to the lowest place where the process has the
 * module, and an exec does not take old mappings away (tools/perf/util/unwind-libunwind-local.c,
 * read_unwind_spec_eh_frame()): where the new program's libc lies above the old one's, nothing is
 * found in its table. */
static bool is_lost_to_perf(const struct walker *k, uint64_t pc)
{
	const struct unwind_source *source = &k->lane->u->source;

	return k->w->sample.as == UNWIND_AS_LIBUNWIND && source->elsewhere &&
	       source->elsewhere(source->ctx, k->w->sample.process, pc);
}

/* What can be said of C->pc, from scratch. */
static void learn(const struct walker *k, struct code *c)
{
	struct unwinder *u = k->lane->u;
	struct unwind_place place;
	uint64_t addr;
	struct tables *t;

	c->end = UNWIND_NO_MAP;
	if (!find(k, c->pc, &place))
		return;
	c->end = UNWIND_NO_CFI;
	if (!place.is_file && !place.is_dump)
		return;
	c->leaf = place.vdso && has_leaf_vdso(k);
	if (place.is_file && !c->leaf)
		c->end = UNWIND_NO_FILE;
	lock(u);
	t = table_set_get(&u->tables, &u->source, place.module, k->f.arch);
	if (t)
		t = table_set_part(&u->tables, t, place.offset);
	if (t && t->arch == k->f.arch && tables_addr(t, place.offset, &addr) == 0) {
		c->end = UNWIND_NO_CFI;
		c->tables = t;
		if (!is_lost_to_perf(k, c->pc))
			find_rule(c, t, addr);
		table_set_grown(&u->tables, t);
	}
	unlock(u);
}

/* Where what is known of K's address is kept. */
static inline struct code *slot_of(const struct walker *k)
{
	uint64_t hash = hash_fold(k->pc ^ HASH_K0, k->w->sample.space ^ HASH_K1);

	return &k->lane->codes[hash & (CODE_SLOTS - 1)];
}

static void find_code(struct walker *k)
{
	uint32_t space = k->w->sample.space;
	struct code *slot = slot_of(k);
	uint64_t pc = k->pc;

	if (slot->pc != pc || slot->space != space || !space) {
		*slot = (struct code){ .pc = pc, .space = space };
		learn(k, slot);
		if (k->lane->fresh_count < CODE_SLOTS)
			k->lane->fresh[k->lane->fresh_count++] = (uint16_t)(slot - k->lane->codes);
	}
	k->code = *slot;
}

static const struct rule *rule_of(const struct code *c)
{
	return c->kind == CODE_EH || c->kind == CODE_DEBUG ? c->rule : NULL;
}

/* ---- what steps ask for ---- */

static bool is_code(void *ctx, uint64_t addr)
{
	struct unwind_place place;

	return find(ctx, addr, &place) && place.exec;
}

/* What perf takes for 0 where it cannot read it: access_dso_mem() returns 1 for what is mapped,
 * which libunwind takes for success (tools/perf/util/unwind-libunwind-local.c). */
static bool is_mapped(void *ctx, uint64_t addr)
{
	struct unwind_place place;

	return find(ctx, addr, &place);
}

static const uint8_t *file_bytes(void *ctx, uint64_t addr, size_t size)
{
	struct walker *k = ctx;
	struct unwinder *u = k->lane->u;
	const uint8_t *bytes = NULL;
	struct unwind_place place;
	struct tables *t;
	uint64_t vaddr;

	if (!find(k, addr, &place) || !place.bytes)
		return NULL;
	if (!k->locked) /* the programs of exidx read files */
		lock(u);
	/* a module that no frame was in yet is not worth reading */
	t = place.module < u->tables.count ? u->tables.list[place.module] : NULL;
	if (t && t->files.runtime && tables_addr(t, place.offset, &vaddr) == 0)
		bytes = elf_file_constant(t->files.runtime, vaddr, size);
	if (!k->locked)
		unlock(u);
	return bytes;
}

/* Run-time address - address in the file. Expressions may name an address: few do. */
static uint64_t bias_of(const struct walker *k)
{
	struct unwind_place place;
	uint64_t addr;

	if (!find(k, k->code.pc, &place) || tables_addr(k->code.tables, place.offset, &addr) < 0)
		return 0;
	return k->code.pc - addr;
}

static enum unwind_end step_by_exidx(struct walker *k)
{
	struct unwinder *u = k->lane->u;
	enum unwind_end end;

	lock(u);
	k->locked = true;
	end = exidx_step(&k->code.tables->exidx, k->code.exidx, &k->f);
	k->locked = false;
	unlock(u);
	return end;
}

/* The link register of a signal handler leads to the vdso, which the handler did not call. */
static bool is_called(const struct walker *k)
{
	const struct unwind_arch *a = k->f.arch;
	struct unwind_place place;

	return find(k, (k->f.regs.value[a->ra] & a->code_mask) - 1, &place) && !place.vdso;
}

static enum unwind_end step(struct walker *k)
{
	const struct code *c = &k->code;
	bool leaves = c->tables && c->tables->has_rules && k->w->sample.as != UNWIND_AS_LIBDW;
	struct step_code code = {
		.is_code = is_code,
		.ctx = k,
		.leaves = leaves || (c->leaf && is_called(k)),
		.guesses = k->w->sample.as == UNWIND_AS_LIBUNWIND && c->tables &&
			   c->tables->has_rules && k->f.arch->machine == EM_X86_64,
	};
	const struct rule *rule = rule_of(c);
	enum unwind_end end;

	if (rule && rule->saved && !rule->signal && k->f.arch->word_bytes == 8 && !k->memory.swap &&
	    !k->f.arch->cfa_off_sp && step_by_saved(&k->f, rule, &end))
		return end;
	if (rule)
		return step_by_rule(&k->f, c->kind == CODE_EH ? &c->tables->eh : &c->tables->debug,
				    rule, rule->plain ? 0 : bias_of(k));
	if (c->kind == CODE_EXIDX)
		return step_by_exidx(k);
	if (c->end != UNWIND_NO_CFI)
		return (enum unwind_end)c->end;
	if (c->tables)
		code.bytes = file_bytes(k, c->pc, 16);
	end = step_without_rule(&k->f, &code);
	k->w->by_frame_pointer += end == UNWIND_GOES_ON;
	return end;
}

/* ---- several walks ---- */

/* A frame takes two turns, as two things are far away: what is known of its code, and its part of
 * the stack. Each turn ends with a wish for what the next one needs. (Not inlined, the compiler
 * finds wishes useless.) */
#define WISH static inline __attribute__((always_inline))

WISH void wish_stack(const struct walker *k)
{
	const struct rule *r = rule_of(&k->code);
	uint64_t at;

	if (!r || !r->saved)
		return;
	at = k->f.regs.value[r->cfa_slot] + (uint64_t)(int64_t)r->cfa_value - k->memory.start;
	if (at - 8 < k->memory.stack_bytes)
		__builtin_prefetch(k->memory.stack + at - 8);
	at += (uint64_t)(int64_t)r->regs[0].value;
	if (at < k->memory.stack_bytes)
		__builtin_prefetch(k->memory.stack + at);
}

/* K has come to a frame. */
WISH void arrive(struct walker *k)
{
	k->pc = k->f.exact ? k->f.regs.pc : k->f.regs.pc - 1;
	k->known = false;
	__builtin_prefetch(slot_of(k));
}

/* Note the frame that K has come to. */
static enum unwind_end note(struct walker *k)
{
	struct unwind_walk *w = k->w;
	const struct rule *rule;
	bool exact;

	if (w->count == w->max)
		return UNWIND_DEPTH;
	if (!k->pc && w->sample.as == UNWIND_AS_LIBUNWIND) /* perf leaves it out */
		return UNWIND_NO_MAP;
	find_code(k);
	rule = rule_of(&k->code);
	exact = rule && rule->signal && w->sample.as != UNWIND_AS_LIBUNWIND;
	w->frames[w->count++] = exact ? k->f.regs.pc : k->pc;
	k->known = true;
	wish_stack(k);
	return UNWIND_GOES_ON;
}

static enum unwind_end turn(struct walker *k)
{
	enum unwind_end end;

	if (!k->known)
		return note(k);
	end = step(k);
	if (end == UNWIND_GOES_ON)
		arrive(k);
	return end;
}

static enum unwind_end begin(struct walker *k, struct lane *lane, struct unwind_walk *w)
{
	const struct unwind_sample *s = &w->sample;

	w->count = w->by_frame_pointer = 0;
	k->lane = lane;
	k->locked = false;
	k->w = w;
	k->memory = (struct unwind_memory){ .stack = s->stack,
					    .stack_bytes = s->stack_bytes,
					    .swap = s->regs.swap,
					    .file = file_bytes,
					    .ctx = k };
	k->f.arch = s->arch;
	k->f.memory = &k->memory;
	k->f.exact = true;
	k->f.cut = k->f.anywhere = false;
	if (!s->arch)
		return s->no_arch ?: UNWIND_NO_ARCH;
	if (s->as == UNWIND_AS_LIBUNWIND && s->arch->machine == EM_X86_64) {
		k->memory.zero = is_mapped;
		k->f.anywhere = true;
	}
	if (unwind_regs_load(&k->f.regs, s->arch, &s->regs) < 0 || k->f.regs.pc >= NO_ADDRESS)
		return UNWIND_NO_REGS;
	k->memory.start = k->f.regs.value[s->arch->sp];
	arrive(k);
	return UNWIND_GOES_ON;
}

/* The registers of a sample that comes soon. */
WISH void wish_registers(const struct unwind_walk *w)
{
	for (unsigned i = 0; i < 4; i++)
		__builtin_prefetch(w->sample.regs.values + i * 64);
}

/* Each takes a step in turn; who has come to an end makes room for the next. */
static void walk(struct lane *lane, struct unwind_walk *walks, size_t n)
{
	struct walker walkers[ABREAST];
	unsigned active = 0, i = 0;
	size_t next = 0;

	while (next < n || active) {
		enum unwind_end end;
		struct walker *k;

		if (active < ABREAST && next < n) {
			i = active++;
			k = &walkers[i];
			if (n - next > SOON)
				wish_registers(&walks[next + SOON]);
			end = begin(k, lane, &walks[next++]);
		} else {
			i = i + 1 < active ? i + 1 : 0;
			k = &walkers[i];
			end = turn(k);
		}
		if (end == UNWIND_GOES_ON)
			continue;
		k->w->end = end;
		if (i != --active) {
			*k = walkers[active];
			k->f.memory = &k->memory;
			k->memory.ctx = k;
		}
	}
}

struct share {
	struct unwinder *u;
	struct unwind_walk *walks;
	size_t n, parts;
};

static void walk_part(void *ctx, size_t i)
{
	struct share *s = ctx;
	size_t from = s->n * i / s->parts, to = s->n * (i + 1) / s->parts;

	walk(&s->u->lanes[i], s->walks + from, to - from);
}

static void lane_ready(struct unwinder *u, struct lane *lane)
{
	if (!lane->codes) {
		lane->u = u;
		lane->codes = xcalloc(CODE_SLOTS, sizeof(*lane->codes));
		lane->fresh = xmalloc(CODE_SLOTS * sizeof(*lane->fresh));
	} else if (lane->evicted != u->tables.evicted) {
		memset(lane->codes, 0, CODE_SLOTS * sizeof(*lane->codes));
	}
	lane->evicted = u->tables.evicted;
	lane->fresh_count = 0;
}

/* What one has learned, the others need not. */
static void tell_others(struct unwinder *u, size_t lanes)
{
	for (size_t a = 0; a < lanes; a++) {
		const struct lane *from = &u->lanes[a];

		for (size_t b = 0; b < lanes; b++) {
			for (size_t i = 0; a != b && i < from->fresh_count; i++)
				u->lanes[b].codes[from->fresh[i]] = from->codes[from->fresh[i]];
		}
	}
}

void unwind(struct unwinder *u, struct unwind_walk *walks, size_t n, unsigned jobs)
{
	size_t parts = jobs > LANES_MAX ? LANES_MAX : jobs ? jobs : 1;
	struct share s = { u, walks, n, parts < n ? parts : 1 };

	u->alone = s.parts == 1;
	for (size_t i = 0; i < s.parts; i++)
		lane_ready(u, &u->lanes[i]);
	pool_for((unsigned)s.parts, s.parts, walk_part, &s);
	tell_others(u, s.parts);
	table_set_trim(&u->tables, u->tables_max);
}

enum unwind_ra unwinder_ra(struct unwinder *u, const struct unwind_sample *s, uint64_t pc)
{
	struct unwind_walk w = { .sample = *s };
	struct walker k = { .lane = &u->lanes[0], .w = &w, .f = { .arch = s->arch }, .pc = pc };
	const struct rule *r;
	enum reg_kind ra;

	lane_ready(u, k.lane);
	find_code(&k);
	r = rule_of(&k.code);
	if (!r)
		return RA_UNKNOWN;
	ra = rule_ra_kind(r);
	if (ra != REG_SAME && ra != REG_REGISTER)
		return RA_SAVED;
	return !r->cfa_bytes && r->cfa_slot == s->arch->sp && !r->cfa_value ? RA_IN_REGISTER
									    : RA_IN_REGISTER_YET;
}
