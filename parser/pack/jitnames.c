/* A map line by line; of a dump what is in its records, as names/jit/jitdump.c reads them. Records
 * that are not known are emptied, and where the dump makes no sense any more it ends. */
#include "parser/pack/jitnames.h"
#include "parser/base/cursor.h"
#include "parser/pack/paths.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC	    0x4a695444u
#define HEADER_SIZE 40
#define HEAD_SIZE   16
#define LOAD_SIZE   56 /* without the name */
#define DEBUG_SIZE  32
#define ENTRY_SIZE  16

enum { CODE_LOAD, CODE_MOVE, CODE_DEBUG_INFO, CODE_CLOSE, CODE_UNWINDING_INFO };

static int read_all(struct buf *out, int fd)
{
	struct stat st;
	size_t want;

	if (fstat(fd, &st) < 0)
		return ERR_IO;
	if (st.st_size > JITNAMES_MAX)
		return ERR_FORMAT;
	want = (size_t)st.st_size;
	while (out->len < want) {
		ssize_t n = pread(fd, buf_reserve(out, want - out->len), want - out->len,
				  (off_t)out->len);

		if (n < 0)
			return ERR_IO;
		if (n == 0)
			break;
		out->len += (size_t)n;
	}
	return 0;
}

int jitnames_perf_map(struct buf *out, int fd)
{
	struct buf text = { 0 };
	int rc = read_all(&text, fd);

	for (size_t at = 0, len; rc == 0 && at < text.len; at += len + 1) {
		const char *line = text.data + at, *end = memchr(line, '\n', text.len - at);

		len = end ? (size_t)(end - line) : text.len - at;
		paths_strip_within(line, len, out);
		if (end)
			buf_char(out, '\n');
	}
	buf_release(&text);
	return rc;
}

/* ---- jitdump ---- */

/* The name is followed by the code, which is the last thing in the record: zeros between them do no
 * harm. */
static void bare_load(char *rec, size_t size, bool swap)
{
	struct cursor c = cursor_make(rec, size, swap);
	struct buf name = { 0 };
	uint64_t code;
	size_t room;

	cursor_skip(&c, 40);
	code = cursor_u64(&c);
	if (size < LOAD_SIZE || code > size - LOAD_SIZE)
		return;
	room = size - LOAD_SIZE - (size_t)code;
	paths_strip_within(rec + LOAD_SIZE, strnlen(rec + LOAD_SIZE, room), &name);
	memset(rec + LOAD_SIZE, 0, room);
	if (name.len)
		memcpy(rec + LOAD_SIZE, name.data, name.len);
	buf_release(&name);
}

/* u64 address, u32 line, u32 discriminator, path, NUL; the next one follows, so the path stays as
 * long as it was. */
static void bare_debug(char *rec, size_t size)
{
	for (size_t at = DEBUG_SIZE + ENTRY_SIZE; at < size;) {
		size_t len = strnlen(rec + at, size - at);
		char *slash = memrchr(rec + at, '/', len);

		if (slash)
			memset(rec + at, '/', (size_t)(slash - (rec + at)));
		at += len + 1 + ENTRY_SIZE;
	}
}

static void bare_record(char *rec, size_t size, bool swap)
{
	struct cursor c = cursor_make(rec, size, swap);

	switch (cursor_u32(&c)) {
	case CODE_LOAD:
		bare_load(rec, size, swap);
		break;
	case CODE_DEBUG_INFO:
		bare_debug(rec, size);
		break;
	case CODE_MOVE:
	case CODE_CLOSE:
	case CODE_UNWINDING_INFO:
		break;
	default:
		memset(rec + HEAD_SIZE, 0, size - HEAD_SIZE);
	}
}

int jitnames_dump(struct buf *out, int fd)
{
	int rc = read_all(out, fd);
	struct cursor c = cursor_make(out->data, out->len, false);
	uint32_t magic = cursor_u32(&c), begin;
	size_t at;

	c.swap = magic == __builtin_bswap32(MAGIC);
	cursor_skip(&c, 4);
	begin = cursor_u32(&c);
	if (rc < 0 || (magic != MAGIC && !c.swap) || begin < HEADER_SIZE || begin > out->len)
		return rc < 0 ? rc : ERR_FORMAT;
	for (at = begin; out->len - at >= HEAD_SIZE;) {
		struct cursor head = cursor_make(out->data + at, HEAD_SIZE, c.swap);
		uint32_t size;

		cursor_skip(&head, 4);
		size = cursor_u32(&head);
		if (size < HEAD_SIZE || size > out->len - at)
			break;
		bare_record(out->data + at, size, c.swap);
		at += size;
	}
	out->len = at;
	return 0;
}
