/* ClickHouse's SQL: the tables, and conditions of a choice. Written for 18.16, which Debian has,
 * and read by newer ones: no codecs, no TTL, no common table expressions. Texts of a user become
 * literals by click_literal() alone. */
#include "parser/base/mem.h"
#include "parser/store/click.h"
#include "parser/store/questions/questions.h"

#include <inttypes.h>

#define NS 1000000000

struct table {
	const char *name, *columns, *engine, *shard;
};

static const struct table tables[] = {
	{ "capture",
	  "cap UInt64, hash FixedString(16), imported UInt64, path String,\n"
	  "  host String, release String, arch String, command String, wall_ns Int64,\n"
	  "  first_ns UInt64, last_ns UInt64, step_ns UInt64, lost UInt64, samples UInt64,\n"
	  "  cpus UInt32, wide UInt8, labels Nested(key String, value String),\n"
	  "  events Nested(name String, unit String, squares Float64, rate UInt64, counts UInt8,\n"
	  "    weight UInt64, samples UInt64)",
	  "ReplacingMergeTree ORDER BY (hash, cap)", "cap" },
	{ "sample",
	  "time DateTime, ns UInt32, cap UInt64, host LowCardinality(String),\n"
	  "  service LowCardinality(String), event LowCardinality(String),\n"
	  "  comm LowCardinality(String), cpu UInt16, pid UInt32, tid UInt32,\n"
	  "  stack FixedString(16), weight UInt64, samples UInt32",
	  "MergeTree PARTITION BY toYYYYMMDD(time)\n"
	  "  ORDER BY (event, service, toStartOfHour(time), stack, time)",
	  "cap" },
	{ "stack", "stack FixedString(16), frames Array(UInt64)",
	  "ReplacingMergeTree ORDER BY stack", "cityHash64(stack)" },
	{ "latency",
	  "time DateTime, ns UInt32, cap UInt64, kind LowCardinality(String),\n"
	  "  comm LowCardinality(String), what LowCardinality(String), count UInt64,\n"
	  "  sum UInt64, max UInt64, bucket Array(UInt16), number Array(UInt64)",
	  "MergeTree PARTITION BY toYYYYMMDD(time)\n"
	  "  ORDER BY (kind, toStartOfHour(time), comm, what, time)",
	  "cap" },
	{ "frame", "id UInt64, name String, module String, kind UInt8",
	  "ReplacingMergeTree ORDER BY id", "id" },
};

void click_literal(struct buf *out, const char *text)
{
	buf_char(out, '\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			buf_char(out, '\\');
		buf_char(out, *text);
	}
	buf_char(out, '\'');
}

void click_where_in(struct buf *out, const char *column, const char *const *texts, size_t count)
{
	buf_printf(out, "%s IN (", column);
	for (size_t i = 0; i < count; i++) {
		buf_str(out, i ? ", " : "");
		click_literal(out, texts[i]);
	}
	buf_char(out, ')');
}

/* Of a key either value. */
static void where_label(struct buf *out, const struct store_choice *c, size_t k)
{
	const char *between = "";

	buf_str(out, " AND arrayExists((k, v) -> k = ");
	click_literal(out, c->labels[k].key);
	buf_str(out, " AND v IN (");
	for (size_t i = k; i < c->label_count; i++) {
		if (strcmp(c->labels[i].key, c->labels[k].key))
			continue;
		buf_str(out, between);
		click_literal(out, c->labels[i].value);
		between = ", ";
	}
	buf_str(out, "), labels.key, labels.value)");
}

void click_where_capture(struct buf *out, const struct store_choice *c)
{
	for (size_t k = 0; k < c->label_count; k++) {
		if (choice_key_is_first(c, k))
			where_label(out, c, k);
	}
	if (c->from_ns || c->to_ns)
		buf_printf(out,
			   " AND wall_ns + toInt64(last_ns) >= %" PRId64
			   " AND wall_ns + toInt64(first_ns) < %" PRId64,
			   c->from_ns, c->to_ns);
}

/* The second is what the table is sorted by; what is finer is asked only where it matters. */
static void where_time(struct buf *out, const char *compare, int64_t ns)
{
	buf_printf(out, " AND time %s toDateTime(%" PRId64 ")",
		   *compare == '<' && ns % NS ? "<=" : compare, ns / NS);
	if (ns % NS)
		buf_printf(out, " AND toInt64(time) * 1000000000 + ns %s %" PRId64, compare, ns);
}

void click_where_time(struct buf *out, const struct store_choice *c)
{
	if (c->from_ns > 0)
		where_time(out, ">=", c->from_ns);
	if (c->to_ns > 0 && c->to_ns / NS <= UINT32_MAX)
		where_time(out, "<", c->to_ns);
}

void click_where_sample(struct buf *out, const struct store_choice *c, const char *event)
{
	buf_str(out, "event = ");
	click_literal(out, event);
	click_where_time(out, c);
}

void click_schema(struct buf *out, const char *cluster, const char *database)
{
	buf_str(out, "SET allow_experimental_low_cardinality_type = 1;\n");
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		const struct table *t = &tables[i];

		buf_printf(out, "CREATE TABLE %s%s (\n  %s\n) ENGINE = %s;\n", t->name,
			   cluster ? "_local" : "", t->columns, t->engine);
		if (!cluster)
			continue;
		buf_printf(out, "CREATE TABLE %s AS %s_local\n  ENGINE = Distributed(", t->name,
			   t->name);
		click_literal(out, cluster);
		buf_str(out, ", ");
		click_literal(out, database);
		buf_printf(out, ", '%s_local', %s);\n", t->name, t->shard);
	}
}
