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

/* N bytes, fewer than 16, as two numbers, in which some may be twice. */
static inline void hash_few(const unsigned char *s, size_t n, uint64_t *first, uint64_t *last)
{
	uint32_t a, b;

	if (n >= 8) {
		*first = hash_load(s);
		*last = hash_load(s + n - 8);
	} else if (n >= 4) {
		memcpy(&a, s, 4);
		memcpy(&b, s + n - 4, 4);
		*first = a;
		*last = b;
	} else if (n) {
		*first = (uint64_t)s[0] << 16 | (uint64_t)s[n / 2] << 8 | s[n - 1];
	}
}

/* N bytes at P, any alignment; P may be NULL where N is 0. */
static inline uint64_t hash_bytes(const void *p, size_t n)
{
	const unsigned char *s = p;
	uint64_t lane[4] = { HASH_K0 ^ n, HASH_K1, HASH_K2, HASH_K3 };
	uint64_t first = 0, last = 0;
	size_t left = n;

	for (; left >= 64; left -= 64, s += 64) {
		for (int i = 0; i < 4; i++)
			lane[i] = hash_fold(hash_load(s + i * 16) ^ lane[i],
					    hash_load(s + i * 16 + 8) ^ HASH_K1);
	}
	for (int i = 0; left > 16; i++, left -= 16, s += 16)
		lane[i] = hash_fold(hash_load(s) ^ lane[i], hash_load(s + 8) ^ HASH_K2);
	if (n >= 16) { /* some once more */
		first = hash_load(s + left - 16);
		last = hash_load(s + left - 8);
	} else {
		hash_few(s, n, &first, &last);
	}
	lane[3] = hash_fold(first ^ lane[3], last ^ HASH_K2);
	return hash_fold(lane[0] ^ lane[2], lane[1] ^ hash_fold(lane[3], HASH_K3) ^ n);
}

#endif
