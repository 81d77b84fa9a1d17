/* A capture goes in: frames and stacks that are not there, its totals, its chunks, in one
 * transaction. */
#include "parser/base/compare.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"
#include "parser/store/store.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define ID_BITS 0x7fffffffffffffffull /* of a rowid */

struct adding {
	struct sql *sql;
	const struct store_capture *c;
	XXH128_canonical_t *keys; /* by frame: of its content */
	int64_t *frames;	  /* by frame: its id */
	int64_t *sorted;	  /* the same, each once, ascending */
	size_t sorted_count;
	uint32_t *ranks; /* by stack: its place in them */
	int64_t capture;
	struct buf text;
};

void store_hash_add(struct store_hash *h, const uint64_t numbers[STORE_HASHED])
{
	uint64_t little[STORE_HASHED];
	XXH128_hash_t one;

	for (size_t i = 0; i < STORE_HASHED; i++)
		little[i] = htole64(numbers[i]);
	one = XXH3_128bits(little, sizeof(little));
	h->sum += (unsigned __int128)one.high64 << 64 | one.low64;
}

/* The same in every store, on every machine. */
static XXH128_canonical_t bytes_of(const struct store_hash *h)
{
	XXH128_canonical_t out;

	XXH128_canonicalFromHash(&out,
				 (XXH128_hash_t){ (uint64_t)h->sum, (uint64_t)(h->sum >> 64) });
	return out;
}

static int64_t id_of(XXH128_hash_t h)
{
	return (int64_t)(h.low64 & ID_BITS);
}

/* ---- frames ---- */

/* Of its name and its module, a NUL between them. */
static XXH128_hash_t frame_hash(struct buf *text, const struct store_frame *f)
{
	text->len = 0;
	buf_add(text, f->name, strlen(f->name) + 1);
	buf_str(text, f->module);
	return XXH3_128bits(text->data, text->len);
}

static int add_frame(struct adding *a, sqlite3_stmt *find, sqlite3_stmt *add, size_t i)
{
	const struct store_frame *f = &a->c->frames[i];
	XXH128_hash_t hash = frame_hash(&a->text, f);
	int rc = sql_run(a->sql, find, SQL_VALUES(SQL_INT(id_of(hash))));

	XXH128_canonicalFromHash(&a->keys[i], hash);
	if (rc == 1)
		a->frames[i] = a->sql->calls.column_int(find, 0);
	if (rc)
		return rc < 0 ? rc : 0;
	rc = sql_run(a->sql, add,
		     SQL_VALUES(SQL_INT(id_of(hash)), SQL_TEXT(f->name), SQL_TEXT(f->module),
				SQL_INT(f->kind)));
	a->frames[i] = a->sql->calls.last_id(a->sql->db);
	return rc;
}

static int add_frames(struct adding *a)
{
	sqlite3_stmt *find = sql_prepare(a->sql, "SELECT id FROM frame WHERE key=?");
	sqlite3_stmt *add =
		sql_prepare(a->sql, "INSERT INTO frame(key, name, module, kind) VALUES(?,?,?,?)");
	int rc = find && add ? 0 : ERR_IO;

	a->keys = xcalloc(a->c->frame_count + 1, sizeof(*a->keys));
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

/* Of the hashes of its frames, so that it is the same in every store. */
static int64_t stack_id(struct adding *a, const struct store_stack *s)
{
	a->text.len = 0;
	for (uint32_t i = 0; i < s->count; i++)
		buf_add(&a->text, &a->keys[a->c->frame_ids[s->first + i]], sizeof(*a->keys));
	return id_of(XXH3_128bits(a->text.data, a->text.len));
}

static int add_stack(struct adding *a, sqlite3_stmt *find, sqlite3_stmt *add,
		     const struct named_stack *n)
{
	const struct store_stack *s = &a->c->stacks[n->stack];
	int rc;

	a->text.len = 0;
	for (uint32_t i = 0; i < s->count; i++)
		put_uleb(&a->text, (uint64_t)a->frames[a->c->frame_ids[s->first + i]]);
	rc = sql_run(a->sql, add, SQL_VALUES(SQL_INT(n->id), SQL_BYTES(a->text.data, a->text.len)));
	if (rc < 0 || a->sql->calls.changes(a->sql->db))
		return rc;
	rc = sql_run(a->sql, find, SQL_VALUES(SQL_INT(n->id)));
	if (rc < 0)
		return rc;
	if (rc == 1 && (size_t)a->sql->calls.column_bytes(find, 0) == a->text.len &&
	    !memcmp(a->sql->calls.column_blob(find, 0), a->text.data, a->text.len))
		return 0;
	warn_add(a->sql->warnings, SEV_FATAL, "store", "%s: two stacks have the id %lld",
		 a->sql->path, (long long)n->id);
	return ERR_FORMAT;
}

/* Ascending, as the table is: others would split its pages. */
static int add_stacks(struct adding *a)
{
	size_t count = a->c->stack_count;
	struct named_stack *list = xcalloc(count + 1, sizeof(*list));
	sqlite3_stmt *find = sql_prepare(a->sql, "SELECT frames FROM stack WHERE id=?");
	sqlite3_stmt *add = sql_prepare(a->sql, "INSERT OR IGNORE INTO stack VALUES(?,?)");
	int rc = find && add ? 0 : ERR_IO;

	a->sorted = xcalloc(count + 1, sizeof(*a->sorted));
	a->ranks = xcalloc(count + 1, sizeof(*a->ranks));
	for (uint32_t i = 0; i < count; i++)
		list[i] = (struct named_stack){ stack_id(a, &a->c->stacks[i]), i };
	qsort(list, count, sizeof(*list), by_id);
	for (size_t i = 0; rc == 0 && i < count; i++) {
		if (!i || list[i].id != list[i - 1].id) {
			rc = add_stack(a, find, add, &list[i]);
			a->sorted[a->sorted_count++] = list[i].id;
		}
		a->ranks[list[i].stack] = (uint32_t)a->sorted_count - 1;
	}
	free(list);
	sql_end(a->sql, find);
	sql_end(a->sql, add);
	return rc;
}

/* ---- the capture itself ---- */

/* pid, tid + 1 (LEB128), the command and a NUL, by thread. */
static void pack_threads(const struct store_capture *c, struct buf *out)
{
	for (size_t i = 0; i < c->thread_count; i++) {
		put_uleb(out, c->threads[i].pid + 1u);
		put_uleb(out, c->threads[i].tid + 1u);
		buf_add(out, c->threads[i].comm, strlen(c->threads[i].comm) + 1);
	}
}

static int add_capture(struct adding *a)
{
	const struct store_capture *c = a->c;
	sqlite3_stmt *add = sql_prepare(
		a->sql,
		"INSERT INTO capture(hash, path, host, release, arch, command, wall_ns, first_ns,"
		" last_ns, step_ns, lost, samples, cpus, wide, threads)"
		" VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
	XXH128_canonical_t hash = bytes_of(&c->hash);
	struct buf threads = { 0 };
	int rc = ERR_IO;

	pack_threads(c, &threads);
	if (add)
		rc = sql_run(a->sql, add,
			     SQL_VALUES(SQL_BYTES(&hash, sizeof(hash)), SQL_TEXT(c->path),
					SQL_TEXT(c->host), SQL_TEXT(c->release), SQL_TEXT(c->arch),
					SQL_TEXT(c->command),
					c->has_wall ? (struct sql_value)SQL_INT(c->wall_ns)
						    : (struct sql_value)SQL_TEXT(NULL),
					SQL_INT(c->first_ns), SQL_INT(c->last_ns),
					SQL_INT(c->step_ns), SQL_INT(c->lost), SQL_INT(c->samples),
					SQL_INT(c->cpus), SQL_INT(c->system_wide),
					SQL_BYTES(threads.data, threads.len)));
	a->capture = a->sql->calls.last_id(a->sql->db);
	buf_release(&threads);
	sql_end(a->sql, add);
	return rc;
}

static int add_labels(struct adding *a)
{
	sqlite3_stmt *add = sql_prepare(a->sql, "INSERT OR IGNORE INTO label VALUES(?,?,?)");
	int rc = add ? 0 : ERR_IO;

	for (size_t i = 0; rc == 0 && i < a->c->label_count; i++)
		rc = sql_run(a->sql, add,
			     SQL_VALUES(SQL_INT(a->capture), SQL_TEXT(a->c->labels[i].key),
					SQL_TEXT(a->c->labels[i].value)));
	sql_end(a->sql, add);
	return rc;
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
	return x->stack < y->stack ? -1 : x->stack > y->stack;
}

/* Their stacks become places among the ids; those of one place are one. */
static size_t order_cells(struct adding *a)
{
	struct store_cell *list = a->c->cells;
	size_t count = 0;

	for (size_t i = 0; i < a->c->cell_count; i++)
		list[i].stack = a->ranks[list[i].stack];
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

struct sums {
	uint64_t weight, samples;
};

static int add_event(struct adding *a, sqlite3_stmt *total, uint32_t event, const struct sums *sums)
{
	const struct store_event *e = &a->c->events[event];
	struct sums all = { 0 };
	sqlite3_stmt *add;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < a->sorted_count; i++) {
		if (!sums[i].samples)
			continue;
		(void)add_held(&all.weight, sums[i].weight);
		all.samples += sums[i].samples;
		rc = sql_run(a->sql, total,
			     SQL_VALUES(SQL_INT(a->capture), SQL_INT(event), SQL_INT(a->sorted[i]),
					SQL_INT(sums[i].weight), SQL_INT(sums[i].samples)));
	}
	if (rc < 0)
		return rc;
	add = sql_prepare(a->sql, "INSERT INTO event VALUES(?,?,?,?,?,?,?,?,?)");
	if (add)
		rc = sql_run(a->sql, add,
			     SQL_VALUES(SQL_INT(a->capture), SQL_INT(event), SQL_TEXT(e->name),
					SQL_TEXT(e->unit), SQL_DOUBLE(e->squares), SQL_INT(e->rate),
					SQL_INT(e->counts), SQL_INT(all.weight),
					SQL_INT(all.samples)));
	sql_end(a->sql, add);
	return add ? rc : ERR_IO;
}

/* Events, and what each stack has of them. */
static int add_totals(struct adding *a, size_t count)
{
	const struct store_cell *list = a->c->cells;
	struct sums *sums = xcalloc(a->sorted_count + 1, sizeof(*sums));
	sqlite3_stmt *total = sql_prepare(a->sql, "INSERT INTO total VALUES(?,?,?,?,?)");
	size_t at = 0;
	int rc = total ? 0 : ERR_IO;

	for (uint32_t event = 0; rc == 0 && event < a->c->event_count; event++) {
		memset(sums, 0, (a->sorted_count + 1) * sizeof(*sums));
		for (; at < count && list[at].event == event; at++) {
			(void)add_held(&sums[list[at].stack].weight, list[at].weight);
			sums[list[at].stack].samples += list[at].samples;
		}
		rc = add_event(a, total, event, sums);
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
	XXH128_canonical_t bytes = bytes_of(hash);
	int rc = find ? sql_run(s, find, SQL_VALUES(SQL_BYTES(&bytes, sizeof(bytes)))) : ERR_IO;

	sql_end(s, find);
	return rc;
}

static int add_all(struct adding *a)
{
	size_t count;
	int rc = add_frames(a) ?: add_stacks(a) ?: add_capture(a) ?: add_labels(a);

	if (rc < 0)
		return rc;
	count = order_cells(a);
	return add_chunks(a, count) ?: add_totals(a, count);
}

int store_add(struct store *s, const struct store_capture *c, bool *known, struct warnings *w)
{
	struct adding a = { .sql = &s->sql, .c = c };
	int rc;

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
	free(a.keys);
	free(a.frames);
	free(a.sorted);
	free(a.ranks);
	buf_release(&a.text);
	return rc < 0 ? rc : 0;
}
