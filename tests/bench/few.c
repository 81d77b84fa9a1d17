// SPDX-License-Identifier: MIT
/*
 * The program behind single.data: a few functions that recurse to a few fixed
 * depths, so that a long capture holds many samples and few different stacks.
 * It runs until perf record ends it.
 */
#include <stdint.h>

static volatile uint64_t sink;

static __attribute__((noinline)) uint64_t leaf(uint64_t n)
{
	for (unsigned int i = 0; i < 2000; i++)
		n = n * 6364136223846793005u + 1442695040888963407u;
	sink = n;
	return n;
}

static __attribute__((noinline)) uint64_t even(unsigned int depth, uint64_t n);

static __attribute__((noinline)) uint64_t odd(unsigned int depth, uint64_t n)
{
	return depth ? even(depth - 1, n) + 1 : leaf(n);
}

static __attribute__((noinline)) uint64_t even(unsigned int depth, uint64_t n)
{
	return depth ? odd(depth - 1, n) ^ 1 : leaf(n);
}

int main(void)
{
	static const unsigned int depths[] = { 4, 9, 16, 23, 30, 41 };

	for (uint64_t n = 0;; n++)
		sink += even(depths[n % 6], n);
}
