/* What the files of this room share: the open store, its statements, its columns. */
#ifndef PDTOOL_STORE_STORE_H
#define PDTOOL_STORE_STORE_H

#include "parser/base/buf.h"
#include "parser/store.h"
#include "parser/store/sql.h"

#include <zstd.h>

struct click;

struct store {
	struct sql sql;	     /* its file, or in memory what was asked of CLICK */
	struct click *click; /* NULL: it is a file */
};

/* The tables of a file, as SQL; PRAGMA user_version of it. */
#define STORE_VERSION "1"
extern const char store_file_schema[];
/* Stores that were made before addresses were kept have none. */
#define STORE_ADDRESS_SCHEMA \
	"CREATE TABLE IF NOT EXISTS address(cap INTEGER PRIMARY KEY, data BLOB)"

/* A cell of a chunk. STACK: the place of its stack among those of its capture, by their ids. */
struct chunk_cell {
	uint64_t step, weight, samples;
	uint32_t cpu, thread, stack;
};

/* In place of a stack's number: of stacks of which nobody wants to know more. */
#define STORE_OTHERS 0

#define CHUNK_CELLS 65536 /* at most in one */

/* Cells, ascending by step, CPU, thread and stack, as columns, compressed BY what has memory for
 * that. False: no memory. */
bool chunk_pack(struct buf *out, ZSTD_CCtx *by, const struct chunk_cell *cells, size_t count);
/* The other way: a list to be freed by the caller; NULL: these bytes are no chunk. */
struct chunk_cell *chunk_unpack(const void *bytes, size_t len, size_t *count);

#endif
