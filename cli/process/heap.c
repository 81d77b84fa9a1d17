/* The heap of glibc. Other libcs have no such settings, and do without. */
#include "cli/process/heap.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define INPUT_BIG (16u << 20) /* bytes; less is read in the time of some hundred faults */
#define ROOM	  (64u << 20)
#define HUGE	  (2u << 20)

static bool is_limited(void)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY;
}

void heap_share(void)
{
#ifdef M_ARENA_MAX
	if (is_limited())
		mallopt(M_ARENA_MAX, 1);
#endif
}

#ifdef M_TOP_PAD
/* What is bigger than a huge page has a mapping of its own, which mem.c advises. */
static void make_room(void)
{
	void *volatile grown; /* or the compiler leaves it out */
	char *from, *to;

	mallopt(M_MMAP_THRESHOLD, HUGE);
	mallopt(M_TRIM_THRESHOLD, ROOM);
	mallopt(M_TOP_PAD, ROOM);
	from = sbrk(0);
	grown = malloc(HUGE / 2);
	free(grown);
	to = sbrk(0);
	mallopt(M_TOP_PAD, HUGE);
	from += -(uintptr_t)from % HUGE;
	if (from < to)
		(void)madvise(from, (size_t)(to - from), MADV_HUGEPAGE);
}
#endif

void heap_expect(uint64_t input_bytes)
{
#ifdef M_TOP_PAD
	static bool made;

	if (made || input_bytes < INPUT_BIG || is_limited())
		return;
	made = true;
	make_room();
#else
	(void)input_bytes;
#endif
}
