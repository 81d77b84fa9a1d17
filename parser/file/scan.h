/* A section of a file, of any size, read piece by piece through a buffer of fixed size.
 *
 * As with a cursor, what is not there reads as 0 and sets `bad`, which the caller checks at the
 * end. Needs a source that can seek. */
#ifndef PDTOOL_FILE_SCAN_H
#define PDTOOL_FILE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/cursor.h"

struct source;

#define SCAN_SIZE (64u << 10)

struct scan {
	struct source *source;
	uint64_t next; /* offset in the file of what follows the piece */
	uint64_t end;  /* of the section */
	size_t pos, len;
	bool swap; /* the file's byte order is not this host's */
	bool bad;
	uint8_t bytes[SCAN_SIZE];
};

void scan_init(struct scan *s, struct source *source, uint64_t offset, uint64_t size_bytes);
/* Offsets are those of the file. */
uint64_t scan_at(const struct scan *s);
void scan_seek(struct scan *s, uint64_t offset);
void scan_skip(struct scan *s, uint64_t len);
/* The next LEN bytes, valid until the next call; NULL and bad: not there, or more than SCAN_SIZE.
 */
const uint8_t *scan_take(struct scan *s, size_t len);
/* A text that LAST ends, which is passed over; NULL and bad: there is no such byte within
 * SCAN_SIZE.
 */
const char *scan_text(struct scan *s, char last, size_t *len);
/* The text in a field of SIZE bytes, *LEN of them; a field that is too large is passed over and
 * empty. NULL and bad: not there. */
const char *scan_field(struct scan *s, uint64_t size_bytes, size_t *len);
uint8_t scan_u8(struct scan *s);
uint32_t scan_u32(struct scan *s);
uint64_t scan_u64(struct scan *s);
/* Protocol Buffers' base 128 number of at most 64 bits. */
uint64_t scan_varint(struct scan *s);

#endif
