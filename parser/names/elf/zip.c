/* The list of members at the end of a ZIP archive (PKWARE's APPNOTE.TXT, 4.3). All numbers are
 * little-endian. */
#include "parser/names/elf/zip.h"
#include "parser/base/cursor.h"
#include "parser/names/elf/filewindow.h"

#include <stdbool.h>
#include <string.h>

#define END_SIZE    22u
#define END_MAX	    (END_SIZE + 65535u) /* with a comment */
#define END_MAGIC   0x06054b50u
#define ENTRY_SIZE  46u
#define ENTRY_MAGIC 0x02014b50u
#define LOCAL_SIZE  30u
#define LOCAL_MAGIC 0x04034b50u
#define STORED	    0
#define ENCRYPTED   1u

struct entry {
	uint64_t local; /* offset of its own header */
	uint64_t size_bytes;
	const char *name; /* not NUL-terminated; valid until more is read */
	uint16_t name_len;
	bool stored;
};

static struct cursor bytes_at(struct window *w, uint64_t offset, size_t size)
{
	const uint8_t *p = window_at(w, offset, size);
	struct cursor c = cursor_make(p ? p : (const uint8_t *)"", p ? size : 0,
				      __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	c.bad = !p;
	return c;
}

/* OFFSET SIZE MEANING, of what ends the archive: 0 4 magic, 10 2 members, 12 4 size of the list,
 * 16 4 its offset, 20 2 size of a comment, which follows */
static int find_list(struct window *w, uint64_t *offset, unsigned *count)
{
	uint64_t least = w->size > END_MAX ? w->size - END_MAX : 0;

	/* All of it at once: the window is made to go forward. */
	if (!window_at(w, least, (size_t)(w->size - least)))
		return ERR_FORMAT;
	for (uint64_t at = w->size; at >= least + END_SIZE; at--) {
		struct cursor c = bytes_at(w, at - END_SIZE, END_SIZE);

		if (cursor_u32(&c) != END_MAGIC)
			continue;
		cursor_skip(&c, 6);
		*count = cursor_u16(&c);
		(void)cursor_u32(&c);
		*offset = cursor_u32(&c);
		return c.bad ? ERR_FORMAT : 0;
	}
	return ERR_FORMAT;
}

/* OFFSET SIZE MEANING: 0 4 magic, 8 2 flags, 10 2 method, 20 4 size here, 24 4 size unpacked, 28 2
 * of the name, 30 2 of more, 32 2 of a comment, 42 4 offset of its own header, 46 - the name */
static bool next_entry(struct window *w, uint64_t *at, struct entry *e)
{
	struct cursor c = bytes_at(w, *at, ENTRY_SIZE);
	uint16_t flags, method, more;

	if (cursor_u32(&c) != ENTRY_MAGIC)
		return false;
	cursor_skip(&c, 4);
	flags = cursor_u16(&c);
	method = cursor_u16(&c);
	cursor_skip(&c, 12);
	e->size_bytes = cursor_u32(&c);
	e->name_len = cursor_u16(&c);
	more = cursor_u16(&c);
	more = (uint16_t)(more + cursor_u16(&c));
	cursor_skip(&c, 8);
	e->local = cursor_u32(&c);
	e->stored = method == STORED && !(flags & ENCRYPTED);
	e->name = (const char *)window_at(w, *at + ENTRY_SIZE, e->name_len);
	*at += ENTRY_SIZE + (uint64_t)e->name_len + more;
	return e->name != NULL;
}

/* Its own header has a name and more of other sizes. */
static int place(struct window *w, const struct entry *e, struct zip_member *out)
{
	struct cursor c = bytes_at(w, e->local, LOCAL_SIZE);
	uint32_t magic = cursor_u32(&c);
	uint16_t name, more;

	cursor_skip(&c, 22);
	name = cursor_u16(&c);
	more = cursor_u16(&c);
	out->offset = e->local + LOCAL_SIZE + name + more;
	out->size_bytes = e->size_bytes;
	if (c.bad || magic != LOCAL_MAGIC || out->offset > w->size ||
	    out->size_bytes > w->size - out->offset)
		return ERR_FORMAT;
	return 0;
}

/* Is E called NAME or, where that is NULL, the last one so far that begins at or before OFFSET? */
static bool is_wanted(const struct entry *e, const char *name, uint64_t offset, uint64_t last)
{
	if (name)
		return e->name_len == strlen(name) && !memcmp(e->name, name, e->name_len);
	return e->local <= offset && e->local >= last;
}

static int look(struct reach *r, const char *path, const char *name, uint64_t offset,
		struct zip_member *out)
{
	struct entry e, found = { 0 };
	struct window w;
	unsigned count;
	bool any = false;
	uint64_t at;
	int rc = window_open(&w, r, path);

	if (rc < 0)
		return rc;
	rc = find_list(&w, &at, &count);
	for (; rc == 0 && count && next_entry(&w, &at, &e); count--) {
		if (!is_wanted(&e, name, offset, found.local))
			continue;
		any = true;
		found = e;
	}
	if (rc == 0)
		rc = any && found.stored ? place(&w, &found, out) : ERR_ABSENT;
	window_close(&w);
	if (rc == 0 && !name && (offset < out->offset || offset - out->offset >= out->size_bytes))
		return ERR_ABSENT;
	return rc;
}

int zip_find(struct reach *r, const char *path, const char *name, struct zip_member *out)
{
	return look(r, path, name, 0, out);
}

int zip_at(struct reach *r, const char *path, uint64_t offset, struct zip_member *out)
{
	return look(r, path, NULL, offset, out);
}
