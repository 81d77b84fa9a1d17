/* Move a buffer over a section. */
#include "parser/file/scan.h"
#include "parser/file/source.h"

#include <string.h>

#define TEXT_USUAL 256

void scan_init(struct scan *s, struct source *source, uint64_t offset, uint64_t size_bytes)
{
	s->source = source;
	s->next = offset;
	s->end = offset + size_bytes;
	s->pos = s->len = 0;
	s->swap = s->bad = false;
}

uint64_t scan_at(const struct scan *s)
{
	return s->next - (s->len - s->pos);
}

static void fail(struct scan *s)
{
	s->bad = true;
	s->next = s->end;
	s->pos = s->len = 0;
}

void scan_seek(struct scan *s, uint64_t offset)
{
	uint64_t first = s->next - s->len;

	if (offset > s->end) {
		fail(s);
	} else if (offset >= first && offset <= s->next) {
		s->pos = (size_t)(offset - first);
	} else {
		s->next = offset;
		s->pos = s->len = 0;
	}
}

void scan_skip(struct scan *s, uint64_t len)
{
	if (len > s->end - scan_at(s))
		fail(s);
	else
		scan_seek(s, scan_at(s) + len);
}

/* Have LEN bytes at hand, or as many as there are. */
static void fill(struct scan *s, size_t len)
{
	size_t have = s->len - s->pos, room = SCAN_SIZE - have;
	uint64_t rest = s->end - s->next;
	ssize_t n;

	if (have >= len || !rest)
		return;
	memmove(s->bytes, s->bytes + s->pos, have);
	s->pos = 0;
	s->len = have;
	n = source_pread(s->source, s->bytes + have, rest < room ? (size_t)rest : room, s->next);
	if (n <= 0) {
		s->end = s->next; /* the file became shorter meanwhile */
		return;
	}
	s->len += (size_t)n;
	s->next += (uint64_t)n;
}

const uint8_t *scan_take(struct scan *s, size_t len)
{
	const uint8_t *p;

	if (len <= SCAN_SIZE)
		fill(s, len);
	if (s->len - s->pos < len) {
		fail(s);
		return NULL;
	}
	p = s->bytes + s->pos;
	s->pos += len;
	return p;
}

const char *scan_text(struct scan *s, char last, size_t *len)
{
	static const size_t tries[] = { TEXT_USUAL, SCAN_SIZE };
	const uint8_t *end_of = NULL;

	for (size_t i = 0; !end_of && i < sizeof(tries) / sizeof(*tries); i++) {
		fill(s, tries[i]);
		end_of = memchr(s->bytes + s->pos, last, s->len - s->pos);
	}
	*len = end_of ? (size_t)(end_of - s->bytes) - s->pos : 0;
	if (end_of)
		return (const char *)scan_take(s, *len + 1);
	fail(s);
	return NULL;
}

const char *scan_field(struct scan *s, uint64_t size_bytes, size_t *len)
{
	const uint8_t *p;

	*len = 0;
	if (size_bytes > SCAN_SIZE) {
		scan_skip(s, size_bytes);
		return s->bad ? NULL : "";
	}
	p = scan_take(s, (size_t)size_bytes);
	*len = p ? strnlen((const char *)p, (size_t)size_bytes) : 0;
	return (const char *)p;
}

uint8_t scan_u8(struct scan *s)
{
	const uint8_t *p = scan_take(s, 1);

	return p ? *p : 0;
}

uint32_t scan_u32(struct scan *s)
{
	const uint8_t *p = scan_take(s, sizeof(uint32_t));
	struct cursor c = cursor_make(p ? p : s->bytes, sizeof(uint32_t), s->swap);

	return p ? cursor_u32(&c) : 0;
}

uint64_t scan_u64(struct scan *s)
{
	const uint8_t *p = scan_take(s, sizeof(uint64_t));
	struct cursor c = cursor_make(p ? p : s->bytes, sizeof(uint64_t), s->swap);

	return p ? cursor_u64(&c) : 0;
}

uint64_t scan_varint(struct scan *s)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t b = scan_u8(s);

		v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	fail(s);
	return 0;
}
