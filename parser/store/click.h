/* A store on ClickHouse: the same captures, stacks and frames as in a file, rows by step instead of
 * totals and chunks.
 *
 * A capture is there when its row of "capture" is, which is sent last: what an import that was
 * killed has left counts for nothing. Two that sent the same capture at once are one: the lower
 * number of a hash counts. Asked, what was chosen is laid into a store in memory, from which
 * parser/store/rows.c reads as from a file. */
#ifndef PDTOOL_STORE_CLICK_H
#define PDTOOL_STORE_CLICK_H

#include "parser/base/buf.h"
#include "parser/base/cursor.h"
#include "parser/store/pick.h"
#include "parser/store/sql.h"

struct click;

/* ADDRESS as of http_open(). */
CHECKED int click_open(struct click **out, const char *address, struct warnings *w);
void click_close(struct click *c);
void click_warn_to(struct click *c, struct warnings *w);

/* As store_add(). */
CHECKED int click_add(struct click *c, const struct store_capture *capture, bool *known);

/* What is known of the captures that CHOICE lets pass, into the store in memory. */
CHECKED int click_captures(struct click *c, struct sql *memory, const struct store_choice *choice);
/* The stacks of PICKS, summed up by part where CHOICE has them apart: their frames into the store
 * in memory, and into each of PICKS what its steps sum up to. */
CHECKED int click_rows(struct click *c, struct sql *memory, const struct store_choice *choice,
		       struct picks *picks);
/* The next of those of the part that begins with the pick of number FIRST. False: there is none. */
bool click_next(struct click *c, uint32_t first, int64_t *stack, uint64_t *weight);
/* The frames of STACK, LEB128. False: the servers do not know it. */
bool click_stack(const struct click *c, int64_t stack, struct cursor *frames);

/* ---- stacks by the names in them (parser/store/click_match.c) ---- */

/* Which frames are as CHOICE says: what follows asks for no others. */
CHECKED int click_match(struct click *c, const struct store_choice *choice);
/* " AND ..." for a row of "sample", where CHOICE has patterns. */
void click_where_patterns(struct buf *out, const struct store_choice *c);
/* The stack that rows are summed up by: an expression, and what else to group by with it. */
void click_put_stack(struct buf *out, const struct store_choice *c);
void click_put_group(struct buf *out, const struct store_choice *c);

/* ---- the texts of its questions (parser/store/click_sql.c) ---- */

/* TEXT as a literal. */
void click_literal(struct buf *out, const char *text);
/* COLUMN is one of COUNT texts. */
void click_where_in(struct buf *out, const char *column, const char *const *texts, size_t count);
/* " AND ..." for a row of "capture" (its labels, its time), and for one of "sample" (its event, its
 * time). */
void click_where_capture(struct buf *out, const struct store_choice *c);
void click_where_sample(struct buf *out, const struct store_choice *c, const char *event);
/* " AND ..." for rows that have a time. */
void click_where_time(struct buf *out, const struct store_choice *c);
/* Tables by these names, or as shards of CLUSTER unless that is NULL. */
void click_schema(struct buf *out, const char *cluster, const char *database);

#endif
