/* A capture goes in: frames and stacks that are not there, its totals, its chunks, in one
 * transaction. */
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/store/add.h"
#include "parser/store/click.h"
#include "parser/store/facts.h"
#include "parser/store/latency/latency.h"
#include "parser/store/store.h"

#include <stdlib.h>
#include <string.h>

/* ---- frames ---- */

static int add_frame(struct adding *a, sqlite3_stmt *find, sqlite3_stmt *add, size_t i)
{
	const struct store_frame *f = &a->c->frames[i];
	int64_t key = content_number(&a->keys[i]);
	int rc = sql_run(a->sql, find, SQL_VALUES(SQL_INT(key)));

	if (rc == 1)
		a->frames[i] = a->sql->calls.column_int(find, 0);
	if (rc)
		return rc < 0 ? rc : 0;
	rc = sql_run(
		a->sql, add,
		SQL_VALUES(SQL_INT(key), SQL_TEXT(f->name), SQL_TEXT(f->module), SQL_INT(f->kind)));
	a->frames[i] = a->sql->calls.last_id(a->sql->db);
	return rc;
}

static int add_frames(struct adding *a)
{
	sqlite3_stmt *find = sql_prepare(a->sql, "SELECT id FROM frame WHERE key=?");
	sqlite3_stmt *add =
		sql_prepare(a->sql, "INSERT INTO frame(key, name, module, kind) VALUES(?,?,?,?)");
	int rc = find && add ? 0 : ERR_IO;

	a->frames = xcalloc(a->c->frame_count + 1, sizeof(*a->frames));
	for (size_t i = 0; rc == 0 && i < a->c->frame_count; i++)
		rc = add_frame(a, find, add, i);
	sql_end(a->sql, find);
	sql_end(a->sql, add);
	return rc;
}

/* ---- stacks ---- */

struct named_stack {
	int64_t id;
	uint32_t stack;
};

static int by_id(const void *a, const void *b)
{
	const struct named_stack *x = a, *y = b;

	return compare_u64((uint64_t)x->id, (uint64_t)y->id);
}

static int add_stack(struct adding *a, sqlite3_stmt *find, sqlite3_stmt *add, size_t rank)
{
	const struct store_stack *s = &a->c->stacks[a->which[rank]];
	int64_t id = a->sorted[rank];
	int rc;

	a->text.len = 0;
	for (uint32_t i = 0; i < s->count; i++)
		put_uleb(&a->text, (uint64_t)a->frames[a->c->frame_ids[s->first + i]]);
	rc = sql_run(a->sql, add, SQL_VALUES(SQL_INT(id), SQL_BYTES(a->text.data, a->text.len)));
	if (rc < 0 || a->sql->calls.changes(a->sql->db))
		return rc;
	rc = sql_run(a->sql, find, SQL_VALUES(SQL_INT(id)));
	if (rc < 0)
		return rc;
	if (rc == 1 && (size_t)a->sql->calls.column_bytes(find, 0) == a->text.len &&
	    !memcmp(a->sql->calls.column_blob(find, 0), a->text.data, a->text.len))
		return 0;
	warn_add(a->sql->warnings, SEV_FATAL, "store", "%s: two stacks have the id %lld",
		 a->sql->path, (long long)id);
	return ERR_FORMAT;
}

void adding_rank(struct adding *a)
{
	size_t count = a->c->stack_count;
	struct named_stack *list = xcalloc(count + 1, sizeof(*list));
	struct content_id *ids;

	a->keys = content_of_frames(a->c);
	ids = content_of_stacks(a->c, a->keys);
	a->sorted = xcalloc(count + 1, sizeof(*a->sorted));
	a->which = xcalloc(count + 1, sizeof(*a->which));
	a->ranks = xcalloc(count + 1, sizeof(*a->ranks));
	for (uint32_t i = 0; i < count; i++)
		list[i] = (struct named_stack){ content_number(&ids[i]), i };
	qsort(list, count, sizeof(*list), by_id);
	for (size_t i = 0; i < count; i++) {
		if (!i || list[i].id != list[i - 1].id) {
			a->which[a->sorted_count] = list[i].stack;
			a->sorted[a->sorted_count++] = list[i].id;
		}
		a->ranks[list[i].stack] = (uint32_t)a->sorted_count - 1;
	}
	free(list);
	free(ids);
}

/* Ascending, as the table is: others would split its pages. */
static int add_stacks(struct adding *a)
{
	sqlite3_stmt *find = sql_prepare(a->sql, "SELECT frames FROM stack WHERE id=?");
	sqlite3_stmt *add = sql_prepare(a->sql, "INSERT OR IGNORE INTO stack VALUES(?,?)");
	int rc = find && add ? 0 : ERR_IO;

	for (size_t i = 0; rc == 0 && i < a->sorted_count; i++)
		rc = add_stack(a, find, add, i);
	sql_end(a->sql, find);
	sql_end(a->sql, add);
	return rc;
}

int adding_names(struct adding *a)
{
	adding_rank(a);
	return add_frames(a) ?: add_stacks(a);
}

/* ---- all of it ---- */

/* 1: it is there; 0: it is not; negative: as of sql_fail(). */
static int look_for(struct sql *s, const struct store_hash *hash)
{
	sqlite3_stmt *find = sql_prepare(s, "SELECT 1 FROM capture WHERE hash=?");
	struct content_id bytes = content_of_capture(hash);
	int rc = find ? sql_run(s, find, SQL_VALUES(SQL_BYTES(&bytes, sizeof(bytes)))) : ERR_IO;

	sql_end(s, find);
	return rc;
}

static int add_all(struct adding *a)
{
	struct store_sums *sums = facts_sums(a->c);
	struct facts facts;
	int rc = facts_begin(&facts, a->sql);

	if (rc == 0)
		rc = adding_names(a) ?: facts_add(&facts, a->c, sums, &a->capture);
	facts_end(&facts);
	free(sums);
	return rc ?: adding_cells(a) ?: latency_add(a->sql, a->c, a->capture);
}

void adding_release(struct adding *a)
{
	free(a->keys);
	free(a->frames);
	free(a->sorted);
	free(a->which);
	free(a->ranks);
	buf_release(&a->text);
}

int store_add(struct store *s, const struct store_capture *c, bool *known, struct warnings *w)
{
	struct adding a = { .sql = &s->sql, .c = c };
	int rc;

	if (s->click) {
		click_warn_to(s->click, w);
		return click_add(s->click, c, known);
	}
	s->sql.warnings = w;
	rc = sql_exec(&s->sql, "BEGIN IMMEDIATE");
	if (rc < 0)
		return rc;
	rc = look_for(&s->sql, &c->hash);
	*known = rc == 1;
	if (rc == 0)
		rc = add_all(&a) ?: sql_exec(&s->sql, "COMMIT");
	if (rc)
		(void)!s->sql.calls.exec(s->sql.db, "ROLLBACK", NULL, NULL, NULL);
	adding_release(&a);
	return rc < 0 ? rc : 0;
}
