/* Tables of what follows an opcode byte, one character for each of 256:
 *
 *   .  nothing              m  ModRM                    x  no such instruction
 *   b  imm8                 B  ModRM, imm8              6  no such instruction in 64-bit code
 *   z  imm16 or imm32       Z  ModRM, imm16 or imm32    w  imm16
 *   r  relative, 16 or 32 bits                          M  ModRM of registers only
 *   a  an address           v  imm16, imm32 or imm64    p  a far pointer, not in 64-bit code
 *   3  ModRM, an imm8 where the group's /0 and /1 are; Y: the same, imm16 or imm32
 *   e  imm16 and imm8       *  a prefix, an escape: handled before */
#include "parser/names/disasm/x86len.h"

#include <string.h>

static const char map_one[] =
	/* 0 1 2 3 4 5 6 7 8 9 a b c d e f */
	"mmmmbz66mmmmbz6*" /* 00 */
	"mmmmbz66mmmmbz66" /* 10 */
	"mmmmbz*6mmmmbz*6" /* 20 */
	"mmmmbz*6mmmmbz*6" /* 30 */
	"................" /* 40: in 64-bit code REX */
	"................" /* 50 */
	"666m****zZbB...." /* 60: 62 is bound where it is not EVEX */
	"bbbbbbbbbbbbbbbb" /* 70 */
	"BZ6Bmmmmmmmmmmmm" /* 80 */
	"..........p....." /* 90 */
	"aaaa....bz......" /* a0 */
	"bbbbbbbbvvvvvvvv" /* b0 */
	"BBw.mmBZe.w..b6." /* c0: c4, c5 are les, lds where they are not VEX */
	"mmmmbbx.mmmmmmmm" /* d0 */
	"bbbbbbbbrrpb...." /* e0 */
	"*.**..3Y......mm" /* f0 */;

static const char map_0f[] =
	/* 0 1 2 3 4 5 6 7 8 9 a b c d e f */
	"mmmmx.....x.xm.B" /* 00: 0f is 3DNow!, whose opcode stands where an imm8 would */
	"mmmmmmmmmmmmmmmm" /* 10 */
	"MMMMxxxxmmmmmmmm" /* 20 */
	"........*x*xxxxx" /* 30 */
	"mmmmmmmmmmmmmmmm" /* 40 */
	"mmmmmmmmmmmmmmmm" /* 50 */
	"mmmmmmmmmmmmmmmm" /* 60 */
	"BBBBmmm.mmxxmmmm" /* 70 */
	"rrrrrrrrrrrrrrrr" /* 80 */
	"mmmmmmmmmmmmmmmm" /* 90 */
	"...mBmmm...mBmmm" /* a0 */
	"mmmmmmmmmmBmmmmm" /* b0 */
	"mmBmBBBm........" /* c0 */
	"mmmmmmmmmmmmmmmm" /* d0 */
	"mmmmmmmmmmmmmmmm" /* e0 */
	"mmmmmmmmmmmmmmmm" /* f0 */;

/* What was read so far. */
struct decoder {
	const uint8_t *code;
	size_t left, at;
	bool long_mode;
	bool operand_16, address_short; /* 66, 67 */
	bool repeat;			/* f2 */
	bool wide;			/* REX.W */
};

/* Of maps 1 (0F) to 10 in the encodings VEX, EVEX and XOP: is there an imm8? */
static bool vector_immediate(unsigned map, uint8_t opcode)
{
	if (map == 1)
		return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
		       (opcode >= 0xc4 && opcode <= 0xc6);
	return map == 3 || map == 8;
}

static bool has(const struct decoder *d, size_t bytes)
{
	return d->left - d->at >= bytes;
}

/* ModRM and what it calls for, then IMMEDIATE bytes: the length of it all. */
static unsigned with_modrm(const struct decoder *d, unsigned immediate)
{
	size_t n = d->at + 1;
	uint8_t modrm, mod, rm;

	if (!has(d, 1))
		return 0;
	modrm = d->code[d->at];
	mod = modrm >> 6;
	rm = modrm & 7;
	if (mod != 3 && !d->long_mode && d->address_short) {
		n += mod == 1 ? 1 : mod == 2 || rm == 6 ? 2 : 0;
	} else if (mod != 3) {
		if (rm == 4) {
			if (!has(d, 2))
				return 0;
			rm = d->code[n++] & 7; /* of the base */
		}
		n += mod == 1 ? 1 : mod == 2 || rm == 5 ? 4 : 0;
	}
	n += immediate;
	return n <= d->left && n <= X86_LENGTH_MAX ? (unsigned)n : 0;
}

static unsigned without(const struct decoder *d, unsigned immediate)
{
	size_t n = d->at + immediate;

	return n <= d->left && n <= X86_LENGTH_MAX ? (unsigned)n : 0;
}

static unsigned by_form(const struct decoder *d, char form)
{
	unsigned word = d->operand_16 && !d->wide ? 2 : 4;
	unsigned address = d->long_mode ? 8 : 4;
	bool test = has(d, 1) && (d->code[d->at] & 0x30) == 0;

	switch (form) {
	case '.':
		return without(d, 0);
	case 'm':
		return with_modrm(d, 0);
	case 'M':
		return without(d, 1);
	case 'b':
		return without(d, 1);
	case 'B':
		return with_modrm(d, 1);
	case 'w':
		return without(d, 2);
	case 'e':
		return without(d, 3);
	case 'z':
	case 'r':
		return without(d, word);
	case 'Z':
		return with_modrm(d, word);
	case 'v':
		return without(d, d->wide ? 8 : word);
	case 'a':
		return without(d, d->address_short ? address / 2 : address);
	case 'p':
		return d->long_mode ? 0 : without(d, word + 2);
	case '3':
		return with_modrm(d, test ? 1 : 0);
	case 'Y':
		return with_modrm(d, test ? word : 0);
	case '6':
		return d->long_mode ? 0 : without(d, 0);
	default:
		return 0;
	}
}

/* The opcode is behind the encoding's own bytes. */
static unsigned vector(struct decoder *d, unsigned map, unsigned prefix_bytes)
{
	uint8_t opcode;

	if (!has(d, prefix_bytes + 1))
		return 0;
	d->at += prefix_bytes;
	opcode = d->code[d->at++];
	if (map == 1 && opcode == 0x77 && prefix_bytes < 4)
		return without(d, 0); /* vzeroupper */
	if (map == 10 || map == 7)
		return with_modrm(d, 4);
	return with_modrm(d, vector_immediate(map, opcode) ? 1 : 0);
}

/* VEX, EVEX and XOP, whose first byte OPCODE was read. In 32-bit code their first bytes are older
 * instructions where a memory operand follows, and pop where XOP's map would be too small. False:
 * it is none of them. */
static bool encoded(struct decoder *d, uint8_t opcode, unsigned *length)
{
	const uint8_t *next = d->code + d->at;
	unsigned map;

	if (!has(d, 1) || (opcode != 0x8f && !d->long_mode && next[0] >> 6 != 3))
		return false;
	*length = 0;
	switch (opcode) {
	case 0xc5:
		*length = vector(d, 1, 1);
		return true;
	case 0xc4:
		map = next[0] & 0x1f;
		if (map >= 1 && (map <= 3 || map == 7))
			*length = vector(d, map, 2);
		return true;
	case 0x62:
		map = next[0] & 7;
		if (has(d, 3) && !(next[0] & 8) && next[1] & 4 && map && map != 4 && map != 7)
			*length = vector(d, map, 3);
		return true;
	case 0x8f:
		map = next[0] & 0x1f;
		if (map >= 8 && map <= 10)
			*length = vector(d, map, 2);
		return map >= 8;
	default:
		return false;
	}
}

static unsigned escaped(struct decoder *d)
{
	uint8_t opcode;

	if (!has(d, 1))
		return 0;
	opcode = d->code[d->at++];
	if (opcode == 0x38 || opcode == 0x3a) {
		if (!has(d, 1))
			return 0;
		d->at++;
		return with_modrm(d, opcode == 0x3a);
	}
	/* extrq, insertq: two of them */
	if (opcode == 0x78 && (d->operand_16 || d->repeat))
		return with_modrm(d, 2);
	return by_form(d, map_0f[opcode]);
}

/* Legacy prefixes in any order; REX counts only directly before the opcode. */
static void prefixes(struct decoder *d)
{
	for (; has(d, 1); d->at++) {
		uint8_t b = d->code[d->at];

		if (d->long_mode && b >= 0x40 && b <= 0x4f) {
			d->wide = b & 8;
			continue;
		}
		if (!b || !strchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", b))
			return;
		d->wide = false;
		d->operand_16 |= b == 0x66;
		d->address_short |= b == 0x67;
		d->repeat |= b == 0xf2;
	}
}

/* Groups in which only some of the eight are instructions. */
static bool is_hole(const struct decoder *d, uint8_t opcode)
{
	uint8_t reg = has(d, 1) ? d->code[d->at] >> 3 & 7 : 0;

	if (opcode == 0xfe)
		return reg > 1;
	if (opcode == 0xff)
		return reg == 7;
	return opcode == 0x8f && reg;
}

unsigned x86_length(const uint8_t *code, size_t left, bool long_mode)
{
	struct decoder d = { .code = code, .left = left, .long_mode = long_mode };
	unsigned length;
	uint8_t opcode;

	prefixes(&d);
	if (!has(&d, 1))
		return 0;
	opcode = d.code[d.at++];
	if (opcode == 0x0f)
		return escaped(&d);
	if (strchr("\x62\x8f\xc4\xc5", opcode) && opcode && encoded(&d, opcode, &length))
		return length;
	if (is_hole(&d, opcode))
		return 0;
	if (!long_mode && (opcode == 0x62 || opcode == 0x82))
		return with_modrm(&d, opcode == 0x82);
	return by_form(&d, map_one[opcode]);
}
