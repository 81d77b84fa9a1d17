/* Note addresses, then name them. */
#include "analyzers/script/texts.h"
#include "analyzers/script/where.h"
#include "parser/pdtool_record.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <stdlib.h>
#include <string.h>

void texts_release(struct texts *t)
{
	for (size_t i = 0; i < t->count; i++)
		print_format_free(t->formats[i]);
	free(t->formats);
	idmap_release(&t->locations);
	buf_release(&t->scratch);
	memset(t, 0, sizeof(*t));
}

static struct print_format *format_of(struct texts *t, const struct pdt_event *e)
{
	uint32_t i = pdt_desc_index(e->desc);

	if (i >= t->count)
		t->formats = xgrow_to(t->formats, &t->count, &t->cap, i, sizeof(*t->formats));
	if (!t->formats[i])
		t->formats[i] = print_format_new(e->format);
	return t->formats[i];
}

static bool has_text(const struct pdt_event *e)
{
	return e->kind == PDT_SAMPLE && e->desc && e->raw && e->format;
}

static const char *note(void *ctx, uint64_t address, uint64_t *offset)
{
	struct texts *t = ctx;
	uint32_t location;

	*offset = 0;
	if (idmap_get(&t->locations, address) == IDMAP_NONE &&
	    pdt_locate(t->session, t->event, address, PDT_KERNEL, &location) == 0)
		*idmap_put(&t->locations, address) = location;
	return NULL;
}

void texts_note(struct texts *t, const struct pdt_event *e, const struct pdt_session *s)
{
	struct print_format *f = has_text(e) ? format_of(t, e) : NULL;

	if (!f || !print_format_has_names(f))
		return;
	t->session = s;
	t->event = e;
	t->scratch.len = 0;
	print_format_put(f, e, &(struct print_names){ note, t }, &t->scratch);
}

static const char *name(void *ctx, uint64_t address, uint64_t *offset)
{
	const struct texts *t = ctx;
	uint32_t location = idmap_get(&t->locations, address);

	if (location == IDMAP_NONE)
		return NULL;
	*offset = pdt_location_symbol_offset(t->session, location);
	return pdt_location_name(t->session, location);
}

void texts_put(struct texts *t, const struct pdt_event *e, const struct pdt_session *s,
	       struct buf *out)
{
	size_t from = out->len;

	if (!has_text(e))
		return;
	t->session = s;
	t->event = e;
	print_format_put(format_of(t, e), e, &(struct print_names){ name, t }, out);
	make_safe(out, from);
}
