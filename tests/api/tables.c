/* Tables hold what pdt_next() hands out, however they are read.
 *
 *   tables CAPTURE [OPTION=VALUE...]      OPTION: a number, for pdt_set()
 *
 * Prints how many events and samples there were and what was left out; exit status 1 when something
 * is not as wanted. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pdtool_capture.h>
#include <pdtool_columns.h>
#include <pdtool_record.h>

#define WANTS                                                                                      \
	(PDT_WANT_STACKS | PDT_WANT_COMMS | PDT_WANT_FIELDS | PDT_WANT_SWITCHES | PDT_WANT_TASKS | \
	 PDT_WANT_LOST | PDT_WANT_DETAILS | PDT_WANT_VALUES)

static int bad;

static void want(const char *what, uint64_t wanted, uint64_t got)
{
	if (wanted != got && bad++ < 10)
		printf("%s: %" PRIu64 ", not %" PRIu64 "\n", what, got, wanted);
}

static struct pdt_session *opened(int argc, char **argv)
{
	struct pdt_session *s = pdt_new();
	int rc = s ? 0 : PDT_ERR_MEMORY;

	for (int i = 2; rc == 0 && i < argc; i++)
		rc = pdt_set(s, atoi(argv[i]), strchr(argv[i], '=') + 1);
	if (rc == 0)
		rc = pdt_open(s, argv[1], WANTS);
	if (rc == 0)
		return s;
	fprintf(stderr, "%s\n", pdt_message(s));
	pdt_close(s);
	return NULL;
}

static uint64_t number_at(const struct pdt_group *g, int column, size_t i)
{
	if (column < PDT_COLUMN_PID)
		return ((const uint64_t *)g->columns[column])[i];
	if (column < PDT_COLUMN_KIND)
		return ((const uint32_t *)g->columns[column])[i];
	return ((const uint8_t *)g->columns[column])[i];
}

static void compare_columns(const struct pdt_event *e, const struct pdt_group *g, size_t i)
{
	want("time", e->time_ns, number_at(g, PDT_COLUMN_TIME, i));
	want("weight", e->weight, number_at(g, PDT_COLUMN_WEIGHT, i));
	want("ip", e->ip, number_at(g, PDT_COLUMN_IP, i));
	want("addr", e->values ? e->values->addr : 0, number_at(g, PDT_COLUMN_ADDR, i));
	want("data_src", e->values ? e->values->data_src : 0, number_at(g, PDT_COLUMN_DATA_SRC, i));
	want("phys_addr", e->values ? e->values->phys_addr : 0,
	     number_at(g, PDT_COLUMN_PHYS_ADDR, i));
	want("cgroup", e->cgroup, number_at(g, PDT_COLUMN_CGROUP, i));
	want("sample_weight", e->sample_weight, number_at(g, PDT_COLUMN_SAMPLE_WEIGHT, i));
	want("pid", e->pid, number_at(g, PDT_COLUMN_PID, i));
	want("tid", e->tid, number_at(g, PDT_COLUMN_TID, i));
	want("cpu", e->has_cpu ? e->cpu : UINT32_MAX, number_at(g, PDT_COLUMN_CPU, i));
	want("comm", e->comm, number_at(g, PDT_COLUMN_COMM, i));
	want("stack", e->stack, number_at(g, PDT_COLUMN_STACK, i));
	want("event", e->desc ? pdt_desc_index(e->desc) : PDT_NONE,
	     number_at(g, PDT_COLUMN_EVENT, i));
	want("other_pid", e->other_pid, number_at(g, PDT_COLUMN_OTHER_PID, i));
	want("other_tid", e->other_tid, number_at(g, PDT_COLUMN_OTHER_TID, i));
	want("kind", e->kind, number_at(g, PDT_COLUMN_KIND, i));
	want("mode", e->mode, number_at(g, PDT_COLUMN_MODE, i));
	want("exact", e->exact, (number_at(g, PDT_COLUMN_FLAGS, i) & PDT_FLAG_EXACT) != 0);
}

static void compare_field(const struct pdt_event *e, const struct pdt_table *t,
			  const struct pdt_field_column *c, size_t i)
{
	const void *text;
	uint64_t number;
	size_t len;

	if (c->numbers) {
		(void)pdt_event_number(e, c->field, &number);
		want(pdt_field_name(c->field), number, c->numbers[i]);
		return;
	}
	text = c->is_text ? pdt_event_text(e, c->field, &len) : pdt_event_bytes(e, c->field, &len);
	want(pdt_field_name(c->field), !text, c->texts[i] == PDT_NONE);
	if (!text || c->texts[i] == PDT_NONE)
		return;
	want("a text's id", 1, c->texts[i] < t->text_count);
	want("its length", len, t->text_starts[c->texts[i] + 1] - t->text_starts[c->texts[i]]);
	want("its bytes", 0,
	     (uint64_t)(memcmp(text, t->texts + t->text_starts[c->texts[i]], len) != 0));
}

/* The events that T has, from the Nth of each group on, are those that come next in S. */
static void compare(struct pdt_session *s, const struct pdt_table *t)
{
	size_t *at = calloc(t->group_count + 1, sizeof(*at));
	const struct pdt_event *e;

	for (size_t n = 0; at && n < t->count; n++) {
		uint32_t k = t->order ? t->order[n] : 0;
		const struct pdt_group *g = t->groups[k];

		want("an event", 1, (uint64_t)pdt_next(s, &e));
		if (!e)
			break;
		want("its kind", e->kind, t->order ? g->kind : e->kind);
		if (g->desc)
			want("its desc", 0,
			     (uint64_t)strcmp(pdt_desc_name(g->desc), pdt_desc_name(e->desc)));
		compare_columns(e, g, at[k]);
		for (size_t f = 0; f < g->field_count; f++)
			compare_field(e, t, &g->fields[f], at[k]);
		want("comms", 1, e->comm == PDT_NONE || e->comm < t->comm_count);
		at[k]++;
	}
	for (size_t k = 0; at && k < t->group_count; k++)
		want("a group's count", t->groups[k]->count, at[k]);
	free(at);
}

static uint64_t samples_of(const struct pdt_table *t)
{
	uint64_t n = 0;

	for (size_t k = 0; k < t->group_count; k++) {
		for (size_t i = 0; i < t->groups[k]->count; i++)
			n += number_at(t->groups[k], PDT_COLUMN_KIND, i) == PDT_SAMPLE;
	}
	return n;
}

/* All of a capture by reads of STEP events. */
static int read_all(int argc, char **argv, size_t step, int flags)
{
	const struct pdt_table_query q = { .columns = (1ull << PDT_COLUMNS) - 1,
					   .by_event = flags & 1 };
	struct pdt_session *s = opened(argc, argv), *other = opened(argc, argv);
	const struct pdt_table *t = NULL;
	const struct pdt_event *e;
	uint64_t events = 0, samples = 0;
	int rc = s && other ? pdt_table_new(s, &q, &t) : -1;

	while (rc == 0 && (rc = pdt_table_read(s, t, step, flags >> 1 & 1)) == 1) {
		want("not more than asked for", 1, flags & 2 || t->count <= step);
		if (!(flags & 2)) {
			compare(other, t);
			events += t->count;
			samples += samples_of(t);
		}
		rc = 0;
		if ((flags & 6) == 4 && (rc = pdt_next(s, &e)) == 1) { /* an event in turn */
			want("one in turn", 1, (uint64_t)pdt_next(other, &e));
			events++;
			rc = 0;
		}
	}
	if (rc == 0 && flags & 2) {
		compare(other, t);
		events = t->count;
		samples = samples_of(t);
	}
	if (rc == 0)
		printf("%" PRIu64 " events, %" PRIu64 " samples, %" PRIu64 " left out\n", events,
		       samples, t->left_out);
	if (rc < 0 && s)
		fprintf(stderr, "%s\n", pdt_message(s));
	if (rc == 0) {
		want("the end of the other", 0, (uint64_t)pdt_next(other, &e));
		want("behind the end", 0, (uint64_t)pdt_table_read(s, t, 1, 0));
		want("names", 0, (uint64_t)pdt_resolve(s));
	}
	if (s && flags & 1)
		pdt_table_free(s, t);
	pdt_close(s);
	pdt_close(other);
	return rc;
}

/* ---- rows that are counted ---- */

static const char *const few_fields[] = { "prev_state", "ret" };
static const struct pdt_table_query few = {
	.columns = 1ull << PDT_COLUMN_CPU | 1ull << PDT_COLUMN_COMM | 1ull << PDT_COLUMN_KIND,
	.by_event = true,
	.fields = few_fields,
	.field_count = 2,
};

static bool is_row(const struct pdt_group *a, size_t i, const struct pdt_group *b, size_t k)
{
	for (int c = 0; c < PDT_COLUMNS; c++) {
		if (few.columns >> c & 1 && number_at(a, c, i) != number_at(b, c, k))
			return false;
	}
	for (size_t f = 0; f < a->field_count; f++) {
		if (a->fields[f].numbers[i] != b->fields[f].numbers[k])
			return false;
	}
	return true;
}

/* The rows of G are those of ALL, each once, by their first, with how many there are. */
static void compare_counts(const struct pdt_group *all, const struct pdt_group *g)
{
	uint64_t *n = calloc(g->count + 1, sizeof(*n));
	size_t rows = 0;

	want("the fields", all->field_count, g->field_count);
	want("counts only where they are asked for", 1, !all->counts && g->counts);
	for (size_t i = 0, k; n && i < all->count; i++) {
		for (k = 0; k < rows && !is_row(all, i, g, k); k++)
			;
		rows += k == rows;
		want("a row in its place", 1, rows <= g->count && is_row(all, i, g, k));
		if (rows > g->count)
			break;
		n[k]++;
	}
	want("rows", rows, g->count);
	for (size_t k = 0; n && k < g->count; k++)
		want("how many there are", n[k], g->counts[k]);
	free(n);
}

static int read_counts(int argc, char **argv, size_t step)
{
	struct pdt_session *s = opened(argc, argv), *other = opened(argc, argv);
	const struct pdt_table *t = NULL, *all = NULL;
	int rc = s && other ? pdt_table_new(s, &few, &t) : -1;

	if (rc == 0)
		rc = pdt_table_new(other, &few, &all);
	if (rc == 0 && (rc = pdt_table_read(s, t, 3, PDT_TABLE_COUNT)) == 1) {
		want("kept behind counted", (uint64_t)PDT_ERR_USAGE,
		     (uint64_t)pdt_table_read(s, t, 1, PDT_TABLE_KEEP));
		want("a way that there is not", (uint64_t)PDT_ERR_USAGE,
		     (uint64_t)pdt_table_read(s, t, 1, 3));
		while ((rc = pdt_table_read(s, t, step, PDT_TABLE_COUNT)) == 1)
			;
	}
	while (rc == 0 && (rc = pdt_table_read(other, all, step, PDT_TABLE_KEEP)) == 1)
		rc = 0;
	want("groups", rc == 0 ? all->group_count : 0, rc == 0 ? t->group_count : 0);
	for (size_t k = 0, n = 0; rc == 0 && k < t->group_count; k++) {
		compare_counts(all->groups[k], t->groups[k]);
		n += t->groups[k]->count;
		if (k + 1 == t->group_count)
			want("all rows", n, t->count);
	}
	pdt_close(s);
	pdt_close(other);
	return rc;
}

/* What was counted goes, and another time nothing of it is there. */
static int read_counts_anew(int argc, char **argv)
{
	const struct pdt_table_query q = { .columns = 1ull << PDT_COLUMN_KIND };
	struct pdt_session *s = opened(argc, argv);
	const struct pdt_table *t = NULL;
	int rc = s ? pdt_table_new(s, &q, &t) : -1;

	for (int i = 0; rc == 0 && i < 3; i++) {
		rc = pdt_table_read(s, t, 5, PDT_TABLE_REPLACE);
		want("counts of nothing", 1, rc != 1 || !t->groups[0]->counts);
		if (rc == 1)
			rc = pdt_table_read(s, t, 5, PDT_TABLE_KEEP);
		if (rc == 1)
			want("counted behind kept", (uint64_t)PDT_ERR_USAGE,
			     (uint64_t)pdt_table_read(s, t, 1, PDT_TABLE_COUNT));
		rc = rc < 0 ? rc : 0;
	}
	pdt_close(s);
	return rc;
}

static void wrong_order(char *capture)
{
	const struct pdt_table_query q = { .columns = 1 };
	const struct pdt_table *t;
	struct pdt_session *s = pdt_new();

	want("a table before the capture", (uint64_t)PDT_ERR_USAGE,
	     (uint64_t)pdt_table_new(s, &q, &t));
	want("no table", 1, t == NULL);
	want("no numbers", (uint64_t)PDT_ERR_USAGE, (uint64_t)pdt_set(s, PDT_PIDS, "1,x"));
	want("no list", (uint64_t)PDT_ERR_USAGE, (uint64_t)pdt_set(s, PDT_FILTER, "pid =="));
	if (!strstr(pdt_message(s), "expected"))
		want(pdt_message(s), 1, 0);
	pdt_table_free(s, NULL);
	want("the capture", 0, (uint64_t)pdt_open(s, capture, 0));
	want("a table", 0, (uint64_t)pdt_table_new(s, &q, &t));
	want("a late option", (uint64_t)PDT_ERR_USAGE, (uint64_t)pdt_set(s, PDT_EVENTS, "x"));
	while (pdt_table_read(s, t, 1000, 0) == 1)
		;
	want("names", 0, (uint64_t)pdt_resolve(s));
	want("events behind the names", (uint64_t)PDT_ERR_USAGE,
	     (uint64_t)pdt_table_read(s, t, 1000, 0));
	want("a table there", (uint64_t)PDT_ERR_USAGE, (uint64_t)pdt_table_new(s, &q, &t));
	pdt_close(s);
}

int main(int argc, char **argv)
{
	int rc = 0;

	if (argc < 2)
		return 2;
	for (int flags = 0; rc == 0 && flags < 8; flags++) {
		rc = read_all(argc, argv, 7, flags);
		rc = rc ? rc : read_all(argc, argv, 100000, flags);
	}
	rc = rc ? rc : read_counts(argc, argv, 1);
	rc = rc ? rc : read_counts(argc, argv, 100000);
	rc = rc ? rc : read_counts_anew(argc, argv);
	if (rc == 0)
		wrong_order(argv[1]);
	return bad || rc < 0;
}
