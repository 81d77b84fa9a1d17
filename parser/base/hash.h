/* Hashing of words and bytes, for tables in memory only: values differ between hosts of different byte
 * order and must never reach an output. Multiply-and-fold mixing, four independent lanes. */
#ifndef PDTOOL_BASE_HASH_H
#define PDTOOL_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_K0 0xa0761d6478bd642fULL
#define HASH_K1 0xe7037ed1a0b428dbULL
#define HASH_K2 0x8ebc6af09c88c6e3ULL
#define HASH_K3 0x589965cc75374cc3ULL

static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
	__uint128_t m = (__uint128_t)a * b;

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static inline uint64_t hash_u64(uint64_t v)
{
	return hash_fold(v ^ HASH_K0, HASH_K1);
}

/* N bytes at P, any alignment. */
static inline uint64_t hash_bytes(const void *p, size_t n)
{
	const unsigned char *s = p;
	uint64_t lane[4] = { HASH_K0 ^ n, HASH_K1, HASH_K2, HASH_K3 };
	uint64_t w[8];
	size_t left = n;

	while (left >= 64) {
		memcpy(w, s, 64);
		for (int i = 0; i < 4; i++)
			lane[i] = hash_fold(w[i * 2] ^ lane[i], w[i * 2 + 1] ^ HASH_K1);
		s += 64;
		left -= 64;
	}
	memset(w, 0, sizeof(w));
	memcpy(w, s, left);
	for (int i = 0; i < 4 && left > (size_t)i * 16; i++)
		lane[i] = hash_fold(w[i * 2] ^ lane[i], w[i * 2 + 1] ^ HASH_K2);
	return hash_fold(lane[0] ^ lane[2], lane[1] ^ hash_fold(lane[3], HASH_K3) ^ n);
}

#endif
