/* Writing a capture anew, between the files that do it: stripped.c the whole and its records,
 * stripfeat.c what it says of the machine, stripsyms.c the tables of symbols that phones write; and
 * parser/cut. */
#ifndef PDTOOL_PACK_REWRITE_H
#define PDTOOL_PACK_REWRITE_H

#include "parser/file/stream.h"
#include "parser/pack/stripped.h"

#define RECORD_BYTES 65535 /* larger ones are simpleperf's own */

/* Bytes of RAW, with what follows it that is no record. */
static inline uint64_t rewrite_size(const struct raw *raw)
{
	return raw->size + (raw->size > RECORD_BYTES ? 0 : raw->payload_size);
}

/* A record AUXTRACE: where it was, and where it is. */
struct moved {
	uint64_t from, to;
};

struct rewrite {
	struct stripped *out;
	struct capture capture; /* F's, with a source of its own */
	struct source *source;
	struct paths *paths;
	struct buf block; /* written to the spool when it is full */
	struct buf text;
	struct moved *moved;
	size_t moved_count, moved_cap;
	int rc;	   /* of the writing; 0 so far */
	int error; /* errno, of why it failed first */
};

/* R has its source, which can seek: read F from its beginning once more. SCRATCH: for warnings that
 * were given before. */
void rewrite_begin(struct rewrite *r, const struct capture *f, struct warnings *scratch);
/* Release what is the caller's no more; not what was written. */
void rewrite_end(struct rewrite *r);
/* RAW is written next: note where a record AUXTRACE goes. */
void rewrite_moves(struct rewrite *r, const struct raw *raw);

/* Append bytes. What fails is kept in rc. */
void rewrite_add(struct rewrite *r, const void *data, size_t len);
void rewrite_zeros(struct rewrite *r, uint64_t len);
/* Bytes of the capture as it was. */
void rewrite_copy(struct rewrite *r, uint64_t offset, uint64_t len);
/* Other bytes at AT, which were written already. */
void rewrite_back(struct rewrite *r, const void *data, size_t len, uint64_t at);
void rewrite_flush(struct rewrite *r);
/* Bytes so far. */
uint64_t rewrite_at(const struct rewrite *r);

/* The entries of events, each with its ids behind all of them; and zeros up to a multiple of 8. */
void rewrite_events(struct rewrite *r);
/* Read an entry of the table of features: where a section is. False: not in the capture. */
bool rewrite_place(struct rewrite *r, uint64_t table, struct section *at);

/* A number in the order of bytes that the capture has, of SIZE bytes. */
void put_number(void *to, uint64_t v, unsigned size_bytes, bool swap);
/* The same of F, at the end of OUT. */
static inline void add_number(const struct capture *f, struct buf *out, uint64_t v,
			      unsigned size_bytes)
{
	put_number(buf_reserve(out, size_bytes), v, size_bytes, f->header.swap);
	out->len += size_bytes;
}

/* Append to OUT the feature ID, with the contents C, as it may leave the house. */
void stripfeat_add(struct rewrite *r, unsigned id, struct cursor c, struct buf *out);
/* Is ID a table of symbols of files? Of any size, it goes from where it is to where it shall be. */
bool stripsyms_has(unsigned id);
void stripsyms_copy(struct rewrite *r, unsigned id, struct section at);

#endif
