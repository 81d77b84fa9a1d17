/* Stacks come out: the totals of whole captures, and the chunks of those that a range of time cuts,
 * summed up by stack. Names are read once, at the end. */
#include "parser/base/compare.h"
#include "parser/base/cursor.h"
#include "parser/base/held.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"
#include "parser/folded.h"
#include "parser/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct store_rows {
	struct sql *sql;
	struct warnings *warnings;
	/* by stack, as they came */
	int64_t *stacks;
	uint64_t *weights;
	size_t count, stack_cap, weight_cap, at;
	struct idmap known;
	sqlite3_stmt *stack, *frame;
	struct idmap names; /* by id of a frame: in texts */
	struct intern texts;
	struct buf text;
	double weight, squares; /* of all */
	struct folded_input input;
	char *arch; /* of the captures so far; "": not the same */
	struct folded_unit unit;
	char *event; /* that counts; NULL: not known yet */
	bool any, mixed, held;
};

/* A capture that was chosen. */
struct chosen {
	int64_t id, event;
	uint64_t from_step, to_step; /* TO not included; both 0: all of it */
	double sample;
};

/* ---- which captures ---- */

/* Text COLUMN of the row of STMT, with what could end a line or a frame as '?'. The caller frees
 * it. */
static char *text_of(struct sql *s, sqlite3_stmt *stmt, int column)
{
	const char *bytes = s->calls.column_blob(stmt, column);
	size_t len = (size_t)s->calls.column_bytes(stmt, column);
	char *text = xmalloc(len + 1);

	for (size_t i = 0; i < len; i++)
		text[i] = (uint8_t)bytes[i] < ' ' || bytes[i] == 0x7f ? '?' : bytes[i];
	text[len] = '\0';
	return text;
}

/* Has capture ID one of the values given for the key of label K? */
static int has_label(struct sql *s, sqlite3_stmt *find, int64_t id, const struct store_choice *c,
		     size_t k)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < c->label_count; i++) {
		if (!strcmp(c->labels[i].key, c->labels[k].key))
			rc = sql_run(s, find,
				     SQL_VALUES(SQL_INT(id), SQL_TEXT(c->labels[i].key),
						SQL_TEXT(c->labels[i].value)));
	}
	return rc;
}

static int passes(struct sql *s, sqlite3_stmt *find, int64_t id, const struct store_choice *c)
{
	int rc = 1;

	for (size_t k = 0; rc == 1 && k < c->label_count; k++)
		rc = has_label(s, find, id, c, k);
	return rc;
}

/* ---- their sums ---- */

static void add(struct store_rows *r, int64_t stack, uint64_t weight)
{
	uint32_t *at = idmap_put(&r->known, (uint64_t)stack);

	if (*at == IDMAP_NONE) {
		*at = (uint32_t)r->count;
		r->stacks = xgrow(r->stacks, &r->stack_cap, r->count + 1, sizeof(*r->stacks));
		r->weights = xgrow(r->weights, &r->weight_cap, r->count + 1, sizeof(*r->weights));
		r->stacks[r->count] = stack;
		r->weights[r->count++] = 0;
	}
	r->held |= add_held(&r->weights[*at], weight);
}

static int add_totals(struct store_rows *r, sqlite3_stmt *totals, const struct chosen *c,
		      uint64_t *sum)
{
	const struct sql_calls *calls = &r->sql->calls;
	int rc = sql_run(r->sql, totals, SQL_VALUES(SQL_INT(c->id), SQL_INT(c->event)));

	for (; rc == 1; rc = sql_next(r->sql, totals)) {
		add(r, calls->column_int(totals, 0), (uint64_t)calls->column_int(totals, 1));
		(void)add_held(sum, (uint64_t)calls->column_int(totals, 1));
	}
	return rc;
}

/* The ids of the stacks of a capture, ascending: cells tell their places. */
static int stacks_of(struct store_rows *r, int64_t capture, uint64_t **ids, size_t *count)
{
	sqlite3_stmt *all =
		sql_prepare(r->sql, "SELECT DISTINCT stack FROM total WHERE cap=? ORDER BY stack");
	int rc = all ? sql_run(r->sql, all, SQL_VALUES(SQL_INT(capture))) : ERR_IO;
	size_t cap = 0;

	*ids = NULL;
	*count = 0;
	for (; rc == 1; rc = sql_next(r->sql, all)) {
		*ids = xgrow(*ids, &cap, *count + 1, sizeof(**ids));
		(*ids)[(*count)++] = (uint64_t)r->sql->calls.column_int(all, 0);
	}
	sql_end(r->sql, all);
	return rc;
}

struct stack_list {
	uint64_t *ids;
	size_t count;
};

static int damaged(struct store_rows *r, const char *what, int64_t id)
{
	warn_add(r->warnings, SEV_FATAL, "store", "%s: %s %lld is damaged", r->sql->path, what,
		 (long long)id);
	return ERR_FORMAT;
}

static int add_cells(struct store_rows *r, sqlite3_stmt *chunk, const struct chosen *c,
		     const struct stack_list *stacks, uint64_t *sum)
{
	const struct sql_calls *calls = &r->sql->calls;
	size_t count, i;
	struct chunk_cell *cells = chunk_unpack(calls->column_blob(chunk, 0),
						(size_t)calls->column_bytes(chunk, 0), &count);

	for (i = 0; cells && i < count && cells[i].stack < stacks->count; i++) {
		if (cells[i].step < c->from_step || cells[i].step >= c->to_step)
			continue;
		add(r, (int64_t)stacks->ids[cells[i].stack], cells[i].weight);
		(void)add_held(sum, cells[i].weight);
	}
	free(cells);
	return cells && i == count ? 0 : damaged(r, "a part of capture", c->id);
}

static int add_chunks_of(struct store_rows *r, const struct chosen *c, uint64_t *sum)
{
	struct stack_list stacks;
	int rc = stacks_of(r, c->id, &stacks.ids, &stacks.count);
	sqlite3_stmt *chunks = sql_prepare(r->sql, "SELECT data FROM chunk WHERE cap=? AND event=?"
						   " AND first<? AND last>=?");

	if (rc == 0)
		rc = chunks ? sql_run(r->sql, chunks,
				      SQL_VALUES(SQL_INT(c->id), SQL_INT(c->event),
						 SQL_INT(c->to_step), SQL_INT(c->from_step)))
			    : ERR_IO;
	while (rc == 1)
		rc = add_cells(r, chunks, c, &stacks, sum) ?: sql_next(r->sql, chunks);
	sql_end(r->sql, chunks);
	free(stacks.ids);
	return rc;
}

/* ---- what they count ---- */

/* SUM of the WHOLE of an event, whose squares are those. */
static void take_unit(struct store_rows *r, const struct folded_unit *u, double sum, double whole)
{
	double squares = u->sample;

	if (r->any && (strcmp(r->unit.unit, u->unit) || strcmp(r->unit.event, u->event)))
		r->mixed = true;
	r->unit = *u;
	r->any = true;
	r->weight += sum;
	r->squares += sum < whole ? squares / whole * sum : squares;
}

bool store_rows_unit(const struct store_rows *r, struct folded_unit *out)
{
	*out = r->unit;
	out->sample = r->weight > 0 && r->squares > 0 ? r->squares / r->weight : 0;
	return r->any && !r->mixed;
}

/* ---- the captures, one by one ---- */

/* The steps of the row of STMT within the range of time. False: there are none. */
static bool cut(struct sql *s, sqlite3_stmt *stmt, const struct store_choice *c, struct chosen *out)
{
	int64_t wall = s->calls.column_int(stmt, 2), first = s->calls.column_int(stmt, 3);
	int64_t last = s->calls.column_int(stmt, 4), step = s->calls.column_int(stmt, 5);
	int64_t from, to;

	if (!c->from_ns && !c->to_ns)
		return true;
	if (step <= 0 || __builtin_sub_overflow(c->from_ns, wall, &from) ||
	    __builtin_sub_overflow(c->to_ns, wall, &to) || from > last || to <= first)
		return false;
	if (from <= first && to > last)
		return true;
	out->from_step = from > 0 ? ((uint64_t)from + (uint64_t)step - 1) / (uint64_t)step : 0;
	out->to_step = ((uint64_t)to + (uint64_t)step - 1) / (uint64_t)step;
	return out->from_step < out->to_step;
}

static void copy_text(char *to, size_t size, struct sql *s, sqlite3_stmt *stmt, int column)
{
	char *text = text_of(s, stmt, column);

	for (char *p = text; *p; p++)
		*p = *p == ' ' ? '_' : *p;
	snprintf(to, size, "%s", text);
	free(text);
}

/* The event of the first capture counts, as with collapse, unless one is chosen. */
static bool is_of_event(struct store_rows *r, sqlite3_stmt *stmt)
{
	char *name = text_of(r->sql, stmt, 6);
	bool it = !r->event || !strcmp(r->event, name);

	if (!r->event)
		r->event = xstrdup(name);
	free(name);
	return it;
}

/* Capture C, or a part of it. What is not the same of all is not told. */
static void take_input(struct store_rows *r, sqlite3_stmt *stmt, const struct chosen *c)
{
	const struct sql_calls *s = &r->sql->calls;
	struct folded_input *in = &r->input;
	int64_t first = s->column_int(stmt, 3), last = s->column_int(stmt, 4);
	uint32_t cpus = (uint32_t)s->column_int(stmt, 12);
	uint64_t rate = (uint64_t)s->column_int(stmt, 14);
	char *arch = text_of(r->sql, stmt, 15);

	if (c->to_step)
		in->duration_ns +=
			(double)(c->to_step - c->from_step) * (double)s->column_int(stmt, 5);
	else
		in->duration_ns += (double)last - (double)first;
	in->lost += (double)s->column_int(stmt, 10);
	in->samples += (double)s->column_int(stmt, 11);
	in->cpus = !r->any || in->cpus == cpus ? cpus : 0;
	in->sample_rate = !r->any || in->sample_rate == rate ? rate : 0;
	in->system_wide |= s->column_int(stmt, 13) != 0;
	if (r->arch && strcmp(r->arch, arch))
		*r->arch = '\0';
	if (!r->arch)
		r->arch = arch;
	else
		free(arch);
}

void store_rows_input(const struct store_rows *r, struct folded_input *out)
{
	*out = r->input;
	out->arch = r->arch && *r->arch ? r->arch : NULL;
	out->event = r->event;
}

static int add_chosen(struct store_rows *r, sqlite3_stmt *stmt, const struct store_choice *c,
		      sqlite3_stmt *totals)
{
	struct chosen one = { .id = r->sql->calls.column_int(stmt, 0),
			      .event = r->sql->calls.column_int(stmt, 1) };
	struct folded_unit unit = { .sample = r->sql->calls.column_double(stmt, 8) };
	uint64_t sum = 0;
	int rc;

	if (!is_of_event(r, stmt) || !cut(r->sql, stmt, c, &one))
		return 0;
	rc = one.to_step ? add_chunks_of(r, &one, &sum) : add_totals(r, totals, &one, &sum);
	if (rc < 0)
		return rc;
	take_input(r, stmt, &one);
	copy_text(unit.event, sizeof(unit.event), r->sql, stmt, 6);
	copy_text(unit.unit, sizeof(unit.unit), r->sql, stmt, 7);
	take_unit(r, &unit, (double)sum, (double)(uint64_t)r->sql->calls.column_int(stmt, 9));
	return 0;
}

static int add_captures(struct store_rows *r, const struct store_choice *c)
{
	sqlite3_stmt *all = sql_prepare(
		r->sql,
		"SELECT capture.id, event.id, wall_ns, first_ns, last_ns, step_ns, name, unit,"
		" squares, weight, lost, capture.samples, cpus, wide, rate, arch"
		" FROM capture JOIN event ON cap=capture.id"
		" ORDER BY capture.id, counts DESC, event.id");
	sqlite3_stmt *find =
		sql_prepare(r->sql, "SELECT 1 FROM label WHERE cap=? AND key=? AND value=?");
	sqlite3_stmt *totals =
		sql_prepare(r->sql, "SELECT stack, weight FROM total WHERE cap=? AND event=?");
	int rc = all && find && totals ? sql_next(r->sql, all) : ERR_IO;

	while (rc == 1) {
		rc = passes(r->sql, find, r->sql->calls.column_int(all, 0), c);
		if (rc == 1)
			rc = add_chosen(r, all, c, totals);
		if (rc == 0)
			rc = sql_next(r->sql, all);
	}
	sql_end(r->sql, all);
	sql_end(r->sql, find);
	sql_end(r->sql, totals);
	return rc;
}

int store_rows_open(struct store_rows **out, struct store *s, const struct store_choice *c,
		    struct warnings *w)
{
	struct store_rows *r = xcalloc(1, sizeof(*r));
	int rc;

	s->sql.warnings = w;
	r->sql = &s->sql;
	r->warnings = w;
	intern_init(&r->texts);
	r->event = c->event ? xstrdup(c->event) : NULL;
	rc = add_captures(r, c);
	if (rc == 0) {
		r->stack = sql_prepare(r->sql, "SELECT frames FROM stack WHERE id=?");
		r->frame = sql_prepare(r->sql, "SELECT name FROM frame WHERE id=?");
		rc = r->stack && r->frame ? 0 : ERR_IO;
	}
	if (rc == 0 && !r->any) {
		warn_add(w, SEV_FATAL, "store", "%s: no capture in it is as asked for",
			 r->sql->path);
		rc = ERR_ABSENT;
	}
	if (rc < 0) {
		store_rows_free(r);
		r = NULL;
	}
	*out = r;
	return rc;
}

void store_rows_free(struct store_rows *r)
{
	if (!r)
		return;
	sql_end(r->sql, r->stack);
	sql_end(r->sql, r->frame);
	free(r->event);
	free(r->arch);
	free(r->stacks);
	free(r->weights);
	idmap_release(&r->known);
	idmap_release(&r->names);
	intern_release(&r->texts);
	buf_release(&r->text);
	free(r);
}

/* ---- their names ---- */

/* A name has no semicolon: it would be two. */
static int name_of(struct store_rows *r, uint64_t id, uint32_t **name)
{
	char *text;
	int rc;

	*name = idmap_put(&r->names, id);
	if (**name != IDMAP_NONE)
		return 0;
	**name = 0;
	rc = sql_run(r->sql, r->frame, SQL_VALUES(SQL_INT(id)));
	if (rc != 1)
		return rc < 0 ? rc : damaged(r, "frame", (int64_t)id);
	text = text_of(r->sql, r->frame, 0);
	for (char *p = text; *p; p++)
		*p = *p == ';' ? ':' : *p;
	**name = intern_add(&r->texts, text, strlen(text));
	free(text);
	return 0;
}

static int add_frames(struct store_rows *r, struct cursor c)
{
	r->text.len = 0;
	while (cursor_left(&c)) {
		uint32_t *name;
		int rc = name_of(r, cursor_uleb(&c), &name);

		if (rc < 0)
			return rc;
		if (r->text.len)
			buf_char(&r->text, ';');
		buf_str(&r->text, intern_str(&r->texts, *name));
	}
	return c.bad ? ERR_FORMAT : 0;
}

int store_rows_next(struct store_rows *r, const char **text, size_t *len, uint64_t *weight)
{
	int64_t id;
	int rc;

	if (r->at == r->count)
		return sql_check(r->sql);
	id = r->stacks[r->at];
	*weight = r->weights[r->at++];
	rc = sql_run(r->sql, r->stack, SQL_VALUES(SQL_INT(id)));
	if (rc < 0)
		return rc;
	if (rc == 0 ||
	    add_frames(r, cursor_make(r->sql->calls.column_blob(r->stack, 0),
				      (size_t)r->sql->calls.column_bytes(r->stack, 0), false)) < 0)
		return damaged(r, "stack", id);
	*text = r->text.data ? r->text.data : "";
	*len = r->text.len;
	return 1;
}
