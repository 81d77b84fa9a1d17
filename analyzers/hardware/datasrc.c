/* BIT COUNT MEANING: 0 5 operation, 5 14 level (hit or miss of which), 19 5 snoop, 24 2 lock, 26 7
 * TLB, 33 4 level by number, 37 1 remote, 38 2 more of snoop, 40 3 blocked, 43 3 hops. What a word
 * says is perf's (tools/perf/util/mem-events.c). */
#include "analyzers/hardware/datasrc.h"
#include "parser/base/mem.h"

#include <stdbool.h>

#define NOT_AVAILABLE 1 /* the lowest bit of operation, level, snoop, lock, TLB, blocked */
#define HIT	      2 /* of level and TLB */
#define MISS	      4
#define NO_NUMBER     15

static unsigned bits(uint64_t src, unsigned bit, unsigned count)
{
	return (unsigned)(src >> bit) & ((1u << count) - 1);
}

/* Words for the bits of SET, " or " between; false: none is set. */
static bool put_words(struct buf *out, unsigned set, const char *const *words, size_t count)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		if (!(set >> i & 1))
			continue;
		buf_str(out, any ? " or " : "");
		buf_str(out, words[i]);
		any = true;
	}
	return any;
}

static void put_operation(uint64_t src, struct buf *out)
{
	static const char *const words[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };
	unsigned set = bits(src, 0, 5);

	buf_str(out, set ? words[__builtin_ctz(set)] : "No");
}

static const char *hit_or_miss(uint64_t src)
{
	unsigned level = bits(src, 5, 14);

	return level & HIT ? "hit" : level & MISS ? "miss" : "";
}

static void put_numbered(uint64_t src, unsigned number, struct buf *out)
{
	static const char *const levels[] = {
		NULL,  "L1",	   "L2",  "L3",	 "L4",	      "L2 MHB",	 "Memory-side Cache",
		NULL,  "Uncached", "CXL", "I/O", "Any cache", "LFB/MAB", "RAM",
		"PMEM"
	};
	static const char *const hops[] = { "", "core, same node ", "node, same socket ",
					    "socket, same board ", "board " };
	unsigned hop = bits(src, 43, 3);

	buf_str(out, bits(src, 37, 1) ? "Remote " : "");
	buf_str(out, hop < ARRAY_SIZE(hops) ? hops[hop] : "");
	if (levels[number])
		buf_printf(out, "%s %s", levels[number], hit_or_miss(src));
	else
		buf_printf(out, "Unknown level %u %s", number, hit_or_miss(src));
}

static void put_level(uint64_t src, struct buf *out)
{
	static const char *const words[] = {
		"L1",
		"LFB/MAB",
		"L2",
		"L3",
		"Local RAM",
		"Remote RAM (1 hop)",
		"Remote RAM (2 hops)",
		"Remote Cache (1 hop)",
		"Remote Cache (2 hops)",
		"I/O",
		"Uncached",
	};
	unsigned number = bits(src, 33, 4);

	if (number && number != NO_NUMBER)
		put_numbered(src, number, out);
	else if (put_words(out, bits(src, 8, 11), words, ARRAY_SIZE(words)))
		buf_printf(out, " %s", hit_or_miss(src));
	else
		buf_str(out, "N/A");
}

static void put_snoop(uint64_t src, struct buf *out)
{
	static const char *const words[] = { "N/A", "None", "Hit", "Miss", "HitM", "Fwd", "Peer" };
	unsigned set = bits(src, 19, 5) | bits(src, 38, 2) << 5;

	if (!put_words(out, set, words, ARRAY_SIZE(words)))
		buf_str(out, "N/A");
}

static void put_tlb(uint64_t src, struct buf *out)
{
	static const char *const words[] = { "N/A", "", "", "L1", "L2", "Walker", "Fault" };
	unsigned set = bits(src, 26, 7);

	if (!put_words(out, set & ~(HIT | MISS), words, ARRAY_SIZE(words)))
		buf_str(out, "N/A");
	buf_str(out, set & HIT ? " hit" : "");
	buf_str(out, set & MISS ? " miss" : "");
}

static void put_lock(uint64_t src, struct buf *out)
{
	unsigned set = bits(src, 24, 2);

	buf_str(out, set & NOT_AVAILABLE ? "N/A" : set ? "Yes" : "No");
}

static void put_blocked(uint64_t src, struct buf *out)
{
	unsigned set = bits(src, 40, 3);

	if (!set || set & NOT_AVAILABLE) {
		buf_str(out, " N/A");
		return;
	}
	buf_str(out, set & 2 ? " Data" : "");
	buf_str(out, set & 4 ? " Addr" : "");
}

static const struct {
	const char *name;
	void (*put)(uint64_t src, struct buf *out);
	uint64_t bits;
} parts[DATASRC_PARTS] = {
	[DATASRC_OPERATION] = { "|OP ", put_operation, 0x1f },
	[DATASRC_LEVEL] = { "|LVL ", put_level, 0x3fffull << 5 | 0x1full << 33 | 7ull << 43 },
	[DATASRC_SNOOP] = { "|SNP ", put_snoop, 0x1full << 19 | 3ull << 38 },
	[DATASRC_TLB] = { "|TLB ", put_tlb, 0x7full << 26 },
	[DATASRC_LOCK] = { "|LCK ", put_lock, 3ull << 24 },
	[DATASRC_BLOCKED] = { "|BLK ", put_blocked, 7ull << 40 },
};

void datasrc_put(uint64_t src, enum datasrc_part part, struct buf *out)
{
	parts[part].put(src, out);
}

uint64_t datasrc_bits(uint64_t src, enum datasrc_part part)
{
	return src & parts[part].bits;
}

/* ---- what perf c2c counts ---- */

enum level_bit {
	LEVEL_NA = 1,
	LEVEL_L1 = 8,
	LEVEL_FILL_BUFFER = 0x10,
	LEVEL_L2 = 0x20,
	LEVEL_L3 = 0x40,
	LEVEL_RAM = 0x80,
	LEVEL_REMOTE_RAM = 0x300, /* one hop away, and two */
	LEVEL_REMOTE_CACHE = 0xc00,
	LEVEL_IO = 0x1000,
	LEVEL_UNCACHED = 0x2000,
};
enum snoop_bit { SNOOP_HIT = 4, SNOOP_HITM = 16, SNOOP_PEER = 64 };

/* What came from memory. */
static void tally_memory(unsigned snoop, enum tally where, uint32_t *n)
{
	n[where]++;
	n[snoop & SNOOP_HIT ? TALLY_DRAM_SHARED : TALLY_DRAM_EXCLUSIVE]++;
}

static void tally_load_hit(unsigned level, unsigned snoop, bool remote, uint32_t *n)
{
	n[TALLY_LOAD_UNCACHED] += !!(level & LEVEL_UNCACHED);
	n[TALLY_LOAD_IO] += !!(level & LEVEL_IO);
	n[TALLY_LOAD_FILL_BUFFER] += !!(level & LEVEL_FILL_BUFFER);
	n[TALLY_LOAD_L1] += !!(level & LEVEL_L1);
	n[TALLY_LOAD_L2] += !!(level & LEVEL_L2);
	if (level & LEVEL_L3)
		n[snoop & SNOOP_HITM ? TALLY_HITM_LOCAL : TALLY_LOAD_LLC]++;
	if (snoop & SNOOP_PEER)
		n[TALLY_PEER_LOCAL] += !!(level & LEVEL_L2) + !!(level & LEVEL_L3);
	if (level & LEVEL_RAM)
		tally_memory(snoop, TALLY_DRAM_LOCAL, n);
	if (level & LEVEL_REMOTE_RAM || remote)
		tally_memory(snoop, TALLY_DRAM_REMOTE, n);
}

static void tally_load(unsigned level, unsigned snoop, bool remote, uint32_t *n)
{
	if (level & HIT)
		tally_load_hit(level, snoop, remote, n);
	if (level & LEVEL_REMOTE_CACHE || remote) {
		bool changed = !(snoop & SNOOP_HIT) && snoop & SNOOP_HITM;
		bool peer = !(snoop & (SNOOP_HIT | SNOOP_HITM)) && snoop & SNOOP_PEER;

		n[TALLY_HITM_REMOTE] += changed;
		n[TALLY_PEER_REMOTE] += peer;
		n[TALLY_REMOTE_HIT] += snoop & SNOOP_HIT || peer;
	}
	n[TALLY_LOAD_MISS] += !!(level & MISS);
}

static void tally_store(unsigned level, uint32_t *n)
{
	n[TALLY_STORE_UNCACHED] += level & HIT && level & LEVEL_UNCACHED;
	n[TALLY_STORE_L1_HIT] += level & HIT && level & LEVEL_L1;
	n[TALLY_STORE_L1_MISS] += level & MISS && level & LEVEL_L1;
	n[TALLY_STORE_NA] += !!(level & LEVEL_NA);
}

bool datasrc_is_load(uint64_t src)
{
	return bits(src, 0, 5) & 2;
}

bool datasrc_tally(uint64_t src, uint64_t address, uint32_t n[TALLIES])
{
	unsigned level = bits(src, 5, 14), snoop = bits(src, 19, 5) | bits(src, 38, 2) << 5;
	bool load = datasrc_is_load(src), store = !load && bits(src, 0, 5) & 4;

	n[TALLY_SAMPLES]++;
	n[TALLY_LOCKED] += bits(src, 25, 1);
	n[TALLY_BLOCKED_DATA] += bits(src, 41, 1);
	n[TALLY_BLOCKED_ADDRESS] += bits(src, 42, 1);
	n[TALLY_LOADS] += load;
	n[TALLY_STORES] += store;
	n[TALLY_UNREADABLE] += !load && !store;
	if (!address) {
		n[TALLY_LOAD_NO_ADDRESS] += load;
		n[TALLY_STORE_NO_ADDRESS] += store;
		return false;
	}
	/* with hops, remote says only that it was another core */
	if (load)
		tally_load(level, snoop, bits(src, 37, 1) && !bits(src, 43, 3), n);
	else if (store)
		tally_store(level, n);
	return load || store;
}

void datasrc_text(uint64_t src, struct buf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		buf_str(out, parts[i].name);
		parts[i].put(src, out);
	}
}
