/* A file that is read here and there, mostly forward, through one buffer of fixed size: for files
 * that may be large, may be cut while they are read, and of which much is passed over. */
#ifndef PDTOOL_SYMBOLS_FILEWINDOW_H
#define PDTOOL_SYMBOLS_FILEWINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "parser/base/err.h"

struct reach;

#define WINDOW_SIZE (1u << 17)

struct window {
	int fd;
	uint64_t size;	/* bytes in the file */
	uint64_t start; /* what the buffer holds */
	size_t len;
	uint8_t *data;
	struct reach *reach; /* is told of a read that fails */
	char *path;
};

/* By the rules of reach.h: ERR_ABSENT no such file; ERR_IO; ERR_FORMAT not a regular file. */
int window_open(struct window *w, struct reach *r, const char *path) CHECKED;
void window_close(struct window *w);
/* SIZE bytes at OFFSET, valid until the next call; NULL: they are not all there, or more than
 * WINDOW_SIZE. */
const uint8_t *window_at(struct window *w, uint64_t offset, size_t size_bytes);

#endif
