/* The heap of glibc. Other libcs have no such settings, and do without. */
#include "cli/process/heap.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define INPUT_BIG (16u << 20) /* bytes; less is read in the time of some hundred faults */
#define ROOM	  (256u << 20)
#define LEFT_MIN  (64u << 20)
#define LEFT_MAX  (128u << 20)
#define HUGE	  (2u << 20)
#define PIECE	  (256u << 10) /* what a heap begins with is less; freed, it makes one shorter */

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
static bool has_room;
static unsigned left = LEFT_MIN; /* of the room, once the input is read */

/* Let the free end of the heap be ROOM bytes: it is made longer by an allocation, and shorter when
 * that is freed. */
static void set_room(int room)
{
	void *volatile piece; /* or the compiler leaves it out */

	mallopt(M_TRIM_THRESHOLD, room);
	mallopt(M_TOP_PAD, room);
	piece = malloc(PIECE);
	free(piece);
	mallopt(M_TRIM_THRESHOLD, ROOM);
	mallopt(M_TOP_PAD, HUGE);
}

/* All threads share this heap: of others glibc makes no huge pages. What is bigger than one has a
 * mapping of its own where the room is used up, which mem.c advises. */
static void make_room(void)
{
	char *from = sbrk(0), *to;

	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, HUGE);
	set_room(ROOM);
	to = sbrk(0);
	from += -(uintptr_t)from % HUGE;
	if (from < to)
		(void)madvise(from, (size_t)(to - from), MADV_HUGEPAGE);
}
#endif

void heap_expect(uint64_t input_bytes)
{
#ifdef M_TOP_PAD
	if (input_bytes < INPUT_BIG || is_limited())
		return;
	if (input_bytes / 2 > left)
		left = input_bytes / 2 < LEFT_MAX ? (unsigned)(input_bytes / 2) : LEFT_MAX;
	if (has_room)
		return;
	has_room = true;
	make_room();
#else
	(void)input_bytes;
#endif
}

void heap_settle(void)
{
#ifdef M_TOP_PAD
	if (has_room)
		set_room((int)left);
#endif
}
