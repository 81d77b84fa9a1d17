/* From a frame to its caller. */
#include "parser/unwind/step.h"
#include "parser/unwind/expr.h"

#include <elf.h>
#include <string.h>

enum unwind_end step_memory_end(enum memory_result r)
{
	static const enum unwind_end ends[] = {
		[MEMORY_OK] = UNWIND_GOES_ON,
		[MEMORY_CUT] = UNWIND_CUT,
		[MEMORY_UNKNOWN] = UNWIND_BAD_FRAME,
		[MEMORY_ENDLESS] = UNWIND_ENDLESS,
	};

	return ends[r];
}

static enum memory_result read_word(const struct frame *f, uint64_t addr, uint64_t *out)
{
	return memory_word(f->memory, unwind_word(f->arch, addr), f->arch->word_bytes, out);
}

enum unwind_end step_to(struct frame *f, uint64_t ra, uint64_t sp, uint64_t caller_sp)
{
	uint64_t pc = unwind_word(f->arch, ra) & f->arch->code_mask;
	bool anywhere = f->anywhere && !f->exact;

	if (!pc && !anywhere)
		return UNWIND_COMPLETE;
	if ((pc >= NO_ADDRESS && !anywhere) || (pc == f->regs.pc && caller_sp == sp))
		return UNWIND_BAD_FRAME; /* or it would go on for ever */
	f->regs.pc = pc;
	return UNWIND_GOES_ON;
}

/* ---- by rule ---- */

struct by_rule {
	struct frame *f;
	const struct cfi *t;
	const struct rule *rule;
	struct expr_context x;
	uint64_t cfa;
};

static struct cursor expression(const struct by_rule *b, int32_t where, uint16_t bytes)
{
	return cursor_make(b->t->section.data + (uint32_t)where, bytes, b->t->swap);
}

static enum unwind_end find_cfa(struct by_rule *b)
{
	const struct rule *r = b->rule;

	if (r->cfa_bytes)
		return step_memory_end(expr_evaluate(
			&b->x, expression(b, r->cfa_value, r->cfa_bytes), false, &b->cfa));
	if (!unwind_reg(&b->f->regs, r->cfa_slot))
		return b->f->cut ? UNWIND_CUT : UNWIND_BAD_FRAME;
	b->cfa = unwind_word(b->f->arch,
			     b->f->regs.value[r->cfa_slot] + (uint64_t)(int64_t)r->cfa_value);
	return UNWIND_GOES_ON;
}

/* The value of a register in the caller. */
static enum memory_result find_reg(const struct by_rule *b, const struct reg_rule *r, uint64_t *v)
{
	enum memory_result rc;

	*v = b->cfa;
	switch (r->kind) {
	case REG_OFFSET:
		return read_word(b->f, b->cfa + (uint64_t)(int64_t)r->value, v);
	case REG_VAL_OFFSET:
		*v = unwind_word(b->f->arch, b->cfa + (uint64_t)(int64_t)r->value);
		return MEMORY_OK;
	case REG_REGISTER:
		if (r->value < 0 || !unwind_reg(&b->f->regs, (unsigned)r->value))
			return MEMORY_UNKNOWN;
		*v = b->f->regs.value[r->value];
		return MEMORY_OK;
	case REG_EXPR:
		rc = expr_evaluate(&b->x, expression(b, r->value, r->bytes), true, v);
		return rc == MEMORY_OK ? read_word(b->f, *v, v) : rc;
	case REG_VAL_EXPR:
		return expr_evaluate(&b->x, expression(b, r->value, r->bytes), true, v);
	default:
		return MEMORY_UNKNOWN;
	}
}

/* All values are found before one is changed, as rules are about the frame as it was. A register
 * that cannot be told is a loss only when it is needed: the return address is. */
static enum unwind_end find_regs(struct by_rule *b)
{
	struct unwind_regs *regs = &b->f->regs;
	const struct rule *r = b->rule;
	uint64_t values[UNWIND_SLOTS], lost = 0;

	for (unsigned i = 0; i < r->count; i++) {
		enum memory_result rc = find_reg(b, &r->regs[i], &values[i]);

		if (rc == MEMORY_OK)
			continue;
		if (r->regs[i].slot == r->ra_slot)
			return step_memory_end(rc);
		lost |= 1ull << r->regs[i].slot;
		b->f->cut |= rc == MEMORY_CUT;
	}
	if (!b->f->arch->cfa_off_sp)
		unwind_reg_set(regs, b->f->arch->sp, b->cfa);
	for (unsigned i = 0; i < r->count; i++)
		unwind_reg_set(regs, r->regs[i].slot, values[i]);
	regs->valid &= ~lost;
	return UNWIND_GOES_ON;
}

enum unwind_end step_by_rule(struct frame *f, const struct cfi *t, const struct rule *rule,
			     uint64_t bias)
{
	const struct unwind_arch *a = f->arch;
	enum reg_kind ra = rule_ra_kind(rule);
	uint64_t sp = f->regs.value[a->sp];
	struct by_rule b;
	enum unwind_end end;

	if (ra == REG_UNDEFINED)
		return UNWIND_COMPLETE;
	if (!a->link_register)
		unwind_reg_set(&f->regs, a->ra, f->regs.pc); /* expressions name it */
	b.f = f;
	b.t = t;
	b.rule = rule;
	b.x = (struct expr_context){ a, &f->regs, f->memory, bias };
	end = find_cfa(&b);
	/* stacks grow down; with a CFA from elsewhere it may be the stack pointer that is wrong */
	if (end == UNWIND_GOES_ON && !rule->signal && b.cfa < sp &&
	    (b.cfa < f->memory->start || (!rule->cfa_bytes && rule->cfa_slot == a->sp)))
		end = UNWIND_BAD_FRAME;
	if (end == UNWIND_GOES_ON)
		end = find_regs(&b);
	if (end != UNWIND_GOES_ON)
		return end;
	/* still in its register: only where no call was made from */
	if (ra == REG_SAME && !(a->link_register && f->exact))
		return UNWIND_BAD_FRAME;
	if (!unwind_reg(&f->regs, rule->ra_slot))
		return UNWIND_BAD_FRAME;
	f->exact = rule->signal;
	return step_to(f, f->regs.value[rule->ra_slot], sp, f->regs.value[a->sp]);
}

bool step_by_saved(struct frame *f, const struct rule *rule, enum unwind_end *end)
{
	const struct unwind_memory *m = f->memory;
	struct unwind_regs *regs = &f->regs;
	uint64_t sp = regs->value[f->arch->sp];
	uint64_t cfa = regs->value[rule->cfa_slot] + (uint64_t)(int64_t)rule->cfa_value;
	uint64_t words[UNWIND_SLOTS], word, valid = regs->valid;

	if (!unwind_reg(regs, rule->cfa_slot) || cfa < sp || m->stack_bytes < 8)
		return false;
	for (unsigned i = 0; i < rule->count; i++) {
		uint64_t at = cfa + (uint64_t)(int64_t)rule->regs[i].value - m->start;

		if (at > m->stack_bytes - 8)
			return false;
		/* into words[i] the compiler would call a checked copy: it does not know I */
		memcpy(&word, m->stack + at, 8);
		words[i] = word;
	}
	for (unsigned i = 0; i < rule->count; i++) {
		regs->value[rule->regs[i].slot] = words[i];
		valid |= 1ull << rule->regs[i].slot;
	}
	regs->valid = valid;
	regs->value[f->arch->sp] = cfa;
	f->exact = false;
	*end = step_to(f, regs->value[rule->ra_slot], sp, cfa);
	return true;
}

/* ---- without ---- */

/* The first instructions of an entry of a procedure linkage table, which have nothing on the stack
 * but the return address: jmp *GOT, or push INDEX and jmp. */
static bool is_x86_plt(const uint8_t *p)
{
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	if (!memcmp(p, endbr, sizeof(endbr)))
		p += sizeof(endbr);
	if (*p == 0xf2) /* bnd */
		p++;
	return (p[0] == 0xff && p[1] == 0x25) ||
	       (p[0] == 0x68 && (p[5] == 0xe9 || (p[5] == 0xf2 && p[6] == 0xe9)));
}

/* Frame pointer and return address lie at AT; the caller's stack begins at CFA. */
static enum unwind_end step_pair(struct frame *f, const struct step_code *code, uint64_t at,
				 uint64_t cfa)
{
	const struct unwind_arch *a = f->arch;
	uint64_t sp = f->regs.value[a->sp], fp, ra;
	enum memory_result rc;

	if (at % a->word_bytes || at < sp)
		return UNWIND_NO_CFI;
	rc = read_word(f, at, &fp);
	if (rc == MEMORY_OK)
		rc = read_word(f, at + a->word_bytes, &ra);
	if (rc != MEMORY_OK)
		return rc == MEMORY_CUT ? UNWIND_CUT : UNWIND_NO_CFI;
	ra = unwind_word(a, ra) & a->code_mask;
	if (ra && !code->is_code(code->ctx, ra - 1))
		return UNWIND_NO_CFI;
	unwind_reg_set(&f->regs, a->fp, fp);
	unwind_reg_set(&f->regs, a->sp, cfa);
	f->exact = false;
	return step_to(f, ra, sp, cfa);
}

/* ppc64: each frame begins with the address of its caller's. */
static enum unwind_end step_back_chain(struct frame *f, const struct step_code *code)
{
	const struct unwind_arch *a = f->arch;
	uint64_t sp = f->regs.value[a->sp], up, ra;
	enum memory_result rc = read_word(f, sp, &up);

	if (rc == MEMORY_OK && !up)
		return UNWIND_COMPLETE;
	if (rc == MEMORY_OK && (up <= sp || up % a->word_bytes))
		return UNWIND_NO_CFI;
	if (rc == MEMORY_OK)
		rc = read_word(f, up + 2ull * a->word_bytes, &ra);
	if (rc != MEMORY_OK)
		return rc == MEMORY_CUT ? UNWIND_CUT : UNWIND_NO_CFI;
	if (ra && !code->is_code(code->ctx, ra - 1))
		return UNWIND_NO_CFI;
	unwind_reg_set(&f->regs, a->sp, up);
	f->exact = false;
	return step_to(f, ra, sp, up);
}

static enum unwind_end step_by_pointer(struct frame *f, const struct step_code *code)
{
	const struct unwind_arch *a = f->arch;
	uint64_t pair = 2ull * a->word_bytes, fp;

	if (a->fp_style == FP_BACK_CHAIN)
		return step_back_chain(f, code);
	if (a->fp_style == FP_NONE || !unwind_reg(&f->regs, a->fp))
		return UNWIND_NO_CFI;
	fp = f->regs.value[a->fp];
	if (a->fp_style == FP_PAIR)
		return step_pair(f, code, fp, fp + pair);
	return step_pair(f, code, fp - pair, fp);
}

/* What libunwind knows of such entries: their first instruction alone, without endbr and bnd
 * (1.6, src/x86_64/Gstep.c, is_plt_entry()). */
static bool is_libunwind_plt(const uint8_t *p)
{
	return p[0] == 0xff && p[1] == 0x25 && p[6] == 0x68 && p[11] == 0xe9;
}

/* What libunwind makes of x86-64 (the same, unw_step()): what lies where a frame pointer would
 * lead is the caller, code or not, and the stack pointer is only guessed. */
static enum unwind_end step_by_guess(struct frame *f)
{
	const struct unwind_arch *a = f->arch;
	uint64_t sp = f->regs.value[a->sp], fp = f->regs.value[a->fp], up, ra;

	if (!unwind_reg(&f->regs, a->fp) || fp < sp || fp - sp > 0x4000)
		return UNWIND_NO_CFI;
	if (read_word(f, fp, &up) != MEMORY_OK || read_word(f, fp + 8, &ra) != MEMORY_OK)
		return UNWIND_CUT;
	f->regs.valid = 0;
	unwind_reg_set(&f->regs, a->fp, up);
	unwind_reg_set(&f->regs, a->sp, sp + 16);
	f->exact = false;
	return step_to(f, ra, sp, sp + 16);
}

/* Hand-written leaves have no rules, but their caller is in the link register. */
static bool is_leaf(const struct frame *f, const struct step_code *code)
{
	const struct unwind_arch *a = f->arch;
	uint64_t lr = f->regs.value[a->ra];

	return a->link_register && f->exact && code->leaves && unwind_reg(&f->regs, a->ra) &&
	       (lr & a->code_mask) != f->regs.pc &&
	       code->is_code(code->ctx, (lr & a->code_mask) - 1);
}

enum unwind_end step_without_rule(struct frame *f, const struct step_code *code)
{
	const struct unwind_arch *a = f->arch;
	uint64_t sp = f->regs.value[a->sp], ra;

	if (is_leaf(f, code)) {
		f->exact = false;
		f->regs.pc = f->regs.value[a->ra] & a->code_mask;
		return UNWIND_GOES_ON;
	}
	if (f->exact && code->bytes && (a->machine == EM_X86_64 || a->machine == EM_386) &&
	    (code->guesses ? is_libunwind_plt : is_x86_plt)(code->bytes) &&
	    read_word(f, sp, &ra) == MEMORY_OK &&
	    (code->guesses || code->is_code(code->ctx, ra - 1))) {
		f->exact = false;
		unwind_reg_set(&f->regs, a->sp, sp + a->word_bytes);
		return step_to(f, ra, sp, sp + a->word_bytes);
	}
	return code->guesses ? step_by_guess(f) : step_by_pointer(f, code);
}
