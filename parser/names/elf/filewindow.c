/* Reading through a window. */
#include "parser/names/elf/filewindow.h"
#include "parser/base/mem.h"
#include "parser/names/reach.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int window_open(struct window *w, struct reach *r, const char *path)
{
	struct stat st;

	memset(w, 0, sizeof(*w));
	w->fd = reach_open(r, path, REACH_PROGRAM);
	if (w->fd < 0)
		return w->fd;
	if (fstat(w->fd, &st)) {
		reach_fault(r, path, errno);
		close(w->fd);
		return ERR_IO;
	}
	w->reach = r;
	w->path = xstrdup(path);
	w->size = (uint64_t)st.st_size;
	w->data = xmalloc(WINDOW_SIZE);
	return 0;
}

void window_close(struct window *w)
{
	close(w->fd);
	free(w->data);
	free(w->path);
}

static void fill(struct window *w, uint64_t offset)
{
	w->start = offset;
	for (w->len = 0; w->len < WINDOW_SIZE;) {
		ssize_t n = pread(w->fd, w->data + w->len, WINDOW_SIZE - w->len,
				  (off_t)(offset + w->len));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			reach_fault(w->reach, w->path, errno);
		if (n <= 0)
			return;
		w->len += (size_t)n;
	}
}

const uint8_t *window_at(struct window *w, uint64_t offset, size_t size)
{
	if (size > WINDOW_SIZE || offset > w->size || size > w->size - offset)
		return NULL;
	if (offset < w->start || offset + size > w->start + w->len)
		fill(w, offset);
	return offset - w->start + size <= w->len ? w->data + (offset - w->start) : NULL;
}
