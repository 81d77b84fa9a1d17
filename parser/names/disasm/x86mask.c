/* A table of encodings with their names and operands, and the printer for them. Reads no byte
 * beyond the length that was found for the instruction. */
#include "parser/names/disasm/x86mask.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What an instruction's operands are, the destination first; operands[] has them one by one. K: a
 * mask, V: a vector, R: a general register, M: memory, i: imm8, p: a predicate in place of it. */
enum form { KKK, KK, KKi, KM, MK, KR, RK, KVV, KVVp, VVVi, VV, VR, VK, KV };

/* R V G: a mask, vector, general register that reg names; k v: a mask, vector that vvvv names; r g:
 * a mask, general register that rm names; M x: the same or memory of one element, a mask or vector;
 * S: a vector or all of its memory; i: imm8. */
static const char *const operands[] = {
	[KKK] = "Rkr", [KK] = "Rr", [KKi] = "Rri", [KM] = "RM",	   [MK] = "MR",
	[KR] = "Rg",   [RK] = "Gr", [KVV] = "RvS", [KVVp] = "RvS", [VVVi] = "VvSi",
	[VV] = "Vx",   [VR] = "Vg", [VK] = "Vr",   [KV] = "RS",
};

struct row {
	uint8_t evex;	/* else VEX */
	uint8_t map;	/* 1: 0F, 2: 0F38, 3: 0F3A */
	uint8_t prefix; /* 0: none, 1: 66, 2: F3, 3: F2 */
	uint8_t opcode;
	uint8_t form;	      /* enum form */
	const char *names[2]; /* by W; NULL: there is none. The last letter tells the element */
};

static const struct row rows[] = {
	{ 0, 1, 0, 0x41, KKK, { "kandw", "kandq" } },
	{ 0, 1, 1, 0x41, KKK, { "kandb", "kandd" } },
	{ 0, 1, 0, 0x42, KKK, { "kandnw", "kandnq" } },
	{ 0, 1, 1, 0x42, KKK, { "kandnb", "kandnd" } },
	{ 0, 1, 0, 0x44, KK, { "knotw", "knotq" } },
	{ 0, 1, 1, 0x44, KK, { "knotb", "knotd" } },
	{ 0, 1, 0, 0x45, KKK, { "korw", "korq" } },
	{ 0, 1, 1, 0x45, KKK, { "korb", "kord" } },
	{ 0, 1, 0, 0x46, KKK, { "kxnorw", "kxnorq" } },
	{ 0, 1, 1, 0x46, KKK, { "kxnorb", "kxnord" } },
	{ 0, 1, 0, 0x47, KKK, { "kxorw", "kxorq" } },
	{ 0, 1, 1, 0x47, KKK, { "kxorb", "kxord" } },
	{ 0, 1, 0, 0x4a, KKK, { "kaddw", "kaddq" } },
	{ 0, 1, 1, 0x4a, KKK, { "kaddb", "kaddd" } },
	{ 0, 1, 0, 0x4b, KKK, { "kunpckwd", "kunpckdq" } },
	{ 0, 1, 1, 0x4b, KKK, { "kunpckbw", NULL } },
	{ 0, 1, 0, 0x90, KM, { "kmovw", "kmovq" } },
	{ 0, 1, 1, 0x90, KM, { "kmovb", "kmovd" } },
	{ 0, 1, 0, 0x91, MK, { "kmovw", "kmovq" } },
	{ 0, 1, 1, 0x91, MK, { "kmovb", "kmovd" } },
	{ 0, 1, 0, 0x92, KR, { "kmovw", NULL } },
	{ 0, 1, 1, 0x92, KR, { "kmovb", NULL } },
	{ 0, 1, 3, 0x92, KR, { "kmovd", "kmovq" } },
	{ 0, 1, 0, 0x93, RK, { "kmovw", NULL } },
	{ 0, 1, 1, 0x93, RK, { "kmovb", NULL } },
	{ 0, 1, 3, 0x93, RK, { "kmovd", "kmovq" } },
	{ 0, 1, 0, 0x98, KK, { "kortestw", "kortestq" } },
	{ 0, 1, 1, 0x98, KK, { "kortestb", "kortestd" } },
	{ 0, 1, 0, 0x99, KK, { "ktestw", "ktestq" } },
	{ 0, 1, 1, 0x99, KK, { "ktestb", "ktestd" } },
	{ 0, 3, 1, 0x30, KKi, { "kshiftrb", "kshiftrw" } },
	{ 0, 3, 1, 0x31, KKi, { "kshiftrd", "kshiftrq" } },
	{ 0, 3, 1, 0x32, KKi, { "kshiftlb", "kshiftlw" } },
	{ 0, 3, 1, 0x33, KKi, { "kshiftld", "kshiftlq" } },
	{ 1, 1, 1, 0x64, KVV, { "vpcmpgtb", "vpcmpgtb" } },
	{ 1, 1, 1, 0x65, KVV, { "vpcmpgtw", "vpcmpgtw" } },
	{ 1, 1, 1, 0x66, KVV, { "vpcmpgtd", NULL } },
	{ 1, 1, 1, 0x74, KVV, { "vpcmpeqb", "vpcmpeqb" } },
	{ 1, 1, 1, 0x75, KVV, { "vpcmpeqw", "vpcmpeqw" } },
	{ 1, 1, 1, 0x76, KVV, { "vpcmpeqd", NULL } },
	{ 1, 2, 1, 0x26, KVV, { "vptestmb", "vptestmw" } },
	{ 1, 2, 2, 0x26, KVV, { "vptestnmb", "vptestnmw" } },
	{ 1, 2, 1, 0x27, KVV, { "vptestmd", "vptestmq" } },
	{ 1, 2, 2, 0x27, KVV, { "vptestnmd", "vptestnmq" } },
	{ 1, 2, 2, 0x28, VK, { "vpmovm2b", "vpmovm2w" } },
	{ 1, 2, 1, 0x29, KVV, { NULL, "vpcmpeqq" } },
	{ 1, 2, 2, 0x29, KV, { "vpmovb2m", "vpmovw2m" } },
	{ 1, 2, 1, 0x37, KVV, { NULL, "vpcmpgtq" } },
	{ 1, 2, 2, 0x38, VK, { "vpmovm2d", "vpmovm2q" } },
	{ 1, 2, 2, 0x39, KV, { "vpmovd2m", "vpmovq2m" } },
	{ 1, 2, 1, 0x78, VV, { "vpbroadcastb", NULL } },
	{ 1, 2, 1, 0x79, VV, { "vpbroadcastw", NULL } },
	{ 1, 2, 1, 0x7a, VR, { "vpbroadcastb", NULL } },
	{ 1, 2, 1, 0x7b, VR, { "vpbroadcastw", NULL } },
	{ 1, 2, 1, 0x7c, VR, { "vpbroadcastd", "vpbroadcastq" } },
	{ 1, 3, 1, 0x1e, KVVp, { "vpcmpud", "vpcmpuq" } },
	{ 1, 3, 1, 0x1f, KVVp, { "vpcmpd", "vpcmpq" } },
	{ 1, 3, 1, 0x25, VVVi, { "vpternlogd", "vpternlogq" } },
	{ 1, 3, 1, 0x3e, KVVp, { "vpcmpub", "vpcmpuw" } },
	{ 1, 3, 1, 0x3f, KVVp, { "vpcmpb", "vpcmpw" } },
};

/* What the prefix says; register numbers are whole. */
struct fields {
	bool evex, wide;
	uint8_t map, prefix, opcode;
	uint8_t reg_high, index_high, base_high, rm_high; /* 8, 16: what ModRM lacks */
	uint8_t vvvv;
	uint8_t length; /* 0: 128 bits, 1: 256, 2: 512 */
	uint8_t mask;	/* 0: none */
	bool zero, broadcast;
	const uint8_t *modrm, *end;
};

struct printer {
	const struct fields *f;
	const struct row *row;
	bool intel;
	struct buf *out;
	const char *list; /* of operands */
	unsigned element_bytes;
};

/* ---- decoding ---- */

static void vex(struct fields *f, const uint8_t *p, unsigned bytes)
{
	uint8_t first = bytes == 3 ? p[1] : (uint8_t)((p[1] & 0x80) | 0x61);
	uint8_t last = p[bytes - 1];

	f->map = first & 0x1f;
	f->reg_high = first & 0x80 ? 0 : 8;
	f->index_high = first & 0x40 ? 0 : 8;
	f->base_high = f->rm_high = first & 0x20 ? 0 : 8;
	f->wide = bytes == 3 && last & 0x80;
	f->vvvv = ~last >> 3 & 15;
	f->length = last >> 2 & 1;
	f->prefix = last & 3;
}

static void evex(struct fields *f, const uint8_t *p)
{
	f->evex = true;
	f->map = p[1] & 7;
	f->reg_high = (uint8_t)((p[1] & 0x80 ? 0 : 8) + (p[1] & 0x10 ? 0 : 16));
	f->index_high = p[1] & 0x40 ? 0 : 8;
	f->base_high = p[1] & 0x20 ? 0 : 8;
	f->rm_high = (uint8_t)(f->base_high + 2 * f->index_high);
	f->wide = p[2] & 0x80;
	f->vvvv = (uint8_t)((~p[2] >> 3 & 15) + (p[3] & 8 ? 0 : 16));
	f->prefix = p[2] & 3;
	f->zero = p[3] & 0x80;
	f->length = p[3] >> 5 & 3;
	f->broadcast = p[3] & 0x10;
	f->mask = p[3] & 7;
}

static bool decode(struct fields *f, const uint8_t *code, size_t size)
{
	unsigned bytes = code[0] == 0xc5 ? 2 : code[0] == 0xc4 ? 3 : code[0] == 0x62 ? 4 : 0;

	if (!bytes || size < bytes + 2u)
		return false;
	if (bytes == 4)
		evex(f, code);
	else
		vex(f, code, bytes);
	f->opcode = code[bytes];
	f->modrm = code + bytes + 1;
	f->end = code + size;
	return f->length < 3;
}

static const struct row *find(const struct fields *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *r = &rows[i];

		if (r->evex == f->evex && r->map == f->map && r->prefix == f->prefix &&
		    r->opcode == f->opcode)
			return r->names[f->wide] ? r : NULL;
	}
	return NULL;
}

/* ---- operands ---- */

static bool is_memory(const struct fields *f)
{
	return f->modrm[0] >> 6 != 3;
}

static void put_name(const struct printer *p, const char *name)
{
	buf_printf(p->out, "%s%s", p->intel ? "" : "%", name);
}

static void put_mask(const struct printer *p, unsigned n)
{
	buf_printf(p->out, "%sk%u", p->intel ? "" : "%", n & 7);
}

static void put_vector(const struct printer *p, unsigned n, unsigned length)
{
	buf_printf(p->out, "%s%cmm%u", p->intel ? "" : "%", "xyz"[length], n);
}

static void put_general(const struct printer *p, unsigned n, bool wide)
{
	static const char *const names[] = { "ax", "cx", "dx", "bx", "sp", "bp", "si", "di" };
	char name[8];

	n &= 15;
	if (n < 8)
		snprintf(name, sizeof(name), "%c%s", wide ? 'r' : 'e', names[n]);
	else
		snprintf(name, sizeof(name), "r%u%s", n, wide ? "" : "d");
	put_name(p, name);
}

/* As capstone has them: up to 9 in decimal. */
static void put_number(const struct printer *p, int64_t n)
{
	uint64_t v = n < 0 ? -(uint64_t)n : (uint64_t)n;

	buf_printf(p->out, v > 9 ? "%s0x%" PRIx64 : "%s%" PRIu64, n < 0 ? "-" : "", v);
}

static void put_immediate(const struct printer *p)
{
	buf_str(p->out, p->intel ? "" : "$");
	put_number(p, p->f->end[-1]);
}

/* What ModRM, SIB and displacement say. */
struct address {
	bool base, index, relative; /* which are there */
	uint8_t base_number, index_number, scale;
	bool shown; /* the displacement is there, even if it is 0 */
	int32_t displacement;
};

static int32_t signed_32(const uint8_t *at)
{
	return (int32_t)(at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
			 (uint32_t)at[3] << 24);
}

/* EVEX counts a displacement of one byte in steps of what is accessed. SCALE: those. The length was
 * found by the same rules, so that all of it is there. */
static struct address read_address(const struct fields *f, unsigned scale)
{
	uint8_t mod = f->modrm[0] >> 6, rm = f->modrm[0] & 7;
	const uint8_t *at = f->modrm + 1;
	struct address a = { .base = true, .scale = 1 };

	if (rm == 4) {
		uint8_t sib = *at++;

		rm = sib & 7;
		a.index_number = (uint8_t)((sib >> 3 & 7) + f->index_high);
		a.index = a.index_number != 4;
		a.scale = (uint8_t)(1 << (sib >> 6));
		a.base = mod || rm != 5;
	} else if (!mod && rm == 5) {
		a.relative = true;
		a.base = false;
	}
	a.base_number = (uint8_t)(rm + f->base_high);
	a.shown = mod || !a.base;
	if (mod == 1)
		a.displacement = (int8_t)*at * (int32_t)(f->evex ? scale : 1);
	else if (a.shown)
		a.displacement = signed_32(at);
	return a;
}

static void put_att(const struct printer *p, const struct address *a)
{
	if (a->displacement || (!a->base && !a->index))
		put_number(p, a->displacement);
	if (!a->base && !a->index && !a->relative)
		return;
	buf_char(p->out, '(');
	if (a->relative)
		put_name(p, "rip");
	if (a->base)
		put_general(p, a->base_number, true);
	if (a->index) {
		buf_str(p->out, ", ");
		put_general(p, a->index_number, true);
		if (a->scale > 1)
			buf_printf(p->out, ", %u", a->scale);
	}
	buf_char(p->out, ')');
}

static void put_intel(const struct printer *p, const struct address *a)
{
	bool first = true;

	buf_char(p->out, '[');
	if (a->relative || a->base) {
		if (a->relative)
			put_name(p, "rip");
		else
			put_general(p, a->base_number, true);
		first = false;
	}
	if (a->index) {
		buf_str(p->out, first ? "" : " + ");
		put_general(p, a->index_number, true);
		if (a->scale > 1)
			buf_printf(p->out, "*%u", a->scale);
		first = false;
	}
	if (first) {
		put_number(p, a->displacement);
	} else if (a->displacement) {
		buf_str(p->out, a->displacement < 0 ? " - " : " + ");
		put_number(p, a->displacement < 0 ? -(int64_t)a->displacement : a->displacement);
	}
	buf_char(p->out, ']');
}

/* BYTES are accessed. */
static void put_memory(const struct printer *p, unsigned bytes)
{
	static const struct {
		unsigned bytes;
		const char *name;
	} sizes[] = { { 1, "byte" },	 { 2, "word" },	    { 4, "dword" },   { 8, "qword" },
		      { 16, "xmmword" }, { 32, "ymmword" }, { 64, "zmmword" } };
	struct address a = read_address(p->f, bytes);

	for (size_t i = 0; p->intel && i < ARRAY_SIZE(sizes); i++) {
		if (sizes[i].bytes == bytes)
			buf_printf(p->out, "%s ptr ", sizes[i].name);
	}
	if (p->intel)
		put_intel(p, &a);
	else
		put_att(p, &a);
}

static unsigned vector_bytes(const struct fields *f)
{
	return 16u << f->length;
}

/* The last operand of the forms that take a whole vector. */
static void put_source(const struct printer *p)
{
	const struct fields *f = p->f;

	if (!is_memory(f)) {
		put_vector(p, (f->modrm[0] & 7u) + f->rm_high, f->length);
	} else if (!f->broadcast) {
		put_memory(p, vector_bytes(f));
	} else {
		put_memory(p, p->element_bytes);
		buf_printf(p->out, "{1to%u}", vector_bytes(f) / p->element_bytes);
	}
}

static void put_decoration(const struct printer *p)
{
	if (p->f->mask) {
		buf_str(p->out, " {");
		put_mask(p, p->f->mask);
		buf_str(p->out, "}");
	}
	buf_str(p->out, p->f->zero ? " {z}" : "");
}

static void put_operand(const struct printer *p, char operand)
{
	const struct fields *f = p->f;
	unsigned reg = (f->modrm[0] >> 3 & 7u) + f->reg_high, rm = f->modrm[0] & 7;
	bool wide = p->element_bytes == 8;

	switch (operand) {
	case 'R':
		put_mask(p, reg);
		break;
	case 'V':
		put_vector(p, reg, f->length);
		break;
	case 'G':
		put_general(p, reg, wide);
		break;
	case 'k':
		put_mask(p, f->vvvv);
		break;
	case 'v':
		put_vector(p, f->vvvv, f->length);
		break;
	case 'r':
		put_mask(p, rm);
		break;
	case 'g':
		put_general(p, rm + f->base_high, wide);
		break;
	case 'i':
		put_immediate(p);
		break;
	case 'S':
		put_source(p);
		break;
	default:
		if (is_memory(f))
			put_memory(p, p->element_bytes);
		else if (operand == 'M')
			put_mask(p, rm);
		else
			put_vector(p, rm + f->rm_high, 0);
	}
}

/* ---- the whole ---- */

static unsigned element_bytes(const char *name)
{
	static const char letters[] = "bwdq";
	const char *at = strchr(letters, name[strlen(name) - 1]);

	return at ? 1u << (at - letters) : 4;
}

/* "vpcmpub" and its predicate: "vpcmpltub". Those that have no name are an operand, as imm8. */
static void put_mnemonic(struct printer *p, const char *name)
{
	static const char *const predicates[] = {
		"eq", "lt", "le", NULL, "neq", "nlt", "nle", NULL
	};
	uint8_t n = p->f->end[-1];

	if (p->row->form != KVVp) {
		buf_str(p->out, name);
	} else if (n < ARRAY_SIZE(predicates) && predicates[n]) {
		buf_printf(p->out, "vpcmp%s%s", predicates[n], name + strlen("vpcmp"));
	} else {
		buf_str(p->out, name);
		p->list = "RvSi";
	}
}

bool x86_mask_text(const uint8_t *code, size_t size, bool intel, struct buf *out)
{
	struct fields f = { 0 };
	struct printer p = { .f = &f, .intel = intel, .out = out };
	size_t count;

	if (!decode(&f, code, size))
		return false;
	p.row = find(&f);
	if (!p.row)
		return false;
	p.list = operands[p.row->form];
	if (is_memory(&f) ? !strpbrk(p.list, "MxS") : p.row->form == MK)
		return false;
	p.element_bytes = element_bytes(p.row->names[f.wide]);
	put_mnemonic(&p, p.row->names[f.wide]);
	count = strlen(p.list);
	for (size_t i = 0; i < count; i++) {
		size_t n = intel ? i : count - 1 - i;

		buf_str(out, i ? ", " : " ");
		put_operand(&p, p.list[n]);
		if (n == 0)
			put_decoration(&p);
	}
	return true;
}
