/* Sums that the shards make, by step: no more rows come than are wanted, or one, which tells that
 * steps have to be longer. */
#include "parser/store/click_rows.h"
#include "parser/store/content.h"
#include "parser/store/steps/steps.h"

#include <inttypes.h>

/* False: it is no row. */
static int take_row(struct store_steps *out, struct store_rows *r, struct cursor *c,
		    struct warnings *w)
{
	struct store_step row = { .begin_ns = cursor_u64(c) };
	struct cursor comm = cursor_sub(c, cursor_uleb(c));
	uint16_t cpu = cursor_u16(c);
	uint32_t pid = cursor_u32(c), tid = cursor_u32(c);
	const struct content_id *stack = cursor_take(c, sizeof(*stack));

	row.weight = cursor_u64(c);
	row.samples = cursor_u64(c);
	row.cpu = cpu == UINT16_MAX ? STORE_NONE : cpu;
	row.stack = c->bad ? ROWS_UNKNOWN : rows_find(r, content_number(stack));
	if (row.stack == ROWS_UNKNOWN)
		return click_malformed(rows_click(r), "samples");
	if (row.stack == ROWS_LEFT_OUT)
		return 0;
	row.thread = steps_thread(out, pid, tid, &comm);
	return steps_add(out, &row, w);
}

static int ask(struct store_steps *out, struct store_rows *r, const struct buf *picked,
	       struct buf *answer)
{
	struct buf query = { 0 };
	int rc;

	buf_printf(&query,
		   "SELECT intDiv(toUInt64(time) * 1000000000 + ns, %" PRIu64 ") * %" PRIu64
		   " AS begin, comm, cpu, pid, tid, stack, sum(weight), sum(samples) FROM sample"
		   " WHERE cap GLOBAL IN (SELECT cap FROM picked) AND ",
		   out->step_ns, out->step_ns);
	rows_where_sample(r, &query);
	buf_printf(&query, " GROUP BY begin, comm, cpu, pid, tid, stack LIMIT %zu FORMAT RowBinary",
		   out->most + 1);
	rc = click_ask_picked(rows_click(r), &query, picked, answer);
	buf_release(&query);
	return rc;
}

int steps_read_remote(struct store_steps *out, struct store_rows *r, struct warnings *w)
{
	struct buf picked = { 0 }, answer = { 0 };
	size_t count = out->most + 1;
	int rc = 0;

	click_put_picks(rows_click(r), rows_picks(r), false, false, &picked);
	while (rc == 0 && count > out->most) {
		struct cursor c;

		rc = ask(out, r, &picked, &answer);
		c = cursor_make(answer.data, answer.len, false);
		for (count = out->count = 0; rc == 0 && cursor_left(&c); count++)
			rc = take_row(out, r, &c, w);
		if (rc == 0 && count > out->most)
			rc = steps_lengthen(out, w);
	}
	buf_release(&picked);
	buf_release(&answer);
	return rc;
}
