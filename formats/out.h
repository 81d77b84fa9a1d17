/* Buffered output to a descriptor. The first error is kept; later writes do nothing. */
#ifndef PDTOOL_OUT_H
#define PDTOOL_OUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct out {
	int fd;
	int error; /* errno of the first failed write, 0 while all is well */
	size_t used;
	char *buf;
};

void out_init(struct out *o, int fd);
void out_write(struct out *o, const void *data, size_t len);
/* Inline: the length of a literal is known. */
static inline void out_str(struct out *o, const char *s)
{
	out_write(o, s, strlen(s));
}
void out_u64(struct out *o, uint64_t v);
/* Write what is buffered and free the buffer; returns the error. The descriptor stays open. */
int out_finish(struct out *o) __attribute__((warn_unused_result));

#endif
