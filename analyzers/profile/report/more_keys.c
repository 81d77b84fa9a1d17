/* The fields of tracepoints as keys. */
#include "analyzers/profile/report/more_keys.h"
#include "analyzers/compat/print_format.h"
#include "parser/base/mem.h"
#include "parser/pdtool_record.h"

#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	}
	return len > 0 && !isdigit((unsigned char)text[0]);
}

/* From the third on as the kernel numbers them; perf's cgroup_id is a namespace. */
const char *const more_key_words[] = { "cgroup", "weight",  "net_ns", "uts_ns",	   "ipc_ns",
				       "pid_ns", "user_ns", "mnt_ns", "cgroup_id", NULL };

static int more_kind(const char *name)
{
	for (int i = 0; more_key_words[i]; i++) {
		if (!strcmp(more_key_words[i], name))
			return MORE_CGROUP + i;
	}
	return MORE_FIELD;
}

bool more_keys_want_details(const struct more_keys *m)
{
	for (size_t i = 0; i < m->count; i++) {
		if (m->list[i].kind == MORE_CGROUP || m->list[i].kind == MORE_WEIGHT)
			return true;
	}
	return false;
}

int more_keys_add(struct more_keys *m, const char *name)
{
	size_t len = strlen(name), event;
	struct more_key k = { 0 };
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
	k.kind = more_kind(name);
	k.found = k.kind != MORE_FIELD;
	k.name = xstrdup(name);
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

/* "trace_fields": each field of E's event is a key, but for what all events have. */
static void add_fields(struct more_keys *m, const struct pdt_event *e)
{
	const struct pdt_field *f;

	for (size_t i = 0; e->format && (f = pdt_format_field_at(e->format, i)) != NULL; i++) {
		const char *name = pdt_field_name(f);

		if (strncmp(name, "common_", 7) != 0 && more_keys_add(m, name) < 0)
			m->full |= m->count == MORE_KEYS;
	}
}

/* Found once: a print format can be long. */
static struct more_place find_place(const struct more_key *k, const struct pdt_event *e)
{
	struct more_place p = { 0 };

	if (k->kind != MORE_FIELD || !means_event(k, e->desc))
		return p;
	p.field = pdt_event_field(e, k->field);
	p.text = p.field && e->format ? print_format_new(e->format) : NULL;
	if (!p.text)
		return p;
	p.hex = print_format_in_hex(p.text, p.field);
	p.flags = k->raw ? NULL : print_format_flags(p.text, k->field);
	p.known = p.flags ? print_flags_known(p.flags) : 0;
	return p;
}

/* The places of the fields in the events of E's description. */
static const struct more_place *places_of(struct more_keys *m, const struct pdt_event *e,
					  const struct pdt_session *s)
{
	size_t at = pdt_desc_index(e->desc), count = pdt_desc_count(s);
	struct more_place *places;

	if (count > m->descs) {
		m->places = xrealloc(m->places, count * MORE_KEYS * sizeof(*m->places));
		m->looked = xrealloc(m->looked, count * sizeof(*m->looked));
		memset(m->looked + m->descs, 0, (count - m->descs) * sizeof(*m->looked));
		m->descs = count;
	}
	places = m->places + at * MORE_KEYS;
	if (m->all && !m->looked[at])
		add_fields(m, e);
	for (size_t i = m->looked[at]; i < m->count; i++) {
		places[i] = find_place(&m->list[i], e);
		m->list[i].found |= places[i].field != NULL;
	}
	m->looked[at] = m->count;
	return places;
}

/* The names of the flags of VALUE, joined as the kernel prints them. False: it has no list. Of
 * sched_switch's prev_state, none of them is running, and the bit above them, preempted, is "+". */
static bool put_flags(const struct more_key *k, const struct more_place *p, uint64_t value,
		      struct buf *out)
{
	bool state = !strcmp(k->field, "prev_state");
	uint64_t above = p->known;

	if (!p->flags)
		return false;
	print_listed(p->flags, state ? value & p->known : value, out);
	if (!out->len)
		buf_str(out, state ? "R" : "0");
	while (above & (above - 1)) /* to the highest */
		above &= above - 1;
	if (state && value & above << 1)
		buf_str(out, "+");
	return true;
}

/* As libtraceevent shows what is neither a number nor a text. */
static void put_bytes(const char *bytes, size_t len, struct buf *out)
{
	buf_str(out, "ARRAY[");
	buf_hex(out, bytes, len, ", ");
	buf_str(out, "]");
}

static void put_value(const struct more_key *k, const struct more_place *p,
		      const struct pdt_event *e, struct buf *out)
{
	const struct pdt_field *f = p->field;
	int kind = pdt_field_kind(f);
	const char *text;
	uint64_t value;
	size_t len;

	if (pdt_event_number(e, f, &value) >= 0) {
		if (!put_flags(k, p, value, out))
			buf_printf(out,
				   p->hex		      ? "0x%" PRIx64
				   : kind == PDT_FIELD_SIGNED ? "%" PRId64
							      : "%" PRIu64,
				   value);
		return;
	}
	text = kind == PDT_FIELD_BYTES ? pdt_event_bytes(e, f, &len) : pdt_event_text(e, f, &len);
	if (text && kind == PDT_FIELD_BYTES)
		put_bytes(text, len, out);
	else if (text)
		buf_add(out, text, len);
}

/* As perf shows them. */
static void put_namespace(const struct pdt_session *s, const struct pdt_event *e, int kind,
			  struct buf *out)
{
	uint64_t device, inode;

	(void)pdt_namespace(s, e->tid, kind, &device, &inode);
	buf_printf(out, "%" PRIu64 "/0x%" PRIx64, device, inode);
}

/* The number of a cgroup stands for a path that the capture does not tell, or not yet. */
static void put_detail(const struct more_key *k, const struct pdt_event *e,
		       const struct pdt_session *s, struct buf *out)
{
	const char *path = k->kind == MORE_CGROUP ? pdt_cgroup(s, e->cgroup) : NULL;

	if (k->kind >= MORE_NAMESPACE)
		put_namespace(s, e, (int)(k->kind - MORE_NAMESPACE), out);
	else if (k->kind == MORE_WEIGHT)
		buf_printf(out, "%" PRIu64, e->sample_weight);
	else if (path)
		buf_str(out, path);
	else if (!e->cgroup)
		buf_str(out, "N/A");
	else
		buf_printf(out, "%" PRIu64, e->cgroup);
}

void more_keys_of(struct more_keys *m, struct rows *t, const struct pdt_event *e,
		  const struct pdt_session *s, uint64_t *out)
{
	const struct more_place *places = places_of(m, e, s);
	struct buf b = { 0 };

	for (size_t i = 0; i < MORE_KEYS; i++)
		out[i] = KEY_NONE;
	for (size_t i = 0; i < m->count; i++) {
		if (m->list[i].kind == MORE_FIELD && !places[i].field)
			continue;
		b.len = 0;
		if (m->list[i].kind != MORE_FIELD)
			put_detail(&m->list[i], e, s, &b);
		else
			put_value(&m->list[i], &places[i], e, &b);
		out[i] = intern_add(&t->texts, b.len ? b.data : "", b.len);
	}
	buf_release(&b);
}

void more_keys_forget(struct more_keys *m)
{
	for (size_t at = 0; at < m->descs; at++) {
		for (size_t i = 0; i < m->looked[at]; i++)
			print_format_free(m->places[at * MORE_KEYS + i].text);
	}
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
		free(m->list[i].name);
		free(m->list[i].event);
		free(m->list[i].field);
	}
}
