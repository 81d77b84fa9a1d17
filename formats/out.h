/* Buffered output to a descriptor. The first error is kept; later writes do nothing. */
#ifndef PDTOOL_OUT_H
#define PDTOOL_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* How text of others is written. */
enum quoting {
	QUOTE_TERMINAL,
	QUOTE_CSV,	 /* RFC 4180: in quotes where it needs them */
	QUOTE_JSON,	 /* RFC 8259: in quotes; what a script could not hold is escaped, too */
	QUOTE_SCRIPT,	 /* a string of JavaScript: ASCII, and nothing in it can end the script, a
			    CDATA section or a comment */
	QUOTE_XML,	 /* character data, or the inside of an attribute */
	QUOTE_XML_ASCII, /* the same, in any encoding: with references for what is not ASCII */
};

#define OUT_SIZE  (1u << 18)
#define OUT_LARGE (1u << 17) /* worth a write of its own */

struct newfile;

struct out {
	int fd;
	int error; /* errno of the first failed write, 0 while all is well */
	size_t used;
	char *buf;
	enum quoting quoting;
	bool to_terminal; /* data, too, has nothing that a terminal should not get */
	/* A complete file that goes with the output: it takes its place once the output is
	 * complete, too, which whoever has the output sees to. NULL: there is none. */
	struct newfile *beside;
	char note[128]; /* what is said of it in the end; "": nothing */
};

void out_init(struct out *o, int fd);
/* Write out what waits. */
void out_flush(struct out *o);
/* What does not fit: written as it is, where that is worth it. */
void out_write_beyond(struct out *o, const void *data, size_t len);
/* Inline: the length of a literal is known, and nearly all fits. */
static inline void out_write(struct out *o, const void *data, size_t len)
{
	if (len > OUT_SIZE - o->used || len >= OUT_LARGE) {
		out_write_beyond(o, data, len);
		return;
	}
	memcpy(o->buf + o->used, data, len);
	o->used += len;
}
static inline void out_str(struct out *o, const char *s)
{
	out_write(o, s, strlen(s));
}
/* Room for LEN bytes at once, of OUT_SIZE at most, for who writes many short pieces: what of it was
 * filled goes to out_filled(). */
static inline char *out_room(struct out *o, size_t len)
{
	if (len > OUT_SIZE - o->used)
		out_flush(o);
	return o->buf + o->used;
}
static inline void out_filled(struct out *o, const char *end)
{
	o->used = (size_t)(end - o->buf);
}
void out_u64(struct out *o, uint64_t v);
/* LEN bytes in base64 (RFC 4648), which takes so many: */
#define OUT_BASE64(len) (((uint64_t)(len) + 2) / 3 * 4)
void out_base64(struct out *o, const void *data, size_t len);
/* As printf() does it, the same in every locale, of %c, %d, %u, %x, %f, %g and %s. But %s is text
 * of others, written as O's quoting says: width and precision count characters, the last one of a
 * text with more is an ellipsis, NULL is null. And %g alone has at most three digits after the
 * point, no zeros at the end: pixels. */
void out_put(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Write what is buffered and free the buffer; returns the error. The descriptor stays open. */
int out_finish(struct out *o) __attribute__((warn_unused_result));

#endif
