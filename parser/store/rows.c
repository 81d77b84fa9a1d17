/* Stacks come out: the totals of whole captures, and the chunks of those that a range of time cuts,
 * summed up by stack. Names are read once, at the end. */
#include "parser/base/compare.h"
#include "parser/base/cursor.h"
#include "parser/base/held.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"
#include "parser/folded.h"
#include "parser/store/click.h"
#include "parser/store/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A frame, by its number in the store. */
struct named {
	uint32_t text, module;
	uint8_t kind;
	uint8_t matches; /* patterns of these keys */
};

enum { MATCH_COMM = 1, MATCH_MODULE = 2, MATCH_SYMBOL = 4 };

struct store_rows {
	struct sql *sql;
	struct click *click; /* NULL: all is in SQL */
	struct warnings *warnings;
	const struct store_choice *choice;
	struct picks picks;
	size_t next_pick;
	/* by stack, as they came */
	int64_t *stacks;
	uint64_t *weights;
	size_t count, stack_cap, weight_cap, at;
	struct idmap known;
	sqlite3_stmt *totals, *stack, *frame;
	struct idmap frames; /* by id: in NAMED */
	struct named *named;
	size_t named_count, named_cap;
	uint32_t *path; /* of the stack that came last: in NAMED */
	size_t path_count, path_cap;
	struct intern texts;
	struct buf text;
	uint8_t asked;		/* patterns of which keys stacks have to match */
	double weight, squares; /* of all */
	struct folded_input input;
	uint32_t arch; /* of the captures so far; INTERN_NONE: not the same */
	struct folded_unit unit;
	bool any, mixed, held;
};

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

static int add_totals(struct store_rows *r, const struct pick *c, uint64_t *sum)
{
	const struct sql_calls *calls = &r->sql->calls;
	int rc = sql_run(r->sql, r->totals, SQL_VALUES(SQL_INT(c->capture), SQL_INT(c->event)));

	for (; rc == 1; rc = sql_next(r->sql, r->totals)) {
		add(r, calls->column_int(r->totals, 0), (uint64_t)calls->column_int(r->totals, 1));
		(void)add_held(sum, (uint64_t)calls->column_int(r->totals, 1));
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

int rows_damaged(struct store_rows *r, const char *what, int64_t id)
{
	warn_add(r->warnings, SEV_FATAL, "store", "%s: %s %lld is damaged", r->sql->path, what,
		 (long long)id);
	return ERR_FORMAT;
}

/* What is read of a capture's chunks. */
struct reading {
	struct store_rows *rows;
	const struct pick *of;
	uint64_t *stacks;
	size_t stack_count;
	rows_cell_fn *fn;
	void *ctx;
};

static int read_cells(const struct reading *g, sqlite3_stmt *chunk)
{
	const struct sql_calls *calls = &g->rows->sql->calls;
	const struct pick *c = g->of;
	size_t count, i;
	struct chunk_cell *cells = chunk_unpack(calls->column_blob(chunk, 0),
						(size_t)calls->column_bytes(chunk, 0), &count);
	int rc = 0;

	for (i = 0; cells && rc == 0 && i < count && cells[i].stack < g->stack_count; i++) {
		if (!c->to_step || (cells[i].step >= c->from_step && cells[i].step < c->to_step))
			rc = g->fn(g->ctx, (int64_t)g->stacks[cells[i].stack], &cells[i]);
	}
	free(cells);
	if (rc < 0)
		return rc;
	return cells && i == count ? 0 : rows_damaged(g->rows, "a part of capture", c->capture);
}

int rows_cells(struct store_rows *r, const struct pick *c, rows_cell_fn *fn, void *ctx)
{
	struct reading g = { .rows = r, .of = c, .fn = fn, .ctx = ctx };
	int rc = stacks_of(r, c->capture, &g.stacks, &g.stack_count);
	sqlite3_stmt *chunks = sql_prepare(r->sql, "SELECT data FROM chunk WHERE cap=? AND event=?"
						   " AND first<? AND last>=? ORDER BY number");
	int64_t to = c->to_step ? (int64_t)c->to_step : INT64_MAX;

	if (rc == 0)
		rc = chunks ? sql_run(r->sql, chunks,
				      SQL_VALUES(SQL_INT(c->capture), SQL_INT(c->event),
						 SQL_INT(to), SQL_INT(c->from_step)))
			    : ERR_IO;
	while (rc == 1)
		rc = read_cells(&g, chunks) ?: sql_next(r->sql, chunks);
	sql_end(r->sql, chunks);
	free(g.stacks);
	return rc;
}

struct summing {
	struct store_rows *rows;
	uint64_t sum;
};

static int add_cell(void *ctx, int64_t stack, const struct chunk_cell *cell)
{
	struct summing *s = ctx;

	add(s->rows, stack, cell->weight);
	(void)add_held(&s->sum, cell->weight);
	return 0;
}

static int add_chunks(struct store_rows *r, const struct pick *c, uint64_t *sum)
{
	struct summing s = { .rows = r };
	int rc = rows_cells(r, c, add_cell, &s);

	*sum = s.sum;
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

/* From when to when; captures of a value of "each" come in the order of time. */
static void take_span(struct folded_input *in, const struct pick *c)
{
	int64_t first, last;

	if (!pick_span(c, &first, &last))
		return;
	if (in->captures && in->has_wall && first > in->last_ns &&
	    (uint64_t)(first - in->last_ns) > in->gap_ns)
		in->gap_ns = (uint64_t)(first - in->last_ns);
	in->has_wall = c->wall_ns && (!in->captures || in->has_wall);
	if (!in->captures || first < in->first_ns)
		in->first_ns = first;
	if (!in->captures || last > in->last_ns)
		in->last_ns = last;
	in->captures++;
}

/* Capture C, or a part of it. What is not the same of all is not told. */
static void take_input(struct store_rows *r, const struct pick *c)
{
	struct folded_input *in = &r->input;

	in->duration_ns += (double)c->end_ns - (double)c->begin_ns;
	take_span(in, c);
	in->lost += (double)c->lost;
	in->samples += (double)c->samples;
	in->cpus = !r->any || in->cpus == c->cpus ? c->cpus : 0;
	in->sample_rate = !r->any || in->sample_rate == c->rate ? c->rate : 0;
	in->system_wide |= c->wide;
	r->arch = !r->any || r->arch == c->arch ? c->arch : INTERN_NONE;
}

void store_rows_input(const struct store_rows *r, struct folded_input *out)
{
	const struct intern *texts = &r->picks.texts;

	*out = r->input;
	out->arch = r->arch != INTERN_NONE && *intern_str(texts, r->arch)
			    ? intern_str(texts, r->arch)
			    : NULL;
	out->event = intern_str(texts, r->picks.event);
}

static void copy_text(char *to, size_t size, const char *text)
{
	snprintf(to, size, "%s", text);
	for (; *to; to++)
		*to = *to == ' ' ? '_' : *to;
}

static int add_pick(struct store_rows *r, const struct pick *c)
{
	struct folded_unit unit = { .sample = c->squares };
	uint64_t sum = c->sum;
	int rc = r->click ? 0 : c->to_step ? add_chunks(r, c, &sum) : add_totals(r, c, &sum);

	if (rc < 0)
		return rc;
	take_input(r, c);
	copy_text(unit.event, sizeof(unit.event), intern_str(&r->picks.texts, c->name));
	copy_text(unit.unit, sizeof(unit.unit), intern_str(&r->picks.texts, c->unit));
	take_unit(r, &unit, (double)sum, c->weight);
	return 0;
}

/* From the next on: all that are of the same part. */
static int add_part(struct store_rows *r)
{
	uint32_t number = (uint32_t)r->next_pick;
	const struct pick *first = &r->picks.list[number];
	uint64_t weight;
	int64_t stack;
	int rc = 0;

	r->count = r->at = 0;
	idmap_release(&r->known);
	r->known = (struct idmap){ 0 };
	r->weight = r->squares = 0;
	r->input = (struct folded_input){ 0 };
	r->any = r->mixed = false;
	while (r->click && click_next(r->click, number, &stack, &weight))
		add(r, stack, weight);
	do
		rc = add_pick(r, &r->picks.list[r->next_pick++]);
	while (rc == 0 && r->next_pick < r->picks.count &&
	       (!r->choice->each || r->picks.list[r->next_pick].part == first->part));
	return rc;
}

int store_rows_more(struct store_rows *r)
{
	return r->next_pick < r->picks.count ? (add_part(r) ?: 1) : 0;
}

const char *store_rows_part(const struct store_rows *r)
{
	return r->choice->each && r->next_pick
		       ? intern_str(&r->picks.texts, r->picks.list[r->next_pick - 1].part)
		       : NULL;
}

static uint8_t key_of(const struct store_label *pattern)
{
	return pattern->key[0] == 'c'	? MATCH_COMM
	       : pattern->key[0] == 'm' ? MATCH_MODULE
					: MATCH_SYMBOL;
}

static int prepare(struct store_rows *r)
{
	r->totals = sql_prepare(r->sql, "SELECT stack, weight FROM total WHERE cap=? AND event=?");
	r->stack = sql_prepare(r->sql, "SELECT frames FROM stack WHERE id=?");
	r->frame = sql_prepare(r->sql, "SELECT name, module, kind FROM frame WHERE id=?");
	return r->totals && r->stack && r->frame ? 0 : ERR_IO;
}

int store_rows_open(struct store_rows **out, struct store *s, const struct store_choice *c,
		    struct warnings *w)
{
	struct store_rows *r = xcalloc(1, sizeof(*r));
	int rc = 0;

	s->sql.warnings = w;
	r->sql = &s->sql;
	r->warnings = w;
	r->choice = c;
	intern_init(&r->texts);
	r->click = s->click;
	for (size_t i = 0; i < c->pattern_count && !(r->click && c->innermost); i++)
		r->asked |= key_of(&c->patterns[i]);
	if (r->click)
		rc = click_captures(r->click, r->sql, c);
	if (rc == 0)
		rc = picks_make(&r->picks, r->sql, c);
	if (rc == 0)
		rc = prepare(r);
	if (rc == 0 && r->click)
		rc = click_rows(r->click, r->sql, c, &r->picks);
	if (rc == 0 && !r->picks.count) {
		warn_add(w, SEV_FATAL, "store", "%s: no capture in it is as asked for",
			 r->sql->path);
		rc = ERR_ABSENT;
	}
	if (rc == 0)
		rc = add_part(r);
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
	sql_end(r->sql, r->totals);
	sql_end(r->sql, r->stack);
	sql_end(r->sql, r->frame);
	picks_release(&r->picks);
	free(r->stacks);
	free(r->weights);
	idmap_release(&r->known);
	idmap_release(&r->frames);
	free(r->named);
	free(r->path);
	intern_release(&r->texts);
	buf_release(&r->text);
	free(r);
}

/* ---- their names ---- */

/* Does TEXT match one of the patterns of KEY? */
static uint8_t match(const struct store_rows *r, uint8_t key, const char *text)
{
	for (size_t i = 0; i < r->choice->pattern_count; i++) {
		const struct store_label *p = &r->choice->patterns[i];

		if (key_of(p) == key && store_name_matches(p->value, text))
			return key;
	}
	return 0;
}

/* A name has no semicolon: it would be two. */
static int read_frame(struct store_rows *r, uint64_t id, struct named *out)
{
	int rc = sql_run(r->sql, r->frame, SQL_VALUES(SQL_INT(id)));
	char *text, *module;

	if (rc != 1)
		return rc < 0 ? rc : rows_damaged(r, "frame", (int64_t)id);
	text = store_text(r->sql, r->frame, 0);
	module = store_text(r->sql, r->frame, 1);
	out->matches = match(r, MATCH_COMM, text) | match(r, MATCH_SYMBOL, text) |
		       match(r, MATCH_MODULE, module);
	for (char *p = text; *p; p++)
		*p = *p == ';' ? ':' : *p;
	out->text = intern_add(&r->texts, text, strlen(text));
	out->module = intern_add(&r->texts, module, strlen(module));
	out->kind = (uint8_t)r->sql->calls.column_int(r->frame, 2);
	free(text);
	free(module);
	return 0;
}

/* OUT: in NAMED. */
static int name_of(struct store_rows *r, uint64_t id, uint32_t *out)
{
	uint32_t *at = idmap_put(&r->frames, id);
	int rc = 0;

	if (*at == IDMAP_NONE) {
		*at = (uint32_t)r->named_count;
		r->named = xgrow(r->named, &r->named_cap, r->named_count + 1, sizeof(*r->named));
		r->named[r->named_count] = (struct named){ 0 };
		rc = read_frame(r, id, &r->named[r->named_count++]);
	}
	*out = *at;
	return rc;
}

/* The first frame tells the command. 1: the stack passes. */
static int add_frames(struct store_rows *r, struct cursor c)
{
	uint8_t matches = 0, of = MATCH_COMM;

	r->text.len = r->path_count = 0;
	while (cursor_left(&c)) {
		uint32_t name;
		int rc = name_of(r, cursor_uleb(&c), &name);

		if (rc < 0)
			return rc;
		if (of != MATCH_COMM)
			buf_char(&r->text, ';');
		matches |= r->named[name].matches & of;
		of = MATCH_MODULE | MATCH_SYMBOL;
		buf_str(&r->text, intern_str(&r->texts, r->named[name].text));
		r->path = xgrow(r->path, &r->path_cap, r->path_count + 1, sizeof(*r->path));
		r->path[r->path_count++] = name;
	}
	return c.bad ? ERR_FORMAT : (matches & r->asked) == r->asked;
}

/* 1: FRAMES are those of stack ID. */
static int find_stack(struct store_rows *r, int64_t id, struct cursor *frames)
{
	int rc;

	if (r->click)
		return click_stack(r->click, id, frames);
	rc = sql_run(r->sql, r->stack, SQL_VALUES(SQL_INT(id)));
	if (rc == 1)
		*frames = cursor_make(r->sql->calls.column_blob(r->stack, 0),
				      (size_t)r->sql->calls.column_bytes(r->stack, 0), false);
	return rc;
}

static int next_stack(struct store_rows *r, uint64_t *weight)
{
	int64_t id = r->stacks[r->at];
	struct cursor frames;
	int rc;

	*weight = r->weights[r->at++];
	if (r->click && r->choice->function && id == STORE_OTHERS) {
		r->text.len = r->path_count = 0;
		return 1;
	}
	rc = find_stack(r, id, &frames);
	if (rc < 0)
		return rc;
	rc = rc == 1 ? add_frames(r, frames) : ERR_FORMAT;
	if (rc == 0)
		*idmap_put(&r->known, (uint64_t)id) = ROWS_LEFT_OUT;
	return rc < 0 ? rows_damaged(r, "stack", id) : rc;
}

int store_rows_next(struct store_rows *r, const char **text, size_t *len, uint64_t *weight)
{
	int rc = 0;

	while (rc == 0 && r->at < r->count)
		rc = next_stack(r, weight);
	if (rc == 0)
		return sql_check(r->sql);
	*text = r->text.data ? r->text.data : "";
	*len = r->text.len;
	return rc;
}

uint32_t store_rows_place(const struct store_rows *r)
{
	return (uint32_t)r->at - 1;
}

bool store_rows_frame(const struct store_rows *r, size_t i, struct store_frame *out)
{
	const struct named *n;

	if (i >= r->path_count)
		return false;
	n = &r->named[r->path[i]];
	*out = (struct store_frame){ .name = intern_str(&r->texts, n->text),
				     .module = intern_str(&r->texts, n->module),
				     .kind = n->kind };
	return true;
}

/* ---- for who reads more of them ---- */

struct sql *rows_sql(const struct store_rows *r)
{
	return r->sql;
}

struct click *rows_click(const struct store_rows *r)
{
	return r->click;
}

const struct picks *rows_picks(const struct store_rows *r)
{
	return &r->picks;
}

void rows_where_sample(const struct store_rows *r, struct buf *out)
{
	click_where_sample(out, r->choice, intern_str(&r->picks.texts, r->picks.event));
	click_where_patterns(out, r->choice);
}

uint32_t rows_find(const struct store_rows *r, int64_t stack)
{
	return idmap_get(&r->known, (uint64_t)stack);
}

bool store_rows_span(const struct store_rows *r, size_t i, int64_t *from_ns, int64_t *to_ns)
{
	if (i >= r->picks.count)
		return false;
	if (!pick_span(&r->picks.list[i], from_ns, to_ns))
		*from_ns = *to_ns = 0;
	return true;
}
