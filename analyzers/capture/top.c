/* Counts samples once, under all that the three tables need, and makes rows of them at the end. */
#include "analyzers/capture/top.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define TOP_FUNCTIONS 10
#define TOP_THREADS   4
#define LOAD_ROWS     8
#define LOAD_WIDTH    54
#define LOAD_BY_TID   (1ull << 32)
#define LOAD_EVENT    33 /* the event's bits of a key of the load */

void top_begin(struct top *t)
{
	t->samples.wants = WANT_NUMBERS;
	t->functions.o.keys[0] = KEY_DSO;
	t->functions.o.keys[1] = KEY_SYM;
	t->functions.o.key_count = 2;
	t->threads.o.keys[0] = KEY_COMM;
	t->threads.o.keys[1] = KEY_PID;
	t->threads.o.keys[2] = KEY_TID;
	t->threads.o.key_count = 3;
	rows_begin(&t->functions);
	rows_begin(&t->threads);
}

void top_event(struct top *t, const struct pdt_event *e, const struct pdt_session *s)
{
	struct who who = {
		.desc = pdt_desc_index(e->desc), .pid = e->pid, .tid = e->tid, .idle = !e->pid
	};
	uint64_t key = (uint64_t)who.desc << LOAD_EVENT;

	who_comm(&who, e, s);
	samples_add(&t->samples, samples_id(&t->samples, &who), e->stack, e->weight);
	key |= pdt_comm(s, e->comm) ? e->comm : LOAD_BY_TID | e->tid;
	if (e->has_time)
		load_add(&t->load, key, e->time_ns, (double)e->weight);
}

/* ---- which event ---- */

/* By its name, with the unit that it is of before a slash: "cpu_core/cycles/". */
static bool counts_cycles(const struct pdt_desc *d)
{
	const char *name = pdt_desc_name(d), *slash = strchr(name, '/');

	name = slash ? slash + 1 : name;
	return !strncmp(name, "cycles", 6) || !strncmp(name, "cpu-cycles", 10) ||
	       !strncmp(name, "cpu_cycles", 10);
}

/* How much its weight says of CPU time. */
enum rank { RANK_TRACEPOINT, RANK_OTHER, RANK_TIME };

static enum rank rank_of(const struct pdt_desc *d)
{
	if (pdt_desc_in_ns(d) || counts_cycles(d))
		return RANK_TIME;
	return pdt_desc_type(d) == EVENT_TYPE_TRACEPOINT ? RANK_TRACEPOINT : RANK_OTHER;
}

/* The event of the highest rank, the one with the most samples of these. */
static void choose_event(struct top *t, const struct pdt_session *s, enum rank least)
{
	const struct row_event *list = t->functions.events;
	const struct pdt_desc *d;

	for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++) {
		size_t k = rows_event(&t->functions, pdt_desc_name(d));
		enum rank rank = rank_of(d);

		if (k == t->functions.event_count || !list[k].weight || rank < least ||
		    (t->event_name && rank == least && list[k].samples <= list[t->event].samples))
			continue;
		least = rank;
		t->event = k;
		t->event_name = pdt_desc_name(d);
	}
}

/* ---- tables ---- */

static const struct column function_columns[] = {
	{ "dso", COLUMN_TEXT, 0, "Module" },
	{ "sym", COLUMN_TEXT, 0, "Function" },
	{ "self_percent", COLUMN_PERCENT, 2, NULL },
	{ "children_percent", COLUMN_PERCENT, 2, "With Callees" },
	{ "samples", COLUMN_COUNT },
	{ 0 },
};

static const struct column thread_columns[] = {
	{ "comm", COLUMN_TEXT },     { "percent", COLUMN_PERCENT, 2, "Of All" },
	{ "samples", COLUMN_COUNT }, { "pid", COLUMN_ID },
	{ "tid", COLUMN_ID },	     { 0 },
};

static const char *text_of(const struct rows *r, uint64_t id)
{
	return id == KEY_NONE ? "" : intern_str(&r->texts, (uint32_t)id);
}

static void function_cells(struct top *t, const struct row *row, struct answer *a)
{
	const struct rows *r = &t->functions;
	const char *name = text_of(r, row_key(r, row, KEY_SYM));
	double whole = (double)r->events[t->event].all_weight;

	if (!t->function && *name != '[')
		t->function = name;
	answer_cell_text(a, text_of(r, row_key(r, row, KEY_DSO)));
	answer_cell_text(a, name);
	answer_cell_real(a, percent_of((double)row->self, whole));
	answer_cell_real(a, percent_of((double)row->children, whole));
	answer_cell_count(a, row->samples);
}

static void thread_cells(struct top *t, const struct row *row, struct answer *a)
{
	const struct rows *r = &t->threads;

	answer_cell_text(a, text_of(r, row_key(r, row, KEY_COMM)));
	answer_cell_real(a, percent_of((double)row->self, (double)r->events[t->event].all_weight));
	answer_cell_count(a, row->samples);
	answer_cell_count_if(a, row_key(r, row, KEY_PID) != UINT32_MAX, row_key(r, row, KEY_PID));
	answer_cell_count_if(a, row_key(r, row, KEY_TID) != UINT32_MAX, row_key(r, row, KEY_TID));
}

/* The first MOST rows of the event with weight of their own. */
static void first_rows(struct top *t, struct rows *r, size_t most,
		       void (*cells)(struct top *t, const struct row *row, struct answer *a),
		       struct answer *a)
{
	uint32_t *order = rows_sorted(r);

	answer_held(a, r->overflow);
	(void)answer_sum(a, r->events[t->event].all_weight);
	for (size_t i = 0, n = 0; i < r->row_count && n < most; i++) {
		const struct row *row = &r->rows[order[i]];

		if (row_key(r, row, KEY_EVENT) != t->event || !row->self)
			continue;
		cells(t, row, a);
		n++;
	}
	free(order);
}

/* ---- over time ---- */

static const char *load_name(void *ctx, uint64_t key)
{
	struct top *t = ctx;
	const struct pdt_desc *d = pdt_desc_at(t->session, key >> LOAD_EVENT);
	bool by_tid = key & LOAD_BY_TID;

	if (strcmp(pdt_desc_name(d), t->event_name) != 0)
		return NULL;
	t->label.len = 0;
	comm_text(by_tid ? NULL : pdt_comm(t->session, (uint32_t)key), (uint32_t)key, &t->label);
	return t->label.len ? t->label.data : "";
}

static void make_load(struct top *t, struct section_result *out)
{
	const struct load_view view = { LOAD_ROWS, LOAD_WIDTH, load_name, t };
	bool in_ns = t->functions.events[t->event].in_ns;

	if (!load_grid(&t->load, &view, &out->answer.arena, &out->load))
		return;
	out->load.x = (struct column){ "time_ns", COLUMN_TIME_NS };
	out->load.y = (struct column){ "comm", COLUMN_TEXT };
	out->load.cell = in_ns ? (struct column){ "cpu_ns", COLUMN_NS, 0, "CPU time" }
			       : (struct column){ "weight_periods", COLUMN_COUNT, 0,
						  answer_string(&out->answer, t->event_name) };
}

bool top_finish(struct top *t, const struct pdt_session *s, bool explained,
		struct section_result out[2])
{
	t->session = s;
	samples_end(&t->samples);
	module_shares_take(&t->shares, &t->samples, s);
	rows_take(&t->functions, &t->samples, s);
	choose_event(t, s, explained ? RANK_OTHER : RANK_TRACEPOINT);
	if (!t->event_name)
		return false;
	rows_take(&t->threads, &t->samples, s);
	out[0].name = "functions";
	out[0].columns = function_columns;
	first_rows(t, &t->functions, TOP_FUNCTIONS, function_cells, &out[0].answer);
	make_load(t, &out[0]);
	out[1].name = "threads";
	out[1].columns = thread_columns;
	first_rows(t, &t->threads, TOP_THREADS, thread_cells, &out[1].answer);
	return true;
}

void top_release(struct top *t)
{
	samples_release(&t->samples);
	load_release(&t->load);
	rows_release(&t->functions);
	rows_release(&t->threads);
	module_shares_release(&t->shares);
	buf_release(&t->label);
}
