/* Records one after the other: framed, decompressed, found again after damage. */
#ifndef PDTOOL_FILE_STREAM_H
#define PDTOOL_FILE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/base/cursor.h"
#include "parser/base/err.h"
#include "parser/file/feature.h"

struct raw {
	uint32_t type;
	uint16_t misc;
	uint32_t size;	 /* of the whole record, header included */
	uint64_t offset; /* in the file; for a decompressed record, of the record that carried it */
	bool inflated;	 /* came out of a COMPRESSED record */
	struct cursor body;    /* what follows the header; valid until the next stream_next() */
	uint64_t payload_size; /* bytes that follow the record outside of it (AUXTRACE,
				  TRACING_DATA) */
};

struct stream;

/* Records of F's data section (or of the whole pipe); F must outlive the stream. SOURCE is F's own
 * source, or a data file of a directory, which has records from its first byte. */
struct stream *stream_new(struct capture *f, struct source *source);
void stream_free(struct stream *s);

/* 1: OUT is the next record; 0: end; negative: nothing more can be read. Compressed records are
 * handed out like others, followed by what was in them. What could not be framed is skipped,
 * counted and said. */
CHECKED int stream_next(struct stream *s, struct raw *out);

/* The body of R, the record handed out last, is then where it stays until the source is closed: in
 * the file, mapped. That is for what is not looked at soon, as a page that is mapped may cost more
 * than to read it. False: it cannot be. */
bool stream_lasting(struct stream *s, struct raw *r);

/* The bytes at hand from the next record on, for a caller that frames plain samples by itself: *LEN
 * of them. NULL while the stream searches after damage. stream_took() says how many were used.
 * Nothing that was handed out moves until the next stream_next(). */
const uint8_t *stream_at_hand(const struct stream *s, size_t *len);
void stream_took(struct stream *s, size_t len);

/* Where in the source the bytes at hand lie, if source_pread() can read them again; 0: it cannot.
 */
uint64_t stream_again(const struct stream *s);

/* Bytes of the source read so far. */
uint64_t stream_position(const struct stream *s);

#endif
