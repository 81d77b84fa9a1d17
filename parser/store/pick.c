/* The captures that a choice lets pass, one after the other by their numbers, or by value of a
 * label.
 */
#include "parser/store/pick.h"
#include "parser/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

char *store_text_of(const char *bytes, size_t len)
{
	char *text = xmalloc(len + 1);

	for (size_t i = 0; i < len; i++)
		text[i] = (uint8_t)bytes[i] < ' ' || bytes[i] == 0x7f ? '?' : bytes[i];
	text[len] = '\0';
	return text;
}

char *store_text(struct sql *s, sqlite3_stmt *stmt, int column)
{
	const char *bytes = s->calls.column_blob(stmt, column);

	return store_text_of(bytes, (size_t)s->calls.column_bytes(stmt, column));
}

static uint32_t keep_text(struct picks *p, struct sql *s, sqlite3_stmt *stmt, int column)
{
	char *text = store_text(s, stmt, column);
	uint32_t id = intern_add(&p->texts, text, strlen(text));

	free(text);
	return id;
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

/* The steps of ONE within the range of time. False: there are none. */
static bool cut(struct pick *one, const struct store_choice *c)
{
	int64_t from, to, step = one->step_ns;

	one->begin_ns = one->first_ns;
	one->end_ns = one->last_ns;
	if (!c->from_ns && !c->to_ns)
		return true;
	if (step <= 0 || __builtin_sub_overflow(c->from_ns, one->wall_ns, &from) ||
	    __builtin_sub_overflow(c->to_ns, one->wall_ns, &to) || from > one->last_ns ||
	    to <= one->first_ns)
		return false;
	if (from <= one->first_ns && to > one->last_ns)
		return true;
	one->from_step =
		from > one->first_ns ? ((uint64_t)from + (uint64_t)step - 1) / (uint64_t)step : 0;
	one->to_step = ((uint64_t)to + (uint64_t)step - 1) / (uint64_t)step;
	one->begin_ns = MAX(from, one->first_ns);
	one->end_ns = MIN(to, one->last_ns);
	return one->from_step < one->to_step;
}

/* What tells ONE from others, into its part. 1; 0: it has no such label. */
static int take_part(struct picks *p, struct sql *s, sqlite3_stmt *value, struct pick *one,
		     const struct store_choice *c)
{
	bool whole = !strcmp(c->each, "capture");
	struct buf text = { 0 };
	int rc = whole ? sql_run(s, value, SQL_VALUES(SQL_INT(one->capture)))
		       : sql_run(s, value, SQL_VALUES(SQL_INT(one->capture), SQL_TEXT(c->each)));

	if (rc == 1) {
		char *told = store_text(s, value, 0);

		buf_str(&text, told);
		if (whole)
			buf_printf(&text, "#%lld", (long long)one->capture);
		one->part = intern_add(&p->texts, text.data ? text.data : "", text.len);
		free(told);
	}
	buf_release(&text);
	return rc;
}

/* The event of the first capture counts, as with collapse, unless one is chosen. */
static int take_row(struct picks *p, struct sql *s, sqlite3_stmt *row, sqlite3_stmt *value,
		    const struct store_choice *c)
{
	const struct sql_calls *calls = &s->calls;
	struct pick one = { .capture = calls->column_int(row, 0),
			    .event = calls->column_int(row, 1),
			    .wall_ns = calls->column_int(row, 2),
			    .first_ns = calls->column_int(row, 3),
			    .last_ns = calls->column_int(row, 4),
			    .step_ns = calls->column_int(row, 5),
			    .name = keep_text(p, s, row, 6) };
	int rc = 1;

	if (p->event == INTERN_NONE)
		p->event = one.name;
	if (p->whole ? p->count && p->list[p->count - 1].capture == one.capture
		     : p->event != one.name)
		return 0;
	if (!cut(&one, c))
		return 0;
	if (c->each)
		rc = take_part(p, s, value, &one, c);
	if (rc != 1)
		return rc;
	one.unit = keep_text(p, s, row, 7);
	one.squares = calls->column_double(row, 8);
	one.weight = (double)(uint64_t)calls->column_int(row, 9);
	one.lost = (uint64_t)calls->column_int(row, 10);
	one.samples = (uint64_t)calls->column_int(row, 11);
	one.cpus = (uint32_t)calls->column_int(row, 12);
	one.wide = calls->column_int(row, 13) != 0;
	one.rate = (uint64_t)calls->column_int(row, 14);
	one.arch = keep_text(p, s, row, 15);
	p->list = xgrow(p->list, &p->cap, p->count + 1, sizeof(*p->list));
	p->list[p->count++] = one;
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct pick *x = a, *y = b;
	double first = (double)x->wall_ns + (double)x->first_ns;
	double other = (double)y->wall_ns + (double)y->first_ns;

	return (first > other) - (first < other)
		       ?: (x->capture > y->capture) - (x->capture < y->capture);
}

static int by_part(const void *a, const void *b, void *ctx)
{
	const struct pick *x = a, *y = b;
	const struct picks *p = ctx;

	return strcmp(intern_str(&p->texts, x->part), intern_str(&p->texts, y->part))
		       ?: by_time(a, b);
}

int picks_make(struct picks *p, struct sql *s, const struct store_choice *c)
{
	bool whole = c->each && !strcmp(c->each, "capture");
	sqlite3_stmt *all =
		sql_prepare(s, "SELECT capture.id, event.id, wall_ns, first_ns, last_ns, step_ns,"
			       " name, unit, squares, weight, lost, capture.samples, cpus, wide,"
			       " rate, arch FROM capture JOIN event ON cap=capture.id"
			       " ORDER BY capture.id, counts DESC, event.id");
	sqlite3_stmt *find =
		sql_prepare(s, "SELECT 1 FROM label WHERE cap=? AND key=? AND value=?");
	sqlite3_stmt *value = sql_prepare(s, whole ? "SELECT path FROM capture WHERE id=?"
						   : "SELECT value FROM label WHERE cap=? AND"
						     " key=? ORDER BY value");
	int rc = all && find && value ? sql_next(s, all) : ERR_IO;

	intern_init(&p->texts);
	p->event = c->event ? intern_add(&p->texts, c->event, strlen(c->event)) : INTERN_NONE;
	while (rc == 1) {
		rc = passes(s, find, s->calls.column_int(all, 0), c);
		if (rc == 1)
			rc = take_row(p, s, all, value, c);
		if (rc == 0)
			rc = sql_next(s, all);
	}
	sql_end(s, all);
	sql_end(s, find);
	sql_end(s, value);
	if (whole && p->count)
		qsort(p->list, p->count, sizeof(*p->list), by_time);
	else if (c->each && p->count)
		qsort_r(p->list, p->count, sizeof(*p->list), by_part, p);
	return rc;
}

void picks_release(struct picks *p)
{
	free(p->list);
	intern_release(&p->texts);
}
