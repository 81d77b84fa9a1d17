/* Finds out which of a capture's events match the user's patterns, and reads their fields. An
 * event without the field is skipped and counted. */
#include "analyzers/heat/picked.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DESCS_MAX 65536

void picked_release(struct picked *p)
{
	event_choice_release(&p->choice);
	free(p->bindings);
	free(p->lacking);
}

bool picked_matches(const char *pattern, const struct pdt_desc *d)
{
	const char *name = pdt_desc_name(d), *colon = strchr(name, ':');

	return !fnmatch(pattern, name, 0) || (colon && !fnmatch(pattern, colon + 1, 0)) ||
	       pdt_desc_is(d, pattern);
}

void picked_fields(struct picked *p, const struct name_list *fields)
{
	for (size_t i = 0; i < fields->count; i++)
		picked_field(p, fields->list[i]);
}

void picked_field(struct picked *p, const char *name)
{
	if (p->name_count < PICKED_FIELDS)
		p->names[p->name_count++] = name;
}

bool picked_any(const char *pattern, const struct pdt_session *s)
{
	struct event_choice choice = { 0 };
	const struct pdt_desc *d;
	bool any = false;

	for (size_t i = 0; !any && (d = pdt_desc_at(s, i)) != NULL; i++)
		any = event_named(&choice, events_of(s), pattern, d);
	event_choice_release(&choice);
	return any;
}

/* ---- binding ---- */

static enum picked_source common_source(const char *name)
{
	static const struct {
		const char *name;
		enum picked_source source;
	} table[] = {
		{ "tid", PICKED_TID },	 { "pid", PICKED_PID },	   { "cpu", PICKED_CPU },
		{ "comm", PICKED_COMM }, { "thread", PICKED_TID }, { "event", PICKED_EVENT },
		{ "call", PICKED_CALL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (!strcmp(table[i].name, name))
			return table[i].source;
	}
	return PICKED_NONE;
}

static void say_lacking(struct picked *p, const struct pdt_event *e, const char *name)
{
	const struct pdt_field *f;
	struct buf b = { 0 };

	if (p->lacking)
		return;
	buf_printf(&b, "%s has no field '%s' (it has:", pdt_desc_name(e->desc), name);
	for (size_t i = 0; e->raw && (f = pdt_format_field_at(e->format, i)) != NULL; i++)
		buf_printf(&b, " %s", pdt_field_name(f));
	buf_str(&b, e->raw && e->format ? ")" : " none: its format is not in the capture)");
	p->lacking = xstrdup(b.data);
	buf_release(&b);
}

static const struct pdt_field *call_field(const struct pdt_event *e)
{
	static const char *const names[] = { "id", "__syscall_nr", "nr" };
	const struct pdt_field *f = NULL;

	for (size_t i = 0; !f && i < ARRAY_SIZE(names); i++)
		f = pdt_event_field(e, names[i]);
	return f;
}

static void bind_fields(struct picked *p, struct picked_binding *b, const struct pdt_event *e)
{
	bool all = true;

	b->bound = true;
	b->flags = pdt_event_field(e, "common_flags");
	for (size_t i = 0; i < p->name_count; i++) {
		struct picked_field *f = &b->fields[i];

		f->field = pdt_event_field(e, p->names[i]);
		f->source = f->field ? PICKED_FIELD : common_source(p->names[i]);
		if (f->source == PICKED_CALL && !(f->field = call_field(e)))
			f->source = PICKED_NONE;
		all &= f->source != PICKED_NONE;
		if (f->source == PICKED_NONE)
			say_lacking(p, e, p->names[i]);
	}
	p->found |= all;
}

const struct picked_binding *picked_bind(struct picked *p, const struct pdt_event *e)
{
	size_t i = pdt_desc_index(e->desc);
	struct picked_binding *b;

	if (i >= DESCS_MAX)
		return NULL;
	p->bindings =
		xgrow_to(p->bindings, &p->binding_count, &p->binding_cap, i, sizeof(*p->bindings));
	b = &p->bindings[i];
	if (!b->asked) {
		b->asked = true;
		b->matches = !p->pattern ||
			     event_named(&p->choice, events_of(p->of), p->pattern, e->desc);
	}
	if (!b->matches)
		return NULL;
	if (!b->bound)
		bind_fields(p, b, e);
	return b;
}

/* ---- reading ---- */

bool picked_number(const struct picked_field *f, const struct pdt_event *e, uint64_t *out,
		   bool *negative)
{
	*negative = false;
	switch (f->source) {
	case PICKED_FIELD:
	case PICKED_CALL:
		if (pdt_event_number(e, f->field, out) < 0)
			return false;
		*negative = pdt_field_kind(f->field) == PDT_FIELD_SIGNED && (int64_t)*out < 0;
		return true;
	case PICKED_TID:
		*out = e->tid;
		return true;
	case PICKED_PID:
		*out = e->pid;
		return true;
	case PICKED_CPU:
		*out = e->cpu;
		return e->has_cpu;
	case PICKED_COMM:
		*out = e->comm;
		return true;
	case PICKED_EVENT:
		*out = pdt_desc_index(e->desc);
		return true;
	default:
		return false;
	}
}

bool picked_hash(const struct picked_field *f, const struct pdt_event *e, uint64_t h[2])
{
	const void *bytes;
	uint64_t number;
	size_t len;
	bool negative;

	if (f->source != PICKED_FIELD || pdt_field_kind(f->field) <= PDT_FIELD_SIGNED) {
		if (!picked_number(f, e, &number, &negative))
			return false;
		if (f->source == PICKED_TID && !number && e->has_cpu)
			h[0] = hash_fold(h[0] ^ e->cpu, HASH_K2);
		h[0] = hash_fold(number ^ h[0], HASH_K2);
		h[1] = hash_fold(number ^ h[1], HASH_K3);
		return true;
	}
	bytes = pdt_field_kind(f->field) == PDT_FIELD_BYTES ? pdt_event_bytes(e, f->field, &len)
							    : pdt_event_text(e, f->field, &len);
	if (!bytes)
		return false;
	h[0] = hash_fold(hash_bytes(bytes, len) ^ h[0], HASH_K2);
	h[1] = hash_fold(hash_bytes(bytes, len) ^ h[1], HASH_K3);
	return true;
}

/* A text that belongs to the event; NULL: a number, or nothing. */
static const char *text_of(const struct picked_field *f, const struct pdt_event *e,
			   const struct pdt_session *s, size_t *len)
{
	const char *text = NULL, *colon;

	if (f->source == PICKED_FIELD && pdt_field_kind(f->field) > PDT_FIELD_SIGNED)
		return pdt_event_text(e, f->field, len);
	if (f->source == PICKED_COMM)
		text = pdt_comm(s, e->comm);
	if (f->source == PICKED_EVENT) {
		text = pdt_desc_name(e->desc);
		colon = strchr(text, ':');
		text = colon ? colon + 1 : text;
	}
	*len = text ? strlen(text) : 0;
	return text;
}

bool picked_text(const struct picked_field *f, const struct pdt_event *e,
		 const struct pdt_session *s, struct buf *b)
{
	size_t len;
	const char *text = text_of(f, e, s, &len);
	uint64_t number;
	bool negative;

	if (text)
		buf_add(b, text, len);
	else if (f->source == PICKED_COMM || f->source == PICKED_EVENT ||
		 !picked_number(f, e, &number, &negative))
		return false;
	else if (negative)
		buf_printf(b, "%" PRId64, (int64_t)number);
	else
		buf_printf(b, "%" PRIu64, number);
	if (f->source == PICKED_CALL)
		buf_printf(b, " of %u bits", e->program_bits);
	return true;
}
