/* The tables of simpleperf and hiperf, copied file by file with another path; file/recorded.c tells
 * their form. What makes no sense ends the copy. */
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/file/scan.h"
#include "parser/pack/rewrite.h"

#include <stdlib.h>
#include <string.h>

#define PATH_LEN_MAX 4096

struct copier {
	struct rewrite *r;
	struct scan scan;
	bool counted; /* hiperf: how many files follow is read */
	uint32_t left;
};

/* The next LEN bytes are a path: r->text as it may leave the house. */
static bool take_path(struct copier *c, const char *path, size_t len)
{
	c->r->text.len = 0;
	if (!path || c->scan.bad || len > PATH_LEN_MAX)
		return false;
	paths_strip(c->r->paths, path, len, &c->r->text);
	return true;
}

static void add_u32(struct rewrite *r, uint32_t v)
{
	uint8_t raw[sizeof(v)];

	put_number(raw, v, sizeof(raw), r->capture.header.swap);
	rewrite_add(r, raw, sizeof(raw));
}

static void add_text(struct rewrite *r)
{
	rewrite_add(r, r->text.data, r->text.len);
	rewrite_add(r, "", 1);
}

/* FILE: u32 size of the rest, path, NUL, the rest. */
static bool copy_file(struct copier *c)
{
	uint32_t size = scan_u32(&c->scan);
	uint64_t end = scan_at(&c->scan) + size, from;
	size_t len;
	const char *path = scan_text(&c->scan, '\0', &len);

	from = scan_at(&c->scan);
	if (!take_path(c, path, len) || from > end || end > c->scan.end)
		return false;
	add_u32(c->r, (uint32_t)(c->r->text.len + 1 + (end - from)));
	add_text(c->r);
	rewrite_copy(c->r, from, end - from);
	scan_seek(&c->scan, end);
	return true;
}

/* ---- FILE2 ---- */

#define KEY_PATH 0x0a /* field 1, which has a length */

static size_t varint_size(uint64_t v)
{
	size_t n = 1;

	for (; v >= 0x80; v >>= 7)
		n++;
	return n;
}

static void add_varint(struct rewrite *r, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		rewrite_add(r, &(uint8_t){ (uint8_t)(v | 0x80) }, 1);
	rewrite_add(r, &(uint8_t){ (uint8_t)v }, 1);
}

/* Pass over a field with KEY. */
static void pass_field(struct scan *s, uint64_t key)
{
	enum { VARINT, FIXED_64, LENGTH, FIXED_32 = 5 };

	switch (key & 7) {
	case VARINT:
		(void)scan_varint(s);
		break;
	case FIXED_64:
		scan_skip(s, 8);
		break;
	case LENGTH:
		scan_skip(s, scan_varint(s));
		break;
	case FIXED_32:
		scan_skip(s, 4);
		break;
	default:
		s->bad = true;
	}
}

/* u32 size, a message with the path as one field. AT: where that field is, with its key. */
static bool find_path(struct copier *c, uint64_t end, struct section *at)
{
	struct scan *s = &c->scan;

	*at = (struct section){ 0 };
	while (!s->bad && scan_at(s) < end) {
		uint64_t begin = scan_at(s), key = scan_varint(s);

		if (key >> 3 == 1 && (key != KEY_PATH || at->size))
			return false;
		pass_field(s, key);
		if (key == KEY_PATH)
			*at = (struct section){ begin, scan_at(s) - begin };
	}
	return !s->bad && scan_at(s) == end;
}

static bool copy_file2(struct copier *c)
{
	struct scan *s = &c->scan;
	uint32_t size = scan_u32(s);
	uint64_t begin = scan_at(s), end = begin + size, behind;
	struct section at;
	size_t len;
	const char *path;

	if (end > s->end || !find_path(c, end, &at) || !at.size)
		return false;
	scan_seek(s, at.offset + 1);
	path = scan_field(s, scan_varint(s), &len);
	if (!take_path(c, path, len))
		return false;
	len = c->r->text.len;
	add_u32(c->r, (uint32_t)(size - at.size + 1 + varint_size(len) + len));
	rewrite_copy(c->r, begin, at.offset - begin);
	add_varint(c->r, KEY_PATH);
	add_varint(c->r, len);
	rewrite_add(c->r, c->r->text.data, len);
	behind = at.offset + at.size;
	rewrite_copy(c->r, behind, end - behind);
	scan_seek(s, end);
	return true;
}

/* ---- hiperf ---- */

/* u32 size with the NUL, text, NUL. */
static void pass_text(struct scan *s)
{
	scan_skip(s, scan_u32(s));
}

/* u32 how many; of each: path, 4 type, 8 address, 8 offset, build-id, 4 symbols, and those: 8
 * address, 4 size, name. */
static bool copy_hiperf(struct copier *c)
{
	struct scan *s = &c->scan;
	uint32_t symbols;
	uint64_t from;
	size_t len;
	const char *path;

	if (!c->counted)
		add_u32(c->r, c->left = scan_u32(s));
	c->counted = true;
	if (!c->left || s->bad)
		return false;
	c->left--;
	path = scan_field(s, scan_u32(s), &len);
	if (!take_path(c, path, len))
		return false;
	from = scan_at(s);
	scan_skip(s, 4 + 8 + 8);
	pass_text(s);
	symbols = scan_u32(s);
	for (; symbols && !s->bad; symbols--) {
		scan_skip(s, 8 + 4);
		pass_text(s);
	}
	if (s->bad)
		return false;
	add_u32(c->r, (uint32_t)c->r->text.len + 1);
	add_text(c->r);
	rewrite_copy(c->r, from, scan_at(s) - from);
	return true;
}

/* ---- all of them ---- */

static const struct {
	unsigned id;
	bool (*copy)(struct copier *c);
} tables[] = {
	{ FEAT_SIMPLEPERF_FILE, copy_file },
	{ FEAT_SIMPLEPERF_FILE2, copy_file2 },
	{ FEAT_HIPERF_FIRST, copy_hiperf },
};

bool stripsyms_has(unsigned id)
{
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		if (tables[i].id == id)
			return true;
	}
	return false;
}

void stripsyms_copy(struct rewrite *r, unsigned id, struct section at)
{
	struct copier *c = xcalloc(1, sizeof(*c));
	size_t i = 0;

	c->r = r;
	scan_init(&c->scan, r->source, at.offset, at.size);
	c->scan.swap = r->capture.header.swap;
	while (tables[i].id != id)
		i++;
	while (scan_at(&c->scan) < c->scan.end && !c->scan.bad && tables[i].copy(c))
		;
	r->out->emptied += c->scan.bad;
	free(c);
}
