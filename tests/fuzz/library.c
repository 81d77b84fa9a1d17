/* Ask the front door everything of a capture. Nothing is done with the answers but to read them to
 * their ends. */
#include "tests/fuzz/library.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "parser/pdtool.h"
#include "parser/pdtool_columns.h"
#include "parser/pdtool_module.h"
#include "parser/pdtool_record.h"

#define WANTS                                                                                      \
	(PDT_WANT_STACKS | PDT_WANT_COMMS | PDT_WANT_FIELDS | PDT_WANT_SWITCHES | PDT_WANT_TASKS | \
	 PDT_WANT_LOST | PDT_WANT_LINES | PDT_WANT_INLINES | PDT_WANT_DETAILS | PDT_WANT_PROGRAM)

/* Where what is read goes, so that it is read. */
static uint64_t eat(uint64_t sum, const char *text)
{
	return text ? sum * 31 + strlen(text) : sum;
}

static uint64_t read_event(const struct pdt_session *s, const struct pdt_event *e)
{
	uint64_t sum = e->time_ns + e->weight, number;
	const struct pdt_field *f = pdt_event_field(e, "prev_comm");
	struct pdt_record record;
	size_t len;

	sum = eat(sum, pdt_comm(s, e->comm));
	if (e->desc)
		sum = eat(sum, pdt_desc_name(e->desc)) + pdt_desc_samples(s, e->desc);
	if (f && pdt_event_text(e, f, &len) && pdt_event_bytes(e, f, &len))
		sum += len;
	if (pdt_event_number(e, pdt_event_field(e, "prev_pid"), &number) == 0)
		sum += number;
	return sum + (uint64_t)pdt_event_record(e, &record);
}

static int read_events(struct pdt_session *s, uint64_t *sum)
{
	const struct pdt_event *e;
	int rc;

	while ((rc = pdt_next(s, &e)) == 1)
		*sum += read_event(s, e);
	return rc;
}

static uint64_t read_group(const struct pdt_table *t, const struct pdt_group *g)
{
	const uint64_t *times = g->columns[PDT_COLUMN_TIME];
	uint64_t sum = 0;

	for (size_t i = 0; i < g->count; i++)
		sum += times[i];
	for (size_t k = 0; k < g->field_count; k++) {
		const struct pdt_field_column *c = &g->fields[k];

		for (size_t i = 0; i < g->count; i++) {
			sum += c->numbers ? c->numbers[i] : c->texts[i];
			if (c->texts && c->texts[i] != PDT_NONE)
				sum += t->text_starts[c->texts[i] + 1] -
				       t->text_starts[c->texts[i]];
		}
	}
	for (uint32_t i = 0; i < t->text_count; i++)
		for (uint64_t at = t->text_starts[i]; at < t->text_starts[i + 1]; at++)
			sum = sum * 31 + (uint8_t)t->texts[at];
	return sum;
}

/* A table, then a batch, in turn; what a table keeps grows beside it, as does what one counts. They
 * are freed here: in the tool, whose sessions own no memory (parser/library/unowned.c), pdt_close()
 * does not know them. */
static int read_columns(struct pdt_session *s, uint64_t *sum)
{
	const struct pdt_table_query all = { .columns = (1ull << PDT_COLUMNS) - 1,
					     .by_event = true };
	const struct pdt_table_query few = { .columns = 1 << PDT_COLUMN_TIME };
	const struct pdt_table *t = NULL, *kept = NULL, *counted = NULL;
	const struct pdt_columns *c;
	int rc = pdt_table_new(s, &all, &t);

	if (rc == 0)
		rc = pdt_table_new(s, &few, &kept);
	if (rc == 0)
		rc = pdt_table_new(s, &all, &counted);
	while (rc == 0 && (rc = pdt_table_read(s, t, 50, 0)) == 1) {
		for (size_t i = 0; i < t->group_count; i++)
			*sum += read_group(t, t->groups[i]);
		rc = pdt_next_columns(s, &c);
		for (size_t i = 0; rc == 1 && i < c->count; i++)
			*sum += c->time_ns[i] + c->weight[i] + c->stack[i] + c->flags[i];
		if (rc == 1)
			rc = pdt_table_read(s, kept, 20, PDT_TABLE_KEEP);
		if (rc == 1)
			rc = pdt_table_read(s, counted, 20, PDT_TABLE_COUNT);
		rc = rc < 0 ? rc : 0;
	}
	pdt_table_free(s, t);
	pdt_table_free(s, kept);
	pdt_table_free(s, counted);
	return rc;
}

static uint64_t read_location(const struct pdt_session *s, uint32_t l)
{
	uint64_t sum = pdt_location_offset(s, l) + pdt_location_symbol_offset(s, l) +
		       pdt_location_module_id(s, l) + (uint64_t)pdt_location_mode(s, l);

	sum = eat(sum, pdt_location_module(s, l));
	sum = eat(sum, pdt_location_name(s, l));
	sum = eat(sum, pdt_location_symbol(s, l));
	for (size_t i = 0; i < pdt_function_count(s, l); i++) {
		const struct pdt_function f = pdt_function_at(s, l, i);

		sum = eat(eat(sum, f.name), f.file) + f.line;
	}
	return sum;
}

static uint64_t read_names(const struct pdt_session *s)
{
	uint64_t sum = 0;
	size_t len;

	for (uint32_t stack = 0; pdt_stack_at(s, stack).depth; stack++) {
		const struct pdt_stack k = pdt_stack_at(s, stack);

		for (uint32_t i = 0; i < k.depth; i++)
			sum += k.locations[i];
	}
	for (uint32_t l = 0; l < pdt_location_count(s); l++)
		sum += read_location(s, l);
	for (uint32_t i = 0; i < pdt_module_count(s); i++) {
		const struct pdt_module *m = pdt_module_at(s, i);

		sum = eat(sum, pdt_module_text(m, 0));
		if (pdt_module_build_id(m, &len))
			sum += len;
	}
	return sum;
}

/* As a program would that knows where symbols are. */
static int set_all(struct pdt_session *s)
{
	static const struct {
		int option;
		const char *value;
	} settings[] = {
		{ PDT_NO_HOST, "1" },	     { PDT_JOBS, "1" },
		{ PDT_UNVERIFIED, "1" },     { PDT_SYMFS, "symfs" },
		{ PDT_SYMBOLS, "none" },     { PDT_PERF_MAP_DIR, "maps" },
		{ PDT_RAW_NAMES, "1" },	     { PDT_ARCHITECTURE, "x86_64" },
		{ PDT_BUILDID_DIR, "none" }, { PDT_KALLSYMS, "prog.kallsyms" },
	};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof(settings) / sizeof(*settings); i++)
		rc = pdt_set(s, settings[i].option, settings[i].value);
	return rc;
}

int library_read(const char *path, bool columns)
{
	struct pdt_session *s = pdt_new();
	volatile uint64_t sum = 0;
	uint64_t events = 0, count;
	int rc = columns ? set_all(s) : pdt_set(s, PDT_NO_HOST, "1");

	if (rc == 0)
		rc = pdt_open(s, path, WANTS);
	if (rc == 0)
		rc = columns ? read_columns(s, &events) : read_events(s, &events);
	if (rc == 0)
		rc = pdt_resolve(s);
	if (rc == 0)
		sum = read_names(s);
	for (size_t i = 0; pdt_warning(s, i, &count); i++)
		sum = eat(sum + count, pdt_warning(s, i, NULL));
	sum += eat(events, pdt_message(s));
	pdt_close(s);
	return rc < 0 ? 1 : 0;
}
