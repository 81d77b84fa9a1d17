/* From the chunks of a file; threads are those of each capture. */
#include "parser/base/mem.h"
#include "parser/store/steps/steps.h"

#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

struct reading {
	struct store_steps *steps;
	struct store_rows *rows;
	struct warnings *warnings;
	const struct pick *of;
	uint32_t *threads; /* of the capture: their numbers */
	size_t thread_count, thread_cap;
};

/* parser/store/facts.c packs them. False: that are none. */
static bool take_threads(struct reading *r, struct cursor c)
{
	r->thread_count = 0;
	while (!c.bad && cursor_left(&c)) {
		uint32_t pid = (uint32_t)cursor_uleb(&c) - 1, tid = (uint32_t)cursor_uleb(&c) - 1;
		const char *end = memchr(c.pos, '\0', cursor_left(&c));
		struct cursor comm;

		if (!end)
			return false;
		comm = cursor_sub(&c, (size_t)(end - (const char *)c.pos));
		cursor_skip(&c, 1);
		r->threads =
			xgrow(r->threads, &r->thread_cap, r->thread_count + 1, sizeof(*r->threads));
		r->threads[r->thread_count++] = steps_thread(r->steps, pid, tid, &comm);
	}
	return !c.bad;
}

static int read_threads(struct reading *r, sqlite3_stmt *threads)
{
	struct sql *s = rows_sql(r->rows);
	int rc = sql_run(s, threads, SQL_VALUES(SQL_INT(r->of->capture)));

	if (rc != 1)
		return rc < 0 ? rc : rows_damaged(r->rows, "capture", r->of->capture);
	return take_threads(r, cursor_make(s->calls.column_blob(threads, 0),
					   (size_t)s->calls.column_bytes(threads, 0), false))
		       ? 0
		       : rows_damaged(r->rows, "a thread of capture", r->of->capture);
}

/* A step begins with the capture at the earliest; before 1970 there is none. */
static uint64_t begin_of(const struct pick *p, uint64_t step)
{
	int64_t ns;

	if (__builtin_mul_overflow(step, p->step_ns, &ns) ||
	    __builtin_add_overflow(MAX(ns, p->first_ns), p->wall_ns, &ns))
		return 0;
	return (uint64_t)MAX(ns, 0);
}

static int take_cell(void *ctx, int64_t stack, const struct chunk_cell *cell)
{
	struct reading *r = ctx;
	uint32_t place = rows_find(r->rows, stack);
	struct store_step row = { .begin_ns = begin_of(r->of, cell->step),
				  .weight = cell->weight,
				  .samples = cell->samples,
				  .cpu = cell->cpu,
				  .stack = place };

	if (cell->thread >= r->thread_count || place == ROWS_UNKNOWN)
		return rows_damaged(r->rows, "a part of capture", r->of->capture);
	row.thread = r->threads[cell->thread];
	return place == ROWS_LEFT_OUT ? 0 : steps_add(r->steps, &row, r->warnings);
}

int steps_read_file(struct store_steps *out, struct store_rows *rows, struct warnings *w)
{
	const struct picks *picks = rows_picks(rows);
	struct reading r = { .steps = out, .rows = rows, .warnings = w };
	sqlite3_stmt *threads =
		sql_prepare(rows_sql(rows), "SELECT threads FROM capture WHERE id=?");
	int rc = threads ? 0 : ERR_IO;

	for (size_t i = 0; rc == 0 && i < picks->count; i++) {
		r.of = &picks->list[i];
		rc = read_threads(&r, threads);
		if (rc == 0)
			rc = rows_cells(rows, r.of, take_cell, &r);
	}
	sql_end(rows_sql(rows), threads);
	free(r.threads);
	return rc ?: sql_check(rows_sql(rows));
}
