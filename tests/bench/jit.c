// SPDX-License-Identifier: MIT
/*
 * What a just-in-time compiler is to a profiler: thousands of functions in
 * memory that belongs to no file, and /tmp/perf-PID.map that names them. They
 * are copies of one function, which calls nothing and so runs anywhere. For
 * python.data where no Python writes such a map. It runs until perf record ends it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	FUNCTIONS = 4000,
	SIZE = 256, /* of a function, and more */
};

static __attribute__((noinline, aligned(SIZE))) uint64_t leaf(uint64_t n)
{
	for (unsigned int i = 0; i < 500; i++)
		n = n * 6364136223846793005u + 1442695040888963407u;
	return n;
}

static __attribute__((noinline, aligned(SIZE))) uint64_t end_of_leaf(uint64_t n)
{
	return n + 1;
}

int main(void)
{
	const int all = PROT_READ | PROT_WRITE | PROT_EXEC;
	unsigned char *code = mmap(NULL, FUNCTIONS * SIZE, all, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	volatile uint64_t sink = 0;
	char path[64];
	FILE *map;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(path, "wx");
	if (!map || code == MAP_FAILED)
		return 1;
	for (int i = 0; i < FUNCTIONS; i++) {
		memcpy(code + i * SIZE, (const void *)(uintptr_t)leaf, SIZE);
		fprintf(map, "%lx %x py::function_%d:module_%d.py\n",
			(unsigned long)(code + i * SIZE), SIZE, i, i % 97);
	}
	fclose(map);
	for (uint64_t n = 0;; n++)
		sink += ((uint64_t(*)(uint64_t))(uintptr_t)(code + n * n % FUNCTIONS * SIZE))(n) +
			end_of_leaf(n);
}
