/* Histograms on ClickHouse: rows as in a file, with their buckets as arrays, which the shards add
 * up. */
#include "parser/base/hdr.h"
#include "parser/base/mem.h"
#include "parser/store/click_rows.h"
#include "parser/store/latency/latency.h"

#include <stdlib.h>

static void put_row(struct buf *out, const struct store_capture *c, uint64_t cap,
		    const struct store_latency *l)
{
	click_put_time(out, c, l->step);
	click_put_u64(out, cap);
	click_put_text(out, l->kind);
	click_put_text(out, l->comm);
	click_put_text(out, l->what);
	click_put_u64(out, l->count);
	click_put_u64(out, l->sum_ns);
	click_put_u64(out, l->max_ns);
	put_uleb(out, l->bucket_count);
	for (size_t i = 0; i < l->bucket_count; i++) {
		uint16_t bucket = htole16((uint16_t)l->buckets[i].bucket);

		buf_add(out, &bucket, sizeof(bucket));
	}
	put_uleb(out, l->bucket_count);
	for (size_t i = 0; i < l->bucket_count; i++)
		click_put_u64(out, l->buckets[i].count);
}

int click_latency_add(struct click *k, const struct store_capture *c, uint64_t cap)
{
	struct buf rows = { 0 };
	int rc = 0;

	for (size_t i = 0; i < c->latency_count; i++)
		put_row(&rows, c, cap, &c->latencies[i]);
	if (rows.len)
		rc = http_insert(k->http,
				 "INSERT INTO latency (time, ns, cap, kind, comm, what, count, sum,"
				 " max, bucket, number) FORMAT RowBinary",
				 &rows);
	buf_release(&rows);
	return rc;
}

/* ---- reading ---- */

/* Of a text of the question: kinds are names of this program's own. */
static void where(const struct store_latency_asking *a, struct buf *out)
{
	click_where_in(out, "kind", a->kinds, a->kind_count);
	click_where_time(out, a->choice);
}

static char *take_text(struct cursor *c)
{
	size_t len = cursor_uleb(c);
	const char *bytes = cursor_take(c, len);

	return store_text_of(bytes, bytes ? len : 0);
}

/* Two arrays of one length: a list for the caller to free. */
static struct store_bucket *take_buckets(struct cursor *c, struct store_latency *l)
{
	size_t n = cursor_uleb(c);
	struct store_bucket *list;
	uint64_t sum = 0;

	if (n > HDR_BUCKETS || n > cursor_left(c)) {
		c->bad = true;
		return NULL;
	}
	list = xcalloc(n + 1, sizeof(*list));
	for (size_t i = 0; i < n; i++) {
		list[i].bucket = cursor_u16(c);
		c->bad |= list[i].bucket >= HDR_BUCKETS;
	}
	c->bad |= cursor_uleb(c) != n;
	for (size_t i = 0; i < n; i++) {
		list[i].count = cursor_u64(c);
		c->bad |= __builtin_add_overflow(sum, list[i].count, &sum);
	}
	c->bad |= sum != l->count;
	l->buckets = list;
	l->bucket_count = n;
	return list;
}

/* False: it is no row. */
static bool take_row(const struct store_latency_asking *a, const struct picks *picks,
		     struct cursor *c)
{
	uint32_t first = cursor_u32(c);
	char *kind = take_text(c), *comm = take_text(c), *what = take_text(c);
	struct store_latency l = { .kind = kind, .comm = comm, .what = what };
	struct store_bucket *buckets;

	l.count = cursor_u64(c);
	l.sum_ns = cursor_u64(c);
	l.max_ns = cursor_u64(c);
	buckets = take_buckets(c, &l);
	c->bad |= first >= picks->count;
	if (!c->bad)
		a->fn(a->ctx,
		      a->choice->each ? intern_str(&picks->texts, picks->list[first].part) : NULL,
		      &l);
	free(buckets);
	free(kind);
	free(comm);
	free(what);
	return !c->bad;
}

static int ask_sums(struct click *k, const struct store_latency_asking *a,
		    const struct picks *picks, const struct buf *picked)
{
	struct buf query = { 0 }, answer = { 0 };
	struct cursor c;
	int rc;

	buf_str(&query, "SELECT part, kind, comm, what, sum(count), sum(sum), max(max),"
			" tupleElement(sumMap(bucket, number) AS m, 1), tupleElement(m, 2)"
			" FROM latency"
			" GLOBAL ANY INNER JOIN (SELECT cap, part FROM picked) USING cap WHERE ");
	where(a, &query);
	buf_str(&query, " GROUP BY part, kind, comm, what FORMAT RowBinary");
	rc = click_ask_picked(k, &query, picked, &answer);
	c = cursor_make(answer.data, answer.len, false);
	while (rc == 0 && cursor_left(&c))
		rc = take_row(a, picks, &c) ? 0 : click_malformed(k, "latencies");
	buf_release(&query);
	buf_release(&answer);
	return rc;
}

static int ask_without(struct click *k, const struct store_latency_asking *a,
		       const struct buf *picked, size_t *without)
{
	struct buf query = { 0 }, answer = { 0 };
	struct cursor c;
	int rc;

	buf_str(&query, "SELECT uniqExact(cap) FROM latency WHERE cap GLOBAL IN"
			" (SELECT cap FROM picked) AND ");
	where(a, &query);
	buf_str(&query, " FORMAT RowBinary");
	rc = click_ask_picked(k, &query, picked, &answer);
	c = cursor_make(answer.data, answer.len, false);
	if (rc == 0) {
		uint64_t with = cursor_u64(&c);

		if (c.bad || with > *without)
			rc = click_malformed(k, "latencies");
		else
			*without -= with;
	}
	buf_release(&query);
	buf_release(&answer);
	return rc;
}

int click_latency_read(struct click *k, const struct store_latency_asking *a,
		       const struct picks *picks, size_t *without)
{
	struct buf picked = { 0 };
	int rc = 0;

	*without = picks->count;
	click_put_picks(k, picks, a->choice->each, false, &picked);
	if (picks->count)
		rc = ask_sums(k, a, picks, &picked) ?: ask_without(k, a, &picked, without);
	buf_release(&picked);
	return rc;
}
