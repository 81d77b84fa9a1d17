/* The cells of a table, packed: a number takes as many bytes as it has, an empty cell one. A table
 * may have a row for each of a million threads, and most of its cells are 0 or small. */
#ifndef PDTOOL_MODEL_CELLS_H
#define PDTOOL_MODEL_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cell {
	const char *text;
	union {
		uint64_t count;
		int64_t delta;
		double real; /* not finite: shown as empty */
	};
	bool empty; /* no number; in a number column, too, TEXT, if any, stands there */
};

/* All zero is none. */
struct cells {
	unsigned char *bytes;
	size_t used, cap;
	size_t count;
	size_t *starts; /* of each CELLS_STEP-th */
	size_t start_count, start_cap;
};

#define CELLS_STEP 8

void cells_release(struct cells *c);
/* Its text, which outlives C; else its number, whichever it is; or nothing. */
void cells_add(struct cells *c, const struct cell *cell);
/* A text that outlives C; NULL: there is none yet. */
void cells_add_kept(struct cells *c, const char *text);
/* A copy of the LEN bytes at TEXT, with a NUL appended; it may be changed until more is added. */
char *cells_add_text(struct cells *c, const char *text, size_t len);
/* COUNT cells from cell FIRST on. Texts are valid until more is added. */
void cells_get(const struct cells *c, size_t first, size_t count, struct cell *out);
static inline struct cell cells_at(const struct cells *c, size_t i)
{
	struct cell cell;

	cells_get(c, i, 1, &cell);
	return cell;
}
/* Cell I of FROM, which is another one. */
void cells_copy(struct cells *c, const struct cells *from, size_t i);
/* TEXT, which outlives C, instead of what cells_add_kept() gave cell I. */
void cells_set_text(struct cells *c, size_t i, const char *text);

#endif
