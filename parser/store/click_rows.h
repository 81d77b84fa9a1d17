/* What the files of a store on ClickHouse share. */
#ifndef PDTOOL_STORE_CLICK_ROWS_H
#define PDTOOL_STORE_CLICK_ROWS_H

#include "parser/base/idmap.h"
#include "parser/store/click.h"
#include "parser/store/http.h"
#include "parser/store/store.h"

#include <endian.h>
#include <string.h>

struct click {
	struct http *http;
	struct warnings *warnings;
	/* what was sent */
	struct idmap sent_frames, sent_stacks;
	/* what was asked */
	struct buf caps; /* UInt64, by number in the store in memory - 1 */
	uint64_t cap_count;
	bool matching;	    /* frames were asked for, and are: */
	struct buf matched; /* UInt8 of what, UInt64: a frame */
	struct buf rows;    /* of struct click_row, by part */
	size_t at;	    /* in them */
	struct buf stacks;
	struct idmap stack_at; /* by number: in STACKS */
};

static inline void click_put_u64(struct buf *out, uint64_t v)
{
	v = htole64(v);
	buf_add(out, &v, sizeof(v));
}

static inline void click_put_u32(struct buf *out, uint32_t v)
{
	v = htole32(v);
	buf_add(out, &v, sizeof(v));
}

static inline void click_put_text(struct buf *out, const char *text)
{
	size_t len = text ? strlen(text) : 0;

	put_uleb(out, len);
	if (len)
		buf_add(out, text, len);
}

/* A step begins with the capture at the earliest. */
static inline void click_put_time(struct buf *out, const struct store_capture *c, uint64_t step)
{
	uint64_t start = step * c->step_ns > c->first_ns ? step * c->step_ns : c->first_ns;
	int64_t ns = (int64_t)start + c->wall_ns;

	click_put_u32(out, ns > 0 ? (uint32_t)(ns / 1000000000) : 0);
	click_put_u32(out, ns > 0 ? (uint32_t)(ns % 1000000000) : 0);
}

/* What the server tells of WHAT is not as it should be. */
CHECKED static inline int click_malformed(struct click *k, const char *what)
{
	warn_add(k->warnings, SEV_FATAL, "store", "%s: what it tells of %s is not of this version",
		 http_address(k->http), what);
	return ERR_FORMAT;
}
/* Their captures, each with the number of the first of its part; or only those that are cut. */
void click_put_picks(const struct click *k, const struct picks *p, bool by_part, bool only_cut,
		     struct buf *out);
/* QUERY uses them as a table "picked". */
CHECKED int click_ask_picked(struct click *k, const struct buf *query, const struct buf *picked,
			     struct buf *answer);

#endif
