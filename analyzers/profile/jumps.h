/* Jumps between the rows of a listing, drawn as lines in front of the rows:
 *
 *	┌─ je
 *	│  mov
 *	└► ret
 *
 * The jumps to one row share a line; short ones are next to the rows. What is too long, or finds no
 * room, is an arrow that points up or down. */
#ifndef PDTOOL_JUMPS_H
#define PDTOOL_JUMPS_H

#include <stddef.h>

#include "parser/base/arena.h"

#define JUMPS_LANES 6	/* lines side by side */
#define JUMPS_ROWS  200 /* that a line crosses at the most */

struct jump {
	size_t from, to; /* rows */
};

/* The drawing of each of ROWS rows, all equally wide, in ARENA; the caller frees the array. NULL
 * when there is no jump. JUMPS are put into another order. */
const char **jumps_draw(struct jump *jumps, size_t count, size_t rows, struct arena *arena);

#endif
