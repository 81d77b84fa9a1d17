/* Names of events come from the capture: what stands for a place in a file system is replaced. */
#include "analyzers/script/dumps.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <stdlib.h>
#include <string.h>

void dumps_release(struct dumps *d)
{
	for (size_t i = 0; i < d->count; i++)
		free(d->files[i].name);
	free(d->files);
	free(d->by);
	memset(d, 0, sizeof(*d));
}

/* Events with the same name have the same file. */
static uint32_t file_of(struct dumps *d, const char *event)
{
	struct buf name = { 0 };

	buf_char(&name, '.');
	put_safe(&name, event);
	buf_str(&name, ".dump");
	for (char *p = name.data; (p = strchr(p, '/'));)
		*p = '_';
	for (size_t i = 0; i < d->count; i++) {
		if (!strcmp(d->files[i].name, name.data)) {
			buf_release(&name);
			return (uint32_t)i;
		}
	}
	d->files = xgrow(d->files, &d->cap, d->count + 1, sizeof(*d->files));
	d->files[d->count] = (struct lines_file){ .name = name.data };
	return (uint32_t)d->count++;
}

int dumps_make(struct dumps *d, const struct pdt_session *s, struct warnings *w)
{
	const struct pdt_desc *desc;

	d->by = xmalloc((pdt_desc_count(s) + 1) * sizeof(*d->by));
	for (size_t i = 0; (desc = pdt_desc_at(s, i)) && d->count <= DUMPS_MAX; i++)
		d->by[i] = file_of(d, pdt_desc_name(desc));
	if (d->count <= DUMPS_MAX)
		return 0;
	warn_add(w, SEV_FATAL, "dump",
		 "script: --per-event-dump: the capture has more than %d events", DUMPS_MAX);
	return ERR_USAGE;
}

uint32_t dumps_count(struct dumps *d, const struct pdt_event *e)
{
	uint32_t file;

	if (e->kind != PDT_SAMPLE)
		return LINES_ALONE;
	file = d->by[pdt_desc_index(e->desc)];
	d->files[file].count++;
	return file;
}
