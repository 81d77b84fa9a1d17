/* The fields of samples: numbers stay; texts of tracepoints get others; copies of stacks and of
 * registers, which hold whatever the program had there, are emptied as the kernel itself leaves
 * them where there is none. */
#include "parser/cut/scrub.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/feed/userstack.h"
#include "parser/pack/rewrite.h"

#include <string.h>

#define COMMON_BYTES  8 /* of each tracepoint: type, flags, count, pid */
#define TYPE_SOFTWARE 1

/* ---- payloads of tracepoints ---- */

static bool has(const char *text, const char *const *words)
{
	for (; *words; words++) {
		if (strstr(text, *words))
			return true;
	}
	return false;
}

static bool holds_numbers(const struct pdt_field *f)
{
	static const char *const numbers[] = { "long", "int ", "int[", "short",	 "u16",	    "u32",
					       "u64",  "s32",  "s64",  "size_t", "cpumask", NULL };

	return has(f->type, numbers) && !strstr(f->type, "struct ");
}

static bool holds_text(const struct pdt_field *f)
{
	return f->kind == FIELD_TEXT || (f->kind >= FIELD_DATA_LOC && strstr(f->type, "char[") &&
					 !strstr(f->type, "signed char"));
}

/* What stands for T, the text in F. */
static void put_words(struct scrub *s, const struct pdt_field *f, struct interned t)
{
	static const char *const comm[] = { "comm", NULL };
	static const char *const path[] = { "filename", "path", NULL };

	s->text.len = 0;
	if (!strcmp(f->name, "rwbs")) /* of an I/O: it reads, writes ... */
		buf_add(&s->text, t.s, t.len);
	else if (has(f->name, path))
		pseudonym_path(&s->names, t, &s->text);
	else
		pseudonym_add(&s->names, has(f->name, comm) ? NAME_COMM : NAME_TEXT, t, &s->text);
}

/* An array of a fixed size, to OUT: a name that is too long is its number alone. */
static void put_array(struct scrub *s, const struct pdt_field *f, const struct payload *p,
		      char *out)
{
	size_t len, at = 0;
	const char *text = trace_text(f, p, &len);

	if (!text || !f->size)
		return;
	put_words(s, f, (struct interned){ text, (uint32_t)len });
	if (s->text.len >= f->size && strrchr(s->text.data, '-'))
		at = (size_t)(strrchr(s->text.data, '-') + 1 - s->text.data);
	len = s->text.len - at;
	memcpy(out + f->offset, s->text.data + at, len < f->size ? len : f->size - 1);
}

/* What lies elsewhere goes to the end of the payload, which begins at BASE of S->out. */
static void put_elsewhere(struct scrub *s, const struct pdt_field *f, const struct payload *p,
			  size_t base)
{
	size_t len, at = s->out.len - base;
	const uint8_t *bytes = trace_bytes(f, p, &len);
	struct buf loc = { 0 };

	s->text.len = 0;
	if (bytes && holds_text(f)) {
		put_words(s, f,
			  (struct interned){ (const char *)bytes,
					     (uint32_t)strnlen((const char *)bytes, len) });
		buf_char(&s->text, '\0');
	} else if (bytes && holds_numbers(f)) {
		buf_add(&s->text, bytes, len);
	} else {
		s->payloads += len != 0;
	}
	if (s->out.len + s->text.len + 64 > RECORD_BYTES)
		s->text.len = 0;
	buf_add(&s->out, s->text.data, s->text.len);
	at -= f->kind == FIELD_REL_LOC ? f->offset + 4 : 0;
	add_number(s->capture, &loc, (uint64_t)s->text.len << 16 | (at & 0xffff), 4);
	memcpy(s->out.data + base + f->offset, loc.data, 4);
	buf_release(&loc);
}

static void put_fields(struct scrub *s, const struct pdt_format *f, const struct payload *p)
{
	bool probe = scrub_is_probe(f);
	size_t base = s->out.len, end = 0;
	bool elsewhere = false;

	for (size_t i = 0; i < f->field_count; i++) {
		const struct pdt_field *e = &f->fields[i];

		if (e->offset <= p->size && e->size <= p->size - e->offset) {
			end = e->offset + e->size > end ? e->offset + e->size : end;
			elsewhere |= e->kind >= FIELD_DATA_LOC;
		}
	}
	buf_fill(&s->out, 0, elsewhere ? end : p->size);
	for (size_t i = 0; i < f->field_count; i++) {
		const struct pdt_field *e = &f->fields[i];

		if (e->offset > p->size || e->size > p->size - e->offset)
			continue;
		/* of a probe anything may have been asked for */
		if (probe && strncmp(e->name, "common_", 7) && strncmp(e->name, "__probe_", 8))
			s->payloads++;
		else if (e->kind == FIELD_TEXT)
			put_array(s, e, p, s->out.data + base);
		else if (e->kind >= FIELD_DATA_LOC)
			put_elsewhere(s, e, p, base);
		else if (e->kind == FIELD_NUMBER || holds_numbers(e))
			memcpy(s->out.data + base + e->offset, p->bytes + e->offset, e->size);
		else
			s->payloads++;
	}
	buf_fill(&s->out, 0, (p->size - (s->out.len - base)) % 8);
}

/* PERF_SAMPLE_RAW: u32 size, that. */
static void put_payload(struct scrub *s, const struct sample *e)
{
	const struct event_attr *a = &e->desc->attr;
	const struct payload p = { e->raw, e->raw_size };
	const struct pdt_format *f = scrub_format(s, a);
	size_t at = s->out.len, kept = 0;

	add_number(s->capture, &s->out, 0, 4);
	if (f) {
		put_fields(s, f, &p);
	} else {
		if (a->type == EVENT_TYPE_TRACEPOINT)
			kept = e->raw_size < COMMON_BYTES ? e->raw_size : COMMON_BYTES;
		else if (a->type != TYPE_SOFTWARE) /* numbers of a unit of the processor */
			kept = e->raw_size;
		buf_add(&s->out, e->raw, kept);
		buf_fill(&s->out, 0, e->raw_size - kept);
		s->payloads += kept < e->raw_size;
	}
	kept = s->out.len;
	s->out.len = at;
	add_number(s->capture, &s->out, kept - at - 4, 4);
	s->out.len = kept;
}

/* ---- what lies behind ---- */

/* u64 ABI, and where it is not 0 the registers. All but those that tell of a stack only where it
 * goes on are left out. */
static void put_registers(struct scrub *s, struct cursor *c, uint64_t mask)
{
	const uint8_t *from = c->pos;
	uint64_t abi = cursor_u64(c);

	if (abi)
		cursor_skip(c, 8 * (size_t)__builtin_popcountll(mask));
	if (mask == USER_STACK_ARM64_LR) {
		buf_add(&s->out, from, (size_t)(c->pos - from));
		return;
	}
	buf_fill(&s->out, 0, 8);
	s->registers += abi != 0;
}

static void put_numbers(struct scrub *s, struct cursor *c, unsigned count)
{
	const void *from = cursor_take(c, 8 * (size_t)count);

	if (from)
		buf_add(&s->out, from, 8 * (size_t)count);
}

static void put_late(struct scrub *s, struct cursor c, const struct event_attr *a)
{
	uint64_t type = a->sample_type, size;

	if (type & SAMPLE_REGS_USER)
		put_registers(s, &c, a->regs_user);
	if (type & SAMPLE_STACK_USER) {
		size = cursor_u64(&c);
		if (size)
			cursor_skip(&c, (size_t)size + 8);
		buf_fill(&s->out, 0, 8);
		s->stacks += size != 0;
	}
	put_numbers(s, &c,
		    !!(type & (SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT)) +
			    (unsigned)__builtin_popcountll(type &
							   (SAMPLE_DATA_SRC | SAMPLE_TRANSACTION)));
	if (type & SAMPLE_REGS_INTR)
		put_registers(s, &c, a->regs_intr);
	put_numbers(s, &c,
		    (unsigned)__builtin_popcountll(type & (SAMPLE_PHYS_ADDR | SAMPLE_CGROUP |
							   SAMPLE_DATA_PAGE_SIZE |
							   SAMPLE_CODE_PAGE_SIZE)));
	if (type & SAMPLE_AUX)
		buf_fill(&s->out, 0, 8);
}

void scrub_sample(struct scrub *s, const struct raw *raw, const struct sample *e)
{
	const uint8_t *rec = raw->body.pos - RECORD_HEADER_SIZE, *at = e->late;
	const struct event_attr *a = &e->desc->attr;

	if (a->sample_type & SAMPLE_RAW && e->raw) {
		buf_add(&s->out, rec, (size_t)(e->raw - 4 - rec));
		put_payload(s, e);
		buf_add(&s->out, e->raw + e->raw_size, (size_t)(at - (e->raw + e->raw_size)));
	} else {
		buf_add(&s->out, rec, (size_t)(at - rec));
	}
	put_late(s, cursor_make(at, (size_t)(raw->body.end - at), raw->body.swap), a);
	buf_fill(&s->out, 0, -s->out.len % 8);
}
