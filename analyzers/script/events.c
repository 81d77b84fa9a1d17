/* What was recorded, event by event, and what the fields of tracepoints hold: for who wants to
 * filter, sort or draw by one of them. */
#include "analyzers/analyzer.h"
#include "analyzers/compat/print_format.h"
#include "analyzers/count/answer.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXAMPLE_BYTES 48

/* What was seen of one field. */
struct field_seen {
	const struct pdt_field *field;
	bool is_text, is_signed, in_hex, any;
	uint64_t least, most;
	char first[EXAMPLE_BYTES];
};

struct event_seen {
	struct field_seen *fields;
	size_t count;
	bool bound;
};

struct events {
	struct event_seen *list; /* by event_desc.index */
	size_t count, cap;
	struct answer answer;
};

static const struct option options[] = { { 0 } };

static const struct column columns[] = {
	{ "event", COLUMN_TEXT }, { "samples", COLUMN_COUNT },
	{ "field", COLUMN_TEXT }, { "type", COLUMN_TEXT },
	{ "least", COLUMN_TEXT }, { "most", COLUMN_TEXT },
	{ "first", COLUMN_TEXT }, { 0 },
};

static bool is_common(const struct pdt_field *f)
{
	return !strncmp(pdt_field_name(f), "common_", 7);
}

static void bind(struct event_seen *seen, const struct pdt_format *format)
{
	struct print_format *text = format ? print_format_new(format) : NULL;
	const struct pdt_field *f;
	size_t cap = 0;

	seen->bound = true;
	for (size_t i = 0; format && (f = pdt_format_field_at(format, i)); i++) {
		int kind = pdt_field_kind(f);

		if (is_common(f))
			continue;
		seen->fields = xgrow(seen->fields, &cap, seen->count + 1, sizeof(*seen->fields));
		seen->fields[seen->count++] = (struct field_seen){
			.field = f,
			.is_text = kind == PDT_FIELD_TEXT || strstr(pdt_field_type(f), "char"),
			.is_signed = kind == PDT_FIELD_SIGNED,
			.in_hex = print_format_in_hex(text, f),
		};
	}
	print_format_free(text);
}

static struct event_seen *seen_of(struct events *s, const struct pdt_desc *d)
{
	uint32_t i = pdt_desc_index(d);

	s->list = xgrow_to(s->list, &s->count, &s->cap, i, sizeof(*s->list));
	return &s->list[i];
}

static bool is_less(const struct field_seen *f, uint64_t a, uint64_t b)
{
	return f->is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static void put_number(const struct field_seen *f, uint64_t v, char out[EXAMPLE_BYTES])
{
	if (f->is_signed)
		snprintf(out, EXAMPLE_BYTES, "%" PRId64, (int64_t)v);
	else
		snprintf(out, EXAMPLE_BYTES, f->in_hex ? "0x%" PRIx64 : "%" PRIu64, v);
}

static void look_at_number(struct field_seen *f, uint64_t v)
{
	if (!f->any || is_less(f, v, f->least))
		f->least = v;
	if (!f->any || is_less(f, f->most, v))
		f->most = v;
	if (!f->any)
		put_number(f, v, f->first);
	f->any = true;
}

/* Text, or the first bytes in hexadecimal. */
static void look_at_bytes(struct field_seen *f, const struct pdt_event *e)
{
	size_t len, used = 0;
	const char *text = f->is_text ? pdt_event_text(e, f->field, &len) : NULL;
	const uint8_t *bytes = text ? NULL : pdt_event_bytes(e, f->field, &len);

	if (f->first[0] || (!text && !bytes))
		return;
	if (text)
		snprintf(f->first, sizeof(f->first), "%.*s", len < 40 ? (int)len : 40, text);
	for (size_t i = 0; bytes && i < len && i < 16; i++)
		used += (size_t)snprintf(f->first + used, sizeof(f->first) - used, "%02x",
					 bytes[i]);
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *session)
{
	struct event_seen *seen = seen_of(state, e->desc);
	uint64_t v;

	(void)session;
	if (!seen->bound)
		bind(seen, e->format);
	for (size_t i = 0; e->raw && i < seen->count; i++) {
		struct field_seen *f = &seen->fields[i];

		if (!f->is_text && pdt_event_number(e, f->field, &v) == 0)
			look_at_number(f, v);
		else
			look_at_bytes(f, e);
	}
}

/* ---- rows ---- */

/* "char[16]" of "char comm[16]" */
static void cell_type(struct answer *a, const struct pdt_field *f)
{
	const char *type = pdt_field_type(f), *name = pdt_field_name(f);
	const char *at = strstr(type, name), *next;
	char text[128];

	while (at && (next = strstr(at + 1, name)))
		at = next;
	if (at && at > type)
		snprintf(text, sizeof(text), "%.*s%s", (int)(at - type - (at[-1] == ' ')), type,
			 at + strlen(name));
	answer_cell_text(a, at && at > type ? text : type);
}

static void row(struct events *s, const struct pdt_session *session, const struct pdt_desc *d,
		const struct field_seen *f)
{
	struct answer *a = &s->answer;
	char least[EXAMPLE_BYTES] = "", most[EXAMPLE_BYTES] = "";

	if (f && f->any) {
		put_number(f, f->least, least);
		put_number(f, f->most, most);
	}
	answer_cell_text(a, pdt_desc_name(d));
	answer_cell_count(a, pdt_desc_samples(session, d));
	answer_cell_text(a, f ? pdt_field_name(f->field) : "");
	if (f)
		cell_type(a, f->field);
	else
		answer_cell_text(a, "");
	answer_cell_text(a, least);
	answer_cell_text(a, most);
	answer_cell_text(a, f ? f->first : "");
}

static int finish(void *state, const struct pdt_session *session, struct warnings *w)
{
	struct events *s = state;
	const struct pdt_desc *d;

	(void)w;
	for (size_t i = 0; (d = pdt_desc_at(session, i)); i++) {
		struct event_seen *seen = seen_of(s, d);

		if (!seen->bound)
			bind(seen, pdt_desc_format(session, d));
		if (!seen->count)
			row(s, session, d, NULL);
		for (size_t k = 0; k < seen->count; k++)
			row(s, session, d, &seen->fields[k]);
	}
	answer_capture(&s->answer, session);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct events *s = state;

	answer_result(&s->answer, columns, out);
	s->answer.table.as_written = true;
	out->title = "Events";
}

static void release(void *state)
{
	struct events *s = state;

	for (size_t i = 0; i < s->count; i++)
		free(s->list[i].fields);
	free(s->list);
	answer_release(&s->answer);
}

const struct analyzer analyzer_events = {
	.name = "events",
	.summary = "what was recorded, and the fields of tracepoints with their values",
	.question = QUESTION_CAPTURE,
	.wants = PDT_WANT_FIELDS,
	.shapes = SHAPE_TABLE,
	.single = true,
	.options = options,
	.state_size = sizeof(struct events),
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
