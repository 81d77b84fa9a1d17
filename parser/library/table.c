/* Tables of events (pdtool_columns.h). Each group has its arrays, which grow together; texts lie
 * side by side, each once, so that who reads them in another language takes all of them at once.
 *
 * A payload may be anything: fields are read by trace_number(), trace_text() and trace_bytes(). */
#include "parser/library/door.h"
#include "parser/batch.h"
#include "parser/pdtool_columns.h"
#include "parser/pdtool_record.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"
#include "parser/base/slots.h"
#include "parser/session/inside.h"

#include <stdlib.h>
#include <string.h>

#define TABLE_FIELDS_MAX 256		   /* of one event */
#define TABLE_TEXT_MAX	 (256u << 20)	   /* bytes of texts */
#define TEXT_BYTES	 ((size_t)1 << 20) /* after which a read ends that keeps nothing */
#define GROUP_FIRST	 64
#define KINDS		 16

/* An array of a group, as it is compared. */
struct part {
	const void *values;
	size_t width;
};

struct group {
	struct pdt_group out;
	size_t room; /* of each array, in values */
	void *columns[PDT_COLUMNS];
	struct pdt_field_column *fields;
	/* where rows are counted */
	uint64_t *counts;
	struct slots rows;
	struct part *parts;
	size_t part_count;
};

struct table {
	struct pdt_table out;
	struct session *session;
	struct pdt_table_query query;
	char **names; /* of fields, query.field_count of them */
	struct group **groups;
	size_t group_cap;
	uint32_t *by_desc; /* its group, and 1 */
	size_t desc_count, desc_cap;
	uint32_t by_kind[KINDS]; /* the same of what is no sample */
	uint32_t *order;
	size_t order_cap;
	struct slots slots; /* of texts */
	char *texts;
	uint64_t *starts;
	size_t text_cap, start_cap;
	enum pdt_table_keep keep; /* how what is there was read */
	int rc;			  /* what stopped the last read */
};

/* Of T, which is handed out as its first member. */
static struct table *table_of(const struct pdt_table *t)
{
	return (struct table *)t;
}

/* ---- texts ---- */

static uint32_t text_id(struct table *t, const void *text, size_t len)
{
	uint64_t hash = hash_bytes(text, len), start = t->starts[t->out.text_count];
	uint32_t id;
	size_t at;

	slots_reserve(&t->slots);
	SLOTS_EACH(&t->slots, hash, at, id)
	{
		if (t->starts[id + 1] - t->starts[id] == len &&
		    !memcmp(t->texts + t->starts[id], text, len))
			return id;
	}
	if (start + len > TABLE_TEXT_MAX) {
		t->out.left_out++;
		return PDT_NONE;
	}
	id = t->out.text_count++;
	slots_set(&t->slots, at, hash, id);
	t->texts = xgrow(t->texts, &t->text_cap, start + len + 1, 1);
	t->starts = xgrow(t->starts, &t->start_cap, (size_t)id + 2, sizeof(*t->starts));
	memcpy(t->texts + start, text, len);
	t->starts[id + 1] = start + len;
	return id;
}

static void forget_slots(struct slots *s)
{
	if (s->count)
		memset(s->table, 0, s->count * sizeof(*s->table));
	s->used = 0;
}

/* ---- fields ---- */

static bool is_number(const struct pdt_field *f)
{
	return f->kind == FIELD_NUMBER;
}

static bool is_text(const struct pdt_field *f)
{
	return f->kind == FIELD_TEXT ||
	       ((f->kind == FIELD_DATA_LOC || f->kind == FIELD_REL_LOC) &&
		strstr(f->type, "char") && !strstr(f->type, "signed char"));
}

static bool is_asked_for(const struct table *t, const char *name)
{
	if (!t->names)
		return strncmp(name, "common_", 7) != 0;
	for (size_t i = 0; i < t->query.field_count; i++) {
		if (!strcmp(t->names[i], name))
			return true;
	}
	return false;
}

static void add_fields(struct table *t, struct group *g, const struct pdt_format *f)
{
	size_t cap = 0;

	for (size_t i = 0; i < f->field_count; i++) {
		if (!is_asked_for(t, f->fields[i].name))
			continue;
		if (g->out.field_count == TABLE_FIELDS_MAX) {
			t->out.left_out++;
			continue;
		}
		g->fields = xgrow(g->fields, &cap, g->out.field_count + 1, sizeof(*g->fields));
		g->fields[g->out.field_count++] =
			(struct pdt_field_column){ .field = &f->fields[i],
						   .is_text = is_text(&f->fields[i]) };
	}
	g->out.fields = g->fields;
}

static void put_fields(struct table *t, struct group *g, const struct pdt_event *e)
{
	static const uint8_t nothing[1];
	const struct payload p = { e->raw ? e->raw : nothing, e->raw ? e->raw_size : 0 };
	size_t i = g->out.count, len;

	for (size_t k = 0; k < g->out.field_count; k++) {
		const struct pdt_field_column *c = &g->fields[k];
		const void *text;

		if (c->numbers) {
			(void)trace_number(c->field, &p, (uint64_t *)&c->numbers[i]);
			continue;
		}
		text = c->is_text ? trace_text(c->field, &p, &len)
				  : (const void *)trace_bytes(c->field, &p, &len);
		((uint32_t *)c->texts)[i] = text ? text_id(t, text, len) : PDT_NONE;
	}
}

/* ---- groups ---- */

static size_t width(unsigned column)
{
	return column < PDT_COLUMN_PID ? 8 : column < PDT_COLUMN_KIND ? 4 : 1;
}

/* The arrays of G, as they lie now. */
static void make_parts(struct group *g)
{
	size_t n = 0;

	g->parts = xrealloc(g->parts, (PDT_COLUMNS + g->out.field_count) * sizeof(*g->parts));
	for (unsigned i = 0; i < PDT_COLUMNS; i++) {
		if (g->columns[i])
			g->parts[n++] = (struct part){ g->columns[i], width(i) };
	}
	for (size_t k = 0; k < g->out.field_count; k++) {
		const struct pdt_field_column *c = &g->fields[k];

		g->parts[n++] =
			c->numbers ? (struct part){ c->numbers, 8 } : (struct part){ c->texts, 4 };
	}
	g->part_count = n;
	g->counts = xrealloc(g->counts, g->room * sizeof(*g->counts));
	g->out.counts = g->counts;
}

static void make_room(const struct table *t, struct group *g)
{
	size_t room = g->room ? g->room * 2 : GROUP_FIRST;

	for (unsigned i = 0; i < PDT_COLUMNS; i++) {
		if (t->query.columns >> i & 1)
			g->columns[i] = xgrow(g->columns[i], &(size_t){ g->room }, room, width(i));
	}
	for (size_t k = 0; k < g->out.field_count; k++) {
		struct pdt_field_column *c = &g->fields[k];

		if (is_number(c->field))
			c->numbers = xgrow((void *)c->numbers, &(size_t){ g->room }, room, 8);
		else
			c->texts = xgrow((void *)c->texts, &(size_t){ g->room }, room, 4);
	}
	g->room = room;
	if (t->keep == PDT_TABLE_COUNT)
		make_parts(g);
}

static void group_new(struct table *t, const struct pdt_desc *d, uint8_t kind)
{
	const struct pdt_format *f = d ? session_format(t->session, d) : NULL;
	struct group *g = xcalloc(1, sizeof(*g));

	g->out.desc = d;
	g->out.kind = kind;
	g->out.columns = (const void *const *)g->columns;
	t->groups = xgrow(t->groups, &t->group_cap, t->out.group_count + 1, sizeof(*t->groups));
	t->groups[t->out.group_count++] = g;
	t->out.groups = (const struct pdt_group *const *)t->groups;
	if (f)
		add_fields(t, g, f);
}

/* Of E, its group. */
static uint32_t group_of(struct table *t, const struct pdt_event *e)
{
	const struct pdt_desc *d = t->query.by_event && e->kind == PDT_SAMPLE ? e->desc : NULL;
	uint32_t *at = &t->by_kind[t->query.by_event ? e->kind % KINDS : 0];

	if (d) {
		if (d->index >= t->desc_count)
			t->by_desc = xgrow_to(t->by_desc, &t->desc_count, &t->desc_cap, d->index,
					      sizeof(*t->by_desc));
		at = &t->by_desc[d->index];
	}
	if (!*at) {
		group_new(t, d, e->kind);
		*at = (uint32_t)t->out.group_count;
	}
	return *at - 1;
}

static uint64_t value_of(const struct pdt_event *e, unsigned column)
{
	switch (column) {
	case PDT_COLUMN_TIME:
		return e->time_ns;
	case PDT_COLUMN_WEIGHT:
		return e->weight;
	case PDT_COLUMN_IP:
		return e->ip;
	case PDT_COLUMN_ADDR:
		return e->values ? e->values->addr : 0;
	case PDT_COLUMN_PHYS_ADDR:
		return e->values ? e->values->phys_addr : 0;
	case PDT_COLUMN_DATA_SRC:
		return e->values ? e->values->data_src : 0;
	case PDT_COLUMN_CGROUP:
		return e->cgroup;
	case PDT_COLUMN_SAMPLE_WEIGHT:
		return e->sample_weight;
	case PDT_COLUMN_PID:
		return e->pid;
	case PDT_COLUMN_TID:
		return e->tid;
	case PDT_COLUMN_CPU:
		return e->has_cpu ? e->cpu : UINT32_MAX;
	case PDT_COLUMN_COMM:
		return e->comm;
	case PDT_COLUMN_STACK:
		return e->stack;
	case PDT_COLUMN_EVENT:
		return e->desc ? e->desc->index : PDT_NONE;
	case PDT_COLUMN_OTHER_PID:
		return e->other_pid;
	case PDT_COLUMN_OTHER_TID:
		return e->other_tid;
	case PDT_COLUMN_KIND:
		return e->kind;
	case PDT_COLUMN_MODE:
		return e->mode;
	case PDT_COLUMN_FLAGS:
		return event_flags(e);
	default:
		return 0;
	}
}

static void put_event(const struct group *g, uint64_t columns, const struct pdt_event *e)
{
	size_t i = g->out.count;

	for (; columns; columns &= columns - 1) {
		unsigned column = (unsigned)__builtin_ctzll(columns);
		uint64_t value = value_of(e, column);

		if (width(column) == 8)
			((uint64_t *)g->columns[column])[i] = value;
		else if (width(column) == 4)
			((uint32_t *)g->columns[column])[i] = (uint32_t)value;
		else
			((uint8_t *)g->columns[column])[i] = (uint8_t)value;
	}
}

/* ---- rows that are counted ---- */

static uint64_t value_at(const struct part *p, size_t i)
{
	if (p->width == 8)
		return ((const uint64_t *)p->values)[i];
	return p->width == 4 ? ((const uint32_t *)p->values)[i] : ((const uint8_t *)p->values)[i];
}

static bool is_equal(const struct group *g, size_t a, size_t b)
{
	for (size_t k = 0; k < g->part_count; k++) {
		if (value_at(&g->parts[k], a) != value_at(&g->parts[k], b))
			return false;
	}
	return true;
}

/* Is the row behind those of G one of them? It is counted; else it is to be the last of them. */
static bool count_row(struct group *g)
{
	uint64_t hash = HASH_K0;
	uint32_t id;
	size_t at, last = g->out.count;

	for (size_t k = 0; k < g->part_count; k++)
		hash = hash_fold(hash ^ HASH_K1, value_at(&g->parts[k], last) ^ HASH_K2) + k;
	slots_reserve(&g->rows);
	SLOTS_EACH(&g->rows, hash, at, id)
	{
		if (is_equal(g, id, last)) {
			g->counts[id]++;
			return true;
		}
	}
	slots_set(&g->rows, at, hash, (uint32_t)last);
	g->counts[last] = 1;
	return false;
}

static void add_event(struct table *t, const struct pdt_event *e)
{
	uint32_t i = group_of(t, e);
	struct group *g = t->groups[i];

	if (g->out.count == g->room)
		make_room(t, g);
	put_event(g, t->query.columns, e);
	put_fields(t, g, e);
	if (t->keep == PDT_TABLE_COUNT && count_row(g))
		return;
	g->out.count++;
	if (t->query.by_event) {
		t->order = xgrow(t->order, &t->order_cap, t->out.count + 1, sizeof(*t->order));
		t->order[t->out.count] = i;
	}
	t->out.count++;
}

/* ---- what is asked ---- */

struct new_call {
	struct pdt_session *s;
	const struct pdt_table_query *q;
	struct table *table;
};

static int new_now(void *arg)
{
	struct new_call *c = arg;
	struct table *t = xcalloc(1, sizeof(*t));
	const struct pdt_table_query *q = c->q;

	*t = (struct table){ .session = c->s->session, .query = *q, .rc = 1 };
	t->query.columns &= (1ull << PDT_COLUMNS) - 1;
	t->starts = xgrow(NULL, &t->start_cap, 1, sizeof(*t->starts));
	t->starts[0] = 0;
	if (q->fields)
		t->names = xcalloc(q->field_count, sizeof(*t->names));
	for (size_t i = 0; q->fields && i < q->field_count; i++)
		t->names[i] = xstrdup(q->fields[i]);
	c->table = t;
	return 0;
}

int pdt_table_new(struct pdt_session *s, const struct pdt_table_query *q,
		  const struct pdt_table **out)
{
	struct new_call c = { .s = s, .q = q };
	int rc = door_run(s, STAGE_EVENTS, new_now, &c);

	*out = rc == 0 ? &c.table->out : NULL;
	return rc;
}

struct read_call {
	struct table *table;
	size_t max;
	int keep;
};

static void forget(struct table *t)
{
	for (size_t i = 0; i < t->out.group_count; i++) {
		struct group *g = t->groups[i];

		g->out.count = 0;
		g->out.counts = NULL;
		forget_slots(&g->rows);
	}
	t->out.count = 0;
	t->out.text_count = 0;
	forget_slots(&t->slots);
}

/* What is there goes, or stays: groups may have arrays that were not counted in. */
static int begin(const struct read_call *c)
{
	struct table *t = c->table;

	if (c->keep < PDT_TABLE_REPLACE || c->keep > PDT_TABLE_COUNT ||
	    (c->keep != PDT_TABLE_REPLACE && t->out.count &&
	     (t->keep == PDT_TABLE_COUNT) != (c->keep == PDT_TABLE_COUNT)))
		return PDT_ERR_USAGE;
	t->keep = (enum pdt_table_keep)c->keep;
	if (c->keep == PDT_TABLE_REPLACE)
		forget(t);
	for (size_t i = 0; c->keep == PDT_TABLE_COUNT && i < t->out.group_count; i++) {
		if (t->groups[i]->room)
			make_parts(t->groups[i]);
	}
	return 0;
}

static int read_now(void *arg)
{
	const struct read_call *c = arg;
	struct table *t = c->table;
	struct pdt_event e;
	size_t n = 0;
	int rc = begin(c);

	if (rc < 0)
		return rc;
	while (t->rc == 1 && n < c->max && (c->keep || t->starts[t->out.text_count] < TEXT_BYTES) &&
	       (t->rc = session_next(t->session, &e)) == 1) {
		add_event(t, &e);
		n++;
	}
	t->out.order = t->order;
	t->out.texts = t->texts;
	t->out.text_starts = t->starts;
	t->out.comm_count = (uint32_t)t->session->machine.comms.count;
	t->out.desc_count = (uint32_t)session_capture(t->session)->events.count;
	return n ? 1 : t->rc == 1 ? 0 : t->rc;
}

int pdt_table_read(struct pdt_session *s, const struct pdt_table *t, size_t max, int keep)
{
	struct read_call c = { table_of(t), max ? max : 1, keep };

	return door_read(s, read_now, &c);
}

static void free_now(void *arg)
{
	struct table *t = arg;

	for (size_t i = 0; i < t->out.group_count; i++) {
		struct group *g = t->groups[i];

		for (int k = 0; k < PDT_COLUMNS; k++)
			free(g->columns[k]);
		for (size_t k = 0; k < g->out.field_count; k++) {
			free((void *)g->fields[k].numbers);
			free((void *)g->fields[k].texts);
		}
		free(g->fields);
		free(g->counts);
		free(g->parts);
		slots_release(&g->rows);
		free(g);
	}
	for (size_t i = 0; t->names && i < t->query.field_count; i++)
		free(t->names[i]);
	free(t->names);
	free(t->groups);
	free(t->by_desc);
	free(t->order);
	free(t->texts);
	free(t->starts);
	slots_release(&t->slots);
	free(t);
}

void pdt_table_free(struct pdt_session *s, const struct pdt_table *t)
{
	if (t)
		(void)!owner_run(&s->owner, free_now, table_of(t));
}
