/* ClickHouse's SQL for the questions. An alias must be no column's name: 18.16 would put it in the
 * place of that. */
#include "parser/store/click.h"
#include "parser/store/questions/glob.h"
#include "parser/store/questions/questions.h"

#include <string.h>

static void where_matches(const char *column, const char *pattern, struct buf *out)
{
	struct buf regex = { 0 };

	buf_printf(out, "%s = ", column);
	click_literal(out, pattern);
	if (strpbrk(pattern, GLOB_SPECIAL) && glob_re2(&regex, pattern)) {
		buf_printf(out, " OR match(%s, ", column);
		click_literal(out, regex.data);
		buf_char(out, ')');
	}
	buf_release(&regex);
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
		buf_str(out, ", any(nullIf(wall_ns, 0) + toInt64(first_ns)) AS start");
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
	buf_str(out, "\n    GROUP BY hour, stack)\n"
		     "WHERE hour IS NOT NULL GROUP BY hour ORDER BY hour;\n");
}

static void put_first(const struct store_asking *a, struct buf *out)
{
	struct buf them = { 0 };

	put_samples(a, "stack, min(start) AS w", START, &them);
	buf_str(&them, "\n    GROUP BY stack");
	buf_str(out, "SELECT name, toDateTime(intDiv(min(w), 1000000000)) AS first FROM\n");
	put_frames("stack, w", &them, out);
	buf_str(out, "WHERE place > 1 GROUP BY name\n"
		     "ORDER BY min(w) IS NULL, min(w), name;\n");
	buf_release(&them);
}

static void put_coverage(const struct store_asking *a, struct buf *out)
{
	buf_str(out,
		"SELECT arraySort(arrayFilter((v, k) -> k = 'host', labels.value, labels.key))[1]"
		" AS name,\n  count() AS captures,\n"
		"  toDateTime(intDiv(min(wall_ns + toInt64(first_ns))\n"
		"    + if(min(wall_ns) = 0, NULL, 0), 1000000000)) AS first,\n"
		"  toDateTime(intDiv(max(wall_ns + toInt64(last_ns))\n"
		"    + if(min(wall_ns) = 0, NULL, 0), 1000000000)) AS last,\n"
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
