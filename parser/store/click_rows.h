/* What the files of a store on ClickHouse share. */
#ifndef PDTOOL_STORE_CLICK_ROWS_H
#define PDTOOL_STORE_CLICK_ROWS_H

#include "parser/base/idmap.h"
#include "parser/store/click.h"
#include "parser/store/http.h"
#include "parser/store/store.h"

#include <endian.h>

struct click {
	struct http *http;
	struct warnings *warnings;
	/* what was sent */
	struct idmap sent_frames, sent_stacks;
	/* what was asked */
	struct buf caps; /* UInt64, by number in the store in memory - 1 */
	uint64_t cap_count;
	struct buf rows; /* of struct click_row, by part */
	size_t at;	 /* in them */
	struct buf stacks;
	struct idmap stack_at; /* by number: in STACKS */
};

static inline void click_put_u64(struct buf *out, uint64_t v)
{
	v = htole64(v);
	buf_add(out, &v, sizeof(v));
}

#endif
