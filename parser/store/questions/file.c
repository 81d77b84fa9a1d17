/* SQLite's SQL for the questions: of whole captures, from their totals. Frames of a stack, LEB128,
 * are taken apart by a recursive query over their bytes. */
#include "parser/base/buf.h"
#include "parser/store/latency/latency.h"
#include "parser/store/questions/glob.h"
#include "parser/store/questions/questions.h"
#include "parser/store/store.h"

#include <inttypes.h>

const char store_file_schema[] =
	"CREATE TABLE capture(id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, path TEXT,"
	""
	" host TEXT, release TEXT, arch TEXT, command TEXT, wall_ns INT, first_ns INT, last_ns INT,"
	" step_ns INT, lost INT, samples INT, cpus INT, wide INT, threads BLOB);\n"
	"CREATE TABLE label(cap INT, key TEXT, value TEXT, PRIMARY KEY(cap, key, value))"
	" WITHOUT ROWID;\n"
	"CREATE INDEX label_value ON label(key, value, cap);\n"
	"CREATE TABLE event(cap INT, id INT, name TEXT, unit TEXT, squares REAL, rate INT,"
	" counts INT, weight INT, samples INT, PRIMARY KEY(cap, id)) WITHOUT ROWID;\n"
	"CREATE TABLE frame(id INTEGER PRIMARY KEY, key INT UNIQUE, name TEXT, module TEXT,"
	" kind INT);\n"
	"CREATE TABLE stack(id INTEGER PRIMARY KEY, frames BLOB);\n"
	"CREATE TABLE total(cap INT, event INT, stack INT, weight INT, samples INT,"
	" PRIMARY KEY(cap, event, stack)) WITHOUT ROWID;\n"
	"CREATE TABLE chunk(cap INT, event INT, number INT, first INT, last INT, data BLOB,"
	" PRIMARY KEY(cap, event, number)) WITHOUT ROWID;\n" STORE_ADDRESS_SCHEMA ";\n"
	"PRAGMA user_version=" STORE_VERSION ";\n";

/* https://sqlite.org/lang_expr.html: a quote within a text stands twice. */
static void put_literal(struct buf *out, const char *text)
{
	buf_char(out, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			buf_char(out, '\'');
		buf_char(out, *text);
	}
	buf_char(out, '\'');
}

static void where_labels(const struct store_choice *c, struct buf *out)
{
	for (size_t k = 0; k < c->label_count; k++) {
		const char *between = "";

		if (!choice_key_is_first(c, k))
			continue;
		buf_str(out, "\n  AND capture.id IN (SELECT cap FROM label WHERE key = ");
		put_literal(out, c->labels[k].key);
		buf_str(out, " AND value IN (");
		for (size_t i = k; i < c->label_count; i++) {
			if (strcmp(c->labels[i].key, c->labels[k].key))
				continue;
			buf_str(out, between);
			put_literal(out, c->labels[i].value);
			between = ", ";
		}
		buf_str(out, "))");
	}
	if (c->from_ns || c->to_ns)
		buf_printf(out,
			   "\n  AND ifnull(wall_ns, 0) + first_ns >= %" PRId64
			   " AND ifnull(wall_ns, 0) + last_ns < %" PRId64,
			   c->from_ns, c->to_ns);
}

/* COLUMN is a name, or matches it as a pattern. */
static void where_matches(const char *column, const char *pattern, struct buf *out)
{
	struct buf glob = { 0 };

	buf_printf(out, "(%s = ", column);
	put_literal(out, pattern);
	if (strpbrk(pattern, GLOB_SPECIAL) && glob_sqlite(&glob, pattern)) {
		buf_printf(out, " OR %s GLOB ", column);
		put_literal(out, glob.data);
	}
	buf_char(out, ')');
	buf_release(&glob);
}

/* Stacks in which a frame is as is said. */
static void where_patterns(const struct store_choice *c, const char *key, const char *column,
			   const char *which, struct buf *out)
{
	const char *between = "";

	for (size_t i = 0; i < c->pattern_count; i++) {
		if (strcmp(c->patterns[i].key, key))
			continue;
		if (!*between)
			buf_printf(out, "\n  AND stack IN (SELECT stack FROM frames WHERE %s AND (",
				   which);
		buf_str(out, between);
		where_matches(column, c->patterns[i].value, out);
		between = " OR ";
	}
	if (*between)
		buf_str(out, "))");
}

/* A capture's value of a label; '' where it has none, as of ClickHouse. */
static void put_label(const char *key, struct buf *out)
{
	buf_str(out, "ifnull((SELECT min(value) FROM label WHERE cap = capture.id AND key = ");
	put_literal(out, key);
	buf_str(out, "), '')");
}

static void put_picked(const struct store_asking *a, struct buf *out)
{
	const struct store_choice *c = a->choice;

	buf_str(out, "WITH RECURSIVE\npicked(cap, event, part, at) AS (\n"
		     "  SELECT capture.id, event.id, ");
	if (c->each && strcmp(c->each, "capture")) {
		put_label(c->each, out);
	} else {
		buf_str(out, c->each ? "path || '#' || capture.id" : "''");
	}
	buf_str(out, ",\n    wall_ns + first_ns\n"
		     "  FROM capture JOIN event ON event.cap = capture.id\n"
		     "  WHERE event.name = ");
	put_literal(out, c->event);
	where_labels(c, out);
	buf_str(out, "),\n");
}

/* By stack: what it has of PICKED; its frames, each with its place and whether it is the last. */
static void put_frames(struct buf *out)
{
	buf_str(out, "used(stack) AS (\n"
		     "  SELECT DISTINCT stack FROM total JOIN picked USING (cap, event)),\n"
		     "byte(value, digits) AS (\n"
		     "  SELECT 0, '00' UNION ALL\n"
		     "  SELECT value + 1, printf('%02X', value + 1) FROM byte\n"
		     "  WHERE value < 255),\n"
		     "bytes(stack, digits, at, sum, shift, place, id) AS (\n"
		     "  SELECT id, hex(frames), 1, 0, 0, 0, NULL FROM stack WHERE id IN used\n"
		     "  UNION ALL\n"
		     "  SELECT stack, bytes.digits, at + 2,\n"
		     "    CASE WHEN value < 128 THEN 0 ELSE sum | (value & 127) << shift END,\n"
		     "    CASE WHEN value < 128 THEN 0 ELSE shift + 7 END, place + (value < 128),\n"
		     "    CASE WHEN value < 128 THEN sum | value << shift END\n"
		     "  FROM bytes JOIN byte ON byte.digits = substr(bytes.digits, at, 2)),\n"
		     "frames(stack, place, last, name, module) AS (\n"
		     "  SELECT stack, place, at > length(digits), replace(name, ';', ':'), module\n"
		     "  FROM bytes JOIN frame USING (id) WHERE bytes.id IS NOT NULL),\n");
}

static void put_weights(const struct store_asking *a, struct buf *out)
{
	buf_str(out, "weights(part, at, stack, weight) AS (\n"
		     "  SELECT part, at, stack, weight FROM total JOIN picked USING (cap, event)\n"
		     "  WHERE 1");
	where_patterns(a->choice, "comm", "name", "place = 1", out);
	where_patterns(a->choice, "module", "module", "place > 1", out);
	where_patterns(a->choice, "symbol", "name", "place > 1", out);
	buf_str(out, ")\n");
}

static void put_trend(const struct store_asking *a, struct buf *out)
{
	buf_str(out, "SELECT strftime('%Y-%m-%d %H:00:00', at / 1000000000, 'unixepoch') AS hour,\n"
		     "  sum(weight) AS weight, sum(CASE WHEN stack IN (\n"
		     "    SELECT stack FROM frames WHERE place > 1 AND ");
	where_matches("name", a->function, out);
	buf_str(out, ")\n    THEN weight ELSE 0 END) AS function\n"
		     "FROM weights WHERE at NOT NULL GROUP BY hour ORDER BY hour;\n");
}

static void put_coverage(const struct store_asking *a, struct buf *out)
{
	buf_str(out, "SELECT ");
	put_label("host", out);
	buf_str(out,
		"\n    AS host,\n"
		"  count(*) AS captures,\n"
		"  CASE WHEN count(wall_ns) = count(*) THEN\n"
		"    datetime(min(wall_ns + first_ns) / 1000000000, 'unixepoch') END AS first,\n"
		"  CASE WHEN count(wall_ns) = count(*) THEN\n"
		"    datetime(max(wall_ns + last_ns) / 1000000000, 'unixepoch') END AS last,\n"
		"  sum(last_ns - first_ns) AS recorded_ns, sum(samples) AS samples,\n"
		"  sum(lost) AS lost\n"
		"FROM capture WHERE 1");
	where_labels(a->choice, out);
	buf_str(out, "\nGROUP BY 1 ORDER BY 1;\n");
}

static void put_lengths(const struct store_asking *a, struct buf *out)
{
	const char *by = a->kind_count > 1 ? "what, kind" : "comm", *between = "";

	buf_printf(out,
		   "SELECT %s, sum(count) AS count, sum(sum) AS total_ns, max(max) AS max_ns\n"
		   "FROM latency JOIN capture ON capture.id = latency.cap\nWHERE kind IN (",
		   by);
	for (size_t i = 0; i < a->kind_count; i++) {
		buf_str(out, i ? ", " : "");
		put_literal(out, a->kinds[i]);
	}
	buf_char(out, ')');
	for (size_t i = 0; i < a->choice->pattern_count; i++) {
		buf_str(out, *between ? between : "\n  AND (");
		where_matches("comm", a->choice->patterns[i].value, out);
		between = " OR ";
	}
	buf_str(out, *between ? ")" : "");
	where_labels(a->choice, out);
	buf_printf(out, "\nGROUP BY %s ORDER BY total_ns DESC, %s;\n", by, by);
}

void file_question(const struct store_asking *a, struct buf *out)
{
	if (a->question == STORE_SCHEMA) {
		buf_str(out, store_file_schema);
		buf_str(out, latency_schema);
		return;
	}
	if (a->question == STORE_COVERAGE) {
		put_coverage(a, out);
		return;
	}
	if (a->question == STORE_LENGTHS) {
		put_lengths(a, out);
		return;
	}
	put_picked(a, out);
	put_frames(out);
	put_weights(a, out);
	if (a->question == STORE_TOP)
		buf_str(out,
			"SELECT name, sum(CASE WHEN leaf THEN weight ELSE 0 END) AS self,\n"
			"  sum(weight) AS total\n"
			"FROM (SELECT stack, name, max(last) AS leaf FROM frames\n"
			"  GROUP BY stack, name)\n"
			"  JOIN (SELECT stack, sum(weight) AS weight FROM weights GROUP BY stack)\n"
			"  USING (stack)\n"
			"GROUP BY name ORDER BY total DESC, name LIMIT 50;\n");
	else if (a->question == STORE_FLAME)
		buf_str(out, "SELECT part, folded, sum(weight) AS weight FROM weights\n"
			     "JOIN (SELECT stack, group_concat(name, ';') AS folded\n"
			     "  FROM (SELECT stack, name FROM frames ORDER BY stack, place)\n"
			     "  GROUP BY stack) USING (stack)\n"
			     "GROUP BY part, folded ORDER BY part, folded;\n");
	else if (a->question == STORE_TREND)
		put_trend(a, out);
	else
		buf_str(out, "SELECT name, datetime(min(at) / 1000000000, 'unixepoch') AS first\n"
			     "FROM weights JOIN frames USING (stack) WHERE place > 1\n"
			     "GROUP BY name ORDER BY min(at) IS NULL, min(at), name;\n");
}
