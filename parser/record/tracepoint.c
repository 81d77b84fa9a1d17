/* Read the tracing data, and fields of payloads by it.
 *
 * OFFSET SIZE MEANING (tools/perf/util/trace-event-{info,read}.c; numbers in the recorder's order)
 *      0   10 17 08 44 "tracing"      10    - version with its NUL ("0.5", "0.6")
 *      -    1 1: big-endian           -    1 size of a long         -    4 size of a page
 *      -   12 "header_page", u64 n, n bytes of text
 *      -   13 "header_event", u64 n, n bytes
 *      -    4 count of ftrace's own events, each u64 n, n bytes of format
 *      -    4 count of systems, each its name with NUL, u32 count, the formats as above
 *      -    4 size of kallsyms, text; u32 size of printk formats, text; version 0.6 (3.17): u64
 * size of the comms seen, text A format (Documentation/trace/events.rst): "name: N", "ID: N",
 * "format:", and a line "field:TYPE NAME;\toffset:N;\tsize:N;\tsigned:N;" for each field, then
 * "print fmt: TEXT". */
#include "parser/record/tracepoint.h"
#include "parser/base/cursor.h"
#include "parser/base/mem.h"

#include <stdlib.h>

#define PAYLOAD_MAX 65536 /* of one event; also what offsets may reach */

void trace_formats_init(struct trace_formats *t)
{
	memset(t, 0, sizeof(*t));
	arena_init(&t->arena);
}

void trace_formats_release(struct trace_formats *t)
{
	arena_release(&t->arena);
	idmap_release(&t->by_id);
	free(t->list);
}

const struct pdt_format *trace_format_by_id(const struct trace_formats *t, uint64_t id)
{
	uint32_t i = idmap_get(&t->by_id, id);

	return i == IDMAP_NONE ? NULL : &t->list[i];
}

const struct pdt_field *trace_field(const struct pdt_format *f, const char *name)
{
	for (size_t i = 0; f && i < f->field_count; i++) {
		if (!strcmp(f->fields[i].name, name))
			return &f->fields[i];
	}
	return NULL;
}

/* ---- the text of a format ---- */

struct span_text {
	const char *p, *end;
};

static bool is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

static void skip_blanks(struct span_text *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t'))
		s->p++;
}

/* What is left of S up to STOP, which is skipped; false when it does not come. */
static bool take_until(struct span_text *s, char stop, struct span_text *out)
{
	const char *at = memchr(s->p, stop, (size_t)(s->end - s->p));

	if (!at)
		return false;
	*out = (struct span_text){ s->p, at };
	s->p = at + 1;
	return true;
}

static bool take_word(struct span_text *s, const char *word)
{
	size_t n = strlen(word);

	skip_blanks(s);
	if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n) != 0)
		return false;
	s->p += n;
	return true;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

/* A decimal or 0x number; false when there is none or it passes 64 bits. */
static bool take_number(struct span_text *s, uint64_t *out)
{
	int base = 10;
	const char *first;

	skip_blanks(s);
	if (s->end - s->p > 2 && s->p[0] == '0' && (s->p[1] | 0x20) == 'x') {
		base = 16;
		s->p += 2;
	}
	*out = 0;
	for (first = s->p; s->p < s->end && digit_of(*s->p) < base; s->p++) {
		if (*out > (UINT64_MAX - 15) / (uint64_t)base)
			return false;
		*out = *out * (uint64_t)base + (uint64_t)digit_of(*s->p);
	}
	return s->p > first;
}

/* "KEY:N;" */
static bool take_property(struct span_text *s, const char *key, uint64_t *out)
{
	struct span_text value;

	return take_word(s, key) && take_until(s, ';', &value) && take_number(&value, out) &&
	       value.p == value.end;
}

/* The name at the end of a declaration: "char comm[16]", "__data_loc char[] name". */
static bool declared_name(const struct span_text *decl, struct span_text *name)
{
	const char *p = decl->end;

	if (p > decl->p && p[-1] == ']') {
		while (p > decl->p && *p != '[')
			p--;
	}
	name->end = p;
	while (p > decl->p && is_word(p[-1]))
		p--;
	name->p = p;
	return name->p < name->end && name->p > decl->p && digit_of(*name->p) >= 10;
}

static bool contains(const struct span_text *s, const char *word)
{
	return memmem(s->p, (size_t)(s->end - s->p), word, strlen(word)) != NULL;
}

static enum field_kind kind_of(const struct span_text *decl, uint64_t size)
{
	bool array = decl->end[-1] == ']';

	if (contains(decl, "__data_loc"))
		return size == 4 ? FIELD_DATA_LOC : FIELD_BYTES;
	if (contains(decl, "__rel_loc"))
		return size == 4 ? FIELD_REL_LOC : FIELD_BYTES;
	if (array && contains(decl, "char ") && !contains(decl, "signed char"))
		return FIELD_TEXT;
	if (array || (size != 1 && size != 2 && size != 4 && size != 8))
		return FIELD_BYTES;
	return FIELD_NUMBER;
}

struct format_reader {
	struct trace_formats *formats;
	struct pdt_field *fields; /* of the format at hand */
	size_t count, cap;
	struct warnings *warnings;
};

/* "field:TYPE NAME;\toffset:N;\tsize:N;\tsigned:N;" (no "signed" before 2.6.32) */
static bool read_field(struct format_reader *r, struct span_text line)
{
	struct span_text decl, name;
	uint64_t offset, size, sign;

	if (!take_until(&line, ';', &decl) || !declared_name(&decl, &name) ||
	    !take_property(&line, "offset:", &offset) || !take_property(&line, "size:", &size) ||
	    offset > PAYLOAD_MAX || size > PAYLOAD_MAX)
		return false;
	if (!take_property(&line, "signed:", &sign))
		sign = !contains(&decl, "unsigned") && *decl.p != 'u';
	r->fields = xgrow(r->fields, &r->cap, r->count + 1, sizeof(*r->fields));
	r->fields[r->count++] = (struct pdt_field){
		.name = arena_strndup(&r->formats->arena, name.p, (size_t)(name.end - name.p)),
		.type = arena_strndup(&r->formats->arena, decl.p, (size_t)(decl.end - decl.p)),
		.offset = (uint32_t)offset,
		.size = (uint32_t)size,
		.kind = kind_of(&decl, size),
		.is_signed = sign != 0,
		.swap = r->formats->swap,
	};
	return true;
}

/* Lines up to the print format. False when one of them is not what it should be. */
static bool read_lines(struct format_reader *r, struct span_text *s, struct pdt_format *f)
{
	struct arena *a = &r->formats->arena;
	struct span_text line;
	uint64_t id = UINT64_MAX;

	f->print = "";
	while (take_until(s, '\n', &line)) {
		if (take_word(&line, "name:")) {
			skip_blanks(&line);
			f->name = arena_strndup(a, line.p, (size_t)(line.end - line.p));
		} else if (take_word(&line, "ID:")) {
			if (!take_number(&line, &id) || id > UINT32_MAX)
				return false;
		} else if (take_word(&line, "field:") || take_word(&line, "field special:")) {
			if (!read_field(r, line))
				return false;
		} else if (take_word(&line, "print fmt:")) {
			skip_blanks(&line);
			f->print = arena_strndup(a, line.p, (size_t)(line.end - line.p));
		}
	}
	f->id = (uint32_t)id;
	return f->name && *f->name && id != UINT64_MAX;
}

static void read_format(struct format_reader *r, const char *system, struct span_text text)
{
	struct trace_formats *t = r->formats;
	struct pdt_format f = { .system = system };
	struct pdt_field *fields;
	uint32_t *slot;

	r->count = 0;
	if (!read_lines(r, &text, &f)) {
		warn_add(r->warnings, SEV_WARN, "tracepoint-format",
			 "tracing data: a format of %s (%s) is invalid", system,
			 f.name ? f.name : "without a name");
		return;
	}
	slot = idmap_put(&t->by_id, f.id);
	if (*slot != IDMAP_NONE)
		return; /* the first one holds */
	*slot = (uint32_t)t->count;
	fields = arena_alloc(&t->arena, r->count * sizeof(*fields) + 1);
	if (r->count)
		memcpy(fields, r->fields, r->count * sizeof(*fields));
	f.fields = fields;
	f.field_count = r->count;
	t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
	t->list[t->count++] = f;
}

/* ---- the frame around them ---- */

static bool take_bytes(struct cursor *c, uint64_t n, struct span_text *out)
{
	const char *p;

	if (n > cursor_left(c)) {
		c->bad = true;
		return false;
	}
	p = cursor_take(c, (size_t)n);
	*out = (struct span_text){ p, p + n };
	return true;
}

/* A string with its NUL; NULL when that does not come. */
static const char *take_string(struct cursor *c)
{
	const char *s = (const char *)c->pos;
	const void *nul = memchr(s, 0, cursor_left(c));

	if (!nul) {
		c->bad = true;
		return NULL;
	}
	cursor_skip(c, (size_t)((const char *)nul - s) + 1);
	return s;
}

static bool take_header(struct cursor *c, const char *name)
{
	const char *s = take_string(c);
	struct span_text text;

	if (!s || strcmp(s, name) != 0) {
		c->bad = true;
		return false;
	}
	return take_bytes(c, cursor_u64(c), &text);
}

static void read_system(struct format_reader *r, struct cursor *c, const char *system)
{
	uint32_t n = cursor_u32(c);
	struct span_text text;
	const char *name = arena_strndup(&r->formats->arena, system, strlen(system));

	while (n-- && !c->bad) {
		if (take_bytes(c, cursor_u64(c), &text))
			read_format(r, name, text);
	}
}

static bool read_start(struct trace_formats *t, struct cursor *c)
{
	static const char magic[] = "\x17\x08\x44tracing";
	const uint16_t one = 1;
	const void *p = cursor_take(c, sizeof(magic) - 1);
	uint8_t big;

	if (!p || memcmp(p, magic, sizeof(magic) - 1) != 0 || !take_string(c))
		return false;
	big = cursor_u8(c);
	t->long_size = cursor_u8(c);
	c->swap = t->swap = big == *(const uint8_t *)&one;
	return cursor_u32(c) != 0 && big <= 1 && (t->long_size == 4 || t->long_size == 8) &&
	       take_header(c, "header_page") && take_header(c, "header_event");
}

int trace_formats_read(struct trace_formats *t, const void *data, size_t size, struct warnings *w)
{
	struct format_reader r = { .formats = t, .warnings = w };
	struct cursor c = cursor_make(data, size, false);
	bool sound = read_start(t, &c);
	uint32_t systems = 0;

	if (sound) {
		read_system(&r, &c, "ftrace");
		systems = cursor_u32(&c);
	}
	while (systems-- && !c.bad) {
		const char *system = take_string(&c);

		if (system)
			read_system(&r, &c, system);
	}
	free(r.fields);
	/* kallsyms, printk formats and comms follow: nothing here needs them */
	if (sound && !c.bad)
		return 0;
	warn_add(w, SEV_FAILED, "tracing-data",
		 "the formats of tracepoints (tracing data, %zu bytes) are damaged; %zu could be "
		 "read",
		 size, t->count);
	return ERR_FORMAT;
}

/* ---- __print_flags() ---- */

/* Skip one argument of a call: up to a ',' or ')' outside of brackets, at which S then stands. */
static bool skip_argument(struct span_text *s)
{
	unsigned depth = 0;

	for (; s->p < s->end; s->p++) {
		if (*s->p == '"') {
			for (s->p++; s->p < s->end && *s->p != '"'; s->p++)
				s->p += *s->p == '\\' && s->p + 1 < s->end;
			if (s->p >= s->end)
				return false;
		} else if (*s->p == '(' || *s->p == '{') {
			depth++;
		} else if (depth && (*s->p == ')' || *s->p == '}')) {
			depth--;
		} else if (!depth && (*s->p == ',' || *s->p == ')')) {
			return true;
		}
	}
	return false;
}

/* "{ NUMBER, "TEXT" }" */
static bool take_flag(struct span_text *s, struct pdt_flag *out)
{
	struct span_text text;
	size_t n;

	if (!take_word(s, "{") || !take_number(s, &out->value))
		return false;
	while (s->p < s->end && (*s->p == 'U' || *s->p == 'L')) /* 1UL */
		s->p++;
	if (!take_word(s, ",") || !take_word(s, "\"") || !take_until(s, '"', &text) ||
	    !take_word(s, "}"))
		return false;
	n = (size_t)(text.end - text.p);
	n = n < sizeof(out->text) ? n : sizeof(out->text) - 1;
	memcpy(out->text, text.p, n);
	out->text[n] = 0;
	return true;
}

/* Is REC->NAME in ARG? */
static bool mentions(const struct span_text *arg, const char *name)
{
	struct span_text s = *arg;

	while ((s.p = memmem(s.p, (size_t)(s.end - s.p), "REC->", 5))) {
		s.p += 5;
		if (take_word(&s, name) && (s.p == s.end || !is_word(*s.p)))
			return true;
	}
	return false;
}

size_t trace_flags(const struct pdt_format *f, const char *name, struct pdt_flag *out, size_t max)
{
	static const char call[] = "__print_flags(";
	struct span_text s = { f->print, f->print + strlen(f->print) };
	size_t n = 0;

	while (!n && (s.p = memmem(s.p, (size_t)(s.end - s.p), call, sizeof(call) - 1))) {
		struct span_text arg = { s.p += sizeof(call) - 1, NULL };

		if (!skip_argument(&s))
			return 0;
		arg.end = s.p;
		if (!mentions(&arg, name) || !take_word(&s, ",") || !skip_argument(&s))
			continue; /* the delimiter, too, is no flag */
		while (n < max && take_word(&s, ",") && take_flag(&s, &out[n]))
			n++;
	}
	return n;
}

/* ---- fields ---- */

static inline const uint8_t *inside(const struct payload *p, uint32_t offset, uint32_t size)
{
	return offset <= p->size && size <= p->size - offset ? p->bytes + offset : NULL;
}

bool trace_number_any(const struct pdt_field *f, const struct payload *p, uint64_t *out)
{
	const uint8_t *at = f && f->kind == FIELD_NUMBER ? inside(p, f->offset, f->size) : NULL;
	struct cursor c;

	*out = 0;
	if (!at)
		return false;
	c = cursor_make(at, f->size, f->swap);
	switch (f->size) {
	case 1:
		*out = cursor_u8(&c);
		*out = f->is_signed ? (uint64_t)(int8_t)*out : *out;
		break;
	case 2:
		*out = cursor_u16(&c);
		*out = f->is_signed ? (uint64_t)(int16_t)*out : *out;
		break;
	case 4:
		*out = cursor_u32(&c);
		*out = f->is_signed ? (uint64_t)(int32_t)*out : *out;
		break;
	default:
		*out = cursor_u64(&c);
	}
	return true;
}

const uint8_t *trace_bytes(const struct pdt_field *f, const struct payload *p, size_t *len)
{
	const uint8_t *at = f ? inside(p, f->offset, f->size) : NULL;
	struct cursor c;
	uint32_t loc, offset;

	*len = 0;
	if (!at)
		return NULL;
	if (f->kind != FIELD_DATA_LOC && f->kind != FIELD_REL_LOC) {
		*len = f->size;
		return at;
	}
	c = cursor_make(at, 4, f->swap);
	loc = cursor_u32(&c);
	offset = loc & 0xffff;
	if (f->kind == FIELD_REL_LOC)
		offset += f->offset + 4;
	at = inside(p, offset, loc >> 16);
	*len = at ? loc >> 16 : 0;
	return at;
}

const char *trace_text(const struct pdt_field *f, const struct payload *p, size_t *len)
{
	const char *s = NULL;

	*len = 0;
	if (f && f->kind != FIELD_NUMBER)
		s = (const char *)trace_bytes(f, p, len);
	*len = s ? strnlen(s, *len) : 0;
	return s;
}
