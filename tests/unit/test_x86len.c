/* Lengths of x86 instructions: one for each form of what follows an opcode; never beyond what is
 * there. tests/oracle/annotate.sh compares whole libraries with objdump. */
#include "parser/names/disasm/x86len.h"
#include "tests/lib/unit.h"

#include <stdlib.h>

#define BOTH  3
#define LONG  1 /* 64-bit code */
#define SHORT 2 /* 32-bit code */

static const struct {
	const char *bytes; /* up to its end, as objdump shows them */
	unsigned modes;
} whole[] = {
	{ "90", BOTH },
	{ "c3", BOTH },
	{ "c2 08 00", BOTH },
	{ "c8 10 00 01", BOTH },
	{ "89 d8", BOTH },
	{ "8b 45 08", BOTH },
	{ "8b 84 24 00 01 00 00", BOTH },
	{ "8b 04 25 44 33 22 11", BOTH }, /* SIB without a base */
	{ "8b 05 44 33 22 11", BOTH },
	{ "83 c0 01", BOTH },
	{ "81 c0 44 33 22 11", BOTH },
	{ "66 81 c0 22 11", BOTH },
	{ "05 44 33 22 11", BOTH },
	{ "66 05 22 11", BOTH },
	{ "f6 c1 01", BOTH },
	{ "f6 d9", BOTH },
	{ "f7 c1 44 33 22 11", BOTH },
	{ "66 f7 c1 22 11", BOTH },
	{ "f7 d9", BOTH },
	{ "b8 44 33 22 11", BOTH },
	{ "48 b8 88 77 66 55 44 33 22 11", LONG },
	{ "a1 44 33 22 11", SHORT },
	{ "67 a1 22 11", SHORT },
	{ "a1 88 77 66 55 44 33 22 11", LONG },
	{ "67 a1 44 33 22 11", LONG },
	{ "40", SHORT },
	{ "66 90", BOTH },
	{ "66 66 2e 0f 1f 84 00 00 00 00 00", BOTH },
	{ "f3 0f 1e fa", BOTH },
	{ "f0 0f b1 0e", BOTH },
	{ "e8 00 00 00 00", BOTH },
	{ "66 48 e8 00 00 00 00", LONG },
	{ "0f 84 00 00 00 00", BOTH },
	{ "74 00", BOTH },
	{ "9a 44 33 22 11 66 55", SHORT },
	{ "0f 05", BOTH },
	{ "0f 20 c0", BOTH },
	{ "0f 20 00", BOTH }, /* the mode of ModRM does not matter: no SIB, no displacement */
	{ "0f ba e0 03", BOTH },
	{ "0f c8", BOTH },
	{ "66 0f 70 c0 00", BOTH },
	{ "66 0f 38 00 c1", BOTH },
	{ "66 0f 3a 0f c1 08", BOTH },
	{ "66 0f 78 c0 01 02", BOTH },
	{ "0f 0f c1 b4", BOTH },
	{ "67 8b 46 08", SHORT }, /* 16-bit addresses */
	{ "67 8b 06 22 11", SHORT },
	{ "67 8b 00", SHORT },
	{ "62 01", SHORT }, /* bound */
	{ "c5 01", SHORT }, /* lds */
	{ "c5 f8 77", BOTH },
	{ "c5 fb 93 c0", LONG },    /* kmovd */
	{ "c5 f9 70 c0 00", LONG }, /* vpshufd */
	{ "c4 e1 fb 93 c0", LONG }, /* kmovq */
	{ "c4 e2 79 78 c0", LONG }, /* vpbroadcastb */
	{ "c4 e3 7d 39 c1 01", LONG },
	{ "62 f2 7e 28 26 c0", LONG },		   /* vptestnmb */
	{ "62 f3 7d 20 3f c1 00", LONG },	   /* vpcmpeqb, imm8 */
	{ "62 e1 fe 28 6f 46 01", LONG },	   /* vmovdqu64, disp8 */
	{ "62 f1 7d 28 74 05 44 33 22 11", LONG }, /* disp32 from the instruction */
	{ "62 f5 7c 48 58 c1", LONG },		   /* vaddph: map 5 */
	{ "8f e9 78 12 c0", BOTH },		   /* XOP: llwpcb */
	{ "8f e8 78 c0 c1 02", BOTH },		   /* vprotb */
	{ "8f c0", BOTH },
};

static const struct {
	const char *bytes;
	unsigned modes;
} none[] = {
	{ "06", LONG },	   { "9a 44 33 22 11 66 55", LONG },
	{ "0f 04", BOTH }, { "d6", BOTH },
	{ "ff f8", BOTH }, { "62 f4 7d 28 74 c0", LONG },
	{ "66", BOTH },	   { "66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 90", BOTH },
	{ "0f", BOTH },	   { "48 0f 38", LONG },
};

static size_t bytes_of(const char *text, uint8_t *out)
{
	size_t n = 0;
	char *end;

	for (; *text; text = end)
		out[n++] = (uint8_t)strtoul(text, &end, 16);
	return n;
}

static void test_whole(void)
{
	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++) {
		for (unsigned mode = LONG; mode <= SHORT; mode++) {
			uint8_t code[32] = { 0 };
			size_t n = bytes_of(whole[i].bytes, code);

			if (!(whole[i].modes & mode))
				continue;
			CHECK_EQ(x86_length(code, sizeof(code), mode == LONG), n);
			CHECK_EQ(x86_length(code, n, mode == LONG), n);
			CHECK_EQ(x86_length(code, n - 1, mode == LONG) < n, 1);
		}
	}
}

static void test_none(void)
{
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		for (unsigned mode = LONG; mode <= SHORT; mode++) {
			uint8_t code[32];
			size_t n = bytes_of(none[i].bytes, code);

			if (none[i].modes & mode)
				CHECK_EQ(x86_length(code, n, mode == LONG), 0);
		}
	}
}

/* Whatever the bytes are: within what is there, and not too long. In a block of its own size, so
 * that the sanitizers see what is read. */
static void test_random(void)
{
	uint64_t seed = 1;

	for (unsigned i = 0; i < 200000; i++) {
		size_t left = unit_random(&seed) % 18 + 1;
		uint8_t *code = malloc(left);
		unsigned n;

		for (size_t k = 0; k < left; k++)
			code[k] = (uint8_t)unit_random(&seed);
		n = x86_length(code, left, i & 1);
		if (n > left || n > X86_LENGTH_MAX)
			CHECK_EQ(n, 0);
		free(code);
	}
}

int main(void)
{
	test_whole();
	test_none();
	test_random();
	return unit_end();
}
