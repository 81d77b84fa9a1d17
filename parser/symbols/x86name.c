#include "parser/symbols/x86name.h"
#include "parser/base/mem.h"

#include <stdbool.h>

/* How an instruction is encoded: what counts of VEX and EVEX, and the opcode. */
struct encoding {
	uint8_t map;	/* 1: 0F, 2: 0F38, 3: 0F3A */
	uint8_t prefix; /* 0: none, 1: 66, 2: F3, 3: F2 */
	bool wide;	/* W */
	uint8_t opcode;
};

/* By prefix * 2 + W; NULL where there is none. */
struct row {
	uint8_t map, opcode;
	const char *names[8];
};

/* clang-format off */
static const struct row masks[] = {
	/*           none     none W1     66       66 W1    F3  F3  F2       F2 W1 */
	{ 1, 0x41, { "kandw",    "kandq",    "kandb",    "kandd" } },
	{ 1, 0x42, { "kandnw",   "kandnq",   "kandnb",   "kandnd" } },
	{ 1, 0x44, { "knotw",    "knotq",    "knotb",    "knotd" } },
	{ 1, 0x45, { "korw",     "korq",     "korb",     "kord" } },
	{ 1, 0x46, { "kxnorw",   "kxnorq",   "kxnorb",   "kxnord" } },
	{ 1, 0x47, { "kxorw",    "kxorq",    "kxorb",    "kxord" } },
	{ 1, 0x4a, { "kaddw",    "kaddq",    "kaddb",    "kaddd" } },
	{ 1, 0x4b, { "kunpckwd", "kunpckdq", "kunpckbw" } },
	{ 1, 0x90, { "kmovw",    "kmovq",    "kmovb",    "kmovd" } },
	{ 1, 0x91, { "kmovw",    "kmovq",    "kmovb",    "kmovd" } },
	{ 1, 0x92, { "kmovw",    NULL,       "kmovb",    NULL, NULL, NULL, "kmovd", "kmovq" } },
	{ 1, 0x93, { "kmovw",    NULL,       "kmovb",    NULL, NULL, NULL, "kmovd", "kmovq" } },
	{ 1, 0x98, { "kortestw", "kortestq", "kortestb", "kortestd" } },
	{ 1, 0x99, { "ktestw",   "ktestq",   "ktestb",   "ktestd" } },
	{ 3, 0x30, { NULL, NULL, "kshiftrb", "kshiftrw" } },
	{ 3, 0x31, { NULL, NULL, "kshiftrd", "kshiftrq" } },
	{ 3, 0x32, { NULL, NULL, "kshiftlb", "kshiftlw" } },
	{ 3, 0x33, { NULL, NULL, "kshiftld", "kshiftlq" } },
};

static const struct row vectors[] = {
	/*           none  none  66            66 W1         F3            F3 W1 */
	{ 1, 0x64, { NULL, NULL, "vpcmpgtb",   "vpcmpgtb" } },
	{ 1, 0x65, { NULL, NULL, "vpcmpgtw",   "vpcmpgtw" } },
	{ 1, 0x66, { NULL, NULL, "vpcmpgtd" } },
	{ 1, 0x74, { NULL, NULL, "vpcmpeqb",   "vpcmpeqb" } },
	{ 1, 0x75, { NULL, NULL, "vpcmpeqw",   "vpcmpeqw" } },
	{ 1, 0x76, { NULL, NULL, "vpcmpeqd" } },
	{ 2, 0x26, { NULL, NULL, "vptestmb",   "vptestmw",   "vptestnmb", "vptestnmw" } },
	{ 2, 0x27, { NULL, NULL, "vptestmd",   "vptestmq",   "vptestnmd", "vptestnmq" } },
	{ 2, 0x28, { NULL, NULL, NULL,         "vpmuldq",    "vpmovm2b",  "vpmovm2w" } },
	{ 2, 0x29, { NULL, NULL, NULL,         "vpcmpeqq",   "vpmovb2m",  "vpmovw2m" } },
	{ 2, 0x37, { NULL, NULL, NULL,         "vpcmpgtq" } },
	{ 2, 0x38, { NULL, NULL, "vpminsb",    "vpminsb",    "vpmovm2d",  "vpmovm2q" } },
	{ 2, 0x39, { NULL, NULL, "vpminsd",    "vpminsq",    "vpmovd2m",  "vpmovq2m" } },
	{ 2, 0x78, { NULL, NULL, "vpbroadcastb" } },
	{ 2, 0x79, { NULL, NULL, "vpbroadcastw" } },
	{ 2, 0x7a, { NULL, NULL, "vpbroadcastb" } },
	{ 2, 0x7b, { NULL, NULL, "vpbroadcastw" } },
	{ 2, 0x7c, { NULL, NULL, "vpbroadcastd", "vpbroadcastq" } },
	{ 3, 0x1e, { NULL, NULL, "vpcmpud",    "vpcmpuq" } },
	{ 3, 0x1f, { NULL, NULL, "vpcmpd",     "vpcmpq" } },
	{ 3, 0x25, { NULL, NULL, "vpternlogd", "vpternlogq" } },
	{ 3, 0x3e, { NULL, NULL, "vpcmpub",    "vpcmpuw" } },
	{ 3, 0x3f, { NULL, NULL, "vpcmpb",     "vpcmpw" } },
};
/* clang-format on */

static const char *lookup(const struct row *list, size_t count, const struct encoding *e)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i].map == e->map && list[i].opcode == e->opcode)
			return list[i].names[e->prefix * 2 + e->wide];
	}
	return NULL;
}

const char *x86_name(const uint8_t *code, size_t size)
{
	struct encoding e;

	if (size >= 4 && code[0] == 0xc5) {
		e = (struct encoding){ 1, code[1] & 3, false, code[2] };
	} else if (size >= 5 && code[0] == 0xc4) {
		e = (struct encoding){ code[1] & 0x1f, code[2] & 3, code[2] >> 7, code[3] };
	} else if (size >= 6 && code[0] == 0x62) {
		e = (struct encoding){ code[1] & 7, code[2] & 3, code[2] >> 7, code[4] };
		return lookup(vectors, ARRAY_SIZE(vectors), &e);
	} else {
		return NULL;
	}
	return lookup(masks, ARRAY_SIZE(masks), &e);
}
