/* The SQL of a question, for a dashboard: nothing is read but the operand. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/store/lengths.h"
#include "parser/store_sql.h"

#include <string.h>

static const char *const questions[] = { "",	  "schema",   "top",   "flame",	 "grafana", "trend",
					 "first", "coverage", "waits", "offcpu", "io",	    NULL };

/* The last questions, behind the others: of STORE_LENGTHS. */
static const enum lengths_of lengths[] = { LENGTHS_WAITS, LENGTHS_OFFCPU, LENGTHS_IO };

struct telling {
	unsigned question;
	const char *function, *cluster;
	struct answer answer;
};

#define T(member) offsetof(struct telling, member)

static const struct option options[] = {
	{ "question", 0, OPT_WORD, T(question), NULL, "what is asked", .words = questions },
	{ "function", 0, OPT_TEXT, T(function), "NAME", "of trend: which function, or a pattern" },
	{ "cluster", 0, OPT_TEXT, T(cluster), "NAME",
	  "of ClickHouse's schema: tables that are distributed over this cluster" },
	{ 0 },
};

static const struct column columns[] = {
	{ "sql", COLUMN_TEXT },
	{ 0 },
};

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct telling *t = state;

	if (t->question && in->count == 1)
		return 0;
	warn_add(w, SEV_FATAL, "usage",
		 "store sql: expected a store and a question: schema, top, flame, grafana,"
		 " trend, first, coverage, waits, offcpu or io");
	return ERR_USAGE;
}

/* ADDRESS may end with ":CHOICE". */
static const char *database_of(const char *address, char *out, size_t size)
{
	const char *slash = strchr(strstr(address, "://") + 3, '/');
	size_t len = slash ? strcspn(slash + 1, ":") : 0;

	if (!len || len >= size)
		return "default";
	memcpy(out, slash + 1, len);
	out[len] = '\0';
	return out;
}

static int text(void *state, struct folded *f, struct warnings *w)
{
	struct telling *t = state;
	const char *path = folded_path(f);
	char database[256];
	struct store_asking a = { .question = t->question,
				  .choice = folded_choice(f),
				  .function = t->function,
				  .cluster = t->cluster,
				  .remote = store_is_remote(path) };
	struct buf sql = { 0 };
	int rc;

	if (!folded_is_store(f)) {
		warn_add(w, SEV_FATAL, "store", "%s: expected a store (pdtool store add)", path);
		return ERR_FORMAT;
	}
	if (t->question >= STORE_LENGTHS) {
		a.question = STORE_LENGTHS;
		a.kinds = lengths_kinds(lengths[t->question - STORE_LENGTHS], &a.kind_count);
	}
	if (a.remote)
		a.database = database_of(path, database, sizeof(database));
	rc = store_question_sql(&a, &sql, w);
	for (char *line = sql.data, *rest = line; rc == 0 && (line = strsep(&rest, "\n"));) {
		if (rest || *line)
			answer_cell_text(&t->answer, line);
	}
	buf_release(&sql);
	return rc;
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	(void)state;
	warn_add(w, SEV_FATAL, "store", "%s: expected a store (pdtool store add)",
		 pdt_text(s, PDT_PATH));
	return ERR_FORMAT;
}

static void result(void *state, struct result *out)
{
	struct telling *t = state;

	answer_result(&t->answer, columns, out);
	out->bare = true;
}

static void release(void *state)
{
	struct telling *t = state;

	answer_release(&t->answer);
}

const struct analyzer analyzer_store_sql = {
	.name = "store sql",
	.summary = "the SQL of a question to a store, for a dashboard; its schema",
	.question = QUESTION_CHANGE,
	.shapes = SHAPE_TABLE,
	.judges = true,
	.operand = "question",
	.usage = { "STORE QUESTION" },
	.options = options,
	.state_size = sizeof(struct telling),
	.begin = begin,
	.finish = finish,
	.text = text,
	.result = result,
	.release = release,
};
