/* Histograms in a store's file: a row by capture, kind, step, command and what; its buckets are
 * LEB128, the distance from the bucket before and how many it has. */
#include "parser/base/cursor.h"
#include "parser/base/hdr.h"
#include "parser/base/mem.h"
#include "parser/store/latency/latency.h"
#include "parser/store/store.h"

#include <stdlib.h>

const char latency_schema[] =
	"CREATE TABLE IF NOT EXISTS latency(cap INT, kind TEXT, step INT, comm TEXT, what TEXT,"
	" count INT, sum INT, max INT, buckets BLOB, PRIMARY KEY(cap, kind, step, comm, what))"
	" WITHOUT ROWID;\n";

static void pack(const struct store_latency *l, struct buf *out)
{
	uint32_t before = 0;

	out->len = 0;
	for (size_t i = 0; i < l->bucket_count; i++) {
		put_uleb(out, l->buckets[i].bucket - before);
		put_uleb(out, l->buckets[i].count);
		before = l->buckets[i].bucket;
	}
}

int latency_add(struct sql *s, const struct store_capture *c, int64_t id)
{
	sqlite3_stmt *add = sql_prepare(s, "INSERT INTO latency VALUES(?,?,?,?,?,?,?,?,?)");
	struct buf buckets = { 0 };
	int rc = add ? 0 : ERR_IO;

	for (size_t i = 0; rc == 0 && i < c->latency_count; i++) {
		const struct store_latency *l = &c->latencies[i];

		pack(l, &buckets);
		rc = sql_run(s, add,
			     SQL_VALUES(SQL_INT(id), SQL_TEXT(l->kind), SQL_INT(l->step),
					SQL_TEXT(l->comm), SQL_TEXT(l->what), SQL_INT(l->count),
					SQL_INT(l->sum_ns), SQL_INT(l->max_ns),
					SQL_BYTES(buckets.data, buckets.len)));
	}
	buf_release(&buckets);
	sql_end(s, add);
	return rc;
}

/* ---- reading ---- */

struct reading {
	struct sql *sql;
	const struct store_latency_asking *asking;
	const struct picks *picks;
	sqlite3_stmt *rows;
	struct store_bucket *buckets;
	size_t cap;
};

/* False: they are none of L's. */
static bool unpack(struct reading *r, struct cursor c, struct store_latency *l)
{
	uint64_t bucket = 0, sum = 0;

	l->bucket_count = 0;
	while (!c.bad && cursor_left(&c)) {
		uint64_t count;

		bucket += cursor_uleb(&c);
		count = cursor_uleb(&c);
		if (bucket >= HDR_BUCKETS || __builtin_add_overflow(sum, count, &sum))
			return false;
		r->buckets = xgrow(r->buckets, &r->cap, l->bucket_count + 1, sizeof(*r->buckets));
		r->buckets[l->bucket_count++] = (struct store_bucket){ (uint32_t)bucket, count };
	}
	l->buckets = r->buckets;
	return !c.bad && sum == l->count;
}

static int take_row(struct reading *r, const struct pick *p, const char *kind)
{
	const struct sql_calls *calls = &r->sql->calls;
	const char *part = r->asking->choice->each ? intern_str(&r->picks->texts, p->part) : NULL;
	char *comm = store_text(r->sql, r->rows, 0), *what = store_text(r->sql, r->rows, 1);
	struct store_latency l = { .kind = kind,
				   .comm = comm,
				   .what = what,
				   .step = (uint64_t)calls->column_int(r->rows, 2),
				   .count = (uint64_t)calls->column_int(r->rows, 3),
				   .sum_ns = (uint64_t)calls->column_int(r->rows, 4),
				   .max_ns = (uint64_t)calls->column_int(r->rows, 5) };
	struct cursor c = cursor_make(calls->column_blob(r->rows, 6),
				      (size_t)calls->column_bytes(r->rows, 6), false);
	int rc = 0;

	if (unpack(r, c, &l)) {
		r->asking->fn(r->asking->ctx, part, &l);
	} else {
		warn_add(r->sql->warnings, SEV_FATAL, "store",
			 "%s: a histogram of capture %lld is damaged", r->sql->path,
			 (long long)p->capture);
		rc = ERR_FORMAT;
	}
	free(comm);
	free(what);
	return rc;
}

/* 1: capture P has some. */
static int read_pick(struct reading *r, const struct pick *p)
{
	int64_t from = p->to_step ? (int64_t)p->from_step : INT64_MIN;
	int64_t to = p->to_step ? (int64_t)p->to_step : INT64_MAX;
	int rc = 0, any = 0;

	for (size_t i = 0; rc == 0 && i < r->asking->kind_count; i++) {
		const char *kind = r->asking->kinds[i];

		rc = sql_run(r->sql, r->rows,
			     SQL_VALUES(SQL_INT(p->capture), SQL_TEXT(kind), SQL_INT(from),
					SQL_INT(to)));
		any |= rc == 1;
		while (rc == 1)
			rc = take_row(r, p, kind) ?: sql_next(r->sql, r->rows);
	}
	return rc ?: any;
}

/* 1: there is a table of them. */
static int has_table(struct sql *s)
{
	sqlite3_stmt *find =
		sql_prepare(s, "SELECT 1 FROM sqlite_master WHERE type='table' AND name='latency'");
	int rc = find ? sql_next(s, find) : ERR_IO;

	sql_end(s, find);
	return rc;
}

int latency_read(struct sql *s, const struct store_latency_asking *a, const struct picks *picks,
		 size_t *without)
{
	struct reading r = { .sql = s, .asking = a, .picks = picks };
	int rc = has_table(s);

	*without = picks->count;
	if (rc != 1)
		return rc;
	r.rows = sql_prepare(s, "SELECT comm, what, step, count, sum, max, buckets FROM latency"
				" WHERE cap=? AND kind=? AND step>=? AND step<?");
	rc = r.rows ? 0 : ERR_IO;
	for (size_t i = 0; rc == 0 && i < picks->count; i++) {
		rc = read_pick(&r, &picks->list[i]);
		*without -= rc == 1;
		rc = rc < 0 ? rc : 0;
	}
	sql_end(s, r.rows);
	free(r.buckets);
	return rc ?: sql_check(s);
}
