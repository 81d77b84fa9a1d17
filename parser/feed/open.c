/* Open a capture's files, and close them: one, or a directory of them. */
#include "parser/feed/again.h"
#include "parser/pdtool_cut.h"
#include "parser/feed/reader.h"
#include "parser/file/source.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_reader(struct readers *r, struct source *source)
{
	struct reader *e;

	r->list = xrealloc(r->list, (r->count + 1) * sizeof(*r->list));
	e = &r->list[r->count++];
	memset(e, 0, sizeof(*e));
	e->source = source;
	e->order.max = r->count > 1 ? ORDER_MAX_SORTED : ORDER_MAX;
	e->order.max_bytes = r->in.needs & PDT_WANT_FIELDS ? ORDER_MAX_BYTES_RAW : ORDER_MAX_BYTES;
	e->stream = stream_new(&r->capture, source);
}

/* SOURCE: PATH's bytes, or NULL. */
static int open_capture(struct readers *r, const char *path, struct source *source,
			struct warnings *w)
{
	struct capture *f = &r->capture;
	int rc = 0;

	f->source = source;
	if (!source)
		rc = source_open(&f->source, path, w);
	if (rc == 0 && r->in.needs & PDT_WANT_CUT && !source_seekable(f->source))
		rc = source_spool(f->source, w);
	if (rc == 0)
		rc = header_read(&f->header, f->source, w);
	if (rc == 0 && !f->header.pipe)
		rc = attrs_read(&f->events, &f->header, f->source, w);
	if (rc < 0)
		return rc;
	if (!f->header.pipe)
		features_read(f);
	if (source_failed(f->source, w) < 0)
		return ERR_IO;
	plain_init(&r->in.plain, &f->events, f->header.swap, r->in.needs & PDT_WANT_VALUES);
	add_reader(r, f->source);
	return 0;
}

/* perf record --threads: "data" is a capture, "data.0", "data.1" ... have records only. */
static int open_parts(struct readers *r, struct warnings *w)
{
	struct source *part;
	int rc;

	for (unsigned i = 0; (rc = source_part(&part, r->capture.source, i, w)) == 0 && part; i++)
		add_reader(r, part);
	return rc;
}

static int open_directory(struct readers *r, const char *path, struct warnings *w)
{
	char name[4096];
	int rc;

	snprintf(name, sizeof(name), "%s/data", path);
	rc = open_capture(r, name, NULL, w);
	return rc < 0 ? rc : open_parts(r, w);
}

int readers_open(struct readers *r, const char *path, struct source *source, unsigned needs,
		 struct warnings *w)
{
	int rc;

	memset(r, 0, sizeof(*r));
	capture_meta_init(&r->capture.meta);
	ingest_init(&r->in, needs, &r->capture.events);
	r->capture.warnings = w;
	r->counts = xcalloc(RECORD_USER_MAX, sizeof(*r->counts));
	rc = source ? 0 : source_is_directory(path, w);
	if (rc)
		return rc < 0 ? rc : open_directory(r, path, w);
	rc = open_capture(r, path, source, w);
	return rc == 0 && source_pack(r->capture.source) >= 0 ? open_parts(r, w) : rc;
}

void readers_close(struct readers *r)
{
	for (size_t i = 0; i < r->count; i++) {
		stream_free(r->list[i].stream);
		order_release(&r->list[i].order);
		again_free(r->list[i].again);
		if (r->list[i].source != r->capture.source)
			source_close(r->list[i].source);
	}
	free(r->list);
	ingest_release(&r->in);
	source_close(r->capture.source);
	event_list_release(&r->capture.events);
	capture_meta_release(&r->capture.meta);
	free(r->counts);
	free(r->others);
	idmap_release(&r->cgroups);
	intern_release(&r->cgroup_names);
}
