/* Hashing of words and bytes, for tables in memory only: values differ between hosts of different
 * byte order and must never reach an output. Multiply-and-fold mixing, four independent lanes. */
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

static inline uint64_t hash_load(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* COUNT u64 at P, any alignment. */
static inline uint64_t hash_words(const void *p, size_t count)
{
	const unsigned char *s = p;
	uint64_t a = HASH_K0 ^ count, b = HASH_K1, c = HASH_K2, d = HASH_K3;

	for (; count >= 8; count -= 8, s += 64) {
		a = hash_fold(hash_load(s) ^ a, hash_load(s + 8) ^ HASH_K1);
		b = hash_fold(hash_load(s + 16) ^ b, hash_load(s + 24) ^ HASH_K2);
		c = hash_fold(hash_load(s + 32) ^ c, hash_load(s + 40) ^ HASH_K3);
		d = hash_fold(hash_load(s + 48) ^ d, hash_load(s + 56) ^ HASH_K0);
	}
	a ^= c;
	b ^= d;
	for (; count >= 2; count -= 2, s += 16) {
		c = hash_fold(hash_load(s) ^ a, hash_load(s + 8) ^ HASH_K2);
		a = b;
		b = c;
	}
	if (count)
		a = hash_fold(hash_load(s) ^ a, HASH_K3);
	return hash_fold(a ^ HASH_K1, b ^ HASH_K3);
}

/* N bytes at P, any alignment; P may be NULL where N is 0. */
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
	if (left)
		memcpy(w, s, left);
	for (int i = 0; i < 4 && left > (size_t)i * 16; i++)
		lane[i] = hash_fold(w[i * 2] ^ lane[i], w[i * 2 + 1] ^ HASH_K2);
	return hash_fold(lane[0] ^ lane[2], lane[1] ^ hash_fold(lane[3], HASH_K3) ^ n);
}

#endif
