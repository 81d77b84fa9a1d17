/* The fields of tracepoints as keys. */
#include "analyzers/profile/report/more_keys.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FLAGS_MAX 32

static bool is_word(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	}
	return len > 0 && !isdigit((unsigned char)text[0]);
}

int more_keys_add(struct more_keys *m, const char *name)
{
	size_t len = strlen(name), event;
	struct more_key k = { .name = name };
	const char *dot;

	for (size_t i = 0; i < m->count; i++) {
		if (!strcmp(m->list[i].name, name))
			return (int)i;
	}
	if (len > 4 && !strcmp(name + len - 4, "/raw")) {
		k.raw = true;
		len -= 4;
	}
	dot = memrchr(name, '.', len);
	event = dot ? (size_t)(dot - name) : 0;
	if (m->count == MORE_KEYS || (dot && !event) ||
	    !is_word(dot ? dot + 1 : name, dot ? len - event - 1 : len))
		return -1;
	k.event = dot ? xstrdup(name) : NULL;
	if (dot)
		k.event[event] = '\0';
	k.field = xstrdup(dot ? dot + 1 : name);
	k.field[dot ? len - event - 1 : len] = '\0';
	m->list[m->count] = k;
	return (int)m->count++;
}

static bool means_event(const struct more_key *k, const struct pdt_desc *d)
{
	return !k->event || pdt_desc_is(d, k->event) || !fnmatch(k->event, pdt_desc_name(d), 0);
}

/* The places of the fields in the events of E's description. */
static const struct pdt_field **places_of(struct more_keys *m, const struct pdt_event *e,
					  const struct pdt_session *s)
{
	size_t at = pdt_desc_index(e->desc), count = pdt_desc_count(s);
	const struct pdt_field **places;

	if (count > m->descs) {
		m->places = xrealloc(m->places, count * MORE_KEYS * sizeof(*m->places));
		m->looked = xrealloc(m->looked, count * sizeof(*m->looked));
		memset(m->looked + m->descs, 0, (count - m->descs) * sizeof(*m->looked));
		m->descs = count;
	}
	places = m->places + at * MORE_KEYS;
	for (size_t i = 0; i < m->count && !m->looked[at]; i++) {
		places[i] = means_event(&m->list[i], e->desc) ? pdt_event_field(e, m->list[i].field)
							      : NULL;
		m->list[i].found |= places[i] != NULL;
	}
	m->looked[at] = true;
	return places;
}

/* The names of the flags of VALUE, joined as the kernel prints them. False: it has no list. */
static bool put_flags(const struct more_key *k, const struct pdt_format *format, uint64_t value,
		      struct buf *out)
{
	struct pdt_flag flags[FLAGS_MAX];
	size_t n = k->raw || !format ? 0 : pdt_field_flags(format, k->field, flags, FLAGS_MAX);
	bool state = !strcmp(k->field, "prev_state");

	n = n > FLAGS_MAX ? FLAGS_MAX : n;
	for (size_t i = 0; i < n; i++) {
		if (flags[i].value && (value & flags[i].value) == flags[i].value)
			buf_printf(out, "%s%s", out->len ? "|" : "", flags[i].text);
	}
	/* sched_switch prints what has no flag as running */
	if (n && !out->len)
		buf_str(out, state ? "R" : "0");
	return n > 0;
}

static void put_value(const struct more_key *k, const struct pdt_field *f,
		      const struct pdt_event *e, struct buf *out)
{
	int kind = pdt_field_kind(f);
	const char *text;
	uint64_t value;
	size_t len;

	if (pdt_event_number(e, f, &value) >= 0) {
		if (!put_flags(k, e->format, value, out))
			buf_printf(out, kind == PDT_FIELD_SIGNED ? "%" PRId64 : "%" PRIu64, value);
		return;
	}
	text = pdt_event_text(e, f, &len);
	if (text)
		buf_add(out, text, len);
}

void more_keys_of(struct more_keys *m, struct rows *t, const struct pdt_event *e,
		  const struct pdt_session *s, uint64_t *out)
{
	const struct pdt_field **places = places_of(m, e, s);
	struct buf b = { 0 };

	for (size_t i = 0; i < MORE_KEYS; i++)
		out[i] = KEY_NONE;
	for (size_t i = 0; i < m->count; i++) {
		if (!places[i])
			continue;
		b.len = 0;
		put_value(&m->list[i], places[i], e, &b);
		out[i] = intern_add(&t->texts, b.len ? b.data : "", b.len);
	}
	buf_release(&b);
}

void more_keys_forget(struct more_keys *m)
{
	free(m->places);
	free(m->looked);
	m->places = NULL;
	m->looked = NULL;
	m->descs = 0;
}

void more_keys_release(struct more_keys *m)
{
	more_keys_forget(m);
	for (size_t i = 0; i < m->count; i++) {
		free(m->list[i].event);
		free(m->list[i].field);
	}
}
