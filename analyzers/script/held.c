/* Each event is a row of fixed size, then its payload. */
#include "analyzers/script/held.h"
#include "parser/base/mem.h"
#include "parser/base/tempfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE (1u << 18)

void held_release(struct held *h)
{
	if (h->file)
		fclose(h->file);
	free(h->buffer);
	free(h->raw);
	memset(h, 0, sizeof(*h));
}

static void begin(struct held *h)
{
	int fd = temp_file();

	h->file = fd < 0 ? NULL : fdopen(fd, "w+");
	if (!h->file) {
		h->error = errno;
		if (fd >= 0)
			close(fd);
		return;
	}
	h->buffer = xmalloc(BUFFER_SIZE);
	setvbuf(h->file, h->buffer, _IOFBF, BUFFER_SIZE);
}

static void put(struct held *h, const void *data, size_t size)
{
	if (size && !h->error && fwrite_unlocked(data, 1, size, h->file) != size)
		h->error = errno;
}

void held_add(struct held *h, const struct pdt_event *e, uint32_t place)
{
	if (!h->file && !h->error)
		begin(h);
	put(h, e, sizeof(*e));
	if (e->values) {
		put(h, e->values, sizeof(*e->values));
		put(h, &place, sizeof(place));
	}
	put(h, e->raw, e->raw_size);
	h->count++;
}

int held_rewind(struct held *h, struct warnings *w)
{
	if (!h->error && h->file && fseeko(h->file, 0, SEEK_SET) < 0)
		h->error = errno;
	if (!h->error)
		return 0;
	warn_add(w, SEV_FATAL, "held",
		 "the events cannot be kept in a temporary file: %s (TMPDIR "
		 "names another directory)",
		 strerror(h->error));
	return ERR_IO;
}

static bool get(struct held *h, void *to, size_t size)
{
	bool all = fread_unlocked(to, 1, size, h->file) == size;

	if (!all && ferror_unlocked(h->file))
		h->error = errno;
	return all;
}

bool held_next(struct held *h, struct held_row *row)
{
	struct pdt_event *e = &row->event;

	row->place = PDT_NONE;
	if (!h->file || h->error || !get(h, e, sizeof(*e)))
		return false;
	if (e->values) {
		if (!get(h, &row->values, sizeof(row->values)) ||
		    !get(h, &row->place, sizeof(row->place)))
			return false;
		e->values = &row->values;
	}
	h->raw = xgrow(h->raw, &h->cap, e->raw_size, 1);
	e->raw = e->raw ? h->raw : NULL;
	return get(h, h->raw, e->raw_size);
}
