/* Stacks by the names of their frames, where the servers have them: they tell the names that have a
 * text in them which every name that matches has, the same matching as of a file chooses among
 * these, and the frames go back as a table of the question. */
#include "parser/base/mem.h"
#include "parser/store/click_rows.h"
#include "parser/store/pick.h"

#include <stdlib.h>

/* What of a frame may be asked for. */
struct aspect {
	const char *key, *column, *frames; /* frames: those of a stack that count */
};

enum { FUNCTION, ASPECTS = 4 };

static const struct aspect aspects[ASPECTS] = {
	[FUNCTION] = { NULL, "name", "arrayPopFront(frames)" },
	{ "comm", "name", "[frames[1]]" },
	{ "module", "module", "arrayPopFront(frames)" },
	{ "symbol", "name", "arrayPopFront(frames)" },
};

/* Pattern I of aspect WHAT; NULL: there are no more. */
static const char *pattern_at(const struct store_choice *c, size_t what, size_t i)
{
	if (what == FUNCTION)
		return i ? NULL : c->function;
	for (size_t k = 0; k < c->pattern_count; k++) {
		if (!strcmp(c->patterns[k].key, aspects[what].key) && !i--)
			return c->patterns[k].value;
	}
	return NULL;
}

/* ---- what every name that matches has in it ---- */

/* The longest run of characters of PATTERN that stand for themselves, before any bracket. Folded
 * stacks have ':' where a name has ';', and '?' for what cannot be shown. */
static size_t longest_run(const char *pattern, const char **run)
{
	size_t longest = 0, len;

	for (*run = pattern; *pattern && *pattern != '['; pattern += len) {
		len = strcspn(pattern, "*?[\\:");
		if (len > longest) {
			longest = len;
			*run = pattern;
		}
		if (!len)
			len = *pattern == '\\' && pattern[1] ? 2 : 1;
	}
	return longest;
}

static void put_candidates(const struct store_choice *c, size_t what, struct buf *out)
{
	const char *pattern, *run;
	struct buf text = { 0 };

	buf_printf(out, "SELECT id, %s FROM frame WHERE 0", aspects[what].column);
	for (size_t i = 0; (pattern = pattern_at(c, what, i)); i++) {
		size_t len = longest_run(pattern, &run);

		text.len = 0;
		buf_add(&text, run, len);
		buf_printf(out, " OR position(%s, ", aspects[what].column);
		click_literal(out, text.data);
		buf_str(out, ") > 0");
	}
	buf_str(out, " FORMAT RowBinary");
	buf_release(&text);
}

/* ---- which frames ---- */

static bool matches(const struct store_choice *c, size_t what, char *name)
{
	const char *pattern;

	for (char *p = name; what == FUNCTION && *p; p++)
		*p = *p == ';' ? ':' : *p;
	for (size_t i = 0; (pattern = pattern_at(c, what, i)); i++) {
		if (store_name_matches(pattern, name))
			return true;
	}
	return false;
}

static int take_candidates(struct click *k, const struct store_choice *c, size_t what,
			   struct cursor *answer)
{
	while (cursor_left(answer)) {
		uint64_t id = cursor_u64(answer);
		size_t len = cursor_uleb(answer);
		const char *bytes = cursor_take(answer, len);
		char *name;

		if (answer->bad)
			return click_malformed(k, "frames");
		name = store_text_of(bytes, len);
		if (matches(c, what, name)) {
			buf_char(&k->matched, (char)what);
			click_put_u64(&k->matched, id);
		}
		free(name);
	}
	return 0;
}

int click_match(struct click *k, const struct store_choice *c)
{
	struct buf query = { 0 }, answer = { 0 };
	struct cursor at;
	int rc = 0;

	k->matched.len = 0;
	k->matching = false;
	for (size_t what = 0; rc == 0 && what < ASPECTS; what++) {
		if (!pattern_at(c, what, 0))
			continue;
		k->matching = true;
		query.len = 0;
		put_candidates(c, what, &query);
		rc = http_ask(k->http, query.data, NULL, &answer);
		at = cursor_make(answer.data, answer.len, false);
		if (rc == 0)
			rc = take_candidates(k, c, what, &at);
	}
	buf_release(&query);
	buf_release(&answer);
	return rc;
}

/* ---- as conditions ---- */

static void put_has(size_t what, struct buf *out)
{
	buf_printf(out,
		   "stack GLOBAL IN (SELECT stack FROM stack ARRAY JOIN %s AS frame WHERE frame"
		   " GLOBAL IN (SELECT id FROM matched WHERE what = %zu))",
		   aspects[what].frames, what);
}

void click_where_patterns(struct buf *out, const struct store_choice *c)
{
	for (size_t what = FUNCTION + 1; what < ASPECTS; what++) {
		if (!pattern_at(c, what, 0))
			continue;
		buf_str(out, " AND ");
		put_has(what, out);
	}
}

/* STORE_OTHERS is all zero. */
void click_put_stack(struct buf *out, const struct store_choice *c)
{
	if (!c->function)
		buf_str(out, "stack");
	else
		buf_printf(out, "if(found, %s, toFixedString('', 16))",
			   c->together ? "min(stack)" : "stack");
}

void click_put_group(struct buf *out, const struct store_choice *c)
{
	if (!c->function) {
		buf_str(out, "key");
		return;
	}
	put_has(FUNCTION, out);
	buf_str(out, c->together ? " AS found" : " AS found, key");
}
