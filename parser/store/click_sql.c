/* ClickHouse's SQL: the tables, and conditions of a choice. Written for 18.16, which Debian has,
 * and read by newer ones: no codecs, no TTL, no common table expressions. Texts of a user become
 * literals by click_literal() alone. */
#include "parser/base/mem.h"
#include "parser/store/click.h"
#include "parser/store/questions.h"

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

/* ---- questions ---- */

/* A glob of fnmatch(3) as a regular expression of RE2, as a literal. */
static void put_regex(struct buf *out, const char *glob)
{
	struct buf regex = { 0 };

	buf_char(&regex, '^');
	for (; *glob; glob++) {
		if (*glob == '*')
			buf_str(&regex, ".*");
		else if (*glob == '?')
			buf_char(&regex, '.');
		else if (*glob == '[' && strchr(glob + 1, ']'))
			while (buf_char(&regex, *glob == '!' ? '^' : *glob), *glob != ']')
				glob++;
		else if (strchr("\\.+^$(){}|[]", *glob))
			buf_printf(&regex, "\\%c", *glob);
		else
			buf_char(&regex, *glob);
	}
	buf_char(&regex, '$');
	click_literal(out, regex.data);
	buf_release(&regex);
}

static void where_matches(const char *column, const char *pattern, struct buf *out)
{
	buf_printf(out, "%s = ", column);
	click_literal(out, pattern);
	buf_printf(out, " OR match(%s, ", column);
	put_regex(out, pattern);
	buf_char(out, ')');
}

/* Stacks of which one of these FRAMES, an array, is as is said. */
static void where_patterns(const struct store_choice *c, const char *key, const char *frames,
			   struct buf *out)
{
	const char *between = "";

	for (size_t i = 0; i < c->pattern_count; i++) {
		if (strcmp(c->patterns[i].key, key))
			continue;
		if (!*between)
			buf_printf(out,
				   "\n    AND stack GLOBAL IN (SELECT stack FROM stack"
				   " ARRAY JOIN %s AS id WHERE id GLOBAL IN\n"
				   "      (SELECT id FROM frame WHERE ",
				   frames);
		buf_str(out, between);
		where_matches(!strcmp(key, "module") ? "module" : "name", c->patterns[i].value,
			      out);
		between = " OR ";
	}
	if (*between)
		buf_str(out, "))");
}

/* Beside a capture: its value of "each", or when it began. */
enum beside { NOTHING, PART, START };

/* Of each hash the one that counts. */
static void put_captures(const struct store_choice *c, enum beside what, struct buf *out)
{
	buf_str(out, "SELECT min(cap) AS cap");
	if (what == START) {
		buf_str(out, ", any(wall_ns + toInt64(first_ns)) AS start");
	} else if (what == PART && !strcmp(c->each, "capture")) {
		buf_str(out, ", any(path) AS part");
	} else if (what == PART) {
		buf_str(out, ", any(arraySort(arrayFilter((v, k) -> k = ");
		click_literal(out, c->each);
		buf_str(out, ", labels.value, labels.key))[1]) AS part");
	}
	buf_str(out, " FROM capture WHERE 1");
	click_where_capture(out, c);
	buf_str(out, " GROUP BY hash");
}

/* COLUMNS of the samples that were chosen. */
static void put_samples(const struct store_asking *a, const char *columns, enum beside what,
			struct buf *out)
{
	const struct store_choice *c = a->choice;

	buf_printf(out, "SELECT %s FROM sample\n    %s (", columns,
		   what ? "GLOBAL ANY INNER JOIN" : "WHERE cap GLOBAL IN");
	put_captures(c, what, out);
	buf_str(out, what ? ") USING cap\n    WHERE " : ")\n    AND ");
	click_where_sample(out, c, c->event);
	where_patterns(c, "comm", "[frames[1]]", out);
	where_patterns(c, "module", "arrayPopFront(frames)", out);
	where_patterns(c, "symbol", "arrayPopFront(frames)", out);
}

/* By stack and place: the name of each frame. WEIGHTS: columns of the stack, "w"; THEM: the stacks.
 */
static void put_frames(const char *columns, const struct buf *them, struct buf *out)
{
	buf_printf(out,
		   "(SELECT %s, place, last, name FROM\n"
		   "  (SELECT %s, id, place, place = length(frames) AS last FROM\n"
		   "    (SELECT %s, frames FROM (%s)\n"
		   "    ANY LEFT JOIN (SELECT stack, any(frames) AS frames FROM stack\n"
		   "      GROUP BY stack) USING stack)\n"
		   "    ARRAY JOIN frames AS id, arrayEnumerate(frames) AS place)\n"
		   "  ANY LEFT JOIN (SELECT id, any(replaceAll(name, ';', ':')) AS name\n"
		   "    FROM frame GROUP BY id) USING id)\n",
		   columns, columns, columns, them->data);
}

static void put_top(const struct store_asking *a, struct buf *out)
{
	struct buf them = { 0 };

	put_samples(a, "stack, sum(weight) AS w", NOTHING, &them);
	buf_str(&them, "\n    GROUP BY stack");
	buf_str(out, "SELECT name, sum(w * leaf) AS self, sum(w) AS total FROM\n"
		     "(SELECT stack, any(w) AS w, name, max(last) AS leaf FROM\n");
	put_frames("stack, w", &them, out);
	buf_str(out, "GROUP BY stack, name) GROUP BY name ORDER BY total DESC, name LIMIT 50;\n");
	buf_release(&them);
}

static void put_flame(const struct store_asking *a, struct buf *out)
{
	const char *part = a->choice->each ? "part, " : "";
	struct buf them = { 0 }, columns = { 0 };

	buf_printf(&columns, "%sstack, sum(weight) AS w", part);
	put_samples(a, columns.data, a->choice->each ? PART : NOTHING, &them);
	buf_printf(&them, "\n    GROUP BY %sstack", part);
	buf_printf(out,
		   "SELECT %sfolded, sum(w) AS weight FROM\n"
		   "(SELECT %sstack, any(w) AS w, arrayStringConcat(arraySort((n, p) -> p,\n"
		   "  groupArray(name), groupArray(place)), ';') AS folded FROM\n",
		   part, part);
	columns.len = 0;
	buf_printf(&columns, "%sstack, w", part);
	put_frames(columns.data, &them, out);
	buf_printf(out, "GROUP BY %sstack) GROUP BY %sfolded ORDER BY %sfolded;\n", part, part,
		   part);
	buf_release(&them);
	buf_release(&columns);
}

/* Rows as Grafana's flame graph panel takes them: depth first, each behind the one that it lies in.
 */
static void put_grafana(const struct store_asking *a, struct buf *out)
{
	struct buf them = { 0 };

	put_samples(a, "stack, sum(weight) AS w", NOTHING, &them);
	buf_str(&them, "\n    GROUP BY stack");
	buf_str(out,
		"SELECT length(path) - 1 AS level, path[-1] AS label, sum(w) AS value,\n"
		"  sum(w * leaf) AS self FROM\n"
		"(SELECT w, arraySlice(names, 1, n) AS path, n = length(names) AS leaf FROM\n"
		"(SELECT any(w) AS w, arraySort((n, p) -> p, groupArray(name), groupArray(place))\n"
		"  AS names FROM\n");
	put_frames("stack, w", &them, out);
	buf_str(out, "GROUP BY stack) ARRAY JOIN arrayEnumerate(names) AS n)\n"
		     "GROUP BY path ORDER BY path;\n");
	buf_release(&them);
}

static void put_trend(const struct store_asking *a, struct buf *out)
{
	buf_str(out, "SELECT hour, sum(w) AS weight, sum(w * (stack GLOBAL IN\n"
		     "  (SELECT stack FROM stack ARRAY JOIN arrayPopFront(frames) AS id\n"
		     "    WHERE id GLOBAL IN\n"
		     "    (SELECT id FROM frame WHERE ");
	where_matches("name", a->function, out);
	buf_str(out, ")))) AS function FROM\n  (");
	put_samples(a,
		    "toStartOfHour(toDateTime(intDiv(start, 1000000000))) AS hour, stack,"
		    " sum(weight) AS w",
		    START, out);
	buf_str(out, "\n    GROUP BY hour, stack)\nGROUP BY hour ORDER BY hour;\n");
}

static void put_first(const struct store_asking *a, struct buf *out)
{
	struct buf them = { 0 };

	put_samples(a, "stack, min(start) AS w", START, &them);
	buf_str(&them, "\n    GROUP BY stack");
	buf_str(out, "SELECT name, toDateTime(intDiv(min(w), 1000000000)) AS first FROM\n");
	put_frames("stack, w", &them, out);
	buf_str(out, "WHERE place > 1 GROUP BY name ORDER BY min(w), name;\n");
	buf_release(&them);
}

static void put_coverage(const struct store_asking *a, struct buf *out)
{
	buf_str(out,
		"SELECT arraySort(arrayFilter((v, k) -> k = 'host', labels.value, labels.key))[1]"
		" AS name,\n  count() AS captures,\n"
		"  toDateTime(intDiv(min(nullIf(wall_ns, 0) + toInt64(first_ns)), 1000000000))\n"
		"    AS first,\n"
		"  toDateTime(intDiv(max(nullIf(wall_ns, 0) + toInt64(last_ns)), 1000000000))\n"
		"    AS last,\n"
		"  sum(last_ns - first_ns) AS recorded_ns, sum(samples) AS samples,\n"
		"  sum(lost) AS lost\n"
		"FROM capture WHERE cap GLOBAL IN (");
	put_captures(a->choice, NOTHING, out);
	buf_str(out, ")\nGROUP BY name ORDER BY name;\n");
}

/* An alias must be no column's name: 18.16 would put it in the place of that. */
static void put_lengths(const struct store_asking *a, struct buf *out)
{
	const char *by = a->kind_count > 1 ? "what, kind" : "comm", *between = "";

	buf_printf(out,
		   "SELECT %s, sum(count) AS durations, sum(sum) AS total_ns, max(max) AS max_ns\n"
		   "FROM latency WHERE cap GLOBAL IN (",
		   by);
	put_captures(a->choice, NOTHING, out);
	buf_str(out, ")\n  AND ");
	click_where_in(out, "kind", a->kinds, a->kind_count);
	click_where_time(out, a->choice);
	for (size_t i = 0; i < a->choice->pattern_count; i++) {
		buf_str(out, *between ? between : "\n  AND (");
		where_matches("comm", a->choice->patterns[i].value, out);
		between = " OR ";
	}
	buf_str(out, *between ? ")" : "");
	buf_printf(out, "\nGROUP BY %s ORDER BY total_ns DESC, %s;\n", by, by);
}

void click_question(const struct store_asking *a, struct buf *out)
{
	switch (a->question) {
	case STORE_NO_QUESTION:
		break;
	case STORE_SCHEMA:
		click_schema(out, a->cluster, a->database);
		break;
	case STORE_TOP:
		put_top(a, out);
		break;
	case STORE_FLAME:
		put_flame(a, out);
		break;
	case STORE_GRAFANA:
		put_grafana(a, out);
		break;
	case STORE_TREND:
		put_trend(a, out);
		break;
	case STORE_FIRST:
		put_first(a, out);
		break;
	case STORE_COVERAGE:
		put_coverage(a, out);
		break;
	case STORE_LENGTHS:
		put_lengths(a, out);
		break;
	}
}
