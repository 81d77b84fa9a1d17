/* A stack machine: DWARF 5 section 2.5. */
#include "parser/unwind/expr.h"
#include "parser/unwind/cfi.h"

#include <dwarf.h>

#define DEPTH_MAX 64
#define STEPS_MAX 1000 /* loops are possible; compilers write about ten operations */

struct machine {
	const struct expr_context *x;
	struct cursor c;
	const uint8_t *begin;
	unsigned depth;
	enum memory_result result;
	uint64_t stack[DEPTH_MAX];
};

static void fail(struct machine *m)
{
	if (m->result == MEMORY_OK)
		m->result = MEMORY_UNKNOWN;
}

static void push(struct machine *m, uint64_t v)
{
	if (m->depth == DEPTH_MAX)
		fail(m);
	else
		m->stack[m->depth++] = unwind_word(m->x->arch, v);
}

static uint64_t pop(struct machine *m)
{
	if (!m->depth) {
		fail(m);
		return 0;
	}
	return m->stack[--m->depth];
}

static int64_t as_signed(const struct machine *m, uint64_t v)
{
	return m->x->arch->word_bytes == 4 ? (int32_t)v : (int64_t)v;
}

static void push_register(struct machine *m, uint64_t number, int64_t offset)
{
	uint8_t slot = unwind_slot(m->x->arch, number);

	if (slot == NO_SLOT || !unwind_reg(m->x->regs, slot))
		fail(m);
	else
		push(m, m->x->regs->value[slot] + (uint64_t)offset);
}

static void deref(struct machine *m, unsigned bytes)
{
	uint64_t v = 0;
	enum memory_result rc = memory_read(m->x->memory, pop(m), bytes, &v);

	if (rc != MEMORY_OK && m->result == MEMORY_OK)
		m->result = rc;
	push(m, v);
}

static void branch(struct machine *m, bool taken)
{
	int16_t by = (int16_t)cursor_u16(&m->c);

	if (!taken || m->c.bad)
		return;
	if (by < m->begin - m->c.pos || by > m->c.end - m->c.pos)
		fail(m);
	else
		m->c.pos += by;
}

static void push_deep(struct machine *m, unsigned down)
{
	if (down >= m->depth)
		fail(m);
	else
		push(m, m->stack[m->depth - 1 - down]);
}

/* dup, drop, over, pick, swap, rot */
static bool run_stack(struct machine *m, uint8_t op)
{
	uint64_t a, b, c;

	switch (op) {
	case DW_OP_dup:
		push_deep(m, 0);
		return true;
	case DW_OP_drop:
		(void)pop(m);
		return true;
	case DW_OP_over:
		push_deep(m, 1);
		return true;
	case DW_OP_pick:
		push_deep(m, cursor_u8(&m->c));
		return true;
	case DW_OP_swap:
		a = pop(m);
		b = pop(m);
		push(m, a);
		push(m, b);
		return true;
	case DW_OP_rot:
		a = pop(m);
		b = pop(m);
		c = pop(m);
		push(m, a);
		push(m, c);
		push(m, b);
		return true;
	default:
		return false;
	}
}

static bool run_constant(struct machine *m, uint8_t op)
{
	switch (op) {
	case DW_OP_addr:
		push(m, m->x->bias + (m->x->arch->word_bytes == 4 ? cursor_u32(&m->c)
								  : cursor_u64(&m->c)));
		return true;
	case DW_OP_const1u:
		push(m, cursor_u8(&m->c));
		return true;
	case DW_OP_const1s:
		push(m, (uint64_t)(int8_t)cursor_u8(&m->c));
		return true;
	case DW_OP_const2u:
		push(m, cursor_u16(&m->c));
		return true;
	case DW_OP_const2s:
		push(m, (uint64_t)(int16_t)cursor_u16(&m->c));
		return true;
	case DW_OP_const4u:
		push(m, cursor_u32(&m->c));
		return true;
	case DW_OP_const4s:
		push(m, (uint64_t)(int32_t)cursor_u32(&m->c));
		return true;
	case DW_OP_const8u:
	case DW_OP_const8s:
		push(m, cursor_u64(&m->c));
		return true;
	case DW_OP_constu:
		push(m, cursor_uleb(&m->c));
		return true;
	case DW_OP_consts:
		push(m, (uint64_t)cursor_sleb(&m->c));
		return true;
	default:
		return false;
	}
}

static bool run_unary(struct machine *m, uint8_t op)
{
	int64_t v;

	switch (op) {
	case DW_OP_deref:
		deref(m, m->x->arch->word_bytes);
		return true;
	case DW_OP_deref_size:
		deref(m, cursor_u8(&m->c));
		return true;
	case DW_OP_abs:
		v = as_signed(m, pop(m));
		push(m, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
		return true;
	case DW_OP_neg:
		push(m, 0 - pop(m));
		return true;
	case DW_OP_not:
		push(m, ~pop(m));
		return true;
	case DW_OP_plus_uconst:
		push(m, pop(m) + cursor_uleb(&m->c));
		return true;
	case DW_OP_skip:
		branch(m, true);
		return true;
	case DW_OP_bra:
		branch(m, pop(m) != 0);
		return true;
	case DW_OP_nop:
		return true;
	default:
		return false;
	}
}

static uint64_t divide(struct machine *m, uint64_t a, uint64_t b)
{
	int64_t x = as_signed(m, a), y = as_signed(m, b);

	if (!y) {
		fail(m);
		return 0;
	}
	return y == -1 ? 0 - (uint64_t)x : (uint64_t)(x / y);
}

static uint64_t shift(const struct machine *m, uint8_t op, uint64_t a, uint64_t by)
{
	if (by >= m->x->arch->word_bytes * 8u)
		return op == DW_OP_shra && as_signed(m, a) < 0 ? UINT64_MAX : 0;
	return op == DW_OP_shl	 ? a << by
	       : op == DW_OP_shr ? a >> by
				 : (uint64_t)(as_signed(m, a) >> by);
}

static bool compare(uint8_t op, int64_t a, int64_t b)
{
	switch (op) {
	case DW_OP_eq:
		return a == b;
	case DW_OP_ne:
		return a != b;
	case DW_OP_lt:
		return a < b;
	case DW_OP_le:
		return a <= b;
	case DW_OP_gt:
		return a > b;
	default:
		return a >= b;
	}
}

static bool run_binary(struct machine *m, uint8_t op)
{
	uint64_t b = pop(m), a = pop(m);

	switch (op) {
	case DW_OP_and:
		push(m, a & b);
		return true;
	case DW_OP_or:
		push(m, a | b);
		return true;
	case DW_OP_xor:
		push(m, a ^ b);
		return true;
	case DW_OP_plus:
		push(m, a + b);
		return true;
	case DW_OP_minus:
		push(m, a - b);
		return true;
	case DW_OP_mul:
		push(m, a * b);
		return true;
	case DW_OP_div:
		push(m, divide(m, a, b));
		return true;
	case DW_OP_mod:
		if (!b)
			fail(m);
		push(m, b ? a % b : 0);
		return true;
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
		push(m, shift(m, op, a, b));
		return true;
	case DW_OP_eq:
	case DW_OP_ne:
	case DW_OP_lt:
	case DW_OP_le:
	case DW_OP_gt:
	case DW_OP_ge:
		push(m, compare(op, as_signed(m, a), as_signed(m, b)));
		return true;
	default:
		return false;
	}
}

static void run_one(struct machine *m)
{
	uint8_t op = cursor_u8(&m->c);
	uint64_t reg;

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
		push(m, op - (uint64_t)DW_OP_lit0);
	} else if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		push_register(m, op - (uint64_t)DW_OP_breg0, cursor_sleb(&m->c));
	} else if (op == DW_OP_bregx) {
		reg = cursor_uleb(&m->c);
		push_register(m, reg, cursor_sleb(&m->c));
	} else if (!run_constant(m, op) && !run_stack(m, op) && !run_unary(m, op) &&
		   !run_binary(m, op)) {
		fail(m);
	}
}

enum memory_result expr_evaluate(const struct expr_context *x, struct cursor code, bool has_value,
				 uint64_t *value)
{
	struct machine m;
	unsigned steps = 0;

	m.x = x;
	m.c = code;
	m.begin = code.pos;
	m.depth = 0;
	m.result = MEMORY_OK;
	if (has_value)
		push(&m, *value);
	while (m.result == MEMORY_OK && !m.c.bad && m.c.pos < m.c.end) {
		if (++steps > STEPS_MAX)
			return MEMORY_ENDLESS;
		run_one(&m);
	}
	*value = pop(&m);
	return m.c.bad && m.result == MEMORY_OK ? MEMORY_UNKNOWN : m.result;
}
