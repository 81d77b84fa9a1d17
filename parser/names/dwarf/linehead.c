/* Step through a line table's head: add up the lengths of its paths, or tell of them. */
#include "parser/names/dwarf/linehead.h"
#include "parser/base/mem.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FORMATS_MAX 255

struct head {
	struct cursor c;
	const struct line_texts *texts;
	unsigned offset_bytes, version;
	uint64_t *dirs; /* bytes of each */
	size_t dir_count, dir_cap;
	uint64_t total;
	const struct line_sink *sink; /* NULL: nobody is told */
	const char *text;	      /* the last one, LEN bytes, until somebody was told of it */
	size_t len;
};

struct format {
	uint64_t content, form;
};

static void add_dir(struct head *h, uint64_t bytes)
{
	h->dirs = xgrow(h->dirs, &h->dir_cap, h->dir_count + 1, sizeof(*h->dirs));
	h->dirs[h->dir_count++] = bytes;
	h->total += bytes;
}

/* The unit's directory, the file's, its name, slashes and the end. */
static void add_file(struct head *h, uint64_t dir, uint64_t bytes)
{
	h->total += bytes + 3 + (h->dir_count ? h->dirs[0] : 0) +
		    (dir < h->dir_count ? h->dirs[dir] : 0);
}

static bool goes_on(const struct head *h)
{
	return !h->c.bad && h->total <= LINEHEAD_PATHS_MAX;
}

static uint64_t note(struct head *h, const uint8_t *text, size_t len)
{
	h->text = (const char *)text;
	h->len = len;
	return len;
}

/* The text that was read, if it is one. */
static void tell(struct head *h, bool is_file)
{
	if (h->sink && h->text && !h->c.bad)
		h->sink->text(h->sink->ctx, h->text, h->len, is_file);
	h->text = NULL;
}

static uint64_t text(struct head *h)
{
	const uint8_t *at = h->c.pos;
	size_t left = cursor_left(&h->c), n = strnlen((const char *)at, left);

	cursor_skip(&h->c, n + 1);
	return note(h, at, n);
}

/* ---- up to DWARF 4 ---- */

static void read_lists(struct head *h)
{
	uint64_t bytes, dir;

	while (goes_on(h) && (bytes = text(h))) {
		tell(h, false);
		add_dir(h, bytes);
	}
	while (goes_on(h) && (bytes = text(h))) {
		tell(h, true);
		dir = cursor_uleb(&h->c);
		(void)cursor_uleb(&h->c); /* time */
		(void)cursor_uleb(&h->c); /* size */
		add_file(h, dir, bytes);
	}
}

/* ---- DWARF 5 ---- */

static uint64_t offset(struct head *h)
{
	return h->offset_bytes == 8 ? cursor_u64(&h->c) : cursor_u32(&h->c);
}

static uint64_t text_in(struct head *h, const uint8_t *section, size_t bytes, uint64_t at)
{
	if (!section || at >= bytes)
		return 0;
	return note(h, section + at, strnlen((const char *)section + at, bytes - (size_t)at));
}

/* The value of FORM: a number, or the length of a text. */
static uint64_t value(struct head *h, uint64_t form)
{
	const struct line_texts *t = h->texts;
	uint64_t n;

	switch (form) {
	case DW_FORM_string:
		return text(h);
	case DW_FORM_line_strp:
		return text_in(h, t->line_str, t->line_str_bytes, offset(h));
	case DW_FORM_strp:
		return text_in(h, t->str, t->str_bytes, offset(h));
	case DW_FORM_udata:
		return cursor_uleb(&h->c);
	case DW_FORM_data1:
		return cursor_u8(&h->c);
	case DW_FORM_data2:
		return cursor_u16(&h->c);
	case DW_FORM_data4:
		return cursor_u32(&h->c);
	case DW_FORM_data8:
		return cursor_u64(&h->c);
	case DW_FORM_data16:
		cursor_skip(&h->c, 16);
		return 0;
	case DW_FORM_block:
		n = cursor_uleb(&h->c);
		cursor_skip(&h->c, n < SIZE_MAX ? (size_t)n : SIZE_MAX);
		return 0;
	default: /* libdw does not go further either */
		h->c.bad = true;
		return 0;
	}
}

/* One of the two tables, of directories or of files. */
static void read_table(struct head *h, bool files)
{
	struct format formats[FORMATS_MAX];
	unsigned n = cursor_u8(&h->c);
	uint64_t count;

	for (unsigned i = 0; i < n; i++) {
		formats[i].content = cursor_uleb(&h->c);
		formats[i].form = cursor_uleb(&h->c);
	}
	count = cursor_uleb(&h->c);
	if (!n) /* entries without contents: nothing ends them */
		h->c.bad |= count != 0;
	for (; count && goes_on(h); count--) {
		uint64_t bytes = 0, dir = 0;

		for (unsigned i = 0; i < n; i++) {
			uint64_t v = value(h, formats[i].form);

			tell(h, files && formats[i].content == DW_LNCT_path);
			if (formats[i].content == DW_LNCT_path)
				bytes = v;
			else if (formats[i].content == DW_LNCT_directory_index)
				dir = v;
		}
		if (h->c.bad)
			break;
		if (files)
			add_file(h, dir, bytes);
		else
			add_dir(h, bytes);
	}
}

/* OFFSET SIZE: length 4 (or 4 + 8), version 2, from version 5 on address and segment size 1 + 1,
 * size of the head 4 (or 8), unit 1, from version 4 on operations 1, default 1, base 1, range 1,
 * opcodes 1 with a size for each but the first. */
static bool read_start(struct head *h)
{
	struct cursor *c = &h->c;
	uint8_t opcodes;

	h->offset_bytes = 4;
	if (cursor_u32(c) == UINT32_MAX) {
		h->offset_bytes = 8;
		(void)cursor_u64(c);
	}
	h->version = cursor_u16(c);
	if (h->version >= 5)
		cursor_skip(c, 2);
	(void)offset(h);
	cursor_skip(c, h->version >= 4 ? 5 : 4);
	opcodes = cursor_u8(c);
	cursor_skip(c, opcodes ? opcodes - 1u : 0);
	return !c->bad && h->version >= 2 && h->version <= 5;
}

static void read_head(struct head *h, size_t dir_bytes)
{
	if (!read_start(h)) {
		h->c.bad = true;
	} else if (h->version < 5) {
		add_dir(h, dir_bytes);
		read_lists(h);
	} else {
		read_table(h, false);
		read_table(h, true);
	}
	free(h->dirs);
}

uint64_t linehead_path_bytes(struct cursor c, size_t dir_bytes, const struct line_texts *texts)
{
	struct head h = { .c = c, .texts = texts };

	read_head(&h, dir_bytes);
	return h.total;
}

int linehead_texts(struct cursor c, const struct line_texts *texts, const struct line_sink *sink)
{
	struct head h = { .c = c, .texts = texts, .sink = sink };

	read_head(&h, 0);
	return goes_on(&h) ? 0 : ERR_FORMAT;
}
