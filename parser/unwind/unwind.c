/* Walk a stack: find the rule for each address, take the step. */
#include "parser/unwind/unwind.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"
#include "parser/unwind/exidx.h"
#include "parser/unwind/step.h"
#include "parser/unwind/tables.h"

#include <stdlib.h>
#include <string.h>

#define CODE_SLOTS (1u << 14) /* half a megabyte: programs sample few addresses again and again */

enum code_kind { CODE_NO_RULE, CODE_EH, CODE_DEBUG, CODE_EXIDX };

/* What is known of the code at one address of one address space. */
struct code {
	uint64_t pc;
	struct tables *tables; /* NULL: none */
	uint32_t space;	       /* 0: a free slot */
	uint32_t rule;	       /* of .eh_frame or .debug_frame; or the entry of .ARM.exidx */
	uint8_t kind;	       /* enum code_kind */
	uint8_t end;	       /* enum unwind_end: why there is no rule */
};

struct unwinder {
	struct unwind_source source;
	struct table_set tables;
	struct code *codes; /* CODE_SLOTS: a cache; emptied when tables are given up */
	struct unwind_stats stats;
};

struct unwinder *unwinder_new(const struct unwind_source *source, size_t tables_max)
{
	struct unwinder *u = xcalloc(1, sizeof(*u));

	u->source = *source;
	u->tables.bytes_max = tables_max;
	u->codes = xcalloc(CODE_SLOTS, sizeof(*u->codes));
	return u;
}

void unwinder_free(struct unwinder *u)
{
	if (!u)
		return;
	table_set_release(&u->tables);
	free(u->codes);
	free(u);
}

const struct unwind_stats *unwinder_stats(const struct unwinder *u)
{
	return &u->stats;
}

size_t unwinder_bytes(const struct unwinder *u)
{
	return u->tables.bytes;
}

const char *unwind_end_text(enum unwind_end end)
{
	static const char *const texts[UNWIND_END_COUNT] = {
		[UNWIND_GOES_ON] = "not ended",		 [UNWIND_COMPLETE] = "complete",
		[UNWIND_CUT] = "stack copy too short",	 [UNWIND_NO_CFI] = "no unwind information",
		[UNWIND_NO_MAP] = "no mapping",		 [UNWIND_NO_FILE] = "no file",
		[UNWIND_BAD_FRAME] = "impossible frame", [UNWIND_DEPTH] = "too deep",
		[UNWIND_NO_REGS] = "no registers",
	};

	return (unsigned)end < UNWIND_END_COUNT ? texts[end] : "";
}

static void find_rule(struct code *c, struct tables *t, uint64_t addr)
{
	const struct exidx_entry *e;

	c->end = UNWIND_NO_CFI;
	c->kind = CODE_EH;
	c->rule = cfi_find(&t->eh, addr);
	if (c->rule != RULE_NONE)
		return;
	c->kind = CODE_DEBUG;
	c->rule = cfi_find(&t->debug, addr);
	if (c->rule != RULE_NONE)
		return;
	e = t->exidx.count ? exidx_find(&t->exidx, addr) : NULL;
	c->kind = e ? CODE_EXIDX : CODE_NO_RULE;
	c->rule = e ? (uint32_t)(e - t->exidx.entries) : 0;
}

/* What can be said of PC, from scratch. */
static void learn(struct unwinder *u, struct code *c, const struct unwind_sample *s)
{
	struct unwind_place place;
	bool evicted = false;
	uint64_t addr;
	struct tables *t;

	c->end = UNWIND_NO_MAP;
	if (!u->source.find(u->source.ctx, c->pc, &place))
		return;
	c->end = UNWIND_NO_CFI;
	if (!place.is_file)
		return;
	t = table_set_get(&u->tables, &u->source, place.module, s->arch, &evicted);
	if (evicted)
		memset(u->codes, 0, CODE_SLOTS * sizeof(*u->codes));
	c->end = UNWIND_NO_FILE;
	if (!t || t->arch != s->arch || tables_addr(t, place.offset, &addr) < 0)
		return;
	c->tables = t;
	find_rule(c, t, addr);
	table_set_grown(&u->tables, t);
}

/* Valid until the next call. */
static const struct code *find_code(struct unwinder *u, const struct unwind_sample *s, uint64_t pc)
{
	uint64_t hash = hash_fold(pc ^ HASH_K0, s->space ^ HASH_K1);
	struct code *slot = &u->codes[hash & (CODE_SLOTS - 1)];
	struct code c = { .pc = pc, .space = s->space };

	if (slot->pc == pc && slot->space == s->space && s->space)
		return slot;
	learn(u, &c, s); /* may empty the cache */
	*slot = c;
	return slot;
}

/* ---- what steps ask for ---- */

static bool is_code(void *ctx, uint64_t addr)
{
	struct unwinder *u = ctx;
	struct unwind_place place;

	return u->source.find(u->source.ctx, addr, &place) && place.exec;
}

static const uint8_t *file_bytes(void *ctx, uint64_t addr, size_t size)
{
	struct unwinder *u = ctx;
	struct unwind_place place;
	struct tables *t;
	uint64_t vaddr;

	if (!u->source.find(u->source.ctx, addr, &place) || !place.is_file ||
	    place.module >= u->tables.count)
		return NULL;
	/* a module that no frame was in yet is not worth reading */
	t = u->tables.list[place.module];
	if (!t || !t->files.runtime || tables_addr(t, place.offset, &vaddr) < 0)
		return NULL;
	return elf_file_constant(t->files.runtime, vaddr, size);
}

/* Run-time address - address in the file. Expressions may name an address: few do. */
static uint64_t bias_of(struct unwinder *u, const struct code *c)
{
	struct unwind_place place;
	uint64_t addr;

	if (!u->source.find(u->source.ctx, c->pc, &place) ||
	    tables_addr(c->tables, place.offset, &addr) < 0)
		return 0;
	return c->pc - addr;
}

static const struct cfi *cfi_of(const struct code *c)
{
	return c->kind == CODE_EH ? &c->tables->eh : &c->tables->debug;
}

static const struct rule *rule_of(const struct code *c)
{
	bool has = c->kind == CODE_EH || c->kind == CODE_DEBUG;

	return has ? rules_get(&cfi_of(c)->rules, c->rule) : NULL;
}

static enum unwind_end step(struct unwinder *u, struct frame *f, const struct code *c,
			    enum unwind_as as)
{
	bool leaves = c->tables && c->tables->has_rules && as != UNWIND_AS_LIBDW;
	struct step_code code = { is_code, u, NULL, leaves };
	const struct rule *rule = rule_of(c);
	enum unwind_end end;

	if (rule)
		return step_by_rule(f, cfi_of(c), rule, rule->plain ? 0 : bias_of(u, c));
	if (c->kind == CODE_EXIDX)
		return exidx_step(&c->tables->exidx, &c->tables->exidx.entries[c->rule], f);
	if (c->end != UNWIND_NO_CFI)
		return (enum unwind_end)c->end;
	if (c->tables)
		code.bytes = file_bytes(u, c->pc, 16);
	end = step_without_rule(f, &code);
	u->stats.by_frame_pointer += end == UNWIND_GOES_ON;
	return end;
}

static void count_stack(struct unwinder *u, unsigned frames, enum unwind_end end)
{
	u->stats.stacks++;
	u->stats.frames += frames;
	u->stats.ends[end]++;
	u->stats.evicted = u->tables.evicted;
	u->stats.bad_entries = u->tables.bad_entries;
}

enum unwind_end unwind(struct unwinder *u, const struct unwind_sample *s, uint64_t *frames,
		       unsigned max, unsigned *count)
{
	struct unwind_memory memory = { .stack = s->stack,
					.stack_bytes = s->stack_bytes,
					.swap = s->regs.swap,
					.file = file_bytes,
					.ctx = u };
	struct frame f = { .arch = s->arch, .memory = &memory, .exact = true };
	enum unwind_end end = UNWIND_NO_REGS;

	*count = 0;
	if (s->arch && unwind_regs_load(&f.regs, s->arch, &s->regs) == 0 &&
	    f.regs.pc < NO_ADDRESS) {
		memory.start = f.regs.value[s->arch->sp];
		end = UNWIND_GOES_ON;
	}
	while (end == UNWIND_GOES_ON) {
		const struct code *c;

		if (*count == max) {
			end = UNWIND_DEPTH;
			break;
		}
		frames[*count] = f.exact ? f.regs.pc : f.regs.pc - 1;
		c = find_code(u, s, frames[(*count)++]);
		if (s->as != UNWIND_AS_LIBUNWIND && rule_of(c) && rule_of(c)->signal)
			frames[*count - 1] = f.regs.pc;
		end = step(u, &f, c, s->as);
	}
	if (!s->uncounted)
		count_stack(u, *count, end);
	return end;
}

enum unwind_ra unwinder_ra(struct unwinder *u, const struct unwind_arch *arch, uint32_t space,
			   uint64_t pc)
{
	struct unwind_sample s = { .arch = arch, .space = space };
	const struct rule *r = rule_of(find_code(u, &s, pc));
	enum reg_kind ra;

	if (!r)
		return RA_UNKNOWN;
	ra = rule_ra_kind(r);
	if (ra != REG_SAME && ra != REG_REGISTER)
		return RA_SAVED;
	return !r->cfa_bytes && r->cfa_slot == arch->sp && !r->cfa_value ? RA_IN_REGISTER
									 : RA_IN_REGISTER_YET;
}
