/* A capture goes in: frames and stacks that are not there, its totals, its chunks, in one
 * transaction. */
#include "parser/base/compare.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"
#include "parser/store/add.h"
#include "parser/store/address/address.h"
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

/* ---- its cells ---- */

static int by_place(const void *a, const void *b)
{
	const struct store_cell *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->stack != y->stack)
		return x->stack < y->stack ? -1 : 1;
	return x->origin < y->origin ? -1 : x->origin > y->origin;
}

/* Their stacks become places among the ids; those of one place are one. */
static size_t order_cells(struct adding *a, const uint32_t *origins)
{
	struct store_cell *list = a->c->cells;
	size_t count = 0;

	for (size_t i = 0; i < a->c->cell_count; i++) {
		list[i].origin = origins ? origins[list[i].stack] : 0;
		list[i].stack = a->ranks[list[i].stack];
	}
	qsort(list, a->c->cell_count, sizeof(*list), by_place);
	for (size_t i = 0; i < a->c->cell_count; i++) {
		if (!count || by_place(&list[count - 1], &list[i]) != 0) {
			list[count++] = list[i];
			continue;
		}
		(void)add_held(&list[count - 1].weight, list[i].weight);
		list[count - 1].samples += list[i].samples;
	}
	return count;
}

static int add_chunk(struct adding *a, sqlite3_stmt *add, const struct store_cell *cells,
		     size_t count, unsigned number)
{
	struct chunk_cell *list = xcalloc(count + 1, sizeof(*list));
	struct buf data = { 0 };
	int rc = ERR_IO;

	for (size_t i = 0; i < count; i++)
		list[i] = (struct chunk_cell){ cells[i].step, cells[i].weight, cells[i].samples,
					       cells[i].cpu,  cells[i].thread, cells[i].stack };
	if (chunk_pack(&data, list, count))
		rc = sql_run(a->sql, add,
			     SQL_VALUES(SQL_INT(a->capture), SQL_INT(cells->event), SQL_INT(number),
					SQL_INT(list[0].step), SQL_INT(list[count - 1].step),
					SQL_BYTES(data.data, data.len)));
	free(list);
	buf_release(&data);
	return rc;
}

static int add_chunks(struct adding *a, size_t count)
{
	const struct store_cell *list = a->c->cells;
	sqlite3_stmt *add = sql_prepare(a->sql, "INSERT INTO chunk VALUES(?,?,?,?,?,?)");
	int rc = add ? 0 : ERR_IO;
	unsigned number = 0;

	for (size_t from = 0, to; rc == 0 && from < count; from = to) {
		to = from;
		while (to < count && to - from < CHUNK_CELLS && list[to].event == list[from].event)
			to++;
		rc = add_chunk(a, add, list + from, to - from, number++);
	}
	sql_end(a->sql, add);
	return rc;
}

static int add_total(struct adding *a, sqlite3_stmt *total, uint32_t event,
		     const struct store_sums *sums)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < a->sorted_count; i++) {
		if (sums[i].samples)
			rc = sql_run(a->sql, total,
				     SQL_VALUES(SQL_INT(a->capture), SQL_INT(event),
						SQL_INT(a->sorted[i]), SQL_INT(sums[i].weight),
						SQL_INT(sums[i].samples)));
	}
	return rc;
}

/* What each stack has of each event. */
static int add_totals(struct adding *a, size_t count)
{
	const struct store_cell *list = a->c->cells;
	struct store_sums *sums = xcalloc(a->sorted_count + 1, sizeof(*sums));
	sqlite3_stmt *total = sql_prepare(a->sql, "INSERT INTO total VALUES(?,?,?,?,?)");
	size_t at = 0;
	int rc = total ? 0 : ERR_IO;

	for (uint32_t event = 0; rc == 0 && event < a->c->event_count; event++) {
		memset(sums, 0, (a->sorted_count + 1) * sizeof(*sums));
		for (; at < count && list[at].event == event; at++) {
			(void)add_held(&sums[list[at].stack].weight, list[at].weight);
			sums[list[at].stack].samples += list[at].samples;
		}
		rc = add_total(a, total, event, sums);
	}
	free(sums);
	sql_end(a->sql, total);
	return rc;
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

int adding_cells(struct adding *a)
{
	size_t origin_count = 0, count;
	uint32_t *origins = a->c->addresses ? address_origins(a, &origin_count) : NULL;
	int rc;

	count = order_cells(a, origins);
	rc = add_chunks(a, count) ?: add_totals(a, count);
	if (rc == 0 && origins)
		rc = address_add(a, origins, origin_count, count);
	free(origins);
	return rc;
}

static int add_all(struct adding *a)
{
	struct store_sums *sums = facts_sums(a->c);
	int rc = adding_names(a) ?: facts_add(a->sql, a->c, sums, &a->capture);

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
