/* Read encoded values, and run call frame programs. An instruction costs the bytes that it takes,
 * so a program ends; a program that makes no sense leaves no rows. */
#include "parser/unwind/cfi.h"
#include "parser/base/mem.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

#define SAVED_MAX 16 /* nested DW_CFA_remember_state; compilers need two */
#define ROWS_MAX  UINT16_MAX

bool cfi_value(const struct cfi *t, struct cursor *c, uint8_t encoding, uint64_t *out)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
		*out = t->is_64 ? cursor_u64(c) : cursor_u32(c);
		break;
	case DW_EH_PE_uleb128:
		*out = cursor_uleb(c);
		break;
	case DW_EH_PE_sleb128:
		*out = (uint64_t)cursor_sleb(c);
		break;
	case DW_EH_PE_udata2:
		*out = cursor_u16(c);
		break;
	case DW_EH_PE_sdata2:
		*out = (uint64_t)(int16_t)cursor_u16(c);
		break;
	case DW_EH_PE_udata4:
		*out = cursor_u32(c);
		break;
	case DW_EH_PE_sdata4:
		*out = (uint64_t)(int32_t)cursor_u32(c);
		break;
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		*out = cursor_u64(c);
		break;
	default:
		return false;
	}
	return !c->bad;
}

bool cfi_address(const struct cfi *t, struct cursor *c, uint8_t encoding, uint64_t *out)
{
	uint64_t here = t->section.addr + (uint64_t)(c->pos - t->section.data);

	if (!cfi_value(t, c, encoding, out))
		return false;
	switch (encoding & 0xf0) {
	case DW_EH_PE_absptr:
		break;
	case DW_EH_PE_pcrel:
		*out += here;
		break;
	default: /* relative to what linked files do not use, or an address of an address */
		return false;
	}
	if (!t->is_64)
		*out = (uint32_t)*out;
	return true;
}

/* ---- programs ---- */

struct run {
	struct cfi *table; /* where rows go; NULL: a shared part, which has none */
	const struct cfi *cfi;
	const struct cfi_shared *shared;
	struct cfi_entry *entry;
	struct cursor c;
	uint64_t at; /* address that the state stands for, from the table's base */
	bool bad;
	unsigned saved_count;
	struct cfa_state now;
	struct cfa_state saved[SAVED_MAX];
};

static int32_t narrow(struct run *r, int64_t v)
{
	if (v != (int32_t)v)
		r->bad = true;
	return (int32_t)v;
}

static void set_reg(struct run *r, uint64_t number, enum reg_kind kind, int64_t value)
{
	uint8_t slot = unwind_slot(r->cfi->arch, number);

	if (slot == NO_SLOT)
		return;
	cfa_state_set(&r->now, slot,
		      (struct reg_rule){
			      .value = narrow(r, value), .slot = slot, .kind = (uint8_t)kind });
}

static int64_t aligned(const struct run *r, int64_t n)
{
	int64_t product;

	return __builtin_mul_overflow(n, r->shared->data_align, &product) ? INT64_MAX : product;
}

/* An expression: skip it, tell where it is. */
static uint16_t take_expression(struct run *r, int32_t *where)
{
	uint64_t bytes = cursor_uleb(&r->c);

	*where = (int32_t)(uint32_t)(r->c.pos - r->cfi->section.data);
	if (!bytes || bytes > UINT16_MAX)
		r->bad = true;
	cursor_skip(&r->c, bytes <= UINT16_MAX ? (size_t)bytes : 0);
	return (uint16_t)bytes;
}

static void reg_expression(struct run *r, enum reg_kind kind)
{
	uint8_t slot = unwind_slot(r->cfi->arch, cursor_uleb(&r->c));
	struct reg_rule rule = { .slot = slot, .kind = (uint8_t)kind };

	rule.bytes = take_expression(r, &rule.value);
	if (slot != NO_SLOT)
		cfa_state_set(&r->now, slot, rule);
}

static void set_cfa(struct run *r, uint64_t number, int64_t offset)
{
	uint8_t slot = unwind_slot(r->cfi->arch, number);

	if (slot == NO_SLOT)
		r->bad = true;
	r->now.cfa_slot = slot;
	r->now.cfa_value = narrow(r, offset);
	r->now.cfa_bytes = 0;
	r->now.has_cfa = true;
}

static void set_cfa_offset(struct run *r, int64_t offset)
{
	if (!r->now.has_cfa || r->now.cfa_bytes)
		r->bad = true; /* there is no register to add to */
	r->now.cfa_value = narrow(r, offset);
}

static void restore_reg(struct run *r, uint64_t number)
{
	uint8_t slot = unwind_slot(r->cfi->arch, number);

	if (slot != NO_SLOT)
		cfa_state_set(&r->now, slot, r->shared->initial.regs[slot]);
}

static void remember(struct run *r)
{
	if (r->saved_count == SAVED_MAX)
		r->bad = true;
	else
		r->saved[r->saved_count++] = r->now;
}

static void restore(struct run *r)
{
	if (!r->saved_count)
		r->bad = true;
	else
		r->now = r->saved[--r->saved_count];
}

/* What holds from here on. */
static void put_row(struct run *r)
{
	struct cfi *t = r->table;
	const struct cfi_shared *s = r->shared;

	if (!t || r->entry->row_count == ROWS_MAX || t->row_count >= CFI_NOT_RUN - 1) {
		r->bad = true;
		return;
	}
	t->rows = xgrow(t->rows, &t->row_cap, t->row_count + 1, sizeof(*t->rows));
	t->rows[t->row_count++] =
		(struct cfi_row){ (uint32_t)r->at,
				  rules_add(&t->rules, &r->now, s->ra_slot, s->signal) };
	r->entry->row_count++;
}

/* The state so far stands for what lies before TO. */
static void go_to(struct run *r, uint64_t to)
{
	if (to <= r->at) {
		r->bad |= to < r->at;
		return;
	}
	put_row(r);
	r->at = to;
	if (r->at - r->entry->start >= r->entry->bytes)
		r->c.pos = r->c.end; /* the rest is about nothing */
}

static void advance(struct run *r, uint64_t delta)
{
	uint64_t to;

	if (!r->table || __builtin_mul_overflow(delta, r->shared->code_align, &to) ||
	    __builtin_add_overflow(to, r->at, &to))
		r->bad = true;
	else
		go_to(r, to);
}

static void set_loc(struct run *r)
{
	uint64_t to;

	if (!r->table || !cfi_address(r->cfi, &r->c, r->shared->encoding, &to) || to < r->cfi->base)
		r->bad = true;
	else
		go_to(r, to - r->cfi->base);
}

static bool run_cfa(struct run *r, uint8_t op)
{
	uint64_t reg;

	switch (op) {
	case DW_CFA_def_cfa:
		reg = cursor_uleb(&r->c);
		set_cfa(r, reg, (int64_t)cursor_uleb(&r->c));
		return true;
	case DW_CFA_def_cfa_sf:
		reg = cursor_uleb(&r->c);
		set_cfa(r, reg, aligned(r, cursor_sleb(&r->c)));
		return true;
	case DW_CFA_def_cfa_register:
		r->bad |= r->now.cfa_bytes != 0;
		set_cfa(r, cursor_uleb(&r->c), r->now.cfa_value);
		return true;
	case DW_CFA_def_cfa_offset:
		set_cfa_offset(r, (int64_t)cursor_uleb(&r->c));
		return true;
	case DW_CFA_def_cfa_offset_sf:
		set_cfa_offset(r, aligned(r, cursor_sleb(&r->c)));
		return true;
	case DW_CFA_def_cfa_expression:
		r->now.cfa_bytes = take_expression(r, &r->now.cfa_value);
		r->now.cfa_slot = 0;
		r->now.has_cfa = true;
		return true;
	default:
		return false;
	}
}

static bool run_place(struct run *r, uint8_t op)
{
	switch (op) {
	case DW_CFA_nop:
		return true;
	case DW_CFA_set_loc:
		set_loc(r);
		return true;
	case DW_CFA_advance_loc1:
		advance(r, cursor_u8(&r->c));
		return true;
	case DW_CFA_advance_loc2:
		advance(r, cursor_u16(&r->c));
		return true;
	case DW_CFA_advance_loc4:
		advance(r, cursor_u32(&r->c));
		return true;
	case DW_CFA_MIPS_advance_loc8:
		advance(r, cursor_u64(&r->c));
		return true;
	case DW_CFA_remember_state:
		remember(r);
		return true;
	case DW_CFA_restore_state:
		restore(r);
		return true;
	case DW_CFA_GNU_args_size:
		(void)cursor_uleb(&r->c);
		return true;
	case DW_CFA_GNU_window_save: /* AArch64: the return address is signed, or no longer */
	case 0x2c:		     /* the same, signed with the program counter */
		return r->cfi->arch->machine == EM_AARCH64;
	default:
		return false;
	}
}

static bool run_reg(struct run *r, uint8_t op)
{
	uint64_t reg;

	switch (op) {
	case DW_CFA_expression:
		reg_expression(r, REG_EXPR);
		return true;
	case DW_CFA_val_expression:
		reg_expression(r, REG_VAL_EXPR);
		return true;
	default:
		break;
	}
	reg = cursor_uleb(&r->c);
	switch (op) {
	case DW_CFA_offset_extended:
		set_reg(r, reg, REG_OFFSET, aligned(r, (int64_t)cursor_uleb(&r->c)));
		return true;
	case DW_CFA_offset_extended_sf:
		set_reg(r, reg, REG_OFFSET, aligned(r, cursor_sleb(&r->c)));
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		set_reg(r, reg, REG_OFFSET, aligned(r, -(int64_t)(cursor_uleb(&r->c) & INT64_MAX)));
		return true;
	case DW_CFA_val_offset:
		set_reg(r, reg, REG_VAL_OFFSET, aligned(r, (int64_t)cursor_uleb(&r->c)));
		return true;
	case DW_CFA_val_offset_sf:
		set_reg(r, reg, REG_VAL_OFFSET, aligned(r, cursor_sleb(&r->c)));
		return true;
	case DW_CFA_restore_extended:
		restore_reg(r, reg);
		return true;
	case DW_CFA_undefined:
		set_reg(r, reg, REG_UNDEFINED, 0);
		return true;
	case DW_CFA_same_value:
		set_reg(r, reg, REG_SAME, 0);
		return true;
	case DW_CFA_register:
		set_reg(r, reg, REG_REGISTER, unwind_slot(r->cfi->arch, cursor_uleb(&r->c)));
		return true;
	default:
		return false;
	}
}

static void run_one(struct run *r)
{
	uint8_t op = cursor_u8(&r->c), low = op & 0x3f;

	switch (op & 0xc0) {
	case DW_CFA_advance_loc:
		advance(r, low);
		break;
	case DW_CFA_offset:
		set_reg(r, low, REG_OFFSET, aligned(r, (int64_t)cursor_uleb(&r->c)));
		break;
	case DW_CFA_restore:
		restore_reg(r, low);
		break;
	default:
		if (!run_place(r, op) && !run_cfa(r, op) && !run_reg(r, op))
			r->bad = true;
	}
}

static bool run_all(struct run *r)
{
	while (!r->bad && !r->c.bad && r->c.pos < r->c.end)
		run_one(r);
	return !r->bad && !r->c.bad;
}

bool cfi_run_shared(const struct cfi *t, const struct cfi_shared *s, struct cursor c,
		    struct cfa_state *state)
{
	struct run r;
	bool good;

	memset(&r, 0, offsetof(struct run, saved));
	r.cfi = t;
	r.shared = s;
	r.c = c;
	good = run_all(&r);
	*state = r.now;
	return good;
}

void cfi_run(struct cfi *t, struct cfi_entry *entry, struct cursor c)
{
	struct run r;

	memset(&r, 0, offsetof(struct run, saved));
	r.table = t;
	r.cfi = t;
	r.shared = &t->shared[entry->shared];
	r.entry = entry;
	r.c = c;
	r.at = entry->start;
	r.now = r.shared->initial;
	entry->first_row = (uint32_t)t->row_count;
	entry->row_count = 0;
	if (run_all(&r)) {
		if (r.at - entry->start < entry->bytes)
			put_row(&r);
		if (!r.bad)
			return;
	}
	t->bad++;
	t->row_count = entry->first_row;
	entry->row_count = 0;
}
