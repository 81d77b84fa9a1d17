/* Captures get the names that there are now, in one transaction.
 *
 * A cell tells its stack by name and which of the leaves with that name it was. So a capture's
 * cells are read, each gets its leaf, and what the capture has is put in anew as if it came with
 * these leaves. */
#include "parser/base/cursor.h"
#include "parser/base/mem.h"
#include "parser/store/address/address.h"
#include "parser/store/pick.h"

#include <stdlib.h>
#include <string.h>

struct store_renaming {
	struct sql *sql;
	int64_t *captures; /* whose addresses are kept */
	size_t count, cap, next, without;
	sqlite3_stmt *facts, *frame, *stacks, *cells;
	/* of the capture at hand */
	struct address address;
	struct store_frame *frames;
	struct arena texts;
	size_t events;
};

/* ---- which captures ---- */

static int list_captures(struct store_renaming *r)
{
	sqlite3_stmt *all = sql_prepare(r->sql, "SELECT id, address.cap IS NOT NULL FROM capture"
						" LEFT JOIN address ON address.cap=id ORDER BY id");
	int rc = all ? sql_next(r->sql, all) : ERR_IO;

	for (; rc == 1; rc = sql_next(r->sql, all)) {
		if (!r->sql->calls.column_int(all, 1)) {
			r->without++;
			continue;
		}
		r->captures = xgrow(r->captures, &r->cap, r->count + 1, sizeof(*r->captures));
		r->captures[r->count++] = r->sql->calls.column_int(all, 0);
	}
	sql_end(r->sql, all);
	return rc;
}

static int prepare(struct store_renaming *r)
{
	r->facts = sql_prepare(r->sql, "SELECT data, path, host, release, arch,"
				       " (SELECT max(event.id) + 1 FROM event WHERE cap=capture.id)"
				       " FROM address JOIN capture ON id=cap WHERE cap=?");
	r->frame = sql_prepare(r->sql, "SELECT name, module, kind FROM frame WHERE id=?");
	r->stacks =
		sql_prepare(r->sql, "SELECT DISTINCT stack FROM total WHERE cap=? ORDER BY stack");
	r->cells = sql_prepare(r->sql, "SELECT event, data FROM chunk WHERE cap=?"
				       " ORDER BY event, number");
	return r->facts && r->frame && r->stacks && r->cells ? 0 : ERR_IO;
}

int store_renaming_begin(struct store_renaming **out, struct store *s, struct warnings *w)
{
	struct store_renaming *r;
	int rc;

	*out = NULL;
	s->sql.warnings = w;
	if (s->click) {
		warn_add(w, SEV_FATAL, "store",
			 "%s: captures on ClickHouse are not renamed, as it has no transactions and"
			 " no addresses of theirs: add them anew, with the symbols, to another"
			 " database",
			 s->sql.path);
		return ERR_USAGE;
	}
	rc = sql_exec(&s->sql, "BEGIN IMMEDIATE");
	if (rc < 0)
		return rc;
	r = xcalloc(1, sizeof(*r));
	r->sql = &s->sql;
	arena_init(&r->texts);
	rc = list_captures(r) ?: prepare(r);
	if (rc < 0)
		(void)!store_renaming_end(r, false);
	else
		*out = r;
	return rc;
}

size_t store_renaming_without(const struct store_renaming *r)
{
	return r->without;
}

/* ---- what a capture has ---- */

static void forget(struct store_renaming *r)
{
	address_release(&r->address);
	free(r->frames);
	r->frames = NULL;
	arena_release(&r->texts);
	arena_init(&r->texts);
}

static int damaged(const struct store_renaming *r, int64_t capture)
{
	warn_add(r->sql->warnings, SEV_FATAL, "store", "%s: what it has of capture %lld is damaged",
		 r->sql->path, (long long)capture);
	return ERR_FORMAT;
}

/* NULL: nothing is there. */
static const char *text_at(struct store_renaming *r, sqlite3_stmt *stmt, int column)
{
	char *text =
		r->sql->calls.column_blob(stmt, column) ? store_text(r->sql, stmt, column) : NULL;
	const char *kept = text ? arena_strndup(&r->texts, text, strlen(text)) : NULL;

	free(text);
	return kept;
}

static int read_frames(struct store_renaming *r, int64_t capture)
{
	size_t count = r->address.of.frame_count;

	r->frames = xcalloc(count + 1, sizeof(*r->frames));
	for (size_t i = 0; i < count; i++) {
		int rc = sql_run(r->sql, r->frame, SQL_VALUES(SQL_INT(r->address.frames[i])));

		if (rc != 1)
			return rc < 0 ? rc : damaged(r, capture);
		r->frames[i].name = text_at(r, r->frame, 0) ?: "";
		r->frames[i].module = text_at(r, r->frame, 1) ?: "";
		r->frames[i].kind = (uint8_t)r->sql->calls.column_int(r->frame, 2);
	}
	r->address.of.frames = r->frames;
	return 0;
}

int store_renaming_next(struct store_renaming *r, const struct store_origin **out)
{
	const struct sql_calls *calls = &r->sql->calls;
	struct store_origin *o = &r->address.of;
	int64_t capture;
	int rc;

	forget(r);
	*out = o;
	if (r->next == r->count)
		return 0;
	capture = r->captures[r->next++];
	rc = sql_run(r->sql, r->facts, SQL_VALUES(SQL_INT(capture)));
	if (rc != 1)
		return rc < 0 ? rc : damaged(r, capture);
	if (!address_unpack(&r->address, calls->column_blob(r->facts, 0),
			    (size_t)calls->column_bytes(r->facts, 0)))
		return damaged(r, capture);
	o->capture = capture;
	o->path = text_at(r, r->facts, 1);
	o->host = text_at(r, r->facts, 2);
	o->release = text_at(r, r->facts, 3);
	o->arch = text_at(r, r->facts, 4);
	r->events = (size_t)calls->column_int(r->facts, 5);
	return read_frames(r, capture) ?: 1;
}

/* ---- its cells ---- */

/* By name of the stacks before: their leaves, in their order. */
struct leaves {
	uint32_t *first; /* by rank: in LIST */
	uint32_t *list;
	size_t ranks;
};

static void leaves_make(struct leaves *l, const struct adding *before)
{
	const uint32_t *stacks = before->c->leaves;
	size_t count = before->c->leaf_count;
	uint32_t *at;

	l->ranks = before->sorted_count;
	l->first = xcalloc(l->ranks + 2, sizeof(*l->first));
	l->list = xcalloc(count + 1, sizeof(*l->list));
	for (size_t i = 0; i < count; i++)
		l->first[before->ranks[stacks[i]] + 1]++;
	for (size_t i = 0; i < l->ranks; i++)
		l->first[i + 1] += l->first[i];
	at = xcalloc(l->ranks + 1, sizeof(*at));
	memcpy(at, l->first, l->ranks * sizeof(*at));
	for (uint32_t i = 0; i < count; i++)
		l->list[at[before->ranks[stacks[i]]]++] = i;
	free(at);
}

/* Are the stacks of CAPTURE those that its addresses and names make? */
static int check_stacks(struct store_renaming *r, const struct adding *before, int64_t capture)
{
	int rc = sql_run(r->sql, r->stacks, SQL_VALUES(SQL_INT(capture)));
	size_t n = 0;

	for (; rc == 1; rc = sql_next(r->sql, r->stacks)) {
		if (n == before->sorted_count ||
		    before->sorted[n] != r->sql->calls.column_int(r->stacks, 0))
			return damaged(r, capture);
		n++;
	}
	return rc < 0 || n == before->sorted_count ? rc : damaged(r, capture);
}

struct cells {
	struct store_cell *list;
	size_t count, cap;
};

static bool take_chunk(struct store_renaming *r, const struct leaves *l, struct cells *out)
{
	const struct sql_calls *calls = &r->sql->calls;
	uint32_t event = (uint32_t)calls->column_int(r->cells, 0);
	size_t count = 0, i;
	struct chunk_cell *list = chunk_unpack(calls->column_blob(r->cells, 1),
					       (size_t)calls->column_bytes(r->cells, 1), &count);
	bool good = list && event < r->events && count <= r->address.cell_count - out->count;

	for (i = 0; good && i < count; i++) {
		const struct chunk_cell *c = &list[i];
		uint32_t part = r->address.parts[out->count];

		good = c->stack < l->ranks && part < l->first[c->stack + 1] - l->first[c->stack];
		if (!good)
			break;
		out->list = xgrow(out->list, &out->cap, out->count + 1, sizeof(*out->list));
		out->list[out->count++] = (struct store_cell){
			.event = event,
			.leaf = l->list[l->first[c->stack] + part],
			.cpu = c->cpu,
			.thread = c->thread,
			.step = c->step,
			.weight = c->weight,
			.samples = c->samples,
		};
	}
	free(list);
	return good;
}

static int read_cells(struct store_renaming *r, const struct leaves *l, int64_t capture,
		      struct cells *out)
{
	int rc = sql_run(r->sql, r->cells, SQL_VALUES(SQL_INT(capture)));

	for (; rc == 1; rc = sql_next(r->sql, r->cells)) {
		if (!take_chunk(r, l, out))
			return damaged(r, capture);
	}
	return rc < 0 || out->count == r->address.cell_count ? rc : damaged(r, capture);
}

/* ---- new names ---- */

/* Numbers alone, no text of anybody. */
static int drop(struct sql *s, int64_t capture)
{
	static const char *const texts[] = { "DELETE FROM total WHERE cap=?",
					     "DELETE FROM chunk WHERE cap=?",
					     "DELETE FROM address WHERE cap=?" };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < ARRAY_SIZE(texts); i++) {
		sqlite3_stmt *stmt = sql_prepare(s, texts[i]);

		rc = stmt ? sql_run(s, stmt, SQL_VALUES(SQL_INT(capture))) : ERR_IO;
		sql_end(s, stmt);
	}
	return rc;
}

static size_t count_changed(const struct adding *before, const struct adding *now)
{
	size_t n = 0;

	for (size_t i = 0; i < before->c->leaf_count; i++)
		n += before->sorted[before->ranks[before->c->leaves[i]]] !=
		     now->sorted[now->ranks[now->c->leaves[i]]];
	return n;
}

static int put_anew(struct store_renaming *r, const struct adding *before,
		    struct store_capture *now, size_t *changed)
{
	struct adding a = { .sql = r->sql, .c = now, .capture = r->address.of.capture };
	int rc;

	now->event_count = r->events;
	rc = drop(r->sql, a.capture) ?: adding_names(&a);
	*changed = rc == 0 ? count_changed(before, &a) : 0;
	rc = rc ?: adding_cells(&a);
	adding_release(&a);
	return rc;
}

int store_rename(struct store_renaming *r, const struct store_capture *before,
		 struct store_capture *now, size_t *changed)
{
	struct adding was = { .sql = r->sql, .c = before };
	struct leaves leaves = { 0 };
	struct cells cells = { 0 };
	int64_t capture = r->address.of.capture;
	int rc;

	adding_rank(&was);
	leaves_make(&leaves, &was);
	rc = check_stacks(r, &was, capture) ?: read_cells(r, &leaves, capture, &cells);
	now->cells = cells.list;
	now->cell_count = cells.count;
	if (rc == 0)
		rc = put_anew(r, &was, now, changed);
	now->cells = NULL;
	free(cells.list);
	free(leaves.first);
	free(leaves.list);
	adding_release(&was);
	return rc;
}

/* ---- the end ---- */

int store_renaming_end(struct store_renaming *r, bool done)
{
	struct sql *s = r->sql;
	int rc = 0;

	sql_end(s, r->facts);
	sql_end(s, r->frame);
	sql_end(s, r->stacks);
	sql_end(s, r->cells);
	if (done)
		rc = sql_exec(s, "DELETE FROM stack WHERE id NOT IN (SELECT stack FROM total)")
			     ?: sql_exec(s, "COMMIT");
	if (!done || rc < 0)
		(void)!s->calls.exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	forget(r);
	arena_release(&r->texts);
	free(r->captures);
	free(r);
	return rc;
}
