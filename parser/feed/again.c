/* Windows on a file, one for each CPU (or several, where there are very many). A window is read
 * anew when what is wanted is not in it. Nothing of a file is believed to be what it was before. */
#include "parser/feed/again.h"
#include "parser/base/mem.h"
#include "parser/file/source.h"

#include <stdlib.h>

#define WINDOWS	    256
#define WINDOW_SIZE (16u << 10)

struct again {
	struct window {
		uint8_t *bytes; /* NULL: none yet */
		uint64_t offset;
		size_t len;
	} windows[WINDOWS];
};

void again_free(struct again *a)
{
	for (size_t i = 0; a && i < WINDOWS; i++)
		free(a->windows[i].bytes);
	free(a);
}

/* Read on from OFFSET. */
static int read_window(struct source *source, struct window *w, uint64_t offset)
{
	ssize_t n;

	if (!w->bytes)
		w->bytes = xmalloc(WINDOW_SIZE);
	n = source_pread(source, w->bytes, WINDOW_SIZE, offset);
	w->offset = offset;
	w->len = n < 0 ? 0 : (size_t)n;
	return n < 0 ? (int)n : 0;
}

/* Is the record at OFFSET, AGAIN_RECORD bytes at most, in W as far as the file has it? */
static bool is_inside(const struct window *w, uint64_t offset)
{
	return w->bytes && offset >= w->offset && offset - w->offset < w->len &&
	       w->len - (offset - w->offset) >= AGAIN_RECORD;
}

int readers_fetch(struct readers *r, struct reader *from, const struct pending **out)
{
	uint64_t offset = (*out)->offset;
	struct window *w;
	int rc = 0;

	if (!from->again)
		from->again = xcalloc(1, sizeof(*from->again));
	w = &from->again->windows[(*out)->cpu % WINDOWS];
	if (!is_inside(w, offset))
		rc = read_window(from->source, w, offset);
	if (rc == 0) {
		size_t at = (size_t)(offset - w->offset);

		r->fetched = **out;
		*out = &r->fetched;
		if (ingest_again(&r->in, &r->fetched, w->bytes + at, w->len - at))
			return 1;
	}
	if (source_failed(from->source, r->capture.warnings) < 0)
		return ERR_IO;
	warn_add(r->capture.warnings, SEV_FATAL, "changed",
		 "%s: offset %llu: the file changed while it was read", source_path(from->source),
		 (unsigned long long)offset);
	return ERR_FORMAT;
}
