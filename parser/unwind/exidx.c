/* Index .ARM.exidx, run its programs. */
#include "parser/unwind/exidx.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define CANT_UNWIND 1
#define PROGRAM_MAX (3 + 4 * 255) /* bytes: a count of words is one byte */
#define ENTRIES_MAX (2u << 20)
#define LR	    14
#define PC	    15
#define VFP_SLOT    8 /* bytes of a double register */

/* A 31-bit distance from where it stands. */
static uint32_t prel31(uint32_t value, uint32_t here)
{
	return here + (uint32_t)((int32_t)(value << 1) >> 1);
}

static int by_start(const void *a, const void *b)
{
	const struct exidx_entry *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

void exidx_index(struct exidx *x)
{
	struct cursor c = cursor_make(x->section.data, x->section.size, x->swap);
	size_t max = x->section.size / 8;
	bool sorted = true;

	if (max > ENTRIES_MAX) {
		x->over = max - ENTRIES_MAX;
		max = ENTRIES_MAX;
	}
	x->entries = xmalloc((max + 1) * sizeof(*x->entries));
	for (x->count = 0; x->count < max; x->count++) {
		uint32_t at = (uint32_t)x->count * 8;
		uint32_t start = prel31(cursor_u32(&c), (uint32_t)x->section.addr + at);

		cursor_skip(&c, 4);
		sorted &= !x->count || x->entries[x->count - 1].start <= start;
		x->entries[x->count] = (struct exidx_entry){ start, at + 4 };
	}
	if (!sorted)
		qsort(x->entries, x->count, sizeof(*x->entries), by_start);
}

void exidx_release(struct exidx *x)
{
	free(x->entries);
	memset(x, 0, sizeof(*x));
}

const struct exidx_entry *exidx_find(const struct exidx *x, uint64_t addr)
{
	size_t lo = 0, hi = x->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (x->entries[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &x->entries[lo - 1] : NULL;
}

/* ---- programs ---- */

struct program {
	const struct exidx *x;
	struct frame *f;
	uint8_t bytes[PROGRAM_MAX];
	unsigned count, at;
	uint32_t vsp;
	bool has_pc, done;
	enum unwind_end end;
};

static bool table_word(const struct exidx *x, uint32_t addr, uint32_t *out)
{
	const uint8_t *p = elf_file_constant(x->file, addr, 4);
	struct cursor c = cursor_make(p, p ? 4 : 0, x->swap);

	*out = cursor_u32(&c);
	return !c.bad;
}

/* The last BYTES bytes of a word, most significant first. */
static void put_bytes(struct program *p, uint32_t word, unsigned bytes)
{
	while (bytes--)
		p->bytes[p->count++] = (uint8_t)(word >> bytes * 8);
}

/* The program lies in the index, or in the table after what tells who may run it. */
static bool load_program(struct program *p, const struct exidx_entry *e)
{
	struct cursor c = cursor_make(p->x->section.data + e->at, 4, p->x->swap);
	uint32_t word = cursor_u32(&c), more = 0, addr;

	if (word & 0x80000000) {
		put_bytes(p, word, 3);
		return (word >> 24 & 0x7f) == 0;
	}
	addr = prel31(word, (uint32_t)p->x->section.addr + e->at);
	if (!table_word(p->x, addr, &word))
		return false;
	if (!(word & 0x80000000)) { /* a routine of its own; GNU's have the program after it */
		addr += 4;
		if (!table_word(p->x, addr, &word))
			return false;
		more = word >> 24;
		put_bytes(p, word, 3);
	} else if ((word >> 24 & 0x0f) == 0) {
		put_bytes(p, word, 3);
	} else {
		more = word >> 16 & 0xff;
		put_bytes(p, word, 2);
	}
	while (more--) {
		addr += 4;
		if (!table_word(p->x, addr, &word))
			return false;
		put_bytes(p, word, 4);
	}
	return true;
}

static uint8_t next(struct program *p)
{
	return p->at < p->count ? p->bytes[p->at++] : 0xb0; /* finish */
}

/* Registers of MASK, lowest first, from the stack. */
static void pop(struct program *p, unsigned mask)
{
	uint32_t at = p->vsp;

	for (unsigned reg = 0; reg < 16; reg++) {
		enum memory_result rc;
		uint64_t v;

		if (!(mask >> reg & 1))
			continue;
		rc = memory_read(p->f->memory, at, 4, &v);
		at += 4;
		if (rc != MEMORY_OK && (reg >= 13 || reg == PC)) {
			p->end = step_memory_end(rc);
			return;
		}
		if (rc == MEMORY_OK)
			unwind_reg_set(&p->f->regs, reg, v);
		else
			p->f->regs.valid &= ~(1ull << reg);
	}
	p->has_pc |= mask >> PC & 1;
	p->vsp = mask >> 13 & 1 ? (uint32_t)p->f->regs.value[13] : at;
}

static uint32_t next_uleb(struct program *p)
{
	uint32_t v = 0;

	for (unsigned shift = 0; shift < 35; shift += 7) {
		uint8_t b = next(p);

		if (shift < 32)
			v |= (uint32_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			break;
	}
	return v;
}

/* 1011xxxx */
static void run_b(struct program *p, uint8_t op)
{
	uint8_t arg;

	switch (op) {
	case 0xb0:
		p->done = true;
		break;
	case 0xb1:
		arg = next(p);
		if (!arg || arg & 0xf0)
			p->end = UNWIND_BAD_FRAME;
		pop(p, arg & 0x0f);
		break;
	case 0xb2:
		p->vsp += 0x204 + (next_uleb(p) << 2);
		break;
	case 0xb3: /* double registers, in the old format */
		p->vsp += ((next(p) & 0x0fu) + 1) * VFP_SLOT + 4;
		break;
	case 0xb4: /* the return address' authentication code */
		p->vsp += 4;
		break;
	case 0xb5:
	case 0xb6:
	case 0xb7:
		p->end = UNWIND_BAD_FRAME;
		break;
	default:
		p->vsp += ((op & 7u) + 1) * VFP_SLOT + 4;
	}
}

/* 11xxxxxx: floating point and vector registers, which nobody asks for */
static void run_c(struct program *p, uint8_t op)
{
	if (op == 0xc7)
		p->vsp += (unsigned)__builtin_popcount(next(p) & 0x0f) * 4;
	else if (op == 0xc6 || op == 0xc8 || op == 0xc9)
		p->vsp += ((next(p) & 0x0fu) + 1) * VFP_SLOT;
	else if (op < 0xc6 || (op & 0xf8) == 0xd0)
		p->vsp += ((op & 7u) + 1) * VFP_SLOT;
	else
		p->end = UNWIND_BAD_FRAME;
}

static void run_one(struct program *p)
{
	uint8_t op = next(p);
	unsigned mask;

	switch (op >> 4) {
	case 0 ... 3:
		p->vsp += (op & 0x3fu) * 4 + 4;
		break;
	case 4 ... 7:
		p->vsp -= (op & 0x3fu) * 4 + 4;
		break;
	case 8:
		mask = (op & 0x0fu) << 8 | next(p);
		if (mask)
			pop(p, mask << 4);
		else
			p->end = UNWIND_COMPLETE; /* "refuse to unwind" */
		break;
	case 9:
		if ((op & 0x0f) == 13 || (op & 0x0f) == 15 || !unwind_reg(&p->f->regs, op & 0x0f))
			p->end = UNWIND_BAD_FRAME;
		p->vsp = (uint32_t)p->f->regs.value[op & 0x0f];
		break;
	case 10:
		mask = ((2u << (op & 7)) - 1) << 4;
		pop(p, op & 8 ? mask | 1u << LR : mask);
		break;
	case 11:
		run_b(p, op);
		break;
	default:
		run_c(p, op);
	}
}

enum unwind_end exidx_step(const struct exidx *x, const struct exidx_entry *e, struct frame *f)
{
	struct cursor c = cursor_make(x->section.data + e->at, 4, x->swap);
	uint32_t sp = (uint32_t)f->regs.value[f->arch->sp];
	struct program p;

	if (cursor_u32(&c) == CANT_UNWIND)
		return UNWIND_COMPLETE;
	p.x = x;
	p.f = f;
	p.count = p.at = 0;
	p.vsp = sp;
	p.has_pc = p.done = false;
	p.end = UNWIND_GOES_ON;
	if (!load_program(&p, e))
		return UNWIND_BAD_FRAME;
	while (!p.done && p.end == UNWIND_GOES_ON)
		run_one(&p);
	if (p.end != UNWIND_GOES_ON)
		return p.end;
	if (p.vsp < sp || !unwind_reg(&f->regs, p.has_pc ? PC : LR))
		return UNWIND_BAD_FRAME;
	unwind_reg_set(&f->regs, f->arch->sp, p.vsp);
	f->exact = false;
	return step_to(f, f->regs.value[p.has_pc ? PC : LR], sp, p.vsp);
}
